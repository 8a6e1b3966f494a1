"""What the closure takes for a breach: books that differ from the table, and no others (P3)."""

from bench.closure.judge import books
from bench.closure.world import HAND, World
from dealerbox.engine.state import Card
from dealerbox.model.cards import stand_in, token
from dealerbox.model.zones import BOARD, seat

CARD, OTHER = token(1, 1), token(1, 2)
UNREAD = stand_in(1, 1)


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
