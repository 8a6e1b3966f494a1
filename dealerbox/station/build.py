"""From the config to the things on the table."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import replace

from dealerbox.config import Config, DeviceConfig
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.cards import Uid
from dealerbox.model.commands import Clear, Command, Hold, Show
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.view import View
from dealerbox.ports import Clock, ConfigError, Device, DeviceGone, Emit, Journal, OpenLine
from dealerbox.station.core import Core
from dealerbox.station.installed import real, real_pins, twins_installed
from dealerbox.station.tokens import DeckTags, Tokens
from dealerbox_drivers.face import Face
from dealerbox_drivers.pins.i2c import I2cBus
from dealerbox_drivers.rfid.contacts import Sifted, TagContacts
from dealerbox_drivers.rfid.field import Field
from dealerbox_drivers.usb.names import is_usb

Build = Callable[[Config, Memory, Clock], Sequence[Device]]
"""Returns the devices of a table; ConfigError when one cannot be made."""


def deck_tags(config: Config) -> tuple[DeckTags, ...]:
    """Return the tags of the table's decks."""
    return tuple(
        DeckTags(deck.slot, deck.uids(), tuple(map(Uid, deck.jokers)), Uid(deck.cut_card)) for deck in config.decks
    )


def setup_of(config: Config) -> Setup:
    """Return the engine's set-up; shuffler and display go by the names that the config gives them."""
    names = {device.driver.role: device.name for device in config.devices}
    setup = config.setup()
    shuffler = names.get("shuffler", setup.shuffler)
    return replace(setup, shuffler=shuffler, optional=(names["display"],) if "display" in names else ())


def devices_of(
    config: Config,
    memory: Memory,
    clock: Clock,
    *,
    pin_factory: Callable[[], Any] | None = None,
    display_bus: I2cBus | None = None,
    face: Face | None = None,
    twins: bool | None = None,
) -> list[Device]:
    """Make every device of the config, none opened yet. ConfigError names one whose driver is not installed.

    `pin_factory` makes the gpiozero factory of all pins; None: that of this Pi's header. One that
    cannot be had yet (DeviceGone) keeps no table from starting: its devices are lost until it can.
    `display_bus` is the display's; None: the one that its settings name. `face` is what panel and display share.
    `twins`: a device may be one in software; None: where such are installed.
    """
    allowed = twins_installed() if twins is None else twins
    contacts = _tag_contacts(config)
    parts = _Parts(memory, clock, pin_factory or _header_pins, display_bus, face or Face(), contacts, allowed)
    return [parts.make(device) for device in config.devices]


def _tag_contacts(config: Config) -> TagContacts | None:
    """Return where the button's tag is read; None where the button has none."""
    buttons = (device.settings for device in config.devices if device.driver.role == "button")
    tags = tuple(uid for settings in buttons for uid in settings.carried())
    return TagContacts(tags, config.readers()) if tags else None


class _Parts:
    """What devices are made of, each made once and only if one needs it."""

    def __init__(
        self,
        memory: Memory,
        clock: Clock,
        pin_factory: Callable[[], Any],
        display_bus: I2cBus | None,
        face: Face,
        tag_contacts: TagContacts | None,
        twins: bool,
    ) -> None:
        self._memory, self._clock, self._twins = memory, clock, twins
        self._make_pins = pin_factory
        self._pins: Any = None
        self._display_bus, self._face = display_bus, face
        self._fields: dict[str, Field] = {}
        self._tag_contacts = tag_contacts

    def make(self, config: DeviceConfig) -> Device:
        try:
            return self._make(config)
        except DeviceGone:
            return Unmade(config.name, lambda: self._make(config))

    def _make(self, config: DeviceConfig) -> Device:
        driver: Any = config.driver
        settings = config.settings
        made: Device
        try:
            kind = driver.load()
            match driver.role:
                case "shuffler":
                    made = kind(config.name, self._line(settings), self._clock, self._memory, settings)
                case "reader":
                    made = kind(config.name, self._line(settings), self._clock, settings, self._field(settings.field))
                    made = Sifted(made, self._tag_contacts) if self._tag_contacts else made
                case "panel":
                    made = kind(config.name, settings, self._pin_factory(), self._clock, self._face)
                case "display":
                    made = kind(config.name, settings, self._clock, self._face, self._display_bus)
                case "button" if settings.carried():
                    made = kind(config.name, settings, self._tag_contacts, self._clock)
                case _:
                    made = kind(config.name, settings, self._pin_factory(), self._clock)
        except ImportError as error:
            raise ConfigError(f"devices.{config.name}: driver {driver.name} needs {error.name}: install it") from error
        return made

    def _line(self, settings: Any) -> OpenLine:
        return _open(settings, self._twins)

    def _field(self, name: str) -> Field | None:
        """Return what readers of that name share; None for a reader without neighbours."""
        return self._fields.setdefault(name, Field()) if name else None

    def _pin_factory(self) -> Any:
        if self._pins is None:
            made = self._make_pins()
            self._pins = made if self._twins else real_pins(made)
        return self._pins


