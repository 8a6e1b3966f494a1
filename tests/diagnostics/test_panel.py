"""Panel and button over their twins: dead, stuck, bouncing and shorted keys, a dead lamp, a mute buzzer are told."""

import asyncio
import re
from random import Random
from typing import Any

import pytest

from dealerbox.diagnostics.borrowed import Loan
from dealerbox.diagnostics.button import button
from dealerbox.diagnostics.panel import panel
from dealerbox.diagnostics.verdict import Nobody, Step, Verdict
from dealerbox.ports import DeviceGone
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.pins.button_twin import Magnets, wire_direct
from dealerbox_drivers.pins.twin import PanelTwin
from dealerbox_drivers.pins.twin_pins import wired, wired_factory

KEYS = ("go", "action", "misdeal", "no", "menu")


class Person(Nobody):
    """Presses, turns, looks and listens as asked; `dark` is what does not shine or sound."""

    def __init__(self, twin: PanelTwin) -> None:
        self.twin = twin
        self.dead: set[str] = set()
        self.dark: set[str] = set()
        self.also: dict[str, str] = {}
        self.chatters = 0
        self._fingers: list[asyncio.Task[None]] = []

    def tells(self, what: str) -> bool:
        self._fingers.append(asyncio.ensure_future(self._does(what)))
        return True

    async def sees(self, what: str) -> bool | None:
        name = "buzzer" if "buzzer" in what else what.removeprefix("Is the ").partition(" lamp")[0]
        watched = {**{lamp.value: one for lamp, one in self.twin.lamps.items()}, "buzzer": self.twin.buzzer}
        return watched[name].on and name not in self.dark

    async def _does(self, what: str) -> None:
        await asyncio.sleep(0.5)
        if "switch" in what:
            if "director" not in self.dead:
                await self.twin.turn(True)
                await asyncio.sleep(0.5)
                await self.twin.turn(False)
            return
        key = what.removeprefix("Press ").partition(" ")[0].lower()
        if key in self.dead:
            return
        if key in self.also:
            await asyncio.gather(self.twin.press(key), self.twin.press(self.also[key]))
            return
        for _ in range(self.chatters):
            await self.twin.ghost(key, 30)
            await asyncio.sleep(0.03)
        await self.twin.press(key)


@pytest.fixture
def tested(table, device, steps_of) -> Any:
    """`tested(spoil)`: the steps at a panel with which `spoil(person)` something is wrong."""

    def play(spoil=lambda person: None, who=None) -> list[Step]:
        table.devices(device("panel", "panel-pins"))
        settings = table.config.devices[0].settings
        factory = wired_factory()

        async def steps() -> Any:
            person = Person(PanelTwin(factory, settings, virtual_clock, Random(5)))
            spoil(person)
            loan = Loan(table.config, table.config.devices[0], None, lambda: factory)
            async for step in panel(loan, who or person, virtual_clock):
                yield step

        return steps_of(steps)

    return play


def wrong(steps: list[Step]) -> set[tuple[str, str]]:
    return {(step.code, step.about) for step in steps if step.verdict is Verdict.FAILED}


def test_a_sound_panel_passes_and_every_contact_and_output_was_tried(tested) -> None:
    steps = tested()
    assert wrong(steps) == set()
    assert [step.about for step in steps[1:]] == [*KEYS, "director", "green", "amber", "red", "buzzer"]
    assert {step.verdict for step in steps} == {Verdict.PASSED}


@pytest.mark.parametrize("key", ["go", "director"])
def test_a_dead_key_is_told(tested, key) -> None:
    code = "panel-switch" if key == "director" else "panel-key"
    assert wrong(tested(lambda person: person.dead.add(key))) == {(code, key)}


def test_a_stuck_key_is_told_at_rest_and_by_its_name(tested) -> None:
    def spoil(person) -> None:
        person.twin._pushes["no"].drive(False)
        person.dead.add("no")

    steps = tested(spoil)
    assert wrong(steps) == {("panel-rest", ""), ("panel-key", "no")}
    assert steps[0].found == "no is down"


