"""From the config to the things on the table."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from dealerbox.config import Config, DeviceConfig
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.engine.view import view
from dealerbox.model.cards import Uid
from dealerbox.model.setup import Setup
from dealerbox.model.shuffler import Memory
from dealerbox.ports import Clock, ConfigError, Device, Journal, OpenLine
from dealerbox.station.core import Core
from dealerbox.station.tokens import DeckTags, Tokens

Build = Callable[[Config, Memory, Clock], Sequence[Device]]
"""Returns the devices of a table; ConfigError when one cannot be made."""


def deck_tags(config: Config) -> tuple[DeckTags, ...]:
    """Return the tags of the table's decks."""
    return tuple(
        DeckTags(deck.slot, deck.uids(), tuple(map(Uid, deck.jokers)), Uid(deck.cut_card)) for deck in config.decks
    )


def setup_of(config: Config) -> Setup:
    """Return the engine's set-up."""
    return config.setup()


def devices_of(config: Config, memory: Memory, clock: Clock) -> list[Device]:
    """Make every device of the config, none opened yet. ConfigError names one whose driver is not installed."""
    parts = _Parts(memory, clock)
    return [parts.make(device) for device in config.devices]


class _Parts:
    """What devices are made of, each made once and only if one needs it."""

    def __init__(self, memory: Memory, clock: Clock) -> None:
        self._memory, self._clock = memory, clock
        self._pins: Any = None

    def make(self, config: DeviceConfig) -> Device:
        driver: Any = config.driver
        settings = config.settings
        try:
            kind = driver.load()
            match driver.role:
                case "shuffler":
                    made = kind(config.name, _line(settings), self._clock, self._memory, settings.serial)
                case "reader":
                    made = kind(config.name, _line(settings), self._clock, settings)
                case _:
                    made = kind(config.name, settings, self._pin_factory(), self._clock)
        except ImportError as error:
            raise ConfigError(f"devices.{config.name}: driver {driver.name} needs {error.name}: install it") from error
        device: Device = made
        return device

    def _pin_factory(self) -> Any:
        if self._pins is None:
            self._pins = import_module("dealerbox_drivers.pins.gpio").pi_factory()
        return self._pins


def _line(settings: Any) -> OpenLine:
    open_serial = import_module("dealerbox_drivers.line").open_serial
    opener: OpenLine = open_serial(settings.port, settings.baud, parity=getattr(settings, "parity", "N"))
    return opener


def core_of(
    state: State,
    *,
    journal: Journal,
    devices: Sequence[Device],
    clock: Clock,
    tokens: Tokens,
    wake: Callable[[int], None],
    fault: Callable[[str], None],
) -> Core[State]:
    """Return the core around the real engine, as it stands after `state`."""
    return Core(
        state,
        step=step,
        view=view,
        hand=lambda now: (now.deck, now.hand),
        journal=journal,
        devices=devices,
        clock=clock,
        tokens=tokens,
        wake=wake,
        fault=fault,
        last_key=state.memory.hold_key,
    )
