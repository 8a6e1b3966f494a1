"""More of what players, dealers and technicians tell: procedures, two decks, hours, groups, the deck in the hand."""

from bench.incidents.table import Table
from bench.narrator import MS, SEVEN_S, deck
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import ASIDE, BOARD, seat

MINUTE_MS = 60_000


def four_boxed_in_a_row(table: Table) -> None:
    """Four cards in a row lay face up in the pack, and the deck stayed in play.

    Each is dead and laid aside; the dealer presses SUSPECT, the hand is played, and no hand begins with that deck.
    """
    table.ready()
    table.press(Key.START)
    for _ in range(4):
        card = table.let_out()
        table.press(Key.FACED)
        table.see(ASIDE, card)
    table.press(Key.SUSPECT)
    table.deal(8)
    table.press(Key.AWARD, Key.START)
    table.can_be_known()
    table.press(Key.START)


def a_card_off_the_table(table: Table) -> None:
    """A card slid off the table as it was dealt and was given to the player all the same. The dealer says so."""
    table.ready()
    table.press(Key.START)
    table.deal(3)
    table.tell(lambda at: ev.KeyPressed(at, Key.OFF_TABLE, seat=4))
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_flop_that_came_too_early(table: Table) -> None:
    """The flop was turned while a player behind had not acted, and left lying. NEXT came too early: PREMATURE."""
    table.holes()
    table.street(3)
    table.press(Key.PREMATURE)
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_river_that_came_too_early(table: Table) -> None:
    """The like with the river."""
    table.holes()
    table.street(3)
    table.street(1)
    table.street(1)
    table.press(Key.PREMATURE)
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_pot_that_stands(table: Table) -> None:
    """A card was found to be missing after the pot had been pushed, and the players wanted their chips back.

    The deck is read whole twice: short by the same card. It is out; the pot is its winner's (1819).
    """
    holes = table.holes()
    table.press(Key.AWARD)
    table.retracted()
    table.feed(*(card for card in holes if card != holes[3]))
    table.cycle(Cycle.RETURN, 7, Result.WRONG_NUMBER)
    table.press(Key.NO, Key.ACK)
    emptied = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, emptied))
    table.feed(*(card for card in deck(1) if card != holes[3]))
    table.cycle(Cycle.RETURN, 51, Result.WRONG_NUMBER)
    table.press(Key.NO)
    table.can_be_known()
    table.press(Key.START)
    table.wait(5000)


def one_card_of_a_group_for_the_neighbour(table: Table) -> None:
    """A machine gives both cards of a seat together; one stuck to the dealer's hand and went to the next player."""
    table.ready()
    table.press(Key.START)
    first, second = table.let_out(), table.let_out()
    table.see(seat(2), first)
    table.see(seat(3), second)
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_second_card_for_one_player(table: Table) -> None:
    """A dealer with the whole deck in the hand lost count and gave a player two cards running.

    No gate stands between hand and table: the lamp is red before the next card is seen.
    """
    _given(table)
    table.see(seat(2), Token(1001))
    table.see(seat(2), Token(1002))
    table.can_be_known()
    table.wait(500)
    table.press(Key.NEXT)
    table.wait(5000)


def a_flop_without_a_burn_by_hand(table: Table) -> None:
    """The like: with the deck in the hand the dealer turned a board card without burning one."""
    _given(table)
    cards = iter(deck(1))
    for number in (2, 3, 4, 1) * 2:
        table.see(seat(number), next(cards))
    table.press(Key.NEXT)
    table.see(BOARD, next(cards))
    table.can_be_known()
    table.wait(500)
    table.press(Key.NEXT)
    table.wait(5000)


def a_used_deck_brought_back(table: Table) -> None:
    """Two decks went round and round all evening. The first one is changed for the second, then fed in again."""
    table.ready()
    table.press(Key.DECK)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(52, agreed=False, why="content")
    table.press(Key.ACK)
    emptied = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, emptied))
    table.see("infeed", Token(1001))
    table.can_be_known()
    table.press(Key.START)
    table.wait(5000)


def a_deck_that_was_never_changed(table: Table) -> None:
    """Decks stayed in play all evening. This one is counted in time, again and again, and never changed."""
    table.ready()
    for _ in range(5):
        table.now_ns += 23 * MINUTE_MS * MS
        table.press(Key.COUNT)
        table.cycle(Cycle.COUNT, 52)
        table.press(Key.ACK)
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)


def a_tournament_begun_too_early(table: Table) -> None:
    """A charity evening began at noon. The clock, which is known to be right, says 12:05 as START is pressed."""
    table.ready()
    table.tell(lambda at: ev.WallClock(at, SEVEN_S - 7 * 3600, 12 * 3600 + 5 * 60, True))
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)


def a_tournament_that_did_not_end(table: Table) -> None:
    """The last hands of an evening were dealt after its six hours. It began at 13:30, says the director."""
    table.ready()
    table.rule(Ruling.BEGAN, value=5 * 60 + 29)
    table.now_ns += 27 * MINUTE_MS * MS
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)


def _given(table: Table) -> None:
    """START; the dealer opens the shuffler, takes the whole deck out and says so (C4)."""
    table.ready()
    table.press(Key.START)
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.meet(52, agreed=False, why="door")
    table.meet(52, agreed=False, why="content")
    table.press(Key.ACK)
    emptied = table.state.memory.pending
    table.tell(lambda at: ev.PlacesSet(at, emptied))
    table.meet()
