"""`dealerbox diag watch`: a station at a glance, in words, at 80 columns and 24 lines; tests run only where allowed."""

import asyncio
import json
import signal
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dealerbox.cli.diag import COMMANDS
from dealerbox.cli.diag import watch as command
from dealerbox.cli.watching import words
from dealerbox.cli.watching.app import Watching
from dealerbox.cli.watching.trials import TRIALS, arguments, barred
from dealerbox.diagnostics.seen import Rate, Seen
from dealerbox.model.commands import Lamp
from dealerbox.model.reasons import Reason
from dealerbox.model.view import Standing, View
from dealerbox.model.zones import BOARD, Zone
from dealerbox.ports import DeviceGone
from dealerbox.station.asked import Answer
from dealerbox.station.condition import Condition, DeviceHealth
from dealerbox.station.gauges import ClockGauge, DeviceGauge, Gauges, JournalGauge, Limit, Spread, Wire

HOLD = Standing(
    reason=Reason.WRONG_SEAT, clause="1804A(3)", what="A card is at seat 3.", remedy="Move it to seat 4.", why="So."
)
SERVICE = Standing(reason=Reason.SERVICE, clause="house", what="The table is in service.", remedy="Wait.")
ZONES = ("infeed", "exit", "board", "burn", "muck", "aside", "stub", *(f"seat:{number}" for number in range(1, 11)))
VIEW = View(
    table="Table 7",
    phase="dealing",
    street="flop",
    hand=12,
    expect=BOARD,
    lamp=Lamp.RED,
    buzzer=True,
    holds=(HOLD,),
    counts={Zone(zone): 2 for zone in ZONES},
    burns=1,
    burns_expected=2,
)
WIRE = Wire(opened=1, looks=10, frames=99, faults=1, missing=2, resyncs=1, trip=Spread(9, 4200, 35300, 99000))
NAMES = ("shuffler", "seats-left-and-more", "middle", "mouth", "outlet", "panel", "button", "display")
DEVICES = tuple(DeviceHealth(name, Condition.WORKING, port="/dev/x", identity="FEIG", firmware="1") for name in NAMES)
LIMIT = Limit(what="count", least_s=60, most_s=60, limit_s=1800)
GAUGES = Gauges(
    at_ns=0,
    devices=tuple(
        DeviceGauge(name=name, wire=WIRE, pins={"go": "down", "no": "up"} if name == "panel" else {}) for name in NAMES
    ),
    journal=JournalGauge(records=1234, durable=1233, left=2000, evening=21000, sync=Spread(9, 200, 1500, 4000)),
    clocks=ClockGauge(boottime_s=9, up_s=3723, wall_s=68_640, wall_sure=True, limits=(LIMIT,)),
)
SEEN = Seen(VIEW, DEVICES, GAUGES)
BETWEEN = replace(SEEN, view=View(table="Table 7", phase="between", hand=12))
IN_SERVICE = replace(SEEN, view=replace(BETWEEN.view, holds=(SERVICE,)))


def rate(health: DeviceHealth, **more: Any) -> Rate:
    return Rate(health=health, wire=WIRE, **more)


def test_the_title_says_where_the_table_is_and_a_hold_says_clause_reason_and_remedy() -> None:
    assert words.title(SEEN) == ("Table 7: dealing, flop  hand 12  lamp RED+buzzer", "red")
    (held,) = words.holds(SEEN)
    assert held == ("HELD 1804A(3) A card is at seat 3. Move it to seat 4. (So.) [wrong_seat]", "red")
    assert "IN SERVICE" in words.title(IN_SERVICE).text


def test_zones_are_counted_two_to_a_line_and_what_is_due_stands_below() -> None:
    told = [line.text for line in words.zones(SEEN)]
    assert told[-2:] == ["burns 1 of 2", "next: board"]
    assert len(told) == 11
    assert max(map(len, told)) <= 27


def test_a_wire_fits_its_column_and_one_that_is_bad_is_marked() -> None:
    good, bad = rate(DEVICES[1], polls_s=21.6, bad=0.0), rate(DEVICES[2], polls_s=1234.5, bad=1.0)
    lost = rate(replace(DEVICES[3], condition=Condition.LOST, why="unplugged", losses=3))
    lines = words.wires([good, bad, lost])
    assert [line.level for line in lines] == ["head", "", "amber", "red"]
    assert all(len(line.text) <= 51 for line in lines)
    assert lines[1].text.split() == ["seats-left", "working", "21.6", "0.00", "4.2", "35.3", "0"]
    assert lines[3].text.split()[:3] == ["mouth", "lost", "-"]
    assert words.detail(lost)[-1] == ("now: unplugged", "red")


