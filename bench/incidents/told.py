"""Complaints of players, dealers and technicians, as they are told in forums and issue threads."""

from bench.incidents.table import JOKER, STRANGER, Table
from bench.narrator import MS, deck
from dealerbox.model import events as ev
from dealerbox.model.cards import Token
from dealerbox.model.keys import Key
from dealerbox.model.shuffler import Cycle, Result
from dealerbox.model.zones import BOARD, BURN, INFEED, MUCK, seat

CUT_CARD = Token(1099)
MINUTE_MS = 60_000


def counted_52_with_one_under_the_rail(table: Table) -> None:
    """A shuffler counted 52 twice; the deck had 51, the last card lay under the rail.

    The machine's count says 52, the readers have seen 51.
    """
    table.switched_on()
    table.feed(*deck(1)[:51])
    table.cycle(Cycle.RETURN, 52)
    table.can_be_known()
    table.wait(2000)
    table.press(Key.ACK, Key.START)
    table.wait(5000)


def a_strange_card_in_the_pack(table: Table) -> None:
    """A card of another pack was shuffled in, and the machine still said 52. It goes in with the cards of a hand."""
    table.holes()
    table.press(Key.AWARD)
    table.feed(*deck(1)[:4])
    table.see(INFEED, STRANGER)
    table.can_be_known()
    table.lose(INFEED, STRANGER)
    table.feed(*deck(1)[4:7])
    table.cycle(Cycle.RETURN, 8)
    table.press(Key.START)


def a_card_for_a_cut_card(table: Table) -> None:
    """A dealer used a card of the deck as the cut card; the red light came only after the deal.

    It stays in the dealer's hand when the others go in.
    """
    table.holes()
    table.awarded(deck(1)[7])
    table.button(2)
    table.press(Key.START)
    table.can_be_known()
    table.wait(5000)


def the_cut_card_dealt(table: Table) -> None:
    """The cut card was left in the pack. It comes up as a hole card."""
    table.ready()
    table.press(Key.START)
    table.deal(5)
    table.brought_up(CUT_CARD)
    table.can_be_known()
    table.wait(500)
    table.press(Key.NEXT)


def a_new_deck_never_checked(table: Table) -> None:
    """A jack was found under the table after 25 minutes; nobody had checked the new deck.

    The new deck is fed in without it, and the first hand begun.
    """
    table.switched_on()
    table.feed(*deck(1)[:51])
    table.cycle(Cycle.RETURN, 51)
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.ACK, Key.START)


def a_replacement_deck_no_better(table: Table) -> None:
    """Two nines of hearts; the deck brought instead had no nine of hearts and two kings. It was played for 15 minutes.

    The second deck is fed in through the same gate as the first: a card of it is not its own.
    """
    table.ready()
    table.press(Key.DECK, Key.ACK)
    table.tell(lambda at: ev.PlacesSet(at, table.state.memory.pending))
    table.meet(0)
    table.feed(*deck(2)[:8])
    table.see(INFEED, STRANGER)
    table.can_be_known()
    table.lose(INFEED, STRANGER)
    table.feed(*deck(2)[9:])
    table.cycle(Cycle.RETURN, 52)
    table.press(Key.ACK, Key.START)


def two_nines_all_in(table: Table) -> None:
    """Two nines of spades, one in a hand, one on the river, with everything in the pot."""
    table.holes()
    table.street(3)
    table.street(1)
    table.press(Key.NEXT)
    table.deal(1)
    table.brought_up(STRANGER)
    table.can_be_known()
    table.wait(500)
    table.press(Key.NEXT)


def a_joker_on_the_flop(table: Table) -> None:
    """Queen, three, joker. The joker comes up as the third card of the flop."""
    table.holes()
    table.press(Key.NEXT)
    table.deal(3)
    table.brought_up(JOKER)
    table.can_be_known()
    table.wait(500)
    table.press(Key.NEXT)


def a_card_brought_from_elsewhere(table: Table) -> None:
    """A card with another back appeared on a board. Here it never came through the shuffler, but by hand."""
    table.holes()
    table.street(3)
    table.see(BOARD, Token(2040))
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def dealt_before_the_last_player_acted(table: Table) -> None:
    """Burn and turn before the last player had acted. With the deck in the dealer's hand no gate is shut.

    The machine has failed and the stub is in the hand; the dealer burns while the round is open.
    """
    _by_hand(table)
    table.see(BURN, table.stub[0])
    table.can_be_known()
    table.wait(5000)


def a_fourth_burn(table: Table) -> None:
    """Four burns were seen after the pot. The first card of the flop is laid on the burns."""
    table.holes()
    table.press(Key.NEXT)
    table.deal(1)
    table.see(BURN, table.let_out())
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_flop_without_a_burn(table: Table) -> None:
    """No burn before the flop. The card that should be burned is laid on the board."""
    table.holes()
    table.press(Key.NEXT)
    table.see(BOARD, table.let_out())
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def burns_mixed_into_the_muck(table: Table) -> None:
    """A dealer dropped the stub on the muck, burns among it. The burn lies in the muck as the turn is asked for."""
    table.holes()
    burn = table.street(3)[0]
    table.lose(BURN, burn)
    table.see(MUCK, burn)
    table.wait(2000)
    table.press(Key.NEXT)
    table.brought_up()
    table.can_be_known()
    table.wait(500)
    table.wait(5000)


