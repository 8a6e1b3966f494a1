"""`dealerbox diag probe`: what it prints, and what it leaves alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from dealerbox.cli.diag.probe import _said
from dealerbox.diagnostics.probing import Tried


def test_a_port_that_is_not_there_is_69_and_a_sentence(dealerbox: Any) -> None:
    answer = dealerbox("diag", "probe", "/dev/ttyNONE9", "--json", "--socket", "no.sock")
    assert (answer.code, answer.out) == (69, "")
    assert "there is no such port: plug the device in" in answer.err


def test_what_answers_is_printed_with_the_driver_to_write_in_the_file() -> None:
    told = Tried(driver="feig", baud=38400, parity="E", answers=True, identity="FEIG reader", firmware="01")
    assert _said(told) == 'FEIG reader, firmware 01\n  driver = "feig" (38400 baud, even parity)'


ANSWERS = {
    "in hand": {"status": {"table": "7", "phase": "dealing", "hand": 3, "street": "flop"}},
    "held": {
        "status": {"table": "7", "phase": "between", "hand": 3},
        "health": {"ok": True, "devices": [{"name": "mouth", "condition": "working", "port": "PORT"}]},
    },
}


@pytest.mark.parametrize(
    ("answers", "said"),
    [("in hand", "hand 3 is open at 7: nothing is asked of a device"), ("held", "for its device 'mouth' (working)")],
)
def test_the_stations_port_and_any_port_in_mid_hand_are_left_alone_with_77(
    dealerbox: Any, station: Any, tmp_path: Path, answers: str, said: str
) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    (tmp_path / "by-path").symlink_to(port)
    told = json.loads(json.dumps(ANSWERS[answers]).replace("PORT", str(port)))
    path = station(lambda question: json.dumps(told[json.loads(question)["ask"]]).encode() + b"\n", len(told))
    answer = dealerbox("diag", "probe", str(tmp_path / "by-path"), "--socket", path)
    assert (answer.code, answer.out) == (77, "")
    assert said in answer.err
