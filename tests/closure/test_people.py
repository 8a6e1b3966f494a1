"""What people do when the panel asks: as it says, and no more."""

from msgspec.structs import replace

from bench.closure.acts import Facts
from bench.closure.explore import Explorer
from bench.closure.family import Family
from bench.closure.hands import dealt
from bench.closure.people import honest
from bench.closure.world import OUTLET, World
from dealerbox.engine.clocks import over_fault
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import Tournament
from dealerbox.engine.view import view
from dealerbox.law.custody import TOURNAMENT_NS, since_now
from dealerbox.model.cards import token
from dealerbox.model.events import KeyPressed, Started
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
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


def test_a_table_closed_in_the_last_moment_of_its_six_hours_can_play_another_evening_T3() -> None:
    """No time passes in a world but what its moves say: in that moment itself no other tournament may begin."""
    explorer = Explorer(Family("evenings"))
    state, world = explorer._begin()
    began = since_now(state.now_ns)
    state = replace(
        state,
        phase=Phase.CLOSED,
        now_ns=state.now_ns + TOURNAMENT_NS,
        tournament=Tournament(began=began, played=began, lawful_hour=True, closed=True),
    )
    world, shown = replace(world, looked=True), view(state)
    opened = [
        explorer.play(0, state, world, shown, move)[0] for move in explorer.choices.moves(state, world, shown, -1)
    ]
    told = {over_fault(after) for after in opened if after.phase is not Phase.CLOSED}
    assert told == {None, (Reason.TOURNAMENT_OVER, "")}
