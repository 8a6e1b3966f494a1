"""`dealerbox fouled SEAT`: the director asks for a protected hand that was fouled (1810)."""

from typing import Any

from dealerbox.model.events import HandAsked
from dealerbox.model.view import FouledHand, View
from dealerbox.station.asked import Authority
from dealerbox.station.control import Control
from dealerbox.station.peer import Peer

WHOLE = FouledHand(seat=4, cards=2, lie=("board", "muck"), whole=True, said="RETRIEVE 4.")
BROKEN = FouledHand(seat=4, cards=1, lie=("muck",), whole=False, said="It cannot be made up.")


def real(authority: Authority, found: FouledHand, events: list[Any]) -> Any:
    control = Control(
        authority,
        view=lambda: View(table="T1", phase="betting", hand=3),
        devices=tuple,
        emit=events.append,
        clock=lambda: 5,
        fouled=lambda seat: found,
    )
    return lambda line: control.answer(line, Peer(1000, "ann")) + b"\n"


def test_the_director_is_told_the_zones_and_what_to_do(dealerbox: Any, station: Any) -> None:
    events: list[Any] = []
    path = station(real(Authority.DIRECTOR, WHOLE, events))
    assert dealerbox("fouled", "4", "--socket", path) == (0, "board: 1 of 2\nmuck: 1 of 2\nRETRIEVE 4.\n", "")
    assert events == [HandAsked(5, 4, "ann (1000)")]


def test_a_hand_that_cannot_be_made_up_ends_with_1(dealerbox: Any, station: Any) -> None:
    path = station(real(Authority.DIRECTOR, BROKEN, []))
    assert dealerbox("fouled", "4", "--socket", path) == (1, "muck: 1 of 1\nIt cannot be made up.\n", "")


def test_nobody_else_is_told(dealerbox: Any, station: Any) -> None:
    events: list[Any] = []
    path = station(real(Authority.LOOK, WHOLE, events))
    answer = dealerbox("fouled", "4", "--socket", path)
    assert (answer.code, events) == (77, [])
    assert "may not ask that here" in answer.err


def test_another_program_at_the_socket_is_no_station(dealerbox: Any, station: Any) -> None:
    assert "no station's answer" in dealerbox("fouled", "4", "--socket", station(lambda line: b"hello\n")).err
