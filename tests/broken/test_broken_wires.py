"""The wires level bites: a station that fails its duty is found out by the checker, which sees the devices."""

import contextlib

import pytest

from dealerbox.simulate.run import Findings, Standstill, simulate
from dealerbox.station.health import Tended
from dealerbox_drivers.rfid.presence import Presence


def played(faults: list[str], hands: int = 1) -> Findings:
    findings = Findings()
    with contextlib.suppress(Standstill):
        simulate(hands, "6", seed=1, level="wires", faults=faults, findings=findings)
    return findings


def test_a_station_that_never_says_that_a_reader_is_lost_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Presence, "aged", lambda self, now_ns: [])
    monkeypatch.setattr(Presence, "lost", lambda self, why, now_ns: [])
    monkeypatch.setattr(Tended, "_lose", lambda self, condition, why: None)
    assert played(["device_lost"]).missed != []
