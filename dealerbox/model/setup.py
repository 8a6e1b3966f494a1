"""What the station is told at its start: the table, its decks, its house rules."""

from enum import StrEnum

import msgspec

from dealerbox.model.zones import Zone


class ButtonRule(StrEnum):
    """Where the button may go between hands (house; 1804A(3))."""

    MOVING = "moving"
    DEAD = "dead"


class Dispense(StrEnum):
    """How cards leave the shuffler (1804A(3), 1809)."""

    SINGLE = "single"
    GROUP = "group"
    HAND = "hand"


class Replacement(StrEnum):
    """When a flashed or off-table card is replaced (1811(1))."""

    AFTER_DEAL = "after_deal"
    AT_ONCE = "at_once"


class House(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house's own choices where the statute leaves room; limits stand in `law.house`."""

    max_seats: int = 10
    settling_ms: int = 1500
    scan_ms: int = 150
    """Longest time one scan of a reader takes: a card at the exit is judged a scan after it came."""
    button_rule: ButtonRule = ButtonRule.MOVING
    dispense: Dispense = Dispense.SINGLE
    correct_misplaced: bool = True
    unseen_per_hand: int = 2
    exposed_replacement: Replacement = Replacement.AFTER_DEAL
    first_card_exposed_is_misdeal: bool = False
    exposed_is_misdeal_from: int = 0
    """Number of exposed cards from which a misdeal is called; 0: never."""
    count_every_min: int = 30
    deck_change_every_min: int = 120
    last_hand_margin_min: int = 5
    count_by_name: bool = False
    """A count is confirmed by name alone: a badge with the key, or the dealer named over the control socket."""
    two_persons: bool = False
    """A ruling that ends a hold is given by two persons, the same within two minutes."""
    action_clock_s: int = 0
    """Most time a player has to act (1821); 0: no action clock."""
    action_warning_s: int = 5
    """How long before that time is over the dealer is told to warn the player (1821)."""


class DeckInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An enrolled deck as the engine knows it: which slot, which name, which back; no tags, no faces."""

    slot: int
    """1..9: the thousands of its tokens."""
    name: str
    back: str
    """Colour and marking of the back, free text; two decks at a table must differ (1804B(6))."""
    jokers: int = 0
    cut_card: bool = False
    cards: int = 52
    mark: str = ""
    """SHA-256 of its tags, hex: what makes it this deck, whatever it is called; '' not known."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about the table that the engine must know and that does not change while it is open."""

    table: str
    seats: tuple[int, ...]
    """Occupied seats at the start, ascending, numbered 1..house.max_seats."""
    house: House = House()
    decks: tuple[DeckInfo, ...] = ()
    readers: tuple[Zone, ...] = ()
    """Zones that a reader watches; a zone without one is inferred."""
    shuffler: str = "shuffler"
    """Name of the device that is the shuffler, as DeviceLost and DeviceBack say it."""
    optional: tuple[str, ...] = ()
    """Names of devices whose loss is a notice and no hold: what they do, lamps and keys do too."""