def test_a_key_that_chatters_is_felt_more_than_once(tested) -> None:
    steps = tested(lambda person: setattr(person, "chatters", 2))
    assert wrong(steps) == {("panel-key", key) for key in KEYS}
    assert "felt 3 times" in steps[1].found


def test_a_key_that_bounces_long_is_measured(tested) -> None:
    def spoil(person) -> None:
        async def bounce(pin, level) -> None:
            for _ in range(10):
                pin.drive(level)
                await asyncio.sleep(0.002)
                pin.drive(None if level is False else False)
                await asyncio.sleep(0.002)
            pin.drive(level)

        person.twin._bounce = bounce

    steps = tested(spoil)
    assert ("panel-key", "go") in wrong(steps)
    assert steps[1].figures["bounce_ms"] == pytest.approx(40, abs=1)


def test_two_keys_that_are_shorted_are_told(tested) -> None:
    steps = tested(lambda person: person.also.update({"go": "menu"}))
    assert wrong(steps) == {("panel-key", "go")}
    assert "menu at the same time" in steps[1].found


@pytest.mark.parametrize(("name", "code"), [("red", "panel-lamp"), ("buzzer", "panel-buzzer")])
def test_a_dead_lamp_or_buzzer_is_the_persons_to_tell(tested, name, code) -> None:
    assert wrong(tested(lambda person: person.dark.add(name))) == {(code, name)}


def test_a_shorted_output_is_read_back(tested) -> None:
    steps = tested(lambda person: person.twin.short("amber", False))
    assert wrong(steps) == {("panel-lamp", "amber")}
    assert next(step.found for step in steps if step.about == "amber") == "its pin (27) reads low though set high"


def test_without_a_person_only_what_is_at_rest_is_judged(tested) -> None:
    steps = tested(who=Nobody())
    assert steps[0].verdict is Verdict.PASSED
    assert {step.verdict for step in steps[1:]} == {Verdict.UNTESTED}


def test_where_there_are_no_pins_it_says_so(table, device, steps_of) -> None:
    table.devices(device("panel", "panel-pins"))

    def none() -> Any:
        raise DeviceGone("pins: no GPIO chip here")

    loan = Loan(table.config, table.config.devices[0], None, none)
    (step,) = steps_of(lambda: panel(loan, Nobody(), virtual_clock))
    assert (step.verdict, step.found) == (Verdict.UNTESTED, "pins: no GPIO chip here")


@pytest.fixture
def seated(table, device, steps_of) -> Any:
    """`seated(spoil)`: the steps at a button sensor of three seats, with `spoil(magnets)`."""

    def play(spoil=lambda magnets: None, who=None) -> list[Step]:
        table.devices(device("button", "button-pins", seats={1: 4, 2: 12, 3: 16}))
        settings = table.config.devices[0].settings
        factory = wired_factory()
        magnets = Magnets(table.felt)
        wire_direct(factory, settings, magnets)
        spoil(magnets)
        table.felt.set_button((2,))

        class Lays(Nobody):
            def tells(self, what: str) -> bool:
                table.felt.set_button(tuple(map(int, re.findall(r"seat (\d+)", what))))
                return True

        loan = Loan(table.config, table.config.devices[0], None, lambda: factory)
        assert wired(factory, 4)
        return steps_of(lambda: button(loan, who or Lays(), virtual_clock))

    return play


def test_a_button_that_is_felt_at_each_seat_passes(seated) -> None:
    steps = seated()
    assert wrong(steps) == set()
    assert [step.about for step in steps] == ["", "seat:1", "seat:2", "seat:3"]


def test_a_dead_contact_fails_at_its_seat(seated) -> None:
    assert wrong(seated(lambda magnets: magnets.dead.add(3))) == {("button-seat", "seat:3")}


def test_a_welded_contact_is_felt_without_a_button_and_beside_it(seated) -> None:
    steps = seated(lambda magnets: magnets.welded.add(1))
    assert wrong(steps) == {("button-rest", ""), ("button-seat", "seat:2"), ("button-seat", "seat:3")}


def test_a_button_that_nobody_lays_is_not_tested(seated) -> None:
    assert {step.verdict for step in seated(who=Nobody())} == {Verdict.UNTESTED}
