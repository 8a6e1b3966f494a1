"""A dealer at his panel: what his fingers say, what the lamps show."""

import asyncio
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from dealerbox.model.commands import Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.pins.layout import PanelSettings, Push, five_pushes
from dealerbox_drivers.pins.panel import Panel
from dealerbox_drivers.pins.twin import PanelTwin
from dealerbox_drivers.pins.twin_pins import wired, wired_factory

Play = Callable[..., Any]


def show(lamp: Lamp = Lamp.GREEN, *lit: Key, buzzer: bool = False) -> Show:
    return Show(lamp=lamp, buzzer=buzzer, lit=lit)


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

    assert bench(scene).said() == ["start", "no"]


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
        await table.person.give(key, show(Lamp.GREEN, key))

    assert bench(scene).said() == [key]


def test_a_stuck_push_alarms_gives_nothing_more_and_is_freed(bench: Play) -> None:
    async def scene(table: Any) -> None:
        await table.person.down("go")
        await asyncio.sleep(30)
        assert table.said() == ["award", "stuck start"]
        await table.person.up("go")
        await asyncio.sleep(0.1)
        await table.person.press("go")

    assert bench(scene).said() == ["award", "stuck start", "freed start", "start"]


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


def test_a_press_between_two_periodic_looks_is_heard_by_its_edges(bench: Play) -> None:
    async def scene(table: Any) -> None:
        for _ in range(10):
            await table.person.press("action", 40)
            await asyncio.sleep(0.337)

    pushes = {**five_pushes(), "action": Push(pin=6, short=(Key.ACTION,))}
    assert bench(scene, PanelSettings(push=pushes, poll_ms=200)).said() == ["action"] * 10


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


def test_a_technician_is_told_how_each_push_and_each_output_is(bench: Play) -> None:
    async def scene(table: Any) -> None:
        table.panel.obey(show(Lamp.RED, buzzer=True))
        pressing = asyncio.create_task(table.person.press("go", 500))
        await asyncio.sleep(0.3)
        pins = table.panel.pins()
        assert (pins["go"], pins["no"]) == ("down", "up")
        assert (pins["red"], pins["green"], pins["buzzer"]) == ("on", "off", "on")
        await pressing

    assert bench(scene).panel.pins() == {}


@pytest.mark.parametrize(("apart_s", "said"), [(0.3, ["retrieve"]), (1.2, ["retrieve", "retrieve"])])
def test_a_hand_retrieved_by_a_push_that_came_down_twice_answers_for_no_other_hand(
    bench: Play, apart_s: float, said: list[str]
) -> None:
    def asks(seat: int) -> Show:
        prompt = f"One card of seat {seat} is in the muck."
        return Show(lamp=Lamp.AMBER, buzzer=False, lit=(Key.ACK, Key.RETRIEVE), go=Key.ACK, prompt=prompt)

    async def scene(table: Any) -> None:
        table.panel.obey(asks(2))
        await asyncio.sleep(1)
        await table.person.press("menu")
        table.panel.obey(asks(3))
        await asyncio.sleep(apart_s)
        await table.person.press("menu")
        await asyncio.sleep(1)

    assert bench(scene).said() == said
