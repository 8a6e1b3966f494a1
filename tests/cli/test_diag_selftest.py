"""`dealerbox diag selftest`: what needs no hand, by the station's word, and a card that nobody changes unseen."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dealerbox.journal.signed import Signer
from dealerbox.station.asked import Answer
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.gauges import ClockGauge, DeviceGauge, Gauges, JournalGauge, Spread, Wire
from dealerbox.station.vouching import vouch

OF_THE_MACHINE = ("clock-battery", "watchdog-armed")
"""What the machine that runs the tests may lack."""
GOOD = Spread(of=500, p50_us=2_000, p99_us=9_000, most_us=20_000)
SLOW = Spread(of=500, p50_us=90_000, p99_us=400_000, most_us=750_000)
WORKING = (DeviceHealth("feig-1", Condition.WORKING), DeviceHealth("panel", Condition.WORKING))
GAUGES = Gauges(
    at_ns=1,
    devices=(
        DeviceGauge(name="feig-1", wire=Wire(frames=4_000, faults=1, trip=GOOD)),
        DeviceGauge(name="panel", pins={"go": "up", "no": "up"}),
    ),
    journal=JournalGauge(records=900, durable=900, left=20_000, evening=10_000, sync=GOOD),
    clocks=ClockGauge(boottime_s=9, up_s=9, wall_sure=True),
)


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Any]:
    """`station(health, gauges)`: a technician's socket where that is answered; its path."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    threads: list[threading.Thread] = []

    def serve(health: Any = WORKING, gauges: Gauges = GAUGES) -> str:
        def answered(line: bytes) -> Answer:
            asked = json.loads(line)
            if asked["ask"] == "health":
                return Answer(ok=True, devices=health)
            if asked["ask"] == "gauges":
                return Answer(ok=True, gauges=gauges)
            signer = Signer(b"s" * 32)
            return Answer(ok=True, vouched=vouch(signer, table="T", digest=asked["digest"], by="tom (9)", wall_s=5))

        def answers() -> None:
            try:
                while True:
                    caller, _ = listening.accept()
                    with caller:
                        caller.sendall(msgspec.json.encode(answered(caller.recv(4096))) + b"\n")
            except OSError:
                return

        path = str(tmp_path / "tech.sock")
        listening.bind(path)
        listening.listen()
        threads.append(threading.Thread(target=answers))
        threads[0].start()
        return path

    yield serve
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    for thread in threads:
        thread.join(5)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealerbox.diagnostics.clock.WATCHED_S", 0.001)


def verdicts(out: str) -> dict[tuple[str, str], str]:
    steps = [json.loads(line) for line in out.splitlines()[:-1]]
    return {(step["code"], step["about"]): step["verdict"] for step in steps}


def test_a_sound_table_passes_by_its_stations_word_with_nothing_borrowed(dealerbox: Any, station: Any) -> None:
    answer = dealerbox("diag", "selftest", "--unattended", "--socket", station(), "--json")
    assert answer.code == 0, answer
    found = verdicts(answer.out)
    assert {found[code] for code in found if code[0] not in OF_THE_MACHINE} == {"passed"}
    assert {("station-device", "feig-1"), ("link-delay", "feig-1"), ("panel-rest", "panel")} <= found.keys()
    assert {("journal-sync", ""), ("journal-space", ""), ("clock-synced", "")} <= found.keys()


@pytest.mark.parametrize(
    ("health", "gauges", "wrong"),
    [
        ((DeviceHealth("feig-1", Condition.LOST, "unplugged"),), GAUGES, ("station-device", "feig-1")),
        (
            WORKING,
            replace(GAUGES, devices=(DeviceGauge(name="feig-1", wire=Wire(frames=4_000, missing=90, trip=GOOD)),)),
            ("link-exchanges", "feig-1"),
        ),
        (
            WORKING,
            replace(GAUGES, devices=(DeviceGauge(name="feig-1", wire=Wire(frames=4_000, trip=SLOW)),)),
            ("link-delay", "feig-1"),
        ),
        (WORKING, replace(GAUGES, devices=(DeviceGauge(name="panel", pins={"go": "stuck"}),)), ("panel-rest", "panel")),
        (WORKING, replace(GAUGES, journal=replace(GAUGES.journal, sync=SLOW)), ("journal-sync", "")),
        (WORKING, replace(GAUGES, journal=replace(GAUGES.journal, left=9)), ("journal-space", "")),
        (WORKING, replace(GAUGES, clocks=replace(GAUGES.clocks, wall_sure=False)), ("clock-synced", "")),
    ],
)
def test_what_is_wrong_fails_by_its_step(dealerbox: Any, station: Any, health: Any, gauges: Any, wrong: Any) -> None:
    answer = dealerbox("diag", "selftest", "--unattended", "--socket", station(health, gauges), "--json")
    assert answer.code == 1
    found = verdicts(answer.out)
    assert found[wrong] == "failed"
    assert list(found.values()).count("failed") == 1


def test_where_too_little_was_seen_nothing_is_called_right(dealerbox: Any, station: Any) -> None:
    young = replace(
        GAUGES,
        devices=(DeviceGauge(name="feig-1", wire=Wire(frames=3)),),
        journal=replace(GAUGES.journal, sync=Spread(of=2)),
    )
    found = verdicts(dealerbox("diag", "selftest", "--unattended", "--socket", station(WORKING, young), "--json").out)
    assert found["link-exchanges", "feig-1"] == found["journal-sync", ""] == "could not be tested"


def test_where_a_card_cannot_be_kept_is_said_before_the_test(dealerbox: Any, tmp_path: Path) -> None:
    """A test with a person takes a quarter of an hour, and its card cannot be had again."""
    card = tmp_path / "card.json"
    card.write_text("of the last service")
    answer = dealerbox("diag", "selftest", "--unattended", "--card", str(card))
    assert (answer.code, answer.out) == (2, "")
    assert "is there already: name a new file" in answer.err
    assert card.read_text() == "of the last service"
    answer = dealerbox("diag", "selftest", "--unattended", "--card", str(tmp_path / "none" / "card.json"))
    assert (answer.code, answer.out) == (66, "")


def test_a_card_is_kept_signed_and_one_that_was_changed_is_told(dealerbox: Any, station: Any, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    answer = dealerbox("diag", "selftest", "--unattended", "--socket", station(), "--card", str(card))
    assert "self-test: " in answer.out
    assert "tom (9)" in answer.out
    assert dealerbox("diag", "selftest", "--verify", str(card)).code == 0
    card.write_text(card.read_text().replace('"passed"', '"failed"', 1))
    changed = dealerbox("diag", "selftest", "--verify", str(card))
    assert changed.code == 1
    assert "WRONG" in changed.out
    card.write_text("{}")
    assert dealerbox("diag", "selftest", "--verify", str(card)).code == 65


def test_without_a_station_it_fails_and_the_card_is_not_signed(dealerbox: Any, tmp_path: Path) -> None:
    answer = dealerbox("diag", "selftest", "--unattended", "--socket", str(tmp_path / "nobody.sock"))
    assert answer.code == 1
    assert "not signed" in answer.out
    assert "no station runs there" in answer.out


def test_guided_without_a_table_file_says_so(dealerbox: Any) -> None:
    assert dealerbox("diag", "selftest", "no-such.toml", "--guided").code == 66
