"""A deck read card by card, in printed order, by a reader of the table: for `dealerbox deck enrol`."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import click
from msgspec.structs import replace

from dealerbox.config import Config, load
from dealerbox.enrolment.faces import named
from dealerbox.model.events import Event, TagsSeen
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import Zone
from dealerbox.ports import ConfigError, Device
from dealerbox.station.build import devices_of
from dealerbox.station.loop import boottime_ns
from dealerbox_drivers.registry import DRIVERS


def laid_singly(file: str, reader: str, zone: str | None, faces: Sequence[str]) -> list[str]:
    """Return the uids of cards that a person lays down one after another, each asked for by its face.

    ConfigError when the table has no such reader or zone; DeviceGone, DeviceWrong when it does not answer.
    """
    config = load(file, DRIVERS)
    device, watched = _reader(config, reader, zone)
    return asyncio.run(read_singly(device, watched, faces, lambda text: click.echo(text, err=True)))


async def read_singly(device: Device, zone: Zone, faces: Sequence[str], say: Callable[[str], None]) -> list[str]:
    """Return the uids that `device` sees in `zone`, one a scan, as many as there are faces."""
    uids: list[str] = []
    whole = asyncio.Event()

    def ask() -> None:
        if len(uids) == len(faces):
            whole.set()
        else:
            say(f"{len(uids) + 1:>2} of {len(faces)}: lay the {named(faces[len(uids)])} there, alone")

    def heard(event: Event) -> None:
        if not isinstance(event, TagsSeen) or event.zone != zone or whole.is_set():
            return
        if len(event.uids) > 1:
            say(f"{len(event.uids)} tags at once; take them off and lay that card there alone")
        elif event.uids[0] in uids:
            say(f"that card was the {named(faces[uids.index(event.uids[0])])}; take it off")
        else:
            uids.append(event.uids[0])
            ask()

    ask()
    running = asyncio.create_task(device.run(heard))
    waiting = asyncio.create_task(whole.wait())
    try:
        await asyncio.wait((running, waiting), return_when=asyncio.FIRST_COMPLETED)
        if not whole.is_set():
            await running
    finally:
        for task in (running, waiting):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(running, waiting, return_exceptions=True)
    return uids


def _reader(config: Config, name: str, zone: str | None) -> tuple[Device, Zone]:
    own = [device for device in config.devices if device.name == name and device.driver.role == "reader"]
    if not own:
        readers = ", ".join(device.name for device in config.devices if device.driver.role == "reader")
        raise ConfigError(f"{config.file}: no reader '{name}'; known: {readers or 'none'}")
    zones = own[0].settings.watched()
    if zone and zone not in zones:
        raise ConfigError(f"{config.file}: devices.{name} does not watch '{zone}'; known: {', '.join(zones)}")
    device = devices_of(replace(config, devices=tuple(own)), Memory(session=1), boottime_ns)[0]
    return device, Zone(zone) if zone else zones[0]
