"""The judge: a hold that the page asks for is no false one."""

from random import Random

import pytest
from msgspec.structs import replace

from dealerbox.model.cards import Uid
from dealerbox.model.commands import Clear, Command, Hold, Release, Return
from dealerbox.model.events import (
    CardsSeen,
    CycleEnded,
    Event,
    HoldFound,
    KeyPressed,
    Ruled,
    ShufflerMet,
    Started,
    Tick,
    WallClock,
)
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Cycle, Memory, Result
from dealerbox.model.zones import INFEED, Zone
from dealerbox.simulate.checker import Checker
from dealerbox.simulate.pack import pack
from dealerbox.simulate.truth_permits import forbids
from dealerbox_drivers.felt import BEHIND_GATE, BOX, MACHINE, Felt

NAMES = pack(1)
CARDS = [uid for uid, name in NAMES.items() if name % 1000 <= 52]


class Watched:
    """A checker over a felt, and a clock that stands."""

    def __init__(self) -> None:
        self.felt = Felt([CARDS], Random(1))
        self.checker = Checker(self.felt, NAMES, lambda: 10**12)
        self.felt.watch(self.checker.moved)
        self.heard(Started(at_ns=1, setup=Setup(table="t", seats=(1, 2)), memory=Memory(), boot_id="b"))
        for uid in CARDS:
            self.felt.put(uid, BOX)

    def heard(self, event: Event, *commands: Command) -> None:
        self.checker.heard(event, commands)

    def feed(self, unread: tuple[Uid, ...] = ()) -> None:
        self.heard(Tick(2), Return(7, 52))
        for uid in CARDS:
            self.felt.put(uid, INFEED)
            if uid not in unread:
                self.heard(CardsSeen(3, INFEED, (NAMES[uid],)))
            self.felt.put(uid, MACHINE)

    def met(self, *commands: Command) -> None:
        """The machine has come back."""
        numbers = {"serial": 0, "epoch": 1, "last_id": 7, "machine": 0, "exit_id": 0, "token_id": 0, "deal_id": 0}
        self.heard(ShufflerMet(at_ns=5, **numbers, caps=0, agreed=True), *commands)

    def held(self, reason: Reason) -> list[str]:
        """Return what is false about a hold of this reason given now."""
        self.heard(Tick(4), Hold(key=1, reason=reason, clause="house"))
        return self.checker.verdict.false


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_a_recount_is_false_when_every_card_was_read_as_it_went_in(watched: Watched) -> None:
    watched.feed()
    assert len(watched.held(Reason.RECOUNT)) == 1


def test_a_recount_is_due_when_the_infeed_did_not_read_a_card_that_went_in(watched: Watched) -> None:
    watched.feed(unread=(CARDS[20],))
    assert watched.held(Reason.RECOUNT) == []


def test_a_card_that_was_not_read_is_forgotten_once_the_whole_deck_goes_in_again(watched: Watched) -> None:
    watched.feed(unread=(CARDS[20],))
    watched.feed()
    assert len(watched.held(Reason.RECOUNT)) == 1


def test_a_hold_that_stands_is_told_again_to_a_machine_that_comes_back_and_one_that_was_cleared_is_not(
    watched: Watched,
) -> None:
    hold = Hold(key=2, reason=Reason.DEFECTIVE_DECK, clause="1819", zone=Zone("seat:4"))
    watched.met(hold)
    assert len(watched.checker.verdict.false) == 1
    watched.met(replace(hold, key=3))
    assert len(watched.checker.verdict.false) == 1
    watched.heard(Tick(6), Clear(0, 3, 0))
    watched.met(replace(hold, key=4))
    assert len(watched.checker.verdict.false) == 2


def test_a_recount_is_due_when_a_death_lost_what_the_infeed_read(watched: Watched) -> None:
    watched.feed()
    watched.checker.forget(1)
    assert watched.held(Reason.RECOUNT) == []


def test_what_was_read_before_is_known_whatever_a_death_lost_of_the_events_behind_it(watched: Watched) -> None:
    watched.feed()
    watched.heard(Tick(3))
    watched.checker.forget(1)
    assert len(watched.held(Reason.RECOUNT)) == 1


