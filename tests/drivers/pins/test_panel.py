"""A dealer at his panel: what his fingers say, what the lamps show."""

import asyncio
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from gpiozero import Device
from msgspec.structs import replace

from dealerbox.model.commands import Hold, Lamp, Notice, Show
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason
from dealerbox.ports import ConfigError, DeviceGone, DeviceWrong
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.pins.layout import NEEDED, PanelSettings, Push, five_pushes
from dealerbox_drivers.pins.panel import Panel
from dealerbox_drivers.pins.twin import Look, PanelTwin
from dealerbox_drivers.pins.twin_pins import wired, wired_factory

Play = Callable[..., Any]

HOLD = Hold(key=1, reason=Reason.WRONG_SEAT, clause="1804A(3)")


def show(lamp: Lamp = Lamp.GREEN, *lit: Key, buzzer: bool = False) -> Show:
    return Show(lamp=lamp, buzzer=buzzer, lines=(), lit=lit)


def test_go_gives_the_key_that_the_station_asks_for(bench: Play) -> None:
    async def scene(table: Any) -> None:
        for lit in ((Key.START,), (Key.ACK, Key.NO, Key.NEXT), (Key.NEXT, Key.ACTION, Key.AWARD)):
            table.panel.obey(show(Lamp.GREEN, *lit))
            await asyncio.sleep(1)
            await table.person.press("go")
            await asyncio.sleep(0.5)

    assert bench(scene).said() == ["start", "ack", "next"]


