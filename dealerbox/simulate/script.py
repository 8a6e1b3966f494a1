"""A story: what people and faults did at a simulated table, act by act, so that it can be done again without them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, cast

import msgspec

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.view import View
from dealerbox.simulate.seen import Table
from dealerbox_drivers.felt import BEHIND_GATE, MACHINE, Felt, Moved

SECOND: Final = 1e9


class Act(msgspec.Struct, frozen=True):
    """One thing that somebody did, by true time."""

    at_ns: int
    what: str
    values: tuple[Any, ...] = ()


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """One evening: the table it was played at, and what was done there."""

    name: str
    """Seed and number of the evening: what chance does at the table follows from it."""
    level: str
    seats: tuple[int, int]
    dispense: str = "single"
    shuffler: str = "twin"
    acts: tuple[Act, ...]


class Recording:
    """A table as people meet it, which keeps what they do there. Satisfies `seen.Table`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.setup: Setup = table.setup
        self.losable = table.losable
        self.acts: list[Act] = []
        self.felt = cast(Felt, RecordingFelt(table.felt, self._did))  # it has all that people use of one
        self.level = getattr(table, "level", "")

    @property
    def down(self) -> bool:
        """As the table's own."""
        return self._table.down

    @property
    def now_ns(self) -> int:
        """True time."""
        return self._table.now_ns

    def view(self) -> View:
        """Return what the panel shows."""
        return self._table.view()

    def start(self, process: Iterator[float]) -> None:
        """Let somebody act."""
        self._table.start(process)

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open."""
        return self._table.taking()

    def press(self, key: Key, seat: int = 0, badge: str = "") -> None:
        """Press a key."""
        self._did("press", key, seat, badge)
        self._table.press(key, seat, badge)

    def rule(self, ruling: Ruling, why: str, *, seat: int = 0, seats: tuple[int, ...] = (), value: int = 0) -> None:
        """Rule as the director."""
        self._did("rule", ruling, why, seat, seats, value)
        self._table.rule(ruling, why, seat=seat, seats=seats, value=value)

    def lay_button(self, seats: Iterable[int]) -> None:
        """Lay the dealer button."""
        seats = tuple(seats)
        self._did("lay_button", seats)
        self._table.lay_button(seats)

    def open_door(self) -> None:
        """Open the shuffler's door."""
        self._did("open_door")
        self._table.open_door()

    def close_door(self) -> None:
        """Shut it."""
        self._did("close_door")
        self._table.close_door()

    def lose(self, device: str) -> None:
        """Cut a device off."""
        self._did("lose", device)
        self._table.lose(device)

    def find(self, device: str) -> None:
        """Have it back."""
        self._did("find", device)
        self._table.find(device)

    def restart(self) -> None:
        """Kill the daemon, or stop it."""
        self._did("restart")
        self._table.restart()

    def set_wall(self, wrong_s: int, *, sure: bool) -> None:
        """Let the wall clock show another time."""
        self._did("set_wall", wrong_s, sure)
        self._table.set_wall(wrong_s, sure=sure)

    def reboot(self, away_s: float) -> None:
        """Take the computer's power away."""
        self._did("reboot", away_s)
        self._table.reboot(away_s)

    def _did(self, what: str, *values: Any) -> None:
        self.acts.append(Act(self.now_ns, what, values))


class RecordingFelt:
    """A felt on which hands move cards: each move is kept with where the card came from."""

    def __init__(self, felt: Felt, did: Callable[..., None]) -> None:
        self._felt, self._did = felt, did

    @property
    def button(self) -> tuple[int, ...]:
        """Where a button lies."""
        return self._felt.button

    def at(self, place: str) -> tuple[Uid, ...]:
        """Return the cards of a place."""
        return self._felt.at(place)

    def place_of(self, uid: Uid) -> str:
        """Return where a card is."""
        return self._felt.place_of(uid)

    def watch(self, callback: Moved) -> Callable[[], None]:
        """Tell every move."""
        return self._felt.watch(callback)

    def put(self, uid: Uid, place: str) -> None:
        """Move a card."""
        self._did("put", uid, self.place_of(uid), place)
        self._felt.put(uid, place)

    def insert(self, uid: Uid, place: str, position: int) -> None:
        """Put a card at a position."""
        self._did("insert", uid, place, position)
        self._felt.insert(uid, place, position)

    def silence(self, uid: Uid, *, silent: bool = True) -> None:
        """Make a tag unreadable, or readable again."""
        self._did("silence", uid, silent)
        self._felt.silence(uid, silent=silent)


def done_again(acts: Sequence[Act], table: Table) -> Iterator[float]:
    """Do the acts again, each at its time. What is no longer possible is left out."""
    for act in acts:
        if act.at_ns > table.now_ns:
            yield 0.0  # a finger takes its time: what was begun is done before the wait
            yield max(0.0, (act.at_ns - table.now_ns) / SECOND)
        _do(act, table)
    yield 0.0


def _do(act: Act, table: Table) -> None:
    match act.what, act.values:
        case "put", (uid, before, place):
            _put(table.felt, uid, before, place)
        case "insert", (uid, place, position):
            if position <= len(table.felt.at(place)):
                table.felt.insert(uid, place, position)
        case "silence", (uid, silent):
            table.felt.silence(uid, silent=silent)
        case "press", (key, seat, badge):
            if not table.down:
                table.press(Key(key), seat, badge)
        case "rule", (ruling, why, seat, seats, value):
            table.rule(Ruling(ruling), why, seat=seat, seats=tuple(seats), value=value)
        case "lay_button", (seats,):
            table.lay_button(seats)
        case "set_wall", (wrong_s, sure):
            table.set_wall(wrong_s, sure=sure)
        case name, values:
            getattr(table, name)(*values)


def _put(felt: Felt, uid: Uid, before: str, place: str) -> None:
    """Move a card unless it is somewhere that hands do not reach, or was put back out of the story."""
    here = felt.place_of(uid)
    if here == before or (here not in (MACHINE, BEHIND_GATE) and before not in (MACHINE, BEHIND_GATE)):
        felt.put(uid, place)