def line_of(device: DeviceConfig, twins: bool | None = None) -> OpenLine:
    """Return what opens the line of one device of a table; `twins` as for `devices_of`.

    ConfigError for one that has none: a panel, a display, contacts.
    """
    if not device.settings.ports():
        raise ConfigError(f"devices.{device.name}: a {device.driver.name} has no line of bytes")
    return _open(device.settings, twins_installed() if twins is None else twins)


class Unmade:
    """Stands for a device that could not be made yet; becomes it as soon as it can (satisfies `Device`)."""

    def __init__(self, name: str, make: Callable[[], Device]) -> None:
        self.name = name
        self._make = make
        self._made: Device | None = None
        self._told: dict[type[Command], Command] = {}

    def obey(self, command: Command) -> None:
        """Pass it on, or keep the newest of a kind that stands until told otherwise."""
        if self._made:
            self._made.obey(command)
        elif isinstance(command, Hold | Show):
            self._told[type(command)] = command
        elif isinstance(command, Clear):
            self._told.pop(Hold, None)

    def __getattr__(self, name: str) -> Any:
        """Return what the device has beyond a device's own, once it is made: its counters."""
        return getattr(self._made, name)

    async def run(self, emit: Emit) -> None:
        """Make it if it can be made, tell it what stands, and run it."""
        if self._made is None:
            self._made = self._make()
            for command in self._told.values():
                self._made.obey(command)
        await self._made.run(emit)


def _header_pins() -> Any:
    from dealerbox_drivers.pins.gpio import pi_factory

    return pi_factory()


def _open(settings: Any, twins: bool) -> OpenLine:
    opened = _line(settings)
    return opened if twins else real(settings.port, opened)


def _line(settings: Any) -> OpenLine:
    if is_usb(settings.port):
        from dealerbox_drivers.usb.line import open_usb

        return open_usb(settings.port, settings.usb)
    from dealerbox_drivers.line import open_serial

    return open_serial(settings.port, settings.baud, parity=getattr(settings, "parity", "N"))


_DECK: Final[Callable[[State], int]] = attrgetter("deck")
_HAND: Final[Callable[[State], int]] = attrgetter("hand")


def core_of(
    state: State,
    *,
    journal: Journal,
    devices: Sequence[Device],
    clock: Clock,
    tokens: Tokens,
    wake: Callable[[int], None],
    fault: Callable[[str], None],
    later: Callable[[Callable[[], None]], object] | None = None,
    shown: Callable[[State], View] = view,
) -> Core[State]:
    """Return the core around the real engine, as it stands after `state`; `shown` is what may be seen of one."""
    return Core(
        state,
        step=step,
        view=shown,
        deck=_DECK,
        hand=_HAND,
        journal=journal,
        devices=devices,
        clock=clock,
        tokens=tokens,
        wake=wake,
        fault=fault,
        last_key=state.memory.hold_key,
        later=later,
    )
