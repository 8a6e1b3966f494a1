"""What people do when the panel asks: as it says, and no more."""

from msgspec.structs import replace

from bench.closure.people import Facts, honest
from bench.closure.world import OUTLET, World, dealt
from dealerbox.model.cards import token
from dealerbox.model.events import KeyPressed, Started
from dealerbox.model.keys import Key
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.view import View
from dealerbox.model.zones import seat


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


def pressed(prompt: str, world: World) -> list[Key]:
    shown = View(table="1", phase="dealing", hand=1, prompt_code=prompt, lit=(Key.ACK, Key.CUT))
    facts = Facts(setup=setup("1.1", "2.1"), deck=1, renewed=setup("1.1", "2.1"), session=1, now_s=0)
    told = [event for move in honest(world, shown, facts) for event in move.events]
    return [event.key for event in told if isinstance(event, KeyPressed)]


def test_the_stub_is_cut_when_the_panel_asks_for_it() -> None:
    assert Key.CUT in pressed("cut", World(looked=True))


def test_nobody_says_that_a_card_which_two_zones_read_lies_at_its_seat_when_it_does_not_S5() -> None:
    hand = replace(dealt((1, 2), 1), homes={token(1, 1): seat(2)})
    table = World(looked=True, cards={token(1, 1): OUTLET}, open_hand=hand)
    assert Key.ACK not in pressed("doubled", table)
    assert Key.ACK in pressed("doubled", replace(table, cards={token(1, 1): seat(2)}))
