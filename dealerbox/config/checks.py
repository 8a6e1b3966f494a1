"""Whether the table that a config describes could notice what the law asks for."""

import os
from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from dealerbox.config.station import load
from dealerbox.config.tables import Place
from dealerbox.config.values import Config, DeviceConfig, DriverKind
from dealerbox.model.setup import Dispense
from dealerbox.model.zones import ASIDE, BOARD, BURN, EXIT, INFEED, MUCK, Zone, seat, seat_number
from dealerbox.ports import ConfigError

_NEEDED: Final = {
    "shuffler": ("no shuffler; add a device that lets the cards out", "1809"),
    "button": ("no button sensor; add a device that tells where the button lies", "1804A(3)"),
    "panel": ("no panel; add a device with the dealer's keys and lamps", "1804B(9)"),
}
"""Roles of which a table has exactly one: what is said without it, and who asks for it."""

_CLAUSES: Final[dict[Zone, str]] = {
    EXIT: "1804B(7)",
    INFEED: "1804A(1)",
    BOARD: "1804A(4)",
    BURN: "1812",
    MUCK: "1812",
}
"""Zones that must be watched besides the seats, and what could not be noticed otherwise."""


def expected_max(zone: Zone, seats: int, dispense: Dispense = Dispense.SINGLE) -> int:
    """Return how many cards a reader of `zone` must tell apart at a table of `seats`.

    A seat holds two, the board five; the burns are three and one more for each premature turn or river
    (1811(2)); the muck may hold every hand; the exit two, or a double feed would pass for one card; the
    infeed one, since cards go in one by one. Dead and premature cards wait aside: four.
    Of a `group` two lie in the outlet while the third, or the next seat's first, comes up (1809). By `hand` no gate
    stops a card too many: where cards are dealt or lie, one more must be noticed (1804B(7)).
    """
    most = 2 if seat_number(zone) else {BOARD: 5, BURN: 5, MUCK: 2 * seats, EXIT: 2, ASIDE: 4}.get(zone, 1)
    if zone == EXIT:
        return most + 2 if dispense is Dispense.GROUP else most
    return most + 1 if dispense is Dispense.HAND and zone != INFEED else most


class PinFaults(Protocol):
    """Says what is wrong with the pins claimed, a sentence each: `name: what`."""

    def __call__(self, claims: Mapping[str, int], /) -> list[str]:
        """`claims`: names to BCM pins. The pins of the header's buses are taken by them."""


def checked(file: str, drivers: Mapping[str, DriverKind], pin_faults: PinFaults, *, decks: bool = True) -> Config:
    """Return the config of a table that can be played at. `decks`, ConfigError and OSError as `load`."""
    config = load(file, drivers, decks=decks)
    faults = table_faults(config, pin_faults)
    if faults:
        raise ConfigError("\n".join(faults))
    return config


def table_faults(config: Config, pin_faults: PinFaults) -> list[str]:
    """Return a sentence for each thing that the table could not notice, or that two devices fight over."""
    at = Place(config.file) / "devices"
    return [
        *_role_faults(config, at),
        *_zone_faults(config, at),
        *_shuffler_faults(config, at),
        *_button_faults(config, at),
        *_reader_faults(config, at),
        *_reference_faults(config, at),
        *_port_fights(config, at),
        *_pin_fights(config, at, pin_faults),
    ]


def table_warnings(config: Config) -> list[str]:
    """Return a sentence for each thing that keeps nothing from playing and should be known."""
    warnings = []
    if ASIDE not in config.readers():
        at = Place(config.file) / "devices"
        warnings.append(at.says("no reader watches aside; what lies there is inferred and must be confirmed by key"))
    return warnings


def no_hands(config: Config) -> list[str]:
    """Return a sentence for each thing that lets the station start, and no hand."""
    at = Place(config.file)
    sentences = []
    if len(config.seats) < 2:
        taken = f"{len(config.seats)} of the two players that a hand needs at least"
        sentences.append(
            (at / "table" / "seats").says(f"{taken}; name their seats, or let the director seat them (1804A(3))")
        )
    if len(config.decks) < 2:
        sentence = f"{len(config.decks)} of the two decks that every table has; name their files"
        sentences.append((at / "files" / "decks").says(f"{sentence} (1804B(6))"))
    return sentences


def missing_ports(config: Config) -> list[str]:
    """Return a sentence for each port that is not there at this moment."""
    return [
        (Place(config.file) / "devices" / device.name / "port").says(
            f"{port} is not there now; plug the device in, or see `{listing}` for its name"
        )
        for device in config.devices
        for port, listing in device.settings.absent()
    ]


def _role_faults(config: Config, at: Place) -> Iterator[str]:
    for role, (sentence, clause) in _NEEDED.items():
        names = [device.name for device in config.devices if device.driver.role == role]
        if not names:
            yield at.says(f"{sentence} ({clause})")
        for name in names[1:]:
            yield (at / name).says(f"a second {role} beside {names[0]}; allowed: one")
    displays = [device.name for device in config.devices if device.driver.role == "display"]
    for name in displays[1:]:
        yield (at / name).says(f"a second display beside {displays[0]}; allowed: one, or none")
    for device in config.devices:
        for role in device.settings.needs():
            if role not in {other.driver.role for other in config.devices}:
                yield (at / device.name).says(f"{device.driver.name} needs a {role} beside it; add one")