def test_the_room_of_the_journal_is_no_share_of_an_evening() -> None:
    assert words.journal(SEEN)[-1] == ("room made for 2,000 records, an evening has 21,000", "red")


@pytest.mark.parametrize(
    ("least_s", "most_s", "said", "level"),
    [
        (60, 60, "count: 0:01:00 of 0:30:00", ""),
        (60, -1, "count: 0:01:00 to ? of 0:30:00", "amber"),
        (1801, 1900, "count: 0:30:01 to 0:31:40 of 0:30:00", "red"),
        (-1, -1, "count: not begun, of 0:30:00", ""),
    ],
)
def test_a_clock_of_the_law_says_what_has_passed_at_least_and_at_most(
    least_s: int, most_s: int, said: str, level: str
) -> None:
    clocks = replace(GAUGES.clocks, limits=(replace(LIMIT, least_s=least_s, most_s=most_s),))
    lines = words.clocks(replace(SEEN, gauges=replace(GAUGES, clocks=clocks)))
    assert lines[0].text == "up 1:02:03, 19:04 UTC"
    assert lines[-1] == (said, level)


def test_a_journal_with_little_room_and_a_stuck_key_are_urgent() -> None:
    assert [line.level for line in words.journal(SEEN)] == ["", "", "red"]
    (line,) = words.pins([DeviceGauge(name="panel", pins={"go": "stuck", "no": "up"})])
    assert line == ("panel: go stuck; off: no", "red")


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.command)
def test_no_test_runs_while_a_hand_is_open_and_none_borrows_before_the_table_is_taken(trial: Any) -> None:
    assert trial.command in COMMANDS
    assert "hand 12 is open" in barred(trial, SEEN)
    assert bool(barred(trial, BETWEEN)) is trial.borrows
    assert barred(trial, IN_SERVICE) == barred(trial, None) == ""


def test_a_test_is_told_the_tables_file_and_the_wire_that_is_chosen() -> None:
    by_name = {trial.command: trial for trial in TRIALS}
    assert arguments(by_name["link"], "f.toml", "mouth", in_service=True) == ["link", "mouth", "--file", "f.toml"]
    assert arguments(by_name["panel"], "f.toml", "mouth", in_service=True) == ["panel", "--file", "f.toml"]
    assert arguments(by_name["selftest"], "f.toml", "", in_service=False) == ["selftest", "f.toml", "--unattended"]


class Told:
    """Stands for the station that is looked at."""

    path = "/run/x/control.sock"

    def __init__(self, *seen: Seen | None, devices: Sequence[DeviceHealth] = DEVICES) -> None:
        """What is seen at each look, the last for ever; None: nobody answers."""
        self.seen, self.devices = list(seen), devices

    async def look(self) -> Seen:
        seen = self.seen.pop(0) if len(self.seen) > 1 else self.seen[0]
        if seen is None:
            raise DeviceGone("/run/x/control.sock: connection refused; see")
        return seen

    def rates(self) -> list[Rate]:
        return [rate(health, polls_s=20.0, bad=0.0) for health in self.devices]

    async def end(self) -> None: ...


def at(told: Told, story: Callable[[Any, Any], Any], size: tuple[int, int] = (80, 24)) -> list[list[str]]:
    """Play a story before the screen; return the commands that were run."""
    ran: list[list[str]] = []

    def run(words: Sequence[str]) -> None:
        ran.append(list(words))

    async def whole() -> None:
        lookout: Any = told
        app = Watching(lookout, "station.toml", run, outside=nullcontext, every_s=3600)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await story(app, pilot)

    asyncio.run(whole())
    return ran


def shown(app: Any) -> list[str]:
    """Return the lines of the screen."""
    return ["".join(segment.text for segment in strip).rstrip() for strip in app.screen._compositor.render_strips()]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_everything_is_on_the_screen_at_80_by_24(size: tuple[int, int]) -> None:
    async def story(app: Any, pilot: Any) -> None:
        lines = shown(app)
        assert len(lines) == size[1]
        whole = "\n".join(lines)
        for said in (
            "!Table 7: dealing, flop  hand 12  lamp RED+buzzer",
            "!HELD 1804A(3) A card is at seat 3.",
            "seat:10    2",
            "next: board",
            "display    working",
            "panel: go down; off: no",
            "1,234 records, 1 not on the disk yet",
            "count: 0:01:00 of 0:30:00",
            "q quit",
        ):
            assert said in whole
        for trial in TRIALS:
            assert f"{trial.key} {trial.short}" in " ".join(whole.split())

    assert at(Told(SEEN), story, size) == []


