"""The state of a table: one frozen value that every event makes anew.

A token not in `out` is in the stub (in the shuffler, or in the dealer's hand under MANUAL).
"""

from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from dealerbox.engine.phases import Phase
from dealerbox.law.custody import SECOND_NS, Since
from dealerbox.law.plan import Step, Street
from dealerbox.model.cards import Token
from dealerbox.model.commands import Certificate, Command
from dealerbox.model.events import Ruled, Space, WallClock
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense, Setup
from dealerbox.model.shuffler import Memory
from dealerbox.model.zones import Zone

NOWHERE: Final = Zone("")
NO_CARD: Final = Token(0)


class Card(msgspec.Struct, frozen=True):
    """One token outside the stub: it is in one place, seen or inferred (P3)."""

    at: Zone
    """Where it was last seen arriving, or inferred to be; '' not seen since the deck was brought."""
    home: Zone = NOWHERE
    """Where it belongs while the hand is open."""
    dealt: Zone = NOWHERE
    """Where its step dealt it; '' not yet."""
    inferred: bool = False
    """The dealer said that it lies there; no reader saw it."""
    twice: Zone = NOWHERE
    """Another zone that reads it, though the dealer said that it lies where it belongs: not asked again (S5)."""


class Released(msgspec.Struct, frozen=True):
    """The released card: the one let out last, on its way to its step."""

    token: Token
    step: Step
    passed_ns: int = 0
    """When it passed the gate; 0: not yet."""
    unseen: bool = False
    """It has not been seen at its zone within the settling time."""


class Early(msgspec.Struct, frozen=True):
    """By hand, a card seen before the one that is due in front of it was."""

    token: Token
    seen_ns: int


class Condition(StrEnum):
    """What a hold waits for beside its own remedy."""

    SIGHT = "sight"
    """A reader sees the remedy."""
    ACK = "ack"
    """The dealer confirms."""
    PROOF = "proof"
    """The mid-hand proof, then the dealer's ACK."""
    DEVICE = "device"
    """The device is back and agrees."""
    DIRECTOR = "director"
    """A ruling."""
    DECK = "deck"
    """Another deck verified, or this one proved whole."""


SIGHT: Final = Condition.SIGHT
"""For what is asked at every card: a member of an enum costs Python 3.11 as much as three calls."""


GROUP: Final = Dispense.GROUP
"""The same, of the way of dispensing."""


class Standing(msgspec.Struct, frozen=True):
    """A hold that stands."""

    reason: Reason
    clause: str
    needs: Condition
    zone: Zone = NOWHERE
    to: Zone = NOWHERE
    token: Token = NO_CARD
    device: str = ""
    proved: bool = False
    """The mid-hand proof that it needs before a ruling has been given (1824)."""


class DeckStatus(StrEnum):
    """What may be done with a deck (C13, S4)."""

    NEW = "new"
    IN_PLAY = "in_play"
    USED = "used"
    QUARANTINED = "quarantined"


class Deck(msgspec.Struct, frozen=True):
    """A deck of the table."""

    slot: int
    name: str
    back: str
    status: DeckStatus = DeckStatus.NEW
    suspect: bool = False
    mark: str = ""
    """What tells it from every other deck by its tags; '' not known."""


class Reading(msgspec.Struct, frozen=True):
    """What a read of the deck found, when it did not add up (S3)."""

    missing: frozenset[Token]
    """Cards that were not read."""
    twice: frozenset[Token]
    """Cards of which more than one was read, where the machine counted more than were read."""
    counted: int
    """Cards that the machine counted; by hand, that were shown."""


class Proof(msgspec.Struct, frozen=True):
    """The mid-hand proof (S2) as far as it has come."""

    places: bool = False
    """The machine must be told where its cards are before it can count."""
    counted: int = -1
    """Last count of the stub; -1: not yet."""
    failed: int = -1
    """The count that did not add up the time before; -1: none."""


class Search(msgspec.Struct, frozen=True):
    """FIND: cards are shown singly at the burn reader."""

    wanted: frozenset[Token]
    """Those that are looked for and not found yet."""
    answer: str = ""
    """Of what was shown last: 'yes' it is one of them, 'no', 'many' were shown at once; '' nothing was shown yet."""


class Manual(msgspec.Struct, frozen=True):
    """The way on by hand (C15)."""

    emptied: bool = False
    """The dealer has confirmed that nothing is left in the machine."""
    shown: frozenset[Token] = frozenset()
    """Stub tokens shown singly at the burn reader."""
    proved: bool = False
    """The stub is proved and its order confirmed, or it was shuffled and cut."""
    given: bool = False
    """The shuffler gave the whole deck for this hand, and takes it back after it (C4 `hand`)."""


class Daytime(msgspec.Struct, frozen=True):
    """The local time of day at a moment of this boot's clock."""

    at_ns: int
    day_s: int


