"""Which event stops each scene, and why: the numbers that `tests/incidents` holds the engine to."""

from collections.abc import Callable
from typing import Final, NamedTuple

from bench.incidents import again, fined, told
from bench.incidents.table import Table
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense, House


class Scene(NamedTuple):
    """One incident: what happens, and the first stop it must meet."""

    play: Callable[[Table], None]
    stopped_at: int
    """Number of the event, counted from 1 as in its log."""
    reason: Reason
    after: int = 0
    """Stops before it, each ended by its remedy."""
    house: House = House()

    @property
    def name(self) -> str:
        return self.play.__name__

    @property
    def file(self) -> str:
        """Its log, under tests/incidents."""
        return f"{self.play.__module__.rsplit('.', 1)[-1]}/{self.name}.jsonl"

    @property
    def story(self) -> str:
        """What happened at a real table, and how the log tells it."""
        return " ".join((self.play.__doc__ or "").split())

    def table(self) -> Table:
        """Return the table at which it was played just now."""
        table = Table(self.house)
        self.play(table)
        return table


FINED: Final = (
    Scene(fined.a_deck_left_in_sort_mode, 113, Reason.NOT_SHUFFLED),
    Scene(fined.b_warnings_passed_over, 218, Reason.JAM),
    Scene(fined.c_cards_in_a_machine_out_of_service, 188, Reason.NOT_EMPTY),
    Scene(fined.c_short_after_the_machine_was_emptied, 196, Reason.CARDS_OUT),
    Scene(fined.d_right_count_of_wrong_cards, 64, Reason.RECOUNT),
    Scene(fined.e_damaged_card_set_aside, 202, Reason.CARDS_OUT),
    Scene(fined.e_card_in_the_table_well, 248, Reason.CARDS_OUT),
    Scene(fined.f_shuffler_never_started, 206, Reason.NOT_EMPTY),
    Scene(fined.g_one_shuffle_for_two_hands, 204, Reason.NOT_SHUFFLED),
    Scene(fined.h_two_queens_on_the_board, 233, Reason.DEFECTIVE_DECK),
    Scene(fined.h_a_card_of_the_other_deck_on_the_river, 250, Reason.DEFECTIVE_DECK),
)
TOLD: Final = (
    Scene(told.counted_52_with_one_under_the_rail, 107, Reason.RECOUNT),
    Scene(told.a_strange_card_in_the_pack, 191, Reason.RECOUNT),
    Scene(told.a_card_for_a_cut_card, 203, Reason.CARDS_OUT),
    Scene(told.the_cut_card_dealt, 156, Reason.DEFECTIVE_DECK),
    Scene(told.a_new_deck_never_checked, 107, Reason.NOT_VERIFIED),
    Scene(told.a_replacement_deck_no_better, 133, Reason.RECOUNT),
    Scene(told.two_nines_all_in, 252, Reason.DEFECTIVE_DECK),
    Scene(told.a_joker_on_the_flop, 211, Reason.DEFECTIVE_DECK),
    Scene(told.a_card_brought_from_elsewhere, 218, Reason.OTHER_DECK),
    Scene(told.dealt_before_the_last_player_acted, 277, Reason.ROUND_OPEN),
    Scene(told.a_fourth_burn, 200, Reason.BURN_EXTRA),
    Scene(told.a_flop_without_a_burn, 191, Reason.BURN_MISSING),
    Scene(told.burns_mixed_into_the_muck, 229, Reason.BURN_IN_MUCK),
    Scene(told.the_stub_dropped_on_the_muck, 277, Reason.ROUND_OPEN),
    Scene(told.a_button_not_moved, 205, Reason.BUTTON_WRONG),
    Scene(told.three_cards_to_a_player, 162, Reason.WRONG_SEAT),
    Scene(told.the_machine_given_up_in_a_hand, 187, Reason.NOT_RELEASED),
    Scene(told.one_button_for_door_and_hand, 114, Reason.NOT_EMPTY),
    Scene(told.unshuffled_decks_in_play, 113, Reason.NOT_SHUFFLED),
    Scene(told.a_sticky_card, 220, Reason.JAM),
    Scene(told.two_cards_at_once, 114, Reason.DOUBLE_FEED),
    Scene(told.a_reader_that_died_silently, 181, Reason.DEVICE_LOST),
    Scene(told.a_port_that_went_away, 183, Reason.DEVICE_LOST),
    Scene(told.a_record_that_cannot_be_written, 181, Reason.JOURNAL_FAULT),
    Scene(told.a_clock_set_back_by_a_reboot, 117, Reason.CLOCK_UNSURE),
    Scene(told.a_count_forgotten, 114, Reason.COUNT_OVERDUE),
    Scene(told.bent_cards_that_the_house_denied, 221, Reason.ONE_DECK),
    Scene(told.a_boxed_card, 127, Reason.FACED_CARD),
    Scene(told.a_street_that_came_too_early, 238, Reason.PREMATURE_TURN),
    Scene(told.a_card_flashed, 136, Reason.EXPOSED_CARD),
    Scene(again.four_boxed_in_a_row, 224, Reason.ONE_DECK, 4),
    Scene(again.a_card_off_the_table, 136, Reason.OFF_TABLE),
    Scene(again.a_flop_that_came_too_early, 219, Reason.PREMATURE_FLOP),
    Scene(again.a_river_that_came_too_early, 257, Reason.PREMATURE_RIVER),
    Scene(again.a_pot_that_stands, 308, Reason.CARD_MISSING, 1),
    Scene(again.one_card_of_a_group_for_the_neighbour, 127, Reason.WRONG_SEAT, 0, House(dispense=Dispense.GROUP)),
    Scene(again.a_second_card_for_one_player, 122, Reason.WRONG_SEAT, 0, House(dispense=Dispense.HAND)),
    Scene(again.a_flop_without_a_burn_by_hand, 130, Reason.BURN_MISSING, 0, House(dispense=Dispense.HAND)),
    Scene(again.a_used_deck_brought_back, 118, Reason.DECK_USED, 1),
    Scene(again.a_deck_that_was_never_changed, 133, Reason.DECK_CHANGE_OVERDUE),
    Scene(again.a_tournament_begun_too_early, 114, Reason.OUTSIDE_HOURS),
    Scene(again.a_tournament_that_did_not_end, 115, Reason.TOURNAMENT_OVER),
)