@pytest.mark.parametrize(
    "end",
    [
        KeyPressed(7, Key.AWARD),
        KeyPressed(7, Key.MISDEAL),
        Ruled(7, ruling=Ruling.VOID_HAND, by="director", reason="fouled"),
    ],
)
def test_a_hand_goes_on_whose_end_a_death_has_lost(watched: Watched, end: Event) -> None:
    watched.feed()
    watched.heard(KeyPressed(6, Key.START))
    watched.heard(end)
    watched.checker.forget(1)
    watched.heard(Started(at_ns=8, setup=Setup(table="t", seats=(1, 2)), memory=Memory(), boot_id="b"))
    assert watched.held(Reason.RESTARTED) == []


@pytest.mark.parametrize(("token_id", "deal_id", "shuffled"), [(8, 0, True), (0, 8, True), (0, 0, False)])
def test_a_shuffle_still_counts_for_a_machine_that_has_begun_to_deal_from_it(
    watched: Watched, token_id: int, deal_id: int, shuffled: bool
) -> None:
    watched.feed()
    watched.heard(CycleEnded(3, 8, Cycle.SHUFFLE, Result.DONE, 52))
    watched.heard(
        ShufflerMet(
            at_ns=4, serial=1, epoch=1, last_id=9, machine=51, exit_id=9, token_id=token_id, deal_id=deal_id, caps=0,
            agreed=True,
        )
    )  # fmt: skip
    watched.heard(KeyPressed(6, Key.START))
    assert ("the last completed cycle was no shuffle" not in forbids(watched.checker.truth, 7)) is shuffled


@pytest.mark.parametrize("given", [True, False])
def test_a_card_pulled_while_its_release_is_under_way_is_the_released_card(watched: Watched, given: bool) -> None:
    """The first row of the page that fits names the hold: `wrong_zone`, and without a release `not_released`."""
    watched.feed()
    watched.felt.set_button((1,))
    watched.heard(KeyPressed(6, Key.START))
    card = watched.felt.at(MACHINE)[0]
    watched.felt.put(card, BEHIND_GATE)
    if given:
        watched.heard(Tick(7), Release(12, 11))
    watched.felt.put(card, "board")
    right, wrong = Reason.WRONG_ZONE, Reason.NOT_RELEASED
    assert watched.held(right if given else wrong) == []
    assert len(watched.held(wrong if given else right)) == 1


MINUTE_NS = 60_000_000_000


@pytest.mark.parametrize(
    ("day_s", "complaint"), [(None, "nobody knows the hour"), (48_599, "it is before 13:30"), (48_600, "")]
)
def test_a_first_card_before_half_past_one_is_unlawful(watched: Watched, day_s: int | None, complaint: str) -> None:
    if day_s is not None:
        watched.heard(WallClock(5, 1_767_000_000, day_s, True))
    watched.heard(KeyPressed(6, Key.START))
    hours = ("nobody knows the hour", "it is before 13:30")
    assert [why for why in forbids(watched.checker.truth, 6) if why in hours] == ([complaint] if complaint else [])


def test_a_first_card_within_five_minutes_of_six_hours_is_unlawful(watched: Watched) -> None:
    watched.feed()
    watched.heard(WallClock(5, 1_767_000_000, 50_000, True))
    watched.heard(KeyPressed(6, Key.START))
    watched.checker.truth.let_out(CARDS[0])
    watched.heard(KeyPressed(7, Key.AWARD))
    watched.heard(KeyPressed(8, Key.START))
    over = "the six hours of the tournament are over"
    assert over not in forbids(watched.checker.truth, 6 + 355 * MINUTE_NS)
    assert over in forbids(watched.checker.truth, 7 + 355 * MINUTE_NS)


def test_a_hold_found_in_the_machine_is_a_restart_to_confirm_until_somebody_does(watched: Watched) -> None:
    watched.heard(HoldFound(3, session=1, key=8, reason=0))
    assert watched.held(Reason.RESTARTED) == []
    watched.heard(KeyPressed(4, Key.ACK))
    assert len(watched.held(Reason.RESTARTED)) == 1


@pytest.mark.parametrize("unread", [(), (CARDS[20],)])
def test_a_machine_that_takes_no_card_in_is_counted_by_what_the_infeed_read(watched: Watched, unread: tuple) -> None:
    watched.met()
    watched.feed(unread)
    watched.heard(KeyPressed(26 * MINUTE_NS, Key.ACK))
    watched.heard(KeyPressed(27 * MINUTE_NS, Key.START))
    overdue = "the count is overdue" in forbids(watched.checker.truth, 27 * MINUTE_NS)
    assert overdue is bool(unread)