def _zone_faults(config: Config, at: Place) -> Iterator[str]:
    """Every zone that the law needs is watched, once, and no seat beyond the table's last."""
    watchers: dict[Zone, str] = {}
    for device in config.devices:
        for zone in device.settings.watched():
            here = at / device.name
            if seat_number(zone) > config.house.max_seats:
                last = config.house.max_seats
                yield here.says(f"watches {zone}; allowed: seat:1..seat:{last}, as max_seats of {config.house_file}")
            elif zone in watchers:
                other = "twice" if watchers[zone] == device.name else f", as {watchers[zone]} does"
                yield here.says(f"watches {zone} {other}; allowed: one reader a zone".replace(" ,", ","))
            else:
                watchers[zone] = device.name
    needed = {**_CLAUSES, **{seat(number): "1804A(3)" for number in range(1, config.house.max_seats + 1)}}
    if config.house.dispense is Dispense.HAND:  # no card of the stub may come to lie where nobody looks
        needed[ASIDE] = "1804B(7)"
    for zone, clause in needed.items():
        if zone not in watchers:
            yield at.says(f"no reader watches {zone}; add it to the zones of a reader ({clause})")


def _shuffler_faults(config: Config, at: Place) -> Iterator[str]:
    """A machine without gate and counter deals no card: a second one would be out before anybody could know."""
    for device in config.devices:
        if device.driver.role == "shuffler" and not device.driver.deals and config.house.dispense is not Dispense.HAND:
            yield (at / device.name).says(
                f"{device.driver.name} has no gate and counts no cards, and nobody would notice a second one; "
                f'set dispense = "hand" in {config.house_file}, or use a shuffler with a gate (1804B(7))'
            )


def _button_faults(config: Config, at: Place) -> Iterator[str]:
    """The button's sensor tells of every seat: even an empty one may have a dead button (1804A(3))."""
    for device in config.devices:
        if device.driver.role != "button":
            continue
        sensed = device.settings.sensed()
        missing = [number for number in range(1, config.house.max_seats + 1) if number not in sensed]
        if missing:
            seats = ", ".join(map(str, missing))
            yield (at / device.name).says(f"no contact at seat {seats}; add it, or lower max_seats (1804A(3))")


def _reader_faults(config: Config, at: Place) -> Iterator[str]:
    """Each reader can tell apart as many cards as its zones hold, and reads the tags of every deck."""
    carried = [uid for device in config.devices for uid in device.settings.carried()]
    for device in config.devices:
        driver = device.driver
        watched = device.settings.watched()
        if not watched:
            continue
        for zone in watched:
            most = expected_max(zone, config.house.max_seats, config.house.dispense)
            beside = (zone in device.settings.fixed()) + (len(carried) if seat_number(zone) else 0)
            if most + beside > driver.max_tags:
                besides = f" and {beside} {'tag that is' if beside == 1 else 'tags that are'} none" if beside else ""
                yield (at / device.name).says(
                    f"{driver.name} reads at most {driver.max_tags} tags at once and {zone} holds {most} cards"
                    f"{besides}; give this zone to a reader for many tags"
                )
        for uid in carried if any(map(seat_number, watched)) else ():
            technology = "iso15693" if len(uid) == 16 else "iso14443a"
            if technology not in driver.air:
                yield (at / device.name).says(
                    f"{driver.name} does not read {technology}, the button's tag {uid}; "
                    f"it reads {', '.join(driver.air)}"
                )
        for deck, file in zip(config.decks, config.deck_files, strict=True):
            if deck.technology not in driver.air:
                yield (at / device.name).says(
                    f"{driver.name} does not read {deck.technology}, the tags of {file}; "
                    f"it reads {', '.join(driver.air)}"
                )


def _reference_faults(config: Config, at: Place) -> Iterator[str]:
    """A tag that is fixed at an antenna, or is the button's, is no card and in one place."""
    cards = {uid: file for deck, file in zip(config.decks, config.deck_files, strict=True) for _, uid in deck.labels()}
    homes: dict[str, Zone] = {}
    for device in config.devices:
        for zone, uid in device.settings.fixed().items():
            here = at / device.name
            if uid in cards:
                yield here.says(f"the reference tag of {zone}, {uid}, is one of {cards[uid]}; fix one of no deck")
            if uid in homes:
                yield here.says(f"the reference tag of {zone}, {uid}, is that of {homes[uid]} too; fix one at each")
            homes.setdefault(uid, zone)
    for device in config.devices:
        for uid in device.settings.carried():
            if uid in cards:
                yield (at / device.name).says(f"the button's tag {uid} is one of {cards[uid]}; take one of no deck")
            if uid in homes:
                yield (at / device.name).says(f"the button's tag {uid} is the reference of {homes[uid]}; take another")


def _port_fights(config: Config, at: Place) -> Iterator[str]:
    """No two devices open the same port, whatever links lead to it."""
    owners: dict[str, str] = {}
    for device, port in _ports(config):
        node = port.lower() if port.startswith("usb:") else os.path.realpath(port)
        if node in owners:
            yield (at / device.name / "port").says(f"{port} is the port of {owners[node]} too; give each its own")
        owners.setdefault(node, device.name)


def _pin_fights(config: Config, at: Place, pin_faults: PinFaults) -> Iterator[str]:
    claims = {
        ".".join([*at.keys, device.name, key]): pin
        for device in config.devices
        for key, pin in device.settings.pins().items()
    }
    for sentence in pin_faults(claims):
        yield Place(at.file).says(sentence)


def _ports(config: Config) -> Iterator[tuple[DeviceConfig, str]]:
    for device in config.devices:
        for port in device.settings.ports():
            yield device, port
