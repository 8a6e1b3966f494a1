"""What the panel shows and sounds, and what happens when its pins fail."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from gpiozero import Device

from dealerbox.model.commands import Hold, Lamp, Notice, Show
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.ports import ConfigError, DeviceGone, DeviceWrong
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.pins.layout import PanelSettings, Push, five_pushes
from dealerbox_drivers.pins.panel import Panel
from dealerbox_drivers.pins.twin import Look, PanelTwin
from dealerbox_drivers.pins.twin_pins import wired, wired_factory

Play = Callable[..., Any]

HOLD = Hold(key=1, reason=Reason.WRONG_SEAT, clause="1804A(3)")


def show(lamp: Lamp = Lamp.GREEN, *lit: Key, buzzer: bool = False) -> Show:
    return Show(lamp=lamp, buzzer=buzzer, lit=lit)


@pytest.mark.parametrize(("lamp", "look"), [(Lamp.GREEN, Look.STEADY), (Lamp.AMBER, Look.SLOW), (Lamp.RED, Look.FAST)])
def test_each_lamp_is_known_by_its_place_and_by_how_it_blinks(bench: Play, lamp: Lamp, look: Look) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(show(Lamp.RED if lamp is Lamp.AMBER else Lamp.AMBER))
        await asyncio.sleep(3)
        for _ in range(50):  # told again and again, as a station does
            table.panel.obey(show(lamp))
            await asyncio.sleep(0.07)
        assert {other: seen.look() for other, seen in table.person.lamps.items() if seen.look() != Look.OFF} == {
            lamp: look
        }
        assert table.person.buzzer.look() is Look.OFF

    bench(scene)


def test_a_hold_is_red_and_loud_before_obey_returns(bench: Play) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(show(Lamp.GREEN))
        await asyncio.sleep(1.03)
        table.panel.obey(HOLD)
        assert table.person.lamps[Lamp.RED].on
        assert not table.person.lamps[Lamp.GREEN].on
        assert table.person.buzzer.on

    bench(scene)


def test_the_buzzer_is_quiet_when_the_station_says_so(bench: Play) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(HOLD)
        await asyncio.sleep(5)
        assert table.person.buzzer.look() is not Look.OFF
        table.panel.obey(show(Lamp.RED, buzzer=False))
        await asyncio.sleep(3)
        assert table.person.buzzer.look() is Look.OFF
        assert table.person.lamps[Lamp.RED].look() is Look.FAST

    bench(scene)


def test_commands_for_others_change_nothing(bench: Play) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(Notice(reason=Reason.COUNT_DUE, clause="1804B(8)"))
        await asyncio.sleep(1)
        assert not any(seen.on for seen in table.person.lamps.values())

    bench(scene)


def test_a_push_with_a_lamp_is_lit_while_its_key_would_be_taken(bench: Play) -> None:
    settings = PanelSettings(push={**five_pushes(), "action": Push(pin=6, short=(Key.ACTION,), light=12)})

    async def scene(table: Any) -> None:
        table.panel.obey(show(Lamp.GREEN, Key.NEXT, Key.ACTION))
        assert table.person.lights["action"].on
        table.panel.obey(show(Lamp.GREEN, Key.START))
        assert not table.person.lights["action"].on

    bench(scene, settings)


def test_what_was_told_while_the_panel_was_away_is_shown_when_it_is_back(run: Play) -> None:
    async def scene() -> None:
        factory, settings = wired_factory(), PanelSettings()
        person = PanelTwin(factory, settings, virtual_clock, Random(1))
        panel = Panel("panel", settings, factory, virtual_clock)
        panel.obey(HOLD)
        for _ in range(2):
            serving = asyncio.create_task(panel.run(lambda event: None))
            await asyncio.sleep(0.01)
            assert person.lamps[Lamp.RED].on
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            assert not person.lamps[Lamp.RED].on

    run(scene())


def test_a_lamp_that_reads_back_otherwise_is_a_panel_lost(bench: Play) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(show(Lamp.GREEN))
        await asyncio.sleep(1)
        table.person.short("green")
        await asyncio.sleep(1)

    with pytest.raises(DeviceGone, match="panel: green read back otherwise than set"):
        bench(scene)


def test_a_pin_that_cannot_be_set_is_a_panel_lost_and_obey_does_not_raise(
    bench: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(table: Any) -> None:
        monkeypatch.setattr(wired(table.factory, 22), "_set_state", broken)
        table.panel.obey(HOLD)
        await asyncio.sleep(1)

    def broken(value: object) -> None:
        raise RuntimeError("GPIO busy")

    with pytest.raises(DeviceGone, match="red: RuntimeError: GPIO busy"):
        bench(scene)


def test_a_pin_that_another_has_is_said_and_nothing_is_kept(run: Play) -> None:
    async def scene() -> None:
        factory = wired_factory()
        first = Panel("first", PanelSettings(), factory, virtual_clock)
        other = Panel("other", PanelSettings(green=4, amber=7, red=8, buzzer=9), factory, virtual_clock)
        serving = asyncio.create_task(first.run(lambda event: None))
        await asyncio.sleep(0.1)
        with pytest.raises(DeviceGone, match=r"other: .*GPIO26.*another device or process has it"):
            await other.run(lambda event: None)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        again = asyncio.create_task(other.run(lambda event: None))
        await asyncio.sleep(0.1)
        assert not again.done()
        again.cancel()
        await asyncio.gather(again, return_exceptions=True)

    run(scene())


def test_a_pin_that_is_none_is_said(run: Play) -> None:
    panel = Panel("panel", PanelSettings(green=99), wired_factory(), virtual_clock)
    with pytest.raises(DeviceWrong, match="panel: 99 is not a valid pin name; correct its pins"):
        run(panel.run(lambda event: None))


def test_a_panel_without_a_factory_is_refused_and_gpiozeros_default_is_never_made() -> None:
    with pytest.raises(ConfigError, match="never gpiozero's default"):
        Panel("panel", PanelSettings(), None, virtual_clock)
    assert Device.pin_factory is None