def test_a_key_runs_its_test_in_service_and_says_why_not_in_mid_hand() -> None:
    async def story(app: Any, pilot: Any) -> None:
        await pilot.press("p")
        await pilot.pause()
        assert "!panel: hand 12 is open; no test runs before it is over" in shown(app)
        await pilot.press("t")
        await pilot.pause()
        assert any("hand 12 is open; the table is taken between hands" in line for line in shown(app))
        await app.look()
        assert any("hand 12 is open; the table is taken between hands" in line for line in shown(app))
        app._lookout.seen = [IN_SERVICE]
        await app.look()
        assert not any("hand 12 is open" in line for line in shown(app))
        await pilot.press("down", "down", "l")
        await pilot.press("t")
        await pilot.pause()

    assert at(Told(SEEN), story) == [
        ["link", "middle", "--file", "station.toml"],
        ["service", "end", "--socket", "/run/x/tech.sock"],
    ]


def test_a_wire_that_is_chosen_is_on_the_screen_however_many_there_are() -> None:
    more_than_lines = [replace(DEVICES[0], name=f"reader-{number}") for number in range(1, 19)]
    many = Told(SEEN, devices=more_than_lines)

    async def story(app: Any, pilot: Any) -> None:
        for chosen in (*range(2, 19), 1):
            await pilot.press("down")
            await pilot.pause()
            whole = "\n".join(shown(app))
            assert f"reader-{chosen} " in whole
            assert f"reader-{chosen} at /dev/x" in whole

    at(many, story)


def test_a_station_that_is_gone_is_said_and_what_was_seen_stays_as_old() -> None:
    async def story(app: Any, pilot: Any) -> None:
        await app.look()
        await pilot.pause()
        lines = shown(app)
        assert lines[0].startswith("!no station: /run/x/control.sock: connection refused")
        assert any("what is shown below is old" in line for line in lines)
        assert any("seat:10    2" in line for line in lines)
        await pilot.press("j")
        await pilot.pause()

    assert at(Told(SEEN, None), story) == [["journal", "station.toml"]]


def test_without_textual_it_is_one_sentence_and_69(dealerbox: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    answer = dealerbox("diag", "watch")
    assert (answer.code, answer.out) == (69, "")
    assert answer.err == (
        "the live screen needs Textual, which is not installed: pip install 'dealerbox[watch]', or ask for --json\n"
    )


def test_no_station_is_one_sentence_and_69(dealerbox: Any, tmp_path: Path) -> None:
    answer = dealerbox("diag", "watch", "--socket", str(tmp_path / "none.sock"))
    assert (answer.code, answer.out) == (69, "")
    assert "no such file or directory" in answer.err


def test_json_is_a_line_for_each_look(dealerbox: Any, station: Any) -> None:
    answers = {"status": VIEW, "health": Answer(devices=DEVICES), "gauges": Answer(gauges=GAUGES)}
    path = station(lambda line: msgspec.json.encode(answers[json.loads(line)["ask"]]) + b"\n", lines=3)
    answer = dealerbox("diag", "watch", "--json", "--looks", "1", "--socket", path)
    assert (answer.code, answer.err) == (0, "")
    assert msgspec.json.decode(answer.out, type=Seen) == SEEN


@pytest.mark.parametrize("during", ["subprocess.run", "click.prompt"])
def test_ctrl_c_ends_the_test_that_runs_and_not_the_screen(monkeypatch: pytest.MonkeyPatch, during: str) -> None:
    for called in ("subprocess.run", "click.prompt"):
        monkeypatch.setattr(called, lambda *_, hit=called == during, **__: hit and signal.raise_signal(signal.SIGINT))

    async def screen() -> str:
        command._run(["clock"])
        await asyncio.sleep(0)
        return "it goes on"

    assert asyncio.run(screen()) == "it goes on"


def test_a_screen_that_is_no_terminal_is_one_sentence_and_2(dealerbox: Any, station: Any) -> None:
    answers = {"status": VIEW, "health": Answer(devices=DEVICES), "gauges": Answer(gauges=GAUGES)}
    path = station(lambda line: msgspec.json.encode(answers[json.loads(line)["ask"]]) + b"\n", lines=3)
    answer = dealerbox("diag", "watch", "--socket", path)
    assert (answer.code, answer.out) == (2, "")
    assert "the live screen needs a terminal; --json gives lines" in answer.err