def the_stub_dropped_on_the_muck(table: Table) -> None:
    """The like, with the stub in the dealer's hand: it falls on the muck."""
    _by_hand(table)
    table.see(MUCK, *table.stub)
    table.can_be_known()
    table.wait(5000)


def a_button_not_moved(table: Table) -> None:
    """The button had not been moved; two players had acted when it was seen."""
    table.holes()
    table.awarded()
    table.shuffled()
    table.press(Key.START)
    table.can_be_known()
    table.wait(5000)


def three_cards_to_a_player(table: Table) -> None:
    """A player got three cards. The third is dealt to a seat that already has two."""
    table.ready()
    table.press(Key.START)
    table.deal(5)
    table.see(seat(2), table.let_out())
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def the_machine_given_up_in_a_hand(table: Table) -> None:
    """The machine is slow, the dealer deals by hand and says so. The stub is dealt from before it was shown."""
    table.holes()
    table.press(Key.MANUAL, Key.ACK, Key.NEXT)
    table.see(BOARD, table.stub[0])
    table.can_be_known()
    table.wait(5000)


def one_button_for_door_and_hand(table: Table) -> None:
    """One green button opens the shuffler's door and, by the rules, starts the hand. START comes with the door open."""
    table.ready()
    table.tell(lambda at: ev.ShufflerLocked(at, "door"))
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)


def unshuffled_decks_in_play(table: Table) -> None:
    """New decks in their order came into play. The seal is confirmed, the shuffle has not ended."""
    table.verified()
    table.wait(2000)
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)


def a_sticky_card(table: Table) -> None:
    """Sticky, bent or cold cards jam the rollers. One jams as the turn is dealt."""
    table.holes()
    table.street(3)
    table.press(Key.NEXT)
    number = table.state.memory.pending
    table.tell(lambda at: ev.Misfed(at, number, Result.JAM))
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def two_cards_at_once(table: Table) -> None:
    """The like: two stick together and come up as one."""
    table.ready()
    table.press(Key.START)
    number = table.state.memory.pending
    table.tell(lambda at: ev.Misfed(at, number, Result.DOUBLE_FEED))
    table.can_be_known()
    table.press(Key.NEXT)


def a_reader_that_died_silently(table: Table) -> None:
    """A reader was dead after weeks and told no error. The station asks it; no answer is a zone unknown, not empty."""
    table.holes()
    table.tell(lambda at: ev.ZoneUnknown(at, seat(3), "no answer"))
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_port_that_went_away(table: Table) -> None:
    """A USB serial port was numbered anew and gave no data. The shuffler's is gone as the burn comes."""
    table.holes()
    table.press(Key.NEXT)
    table.tell(lambda at: ev.DeviceLost(at, "shuffler", "port gone"))
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_record_that_cannot_be_written(table: Table) -> None:
    """A card was damaged by a power cut though nobody wrote to it. The journal fails in a hand."""
    table.holes()
    table.tell(lambda at: ev.JournalFailed(at, "input/output error"))
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_clock_set_back_by_a_reboot(table: Table) -> None:
    """After a reboot the clock said an earlier time. How long ago the deck was counted is not known: too long."""
    table.ready()
    table.started("the next boot")
    table.clock(sure=False)
    table.button(1)
    table.meet(52)
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)


def a_count_forgotten(table: Table) -> None:
    """Decks stayed in play for hours uncounted. Half an hour after the last count, less the margin, no hand begins."""
    table.ready()
    table.now_ns += 26 * MINUTE_MS * MS
    table.press(Key.START)
    table.can_be_known()
    table.press(Key.START)


def bent_cards_that_the_house_denied(table: Table) -> None:
    """Players saw bent and chipped cards, the house denied it. A player points, the dealer presses SUSPECT.

    The hand is played; the deck is out after it, and no hand begins before two good ones are there.
    """
    table.holes()
    table.press(Key.SUSPECT)
    table.street(3)
    table.press(Key.AWARD, Key.START)
    table.can_be_known()
    table.press(Key.START)


def a_boxed_card(table: Table) -> None:
    """A card lay face up in the pack, and the player blamed the machine. It comes up as the second hole card.

    The dealer presses FACED: it is dead, laid aside, and nothing more comes up before that is seen.
    """
    table.ready()
    table.press(Key.START)
    table.deal(1)
    table.let_out()
    table.press(Key.FACED)
    table.can_be_known()
    table.wait(5000)


def a_street_that_came_too_early(table: Table) -> None:
    """Burn and turn before the last player had acted, with the machine: NEXT was pressed too early, and owned up to."""
    table.holes()
    table.street(3)
    table.street(1)
    table.press(Key.PREMATURE)
    table.can_be_known()
    table.press(Key.NEXT)
    table.wait(5000)


def a_card_flashed(table: Table) -> None:
    """A hole card was turned as it was dealt and stayed in play. The dealer says so: it is dead."""
    table.ready()
    table.press(Key.START)
    table.deal(3)
    table.tell(lambda at: ev.KeyPressed(at, Key.EXPOSED, seat=4))
    table.can_be_known()
    table.wait(5000)


def _by_hand(table: Table) -> None:
    """The hole cards are dealt, the machine fails, the stub is shown and proved, its order kept."""
    table.holes()
    table.press(Key.MANUAL, Key.ACK)
    table.show(*table.stub)
    table.press(Key.ACK)
