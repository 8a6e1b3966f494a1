"""What the closure takes for a breach: a card let out that may not be (P1), books that differ from the table (P3)."""

from msgspec.structs import replace

from bench.closure.acts import Facts
from bench.closure.hands import dealt
from bench.closure.judge import books, heard, let_out
from bench.closure.mishaps import fed_in, lingering
from bench.closure.world import GATE, HAND, OUTLET, World, moved, told_anew
from dealerbox.engine.state import Card
from dealerbox.model.cards import stand_in, token
from dealerbox.model.events import CardsGone, CardsSeen, KeyPressed, ZoneKnown
from dealerbox.model.keys import Key
from dealerbox.model.setup import Setup
from dealerbox.model.view import View
from dealerbox.model.zones import ASIDE, BOARD, EXIT, INFEED, MUCK, seat

CARD, OTHER, NEXT = token(1, 1), token(1, 2), token(1, 3)
UNREAD = stand_in(1, 1)
VIEW = View(table="1", phase="dealing", hand=1, seats=(1, 2))
BEGUN = dealt((1, 2), 1)
ONE_EACH = replace(BEGUN, homes={CARD: seat(2), OTHER: seat(1)}, owed=BEGUN.owed[2:])
TABLE = World(
    cards={CARD: seat(2), OTHER: seat(1), NEXT: GATE}, looked=True, greeting=False, button=(1,), open_hand=ONE_EACH
)
"""Two seats have a card each, and the next one is behind the gate."""


def pressed(world: World, key: Key, prompt: str = "", after: View = VIEW) -> World:
    return heard(world, KeyPressed(0, key), (), replace(VIEW, prompt_code=prompt), after)


def laid(world: World, card, zone, settled: bool = True) -> World:
    world, _ = moved(world, [card], zone)
    return replace(world, restless=frozenset()) if settled else world


def test_a_card_that_lies_elsewhere_keeps_the_next_one_back_once_it_has_settled_H11() -> None:
    assert list(let_out(TABLE, ())) == []
    assert list(let_out(laid(TABLE, CARD, BOARD), ())) == ["a card of seat:2 lies on board"]
    assert list(let_out(laid(TABLE, CARD, BOARD, settled=False), ())) == []


def test_with_one_hand_that_is_said_to_live_cards_may_lie_anywhere_but_in_the_machine_H8() -> None:
    mucked = laid(laid(TABLE, OTHER, MUCK), CARD, BOARD)
    assert list(let_out(mucked, ())) == ["a card of seat:2 lies on board"]
    dead = pressed(mucked, Key.ACK, "half_muck")
    assert list(let_out(dead, ())) == []
    cards = {card: place for card, place in dead.cards.items() if card != CARD}
    assert list(let_out(replace(dead, cards=cards), ())) == ["a card of seat:2 is in the machine"]


def test_a_card_that_was_in_the_muck_may_lie_aside() -> None:
    assert list(let_out(laid(TABLE, OTHER, ASIDE), ())) == ["a card of seat:1 lies on aside"]
    assert list(let_out(laid(laid(TABLE, OTHER, MUCK), OTHER, ASIDE), ())) == []


def test_a_hand_of_which_a_card_was_in_the_muck_may_be_asked_about_before_it_is_a_misdeal() -> None:
    back = laid(laid(TABLE, OTHER, MUCK), OTHER, seat(1))
    assert pressed(back, Key.MISDEAL).open_hand is not None
    assert pressed(TABLE, Key.MISDEAL).open_hand is None


def test_the_count_that_a_proof_leaves_owing_comes_before_the_next_hand_and_not_before_this_one_S2() -> None:
    proved = pressed(replace(TABLE, cards={NEXT: GATE}, open_hand=BEGUN), Key.ACK, "proof")
    assert list(let_out(proved, ())) == []
    again = pressed(replace(proved, open_hand=None), Key.START)
    assert list(let_out(again, ())) == ["a full count is owed since the stub was proved in mid-hand"]
    counted = pressed(replace(pressed(proved, Key.ACK, "counted"), open_hand=None), Key.START)
    assert list(let_out(counted, ())) == []


def test_a_card_read_at_its_seat_while_it_lies_at_the_exit_is_dealt_as_far_as_anybody_can_know() -> None:
    flying = replace(BEGUN, flying=CARD)
    world = replace(TABLE, cards={CARD: OUTLET}, open_hand=flying)
    (move,) = lingering(world, VIEW, Facts(Setup(table="1", seats=(1, 2)), 1, Setup(table="1", seats=()), 1, 0))
    assert move.world.open_hand is not None
    assert (move.world.open_hand.flying, move.world.open_hand.homes) == (0, {CARD: seat(2)})
    assert [type(told) for told in told_anew(move.world, [seat(2), EXIT])] == [CardsSeen, ZoneKnown] * 2
    _, told = moved(move.world, [CARD], BOARD)
    assert {one.zone for one in told if isinstance(one, CardsGone)} == {EXIT, seat(2)}


def test_a_card_fed_in_is_read_at_the_infeed_before_it_is_missed_where_it_lay() -> None:
    """Or the next one would have its permit before anybody could know."""
    facts = Facts(Setup(table="1", seats=(1, 2)), 1, Setup(table="1", seats=()), 1, 0)
    for move in fed_in(TABLE, VIEW, facts):
        assert [one.zone for one in move.events][:1] == [INFEED]


def test_a_card_that_went_in_is_the_stubs_again() -> None:
    cards = {card: place for card, place in TABLE.cards.items() if card != CARD}
    said = pressed(replace(TABLE, cards=cards), Key.ACK, "went_in")
    assert said.open_hand is not None
    assert (said.open_hand.homes, said.open_hand.followed) == ({OTHER: seat(1)}, False)


def differences(cards: dict, out: dict, silent=frozenset()) -> list[str]:
    return list(books(World(cards=cards, silent=silent), {card: Card(at, at, at) for card, at in out.items()}, 0))


def test_a_card_let_out_unread_stands_for_one_that_no_reader_reads_H10() -> None:
    assert differences({CARD: seat(2)}, {UNREAD: seat(2)}, silent={CARD}) == []


def test_it_stands_for_no_card_that_is_in_the_machine_or_has_a_name() -> None:
    said = ["a card in the machine is said to be on seat:2"]
    assert differences({}, {UNREAD: seat(2)}) == said
    assert differences({CARD: BOARD}, {CARD: BOARD, UNREAD: seat(2)}) == said
    assert differences({CARD: HAND}, {UNREAD: seat(2), stand_in(1, 2): seat(2)}, silent={CARD}) == said


def test_a_card_that_lies_there_and_is_read_is_in_the_books() -> None:
    assert differences({CARD: BOARD, OTHER: seat(1)}, {CARD: BOARD}) == ["a card on seat:1 is in no book"]


def test_a_hand_that_is_retrieved_unnamed_is_the_one_of_which_a_card_was_in_the_muck() -> None:
    hand = replace(ONE_EACH, mucked=frozenset({CARD}), folded=frozenset({2}))
    asked = KeyPressed(0, Key.RETRIEVE)
    after = heard(replace(TABLE, open_hand=hand), asked, (), VIEW, VIEW).open_hand
    assert after == replace(ONE_EACH, mucked=frozenset(), folded=frozenset())
    both = replace(hand, mucked=frozenset({CARD, OTHER}))
    after = heard(replace(TABLE, open_hand=both), asked, (), VIEW, VIEW).open_hand
    assert after is not None
    assert not after.followed
