"""`dealerbox status`: the table in words, JSON as it came, 69 when no station answers, 77 when it is not for you."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pytest_mock import MockerFixture

from dealerbox.cli.picture import rows, show
from dealerbox.model.commands import Certificate, Lamp
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.model.zones import Zone
from dealerbox.station.asked import Authority
from dealerbox.station.control import Control
from dealerbox.station.peer import Peer

HELD = View(
    table="Table 7",
    phase="dealing",
    hand=12,
    street="preflop",
    seats=(1, 2, 5),
    button=5,
    button_seen=(5,),
    expect=Zone("seat:2"),
    released=True,
    prompt="Put it on seat 2.",
    lamp=Lamp.RED,
    buzzer=True,
    lit=(Key.MISDEAL,),
    holds=(
        Standing(
            reason=Reason.WRONG_SEAT,
            clause="1804A(3)",
            what="A card for seat 2 was dealt to seat 1.",
            remedy="Put it on seat 2.",
        ),
    ),
    counts={"seat:1": 2, "stub": 50, "board": 0},
)

WORDS = """\
table   Table 7: dealing, preflop
hand    12
seats   1 2 5
button  seat 5, seen at 5
cards   seat:1 2, stub 50
next    seat:2, on its way
lamp    red, buzzer
held    A card for seat 2 was dealt to seat 1. Put it on seat 2. [wrong_seat, 1804A(3)]
keys    MISDEAL
do now  Put it on seat 2.
"""

Station = Callable[[Callable[[bytes], bytes]], str]


def real(view: View) -> Callable[[bytes], bytes]:
    """Return what the station's own control socket answers."""
    control = Control(Authority.LOOK, view=lambda: view, devices=lambda: (), emit=lambda event: None, clock=lambda: 0)
    return lambda line: control.answer(line, Peer(0, "ann")) + b"\n"


def test_the_table_is_told_in_plain_lines_where_no_terminal_is(dealerbox: Any, station: Station) -> None:
    assert dealerbox("status", "--socket", station(real(HELD))) == (0, WORDS, "")


def test_json_is_the_stations_own_answer(dealerbox: Any, station: Station) -> None:
    answer = dealerbox("status", "--json", "--socket", station(real(HELD)))
    assert answer.code == 0
    assert msgspec.json.decode(answer.out, type=View) == HELD


def test_a_terminal_gets_a_frame(capsys: pytest.CaptureFixture[str]) -> None:
    show(HELD, terminal=True)
    out = capsys.readouterr().out
    assert "A card for seat 2 was dealt to seat 1." in " ".join(out.replace("│", " ").split())


def test_a_quiet_table_says_no_more_than_there_is() -> None:
    quiet = View(table="Table 7", phase="closed", hand=0)
    assert rows(quiet) == [
        ("table", "Table 7: closed"),
        ("hand", "none yet"),
        ("seats", "none"),
        ("button", "to be set, seen at none"),
        ("cards", "none"),
        ("lamp", "green"),
    ]


def test_many_holds_of_one_reason_are_told_once_in_full() -> None:
    lost = [
        Standing(
            reason=Reason.DEVICE_LOST, clause="house", what=f"{name} is silent.", remedy="Look.", why="All is seen."
        )
        for name in ("A", "B", "C")
    ]
    told = rows(View(table="Table 7", phase="opening", hand=0, holds=tuple(lost)))
    assert ("held", "A is silent. Look. [device_lost, house]") in told
    assert ("why", "house rule: All is seen.") in told
    assert ("as well", "B is silent. C is silent.") in told


def test_notices_refusals_folds_and_burns_are_told() -> None:
    said = Standing(reason=Reason.CARDS_OUT, clause="house", what="Two cards are out.", remedy="Feed them in.")
    busy = View(
        table="Table 7",
        phase="betting",
        hand=3,
        notices=(said,),
        refused=said,
        folded=(4,),
        burns=1,
        burns_expected=2,
        expect=Zone("burn"),
    )
    told = rows(busy)
    sentence = "Two cards are out. Feed them in. [cards_out, house]"
    for row in (
        ("notice", sentence),
        ("refused", sentence),
        ("folded", "4"),
        ("burns", "1 of 2"),
        ("next", "burn, not let out yet"),
    ):
        assert row in told


def test_the_last_confirmed_count_is_told_with_who_when_deck_and_device() -> None:
    counted = Certificate(
        by="D-17",
        at_ns=5,
        wall_s=1_767_294_605,
        day_s=19 * 3600 + 605,
        wall_sure=True,
        deck="red",
        slot=1,
        device="shuffler",
        result=52,
    )
    told = dict(rows(View(table="T", phase="between", hand=1, certificate=counted)))
    assert told["count"] == "52 counted in deck red by shuffler, D-17 at 19:10:05"
    unsure = msgspec.structs.replace(counted, by="", wall_s=0, wall_sure=False, verification=True)
    told = dict(rows(View(table="T", phase="between", hand=1, certificate=unsure)))
    assert told["count"] == (
        "52 verified in deck red by shuffler, a dealer without a name at an unknown hour (clock not known to be right)"
    )


def test_no_station_is_one_sentence_and_69(dealerbox: Any, tmp_path: Path) -> None:
    path = f"{tmp_path}/control.sock"
    assert dealerbox("status", "--socket", path) == (
        69,
        "",
        f"{path}: no such file or directory; no station runs there: start it, or name its --socket\n",
    )


def test_a_dead_stations_socket_is_one_sentence_and_69(dealerbox: Any, tmp_path: Path) -> None:
    path = f"{tmp_path}/control.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(path)
    assert dealerbox("status", "--socket", path) == (
        69,
        "",
        f"{path}: connection refused; no station runs there: start it, or name its --socket\n",
    )


def test_a_path_too_long_for_a_socket_is_one_sentence_and_69(dealerbox: Any) -> None:
    path = "/run/" + "x" * 200
    assert dealerbox("status", "--socket", path) == (
        69,
        "",
        f"{path}: af_unix path too long; no station runs there: start it, or name its --socket\n",
    )


BAD = [
    (b"SSH-2.0-OpenSSH\n", "no station's answer (JSON is malformed: invalid character (byte 0)); "
     "is this its control socket?"),
    (b'{"table":', "the station hung up; try again, or see `systemctl status dealerbox`"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "sentence"), BAD)
def test_an_answer_that_is_no_view_is_one_sentence_and_69(
    dealerbox: Any, station: Station, answer: bytes, sentence: str
) -> None:
    path = station(lambda line: answer)
    assert dealerbox("status", "--socket", path) == (69, "", f"{path}: {sentence}\n")


def test_a_station_that_refuses_is_one_sentence_and_77(dealerbox: Any, station: Station) -> None:
    path = station(lambda line: b'{"error":"busy"}\n')
    assert dealerbox("status", "--socket", path) == (77, "", f"{path}: the station refuses: busy\n")


def test_a_socket_that_is_for_others_is_one_sentence_and_77(dealerbox: Any, mocker: MockerFixture) -> None:
    mocker.patch("socket.socket.connect", side_effect=PermissionError(13, "Permission denied"))  # root is never refused
    answer = dealerbox("status", "--socket", "/run/dealerbox/control.sock")
    assert answer == (77, "", "/run/dealerbox/control.sock: you may not ask; join the group of the socket\n")