def test_a_key_that_nobody_asks_for_is_given_all_the_same(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.press("go")
        await table.person.press("no")

    assert bench(scene).said() == ["next", "no"]


def test_a_second_tap_after_start_is_one_more_start_and_no_answer_to_a_new_question(bench: Play) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(show(Lamp.GREEN, Key.START))
        await asyncio.sleep(1)
        await table.person.press("go", 60)
        table.panel.obey(show(Lamp.GREEN, Key.ACK))
        await asyncio.sleep(0.08)
        await table.person.press("go", 60)

    assert bench(scene).said() == ["start", "start"]


@pytest.mark.parametrize(
    ("push", "key"), [("misdeal", "misdeal"), ("go", "award"), ("action", "premature"), ("no", "undo")]
)
def test_what_ends_or_undoes_something_is_held(bench: Play, push: str, key: str) -> None:
    assert bench(lambda table: table.person.hold(push)).said() == [key]


def test_a_short_press_of_misdeal_says_nothing(bench: Play) -> None:
    assert bench(lambda table: table.person.press("misdeal", 900)).said() == []


def test_menu_held_gives_the_second_keys_and_not_its_own(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.down("menu")
        for push in ("go", "action", "misdeal"):
            await table.person.press(push)
        await table.person.hold("no")
        await table.person.up("menu")
        await asyncio.sleep(0.2)
        await table.person.press("menu")

    assert bench(scene).said() == ["count", "exposed", "faced", "manual", "find"]


def test_menu_held_and_let_go_alone_says_nothing(bench: Play) -> None:
    assert bench(lambda table: table.person.press("menu", 2000)).said() == []


@pytest.mark.parametrize("key", list(Key))
def test_a_dealer_can_give_every_key_with_five_pushes(bench: Play, key: Key) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(show(Lamp.GREEN, key))
        await asyncio.sleep(1)
        await table.person.give(key, (key,))

    assert bench(scene).said() == [key]


def test_a_stuck_push_alarms_gives_nothing_more_and_is_freed(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.down("go")
        await asyncio.sleep(30)
        assert table.said() == ["award", "stuck next"]
        await table.person.up("go")
        await asyncio.sleep(0.1)
        await table.person.press("go")

    assert bench(scene).said() == ["award", "stuck next", "freed next", "next"]


def test_a_stuck_menu_is_no_second_layer(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.down("menu")
        await asyncio.sleep(11)
        await table.person.press("action")

    assert bench(scene).said() == ["stuck find", "action"]


def test_a_push_down_at_the_start_gives_no_press_until_it_was_let_go(run: Play) -> None:
    async def scene() -> list[Any]:
        factory, settings, told = wired_factory(), PanelSettings(), list[Any]()
        person = PanelTwin(factory, settings, virtual_clock, Random(1))
        await person.down("action")
        panel = Panel("panel", settings, factory, virtual_clock)
        serving = asyncio.create_task(panel.run(told.append))
        await asyncio.sleep(2)
        await person.up("action")
        await asyncio.sleep(1)
        assert told == []
        await person.press("action")
        await asyncio.sleep(0.1)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return told

    assert [event.key for event in run(scene())] == [Key.ACTION]


def test_a_press_whose_edges_are_all_lost_is_still_seen(bench: Play) -> None:
    async def scene(table: Any) -> None:
        table.person.deafen("action")
        await table.person.press("action")

    assert bench(scene).said() == ["action"]


def test_ghost_pulses_say_nothing(bench: Play) -> None:
    async def scene(table: Any) -> None:
        for _ in range(50):
            await table.person.ghost("action", 10)
            await asyncio.sleep(0.03)

    assert bench(scene).said() == []


def test_an_edge_from_another_thread_is_handed_to_the_loop(bench: Play) -> None:
    threads: list[int] = []

    async def scene(table: Any) -> None:
        pin = wired(table.factory, table.settings.push["action"].pin)
        finger = threading.Thread(target=pin.drive, args=(False,))
        finger.start()
        finger.join()
        assert table.said() == []
        threads.append(finger.ident or 0)
        await asyncio.sleep(0.2)
        pin.drive(None)

    assert bench(scene).said() == ["action"]
    assert threads[0] != threading.get_ident()


# The director


def test_with_the_key_switch_on_held_pushes_give_rulings(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.turn(True)
        for push in ("action", "misdeal", "go"):
            await asyncio.sleep(0.2)
            await table.person.hold(push)
        await asyncio.sleep(0.2)
        await table.person.press("action")

    table = bench(scene)
    assert table.said() == ["ruled stand", "ruled void_hand", "ruled set_button", "action"]
    assert (table.told[0].by, table.told[0].reason) == ("key switch", "panel")


def test_with_the_key_switch_off_again_they_are_the_dealers(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.turn(True)
        await asyncio.sleep(1)
        await table.person.turn(False)
        await asyncio.sleep(1)
        await table.person.hold("misdeal")

    assert bench(scene).said() == ["misdeal"]


def test_a_switch_turned_off_while_a_push_is_held_gives_no_ruling(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.turn(True)
        await asyncio.sleep(1)
        await table.person.down("misdeal")
        await asyncio.sleep(0.3)
        await table.person.turn(False)
        await asyncio.sleep(2)
        await table.person.up("misdeal")
        await asyncio.sleep(1)
        await table.person.hold("action")

    assert bench(scene).said() == ["premature"]


def test_a_forgotten_key_switch_gives_the_dealer_no_authority(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.turn(True)
        await asyncio.sleep(121)
        await table.person.hold("misdeal")

    assert bench(scene).said() == ["misdeal"]


# Lamps and buzzer


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


def test_a_pin_that_cannot_be_set_is_a_panel_lost_and_obey_does_not_raise(bench: Play) -> None:
    async def scene(table: Any) -> None:
        wired(table.factory, 22)._set_state = broken  # type: ignore[method-assign]  # a backend that fails
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


# The layout


def test_the_default_layout_is_without_fault() -> None:
    assert PanelSettings().faults() == ()
    assert len(PanelSettings().push) == 5


@pytest.mark.parametrize("key", NEEDED)
def test_a_layout_that_lacks_a_needed_key_is_refused(key: Key) -> None:
    def without(keys: tuple[Key, ...]) -> tuple[Key, ...]:
        return tuple(other for other in keys if other is not key) or (Key.RETRIEVE,)

    pushes = {
        name: replace(
            push,
            short=without(push.short),
            long=without(push.long) if push.long else (),
            second=without(push.second) if push.second else (),
            second_long=without(push.second_long) if push.second_long else (),
        )
        for name, push in five_pushes().items()
    }
    assert ("push", f"no push gives {key}; add them to a list of one") in PanelSettings(push=pushes).faults()


def test_a_layout_says_what_else_is_wrong_with_it() -> None:
    assert PanelSettings(second="shift").faults()[0] == (
        "second",
        "there is no push 'shift'; known: action, go, menu, misdeal, no, or \"\" for none",
    )
    idle = PanelSettings(push={**five_pushes(), "idle": Push(pin=12)})
    assert idle.faults()[0][0] == "push.idle"
    both = PanelSettings(second="go").faults()
    assert both[0] == ("push.go", "is held down to give others their second keys; allowed: short alone")
    assert PanelSettings(director=0).faults()[0][0] == "director"


def test_a_panel_names_every_pin_it_takes() -> None:
    pins = PanelSettings(push={"go": Push(pin=5, light=12)}, director=0).pins()
    assert pins == {"green": 17, "amber": 27, "red": 22, "buzzer": 23, "push.go.pin": 5, "push.go.light": 12}


def test_a_ruling_is_spelled_as_the_model_has_it() -> None:
    assert five_pushes()["misdeal"].ruling is Ruling.VOID_HAND
