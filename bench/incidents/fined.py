"""Incidents that a regulator fined or a paper recorded, A to H."""

from bench.incidents.table import STRANGER, Table
from bench.narrator import deck
from dealerbox.model.cards import Token
from dealerbox.model.events import CycleEnded, ShufflerLocked
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle, Result


def a_deck_left_in_sort_mode(table: Table) -> None:
    """Two decks were left in a sorting machine and 16 tournament hands dealt from them; a light blinked, nobody spoke.

    Here the machine ends every cycle but a shuffle. The dealer sees nothing wrong and presses START.
    """
    table.verified()
    pending = table.state.memory.pending
    table.tell(lambda at: CycleEnded(at, pending, Cycle.SHUFFLE, Result.REFUSED, 52))
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START, Key.NEXT, Key.START)


def b_warnings_passed_over(table: Table) -> None:
    """Seven times in nine months staff played on over a shuffler's warnings.

    The machine reports a failing sensor during the flop's round. The dealer presses on.
    """
    table.holes()
    table.street(3)
    table.tell(lambda at: ShufflerLocked(at, "sensor"))
    table.can_be_known()
    table.press(Key.NEXT, Key.NEXT, Key.ACTION)
    table.wait(5000)


def c_cards_in_a_machine_out_of_service(table: Table) -> None:
    """A technician found 16 cards in a shuffler that had been taken away; the decks had been short for 122 hands.

    The machine is taken away with 16 cards in it, and another one set in its place.
    """
    table.holes()
    table.awarded(*deck(1)[:8])
    table.meet(44, agreed=False, why="serial", serial=2)
    table.can_be_known()
    table.press(Key.START)
    table.wait(5000)


def c_short_after_the_machine_was_emptied(table: Table) -> None:
    """The same, seen from the table: the deck that comes back is 16 cards short, and a hand is begun with it."""
    table.holes()
    table.press(Key.AWARD)
    table.feed(*(card for card in table.state.out if card > 1004))
    table.cycle(Cycle.RETURN, 4)
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)
    table.wait(5000)


def d_right_count_of_wrong_cards(table: Table) -> None:
    """A deck without one queen and with a jack too many was played for some 420 hands: the count stayed right.

    The new deck has 52 cards, one of which is not its own.
    """
    table.switched_on()
    table.feed(*deck(1)[:30])
    table.see("infeed", STRANGER)
    table.can_be_known()
    table.lose("infeed", STRANGER)
    table.feed(*deck(1)[31:])
    table.cycle(Cycle.RETURN, 52)
    table.press(Key.ACK, Key.START)


def e_damaged_card_set_aside(table: Table) -> None:
    """A card that the shuffler had damaged was set aside, and 42 hands were played without it.

    The card is not fed in again after the hand; the next one is begun.
    """
    holes = table.holes()
    table.awarded(holes[5])
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)
    table.wait(5000)


def e_card_in_the_table_well(table: Table) -> None:
    """A jack lay in the well of the table for 21 minutes and 32 hands.

    One card of the board falls there as the pot is pushed; no reader sees it.
    """
    table.holes()
    board = table.street(3)
    table.lose("board", board[2])
    table.awarded(board[2])
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)
    table.wait(5000)


def f_shuffler_never_started(table: Table) -> None:
    """A dealer put the cards in, never started the shuffler and took them out again, for 25 hands.

    The dealer opens the machine before it has shuffled, and wants to begin.
    """
    table.holes()
    table.awarded()
    table.tell(lambda at: ShufflerLocked(at, "door"))
    table.button(2)
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)
    table.wait(5000)


def g_one_shuffle_for_two_hands(table: Table) -> None:
    """Nine games in a year were played with cards that nobody had shuffled, some after a warning letter.

    The hand is misdealt, the cards are back in the machine, and the next deal is begun before the shuffle has ended.
    """
    table.holes()
    table.press(Key.MISDEAL)
    table.feed(*table.state.out)
    table.cycle(Cycle.RETURN, 8)
    table.press(Key.START)
    table.can_be_known()
    for _ in range(8):
        table.press(Key.START)


def h_two_queens_on_the_board(table: Table) -> None:
    """Two queens of hearts lay on a board and were seen next day: the pot stood.

    A second queen has come into the pack with the cards of this hand; it comes up as the turn.
    """
    table.holes()
    table.street(3)
    table.press(Key.NEXT)
    table.deal(1)
    table.brought_up(STRANGER)
    table.can_be_known()
    table.wait(500)
    table.press(Key.NEXT)
    table.wait(5000)


def h_a_card_of_the_other_deck_on_the_river(table: Table) -> None:
    """The like: a card with another back is turned as the river. It shows at the exit, before the dealer has it."""
    table.holes()
    table.street(3)
    table.street(1)
    table.press(Key.NEXT)
    table.deal(1)
    table.brought_up(Token(2009))
    table.can_be_known()
    table.wait(500)
    table.press(Key.NEXT)