class Tournament(msgspec.Struct, frozen=True):
    """The hours of the tournament (T3)."""

    began: Since = Since()
    """When it began: with the first START at this table, or as the director said."""
    played: Since = Since()
    """When the first hand started at this table: it cannot have begun later."""
    lawful_hour: bool = False
    """It is known to have begun at 13:30 or later."""
    closed: bool = False
    """The table was closed since."""
    paused: bool = False
    """Hand-for-hand: no hand starts before RESUME."""


class FirstWord(msgspec.Struct, frozen=True):
    """What one person has ruled where the house asks for two."""

    ruled: Ruled
    hold_key: int
    """Of the newest hold then: a hold that came since was not ruled on."""


class Turn(msgspec.Struct, frozen=True):
    """A player's time to act (1821)."""

    since_ns: int
    told: Reason | None = None
    """What the dealer was told of it last: TIME_DUE, TIME_OVER; None: nothing yet."""


class Undo(msgspec.Struct, frozen=True):
    """The last key, and the state before it."""

    key: Key
    before: "State"
    may: bool = True
    """False: it cannot be taken back, and is known only so that a finger that comes down twice says it once."""


class State(msgspec.Struct):
    """Everything that decides what an event means.

    To everyone but the engine a value: `step` copies it once, and the engine changes that copy alone, by `change`.
    """

    now_ns: int = 0
    setup: Setup = Setup(table="", seats=())
    memory: Memory = Memory()
    phase: Phase = Phase.CLOSED
    out_commands: tuple[Command, ...] = ()
    """Commands of the event being answered; empty between events."""
    wakes: tuple[int, ...] = ()
    """Times asked for by WakeAt and still to come, ascending."""

    # the table
    seats: tuple[int, ...] = ()
    button: int = 0
    """Seat of the button in the current or last hand; 0: none yet."""
    button_set: int = 0
    """Seat where the button must lie at the next START by SET_BUTTON, misdeal or void; 0: by the rule."""
    button_seen: tuple[int, ...] = ()
    button_since_ns: int = 0
    button_stands: tuple[int, ...] = ()
    """Where the director let the button lie for this hand."""
    decks: tuple[Deck, ...] = ()
    deck: int = 0
    """Slot of the deck in play or being verified; 0: none."""
    set_used: int = 0
    """Decks of this set that have come into play and were not quarantined: after both a new set is needed."""
    spent: frozenset[str] = frozenset()
    """Decks that were in play and are no longer listed: they never come back (C13)."""
    counted: Since = Since()
    """When the deck was last counted complete and confirmed (C2)."""
    changed: Since = Since()
    """When the deck came into play."""
    tournament: Tournament = Tournament()
    wall: WallClock | None = None
    """Last reading of the wall clock in this boot, right or not."""
    daytime: Daytime | None = None
    """By a wall clock known to be right, in this boot."""
    hour: Daytime | None = None
    """By the director's HOUR, in this boot."""
    certificate: Certificate | None = None
    """The last count that a dealer confirmed."""
    dealer: str = ""
    """Badge of the dealer who sits at the table, as the director said; '' not said."""
    count_owed: bool = False
    """The machine was proved in mid-hand: a full count before the next hand (S2)."""
    count_read: bool = False
    """The machine has counted 52 at the dealer's COUNT; the dealer's confirmation is asked."""
    warned: frozenset[Reason] = frozenset()
    """Clocks whose notice has been told."""
    clock_ns: int = 0
    """When a clock is next to be looked at: none comes to its limit before. 0: something changed, look at once."""
    boot_id: str = ""
    """Boot under which the times of this state were taken."""
    sealed: bool = False
    """The dealer has confirmed seal, backs and condition of the deck (1804A(1))."""

    # devices
    up: bool = False
    """The shuffler has been met in this run and its record agrees with ours."""
    disagrees: bool = False
    """The shuffler's record differs from ours, or it cannot say what it holds."""
    caps: int = 0
    placed: tuple[int, int] = (0, 0)
    """Cards inside and at the exit (its id, or 0), as the pending PLACES says."""
    up_ns: int = 0
    """When the card behind the gate came up."""
    blind: frozenset[Zone] = frozenset()
    """Zones with a reader that has not looked yet in this run, or cannot look."""
    voids: int = 0
    """Commands in a row that came to nothing: beyond a few the machine is called jammed."""
    cycle_ns: int = 0
    """When the last cycle of the machine ended."""
    idle: bool = False
    """A RETURN brought nothing: wait for a card at the infeed, or ACK."""
    empty_owed: bool = False
    """The machine must be proved empty before the next hand (S2)."""
    order_lost: bool = False
    """The stub must be reshuffled before the next card of this hand."""

    space: Space = Space.ENOUGH
    """What the journal can still take."""

    # the cards
    out: dict[Token, Card] = {}
    """Tokens of the deck in play that are outside the stub."""
    seen: dict[Zone, dict[Token, int]] = {}
    """Tokens read now, by zone, and since when (ns)."""
    suspects: tuple[tuple[Zone, Token], ...] = ()
    """Foreign tags read once, to be read again before they count (S5)."""
    strays: tuple[Token, ...] = ()
    """Tokens in `out` whose `at` is not their `home`."""
    twice: frozenset[Token] = frozenset()
    """Cards read at the infeed once more though they had gone in, since the machine was empty or a hand began."""
    whole_read: bool = False
    """The read under way began with an empty machine: it is a read of the whole deck."""
    reading: Reading | None = None
    """What the read before found; None: it added up."""
    intruders: tuple[Token, ...] = ()
    """Tokens not of the deck in play that went into the machine between hands."""

    # the hand
    hand: int = 0
    plan: tuple[Step, ...] = ()
    street: Street = Street.PREFLOP
    shuffled: int = 0
    """Id of the completed shuffle that the next hand may spend; 0: none."""
    redeal: bool = False
    """The hand before was misdealt or void: it is dealt again even with one deck left (C17)."""
    opened: bool = False
    """The device has spent this hand's shuffle."""
    acted: bool = False
    """A player has acted in this hand (1811(3))."""
    nexted: bool = False
    """NEXT was pressed at the showdown: the last round is closed."""
    street_acted: bool = False
    """ACTION was pressed since this street's cards came (1811(2))."""
    recalled: bool = False
    """This street came too early, and is taken back once no card is on its way (C6-C8)."""
    waiting: tuple[Token, ...] = ()
    """Premature cards aside, which go back into the stub before the river (C6, C7)."""
    returning: frozenset[Token] = frozenset()
    """Cards that are to go back into the stub now."""
    read_up: bool = False
    """A tag, whosever, was read at the exit since the last card was asked for."""
    last_out: Token = NO_CARD
    """The card let out last, once its step is done; NO_CARD when the stub was mixed since, or it is there again."""
    unburned: Token = NO_CARD
    """The burn that went back on top of the stub: no other card may be burned next (H4)."""
    cut_owed: bool = False
    """The stub was shuffled in mid-hand: the dealer cuts before the next card (C16)."""
    exposed: int = 0
    """Hole cards flashed as they were dealt in this hand (C9)."""
    released: Released | None = None
    along: tuple[Released, ...] = ()
    """Cards of the open group let out before `released` and not yet seen where they belong; () when that is None."""
    early: tuple[Early, ...] = ()
    """By hand: cards seen before the one due in front of them was, and when; of one scan they are judged as a set."""
    unseen: int = 0
    """Cards inferred by ACK in this hand (H10)."""
    dead: frozenset[int] = frozenset()
    """Seats whose hand is dead."""
    doubtful: Key | None = None
    """MISDEAL was pressed with a hand in the muck: has that player acted?"""
    turn: Turn | None = None
    """The open round's action clock; None where the house has none, or no round is open."""
    pots: tuple[Reason, ...] = ()
    """What becomes of this pot and of those before it, the deck being defective; until the next hand (1819)."""
    holds: tuple[Standing, ...] = ()
    proof: Proof | None = None
    search: Search | None = None
    """FIND is on: nothing is let out before it has ended."""
    manual: Manual | None = None
    undo: Undo | None = None
    refused: tuple[Reason, Zone] | None = None
    """Why the last key was refused, and where; until the next key."""
    first_word: FirstWord | None = None
    """The ruling that waits for a second person."""


def change(state: State, **fields: Any) -> State:
    """Set fields of the state that `step` is making, all worked out before the first is set; return it."""
    for name in fields:
        setattr(state, name, fields[name])
    return state


def kept(state: State) -> State:
    """Return the state as it is now, whatever is made of `state` later; without what UNDO and the answer hold."""
    return replace(state, undo=None, out_commands=())


def remember(before: State, after: State, key: Key) -> State:
    """Let UNDO take `key` back to `before`."""
    return change(after, undo=Undo(key, before))


def noted(before: State, after: State, key: Key) -> State:
    """Keep in mind that `key` was said last, and cannot be taken back."""
    return change(after, undo=Undo(key, before, may=False))


def said_just_now(state: State, key: Key) -> bool:
    """Tell whether this key was the last one, a moment ago: nobody has read since what it would mean now."""
    undo = state.undo
    return undo is not None and not undo.may and undo.key is key and state.now_ns - undo.before.now_ns < SECOND_NS


def arrived(state: State, card: Token) -> State:
    """This card is on its way no longer; the others of its group are."""
    if not state.along:
        state.released = None
        return state
    left = tuple(one for one in (*state.along, state.released) if one is not None and one.token != card)
    state.along, state.released = left[:-1], left[-1]
    return state
