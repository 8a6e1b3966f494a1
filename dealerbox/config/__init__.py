"""Strict TOML in, frozen values out: the table, its house rules, its decks. Nothing else reads files."""

from dealerbox.config.deck import Deck
from dealerbox.config.station import load
from dealerbox.config.values import Config, DeviceConfig

__all__ = ["Config", "Deck", "DeviceConfig", "load"]
