"""Pins between two processes, both ends in one loop."""

import asyncio
from collections.abc import Callable

from dealerbox.simulate.demo.pins import FarPins, Words, near_factory, pair, tell_words
from dealerbox_drivers.face import Face, OpenMenu
from dealerbox_drivers.pins.gpio import contact_input, signal_output
from dealerbox_drivers.pins.twin_pins import wired


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not true():
            await asyncio.sleep(0)


def wired_up(act, before=lambda far: None) -> None:
    """Run `act(far, near factory)` in a loop with both ends wired; `before(far)` before they are."""

    async def run() -> None:
        far, gone = FarPins(), asyncio.Event()
        before(far)
        here, there = pair()
        far.attach(here)
        factory = near_factory(there, gone.set)
        await act(far, factory)
        far.detach()
        await gone.wait()
        there.close()

    asyncio.run(run())


def test_a_finger_here_closes_the_contact_there() -> None:
    async def act(far, factory) -> None:
        contact = contact_input(factory, 5)
        assert not contact.value
        wired(far.factory, 5).drive(False)
        await until(lambda: bool(contact.value))
        wired(far.factory, 5).drive(None)
        await until(lambda: not contact.value)
        contact.close()

    wired_up(act)


def test_a_lamp_there_is_seen_here() -> None:
    async def act(far, factory) -> None:
        lamp, seen = signal_output(factory, 17), wired(far.factory, 17)
        lamp.on()
        await until(lambda: bool(seen.state))
        assert seen.function == "output"
        lamp.off()
        await until(lambda: not seen.state)
        lamp.close()

    wired_up(act)


def test_a_daemon_that_starts_anew_finds_the_button_where_it_lies() -> None:
    async def act(_far, factory) -> None:
        contact = contact_input(factory, 4)
        await until(lambda: bool(contact.value))
        contact.close()

    wired_up(act, before=lambda far: wired(far.factory, 4).drive(False))


def test_lamps_of_a_daemon_that_is_gone_are_dark() -> None:
    async def act(far, factory) -> None:
        lamp, seen = signal_output(factory, 17), wired(far.factory, 17)
        lamp.on()
        await until(lambda: bool(seen.state))
        far.detach()
        assert not seen.state
        lamp.close()

    wired_up(act)


def test_what_the_panel_says_there_is_read_here() -> None:
    async def run() -> None:
        far, face = FarPins(), Face()
        here, there = pair()
        face.say(None, "GO START")
        tell_words(there, face)
        far.attach(here)
        await until(lambda: far.words == Words(None, "GO START"))
        menu = OpenMenu("WHAT WENT WRONG?", tuple(f"Seat {number}" for number in range(1, 21)), 3)
        face.say(menu, "GO this")
        await until(lambda: far.words == Words(menu, "GO this"))
        far.detach()
        assert far.words == Words()
        there.close()

    asyncio.run(run())
