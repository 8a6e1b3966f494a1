"""`dealerbox rule` and `dealerbox diag service`: said to the station, and what it said to that."""

from typing import Any

import pytest

from dealerbox.model.events import Ruled, ServiceBegan
from dealerbox.model.keys import Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.station.asked import Authority
from dealerbox.station.control import Control
from dealerbox.station.peer import Peer

REFUSED = Standing(reason=Reason.NO_AUTHORITY, clause="1830(2)", what="That does not fit.", remedy="Rule otherwise.")


def real(authority: Authority, events: list[Any], **shown: Any) -> Any:
    control = Control(
        authority,
        view=lambda: View(table="T1", phase="dealing", hand=3, **shown),
        devices=tuple,
        emit=events.append,
        clock=lambda: 5,
    )
    return lambda line: control.answer(line, Peer(1000, "ann")) + b"\n"


def test_a_ruling_is_given_with_its_reason(dealerbox: Any, station: Any) -> None:
    events: list[Any] = []
    path = station(real(Authority.DIRECTOR, events))
    answer = dealerbox("rule", "seats", "--seats", "1,2,5", "--reason", "moved", "--socket", path)
    assert answer == (0, "recorded; nothing is held\n", "")
    assert events == [Ruled(5, ruling=Ruling.SEATS, by="ann (1000)", reason="moved", seats=(1, 2, 5))]


def test_cards_that_go_back_are_named_by_where_they_lie(dealerbox: Any, station: Any) -> None:
    events: list[Any] = []
    path = station(real(Authority.DIRECTOR, events))
    dealerbox("rule", "to_stub", "--cards", "board:2, seat:4:1", "--reason", "dealt twice", "--socket", path)
    assert [event.cards for event in events] == [("board:2", "seat:4:1")]


def test_what_the_law_does_not_let_the_director_do_ends_with_77(dealerbox: Any, station: Any) -> None:
    path = station(real(Authority.DIRECTOR, [], refused=REFUSED))
    answer = dealerbox("rule", "stand", "--reason", "so", "--socket", path)
    assert answer == (77, "", "That does not fit. Rule otherwise. [no_authority, 1830(2)]\n")


def test_who_may_not_rule_is_told_so(dealerbox: Any, station: Any) -> None:
    path = station(real(Authority.LOOK, []))
    answer = dealerbox("rule", "stand", "--reason", "so", "--socket", path)
    assert answer.code == 77
    assert "the station refuses: ann (1000) may not ask that here" in answer.err


def test_a_technician_takes_the_table(dealerbox: Any, station: Any) -> None:
    events: list[Any] = []
    path = station(real(Authority.TECHNICIAN, events))
    assert dealerbox("diag", "service", "begin", "--socket", path).code == 0
    assert events == [ServiceBegan(5, "ann (1000)")]


@pytest.mark.parametrize(
    ("what", "reason", "says"),
    [
        ("begin", Reason.SERVICE, "A hand is open: the table is taken between hands."),
        ("end", Reason.NOT_NOW, "The table is not in service: there is nothing to give back."),
    ],
)
def test_a_technician_is_refused_in_his_own_words_and_not_in_the_dealers(
    dealerbox: Any, station: Any, what: str, reason: Reason, says: str
) -> None:
    panel = Standing(reason=reason, clause="house", what="A technician has the table.", remedy="Press a key.")
    path = station(real(Authority.TECHNICIAN, [], refused=panel))
    answer = dealerbox("diag", "service", what, "--socket", path)
    assert (answer.code, answer.out) == (77, "")
    assert answer.err.startswith(says)
    assert "A technician has the table" not in answer.err


@pytest.mark.parametrize(
    "arguments", [("stand",), ("deal", "--reason", "so"), ("seats", "--seats", "a", "--reason", "so")]
)
def test_what_is_no_ruling_is_a_question_of_usage(dealerbox: Any, arguments: tuple[str, ...]) -> None:
    assert dealerbox("rule", *arguments).code == 2


def test_another_program_at_the_socket_is_no_station(dealerbox: Any, station: Any) -> None:
    path = station(lambda line: b"hello\n")
    assert "no station's answer" in dealerbox("rule", "stand", "--reason", "so", "--socket", path).err
