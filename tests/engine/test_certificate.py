"""C2: the dealer counts, by name, and the count is certified: who, when, which deck, by what, how many (1804B(8))."""

import msgspec
import pytest

from bench.decided import only
from dealerbox.model.commands import AnyCommand, Certificate, Refuse
from dealerbox.model.events import DealerNamed, KeyPressed, ShufflerLocked, WallClock
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import House
from dealerbox.model.shuffler import Cycle


def ack(table, badge=""):
    return table.tell(lambda at: KeyPressed(at, Key.ACK, badge=badge))


def counted(table):
    table.press(Key.COUNT)
    table.cycle(Cycle.COUNT, 52)


@pytest.fixture
def named(make_table):
    return make_table(house=House(count_by_name=True))


def test_a_confirmed_count_is_certified_with_name_time_deck_and_device(table) -> None:
    table.ready()
    table.tell(lambda at: WallClock(at, 1_767_294_600, 19 * 3600 + 600, True))
    counted(table)
    table.wait(5000)
    (certificate,) = only(ack(table, "D-17"), Certificate)
    assert certificate == Certificate(
        by="D-17",
        at_ns=table.now_ns,
        wall_s=1_767_294_605,
        day_s=19 * 3600 + 605,
        wall_sure=True,
        deck="first",
        slot=1,
        device="shuffler",
        result=52,
    )
    assert table.view.certificate == certificate
    assert msgspec.json.decode(msgspec.json.encode(certificate), type=AnyCommand) == certificate


def test_a_verification_is_a_confirmed_count(table) -> None:
    table.opened()
    assert (table.view.certificate.verification, table.view.certificate.result) == (True, 52)


def test_a_count_that_nobody_confirmed_is_not_certified(table) -> None:
    table.ready()
    before = table.view.certificate
    counted(table)
    assert table.view.certificate is before


def test_where_the_house_asks_for_a_name_a_count_without_one_is_refused(named) -> None:
    named.started()
    named.meet()
    named.feed(*named.state.out)
    named.returned(52)
    assert [refusal.reason for refusal in only(ack(named), Refuse)] == [Reason.NO_NAME]
    assert named.view.phase == "opening"
    assert [refusal.reason for refusal in only(ack(named, "  "), Refuse)] == [Reason.NO_NAME]
    assert only(ack(named, "17"), Certificate)[0].by == "17"
    named.cycle(Cycle.SHUFFLE, 52)
    counted(named)
    assert only(ack(named), Refuse)
    assert named.view.prompt_code == "counted"


def test_the_dealer_named_by_the_director_stands_for_keys_without_a_badge(named) -> None:
    named.started()
    named.tell(lambda at: DealerNamed(at, "D-4", "ann"))
    named.meet()
    named.feed(*named.state.out)
    named.returned(52)
    assert only(ack(named), Certificate)[0].by == "D-4"
    named.cycle(Cycle.SHUFFLE, 52)
    counted(named)
    assert only(ack(named, "D-5"), Certificate)[0].by == "D-5"


def test_where_no_wall_clock_was_read_the_certificate_says_so(table) -> None:
    table.ready()
    table.state.wall = table.state.daytime = None
    counted(table)
    (certificate,) = only(ack(table, "D-17"), Certificate)
    assert (certificate.wall_s, certificate.wall_sure) == (0, False)


def test_after_a_mid_hand_proof_a_confirmed_count_is_owed_before_the_next_hand(table) -> None:
    table.begun()
    table.deal()
    table.tell(lambda at: ShufflerLocked(at, "door"))
    table.meet(machine=51)
    table.cycle(Cycle.COUNT, 51)
    table.press(Key.ACK)
    assert table.reasons == []
    table.press(Key.MISDEAL)
    table.cycle(Cycle.SHUFFLE, 51)
    table.home()
    table.button(table.view.button)
    assert [refusal.reason for refusal in only(table.press(Key.START), Refuse)] == [Reason.COUNT_OVERDUE]
    assert table.view.prompt_code == "count"
    counted(table)
    ack(table, "D-17")
    assert not only(table.press(Key.START), Refuse)
