"""What people do when the panel asks: as it says, and no more."""

from bench.closure.people import Facts, honest
from bench.closure.world import World
from dealerbox.model.events import Started
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.view import View


def setup(*names: str) -> Setup:
    decks = tuple(DeckInfo(slot=int(name[0]), name=name, back=name[0]) for name in names)
    return Setup(table="1", seats=(1, 2), decks=decks)


def enrolled(prompt: str, now: Setup, renewed: Setup, deck: int) -> list[str]:
    """Names of the decks that are brought at this prompt."""
    shown = View(table="1", phase="between", hand=0, prompt_code=prompt)
    facts = Facts(setup=now, deck=deck, renewed=renewed, session=1, now_s=0)
    moves = honest(World(looked=True), shown, facts)
    (told,) = [event for move in moves for event in move.events if isinstance(event, Started)]
    return [info.name for info in told.setup.decks]


def test_a_new_set_is_two_new_decks_though_one_is_in_play_still_1804B8() -> None:
    """Deck 1 is used, deck 2 in play and of an age that nobody knows."""
    assert enrolled("new_set_required", setup("1.1", "2.1"), setup("1.2", "2.1"), deck=2) == ["1.2", "2.2"]


def test_a_second_deck_leaves_the_one_in_play_1804B6() -> None:
    assert enrolled("one_deck", setup("1.1", "2.1"), setup("1.2", "2.1"), deck=2) == ["1.2", "2.1"]
