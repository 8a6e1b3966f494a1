"""The table of the demo as its people meet it: the same shape as the `events` level's, in real time and over wires."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import Setup
from dealerbox.model.view import View
from dealerbox.ports import Clock
from dealerbox.simulate.demo.fingers import RULINGS
from dealerbox.simulate.demo.fingers import gesture as by_finger
from dealerbox.simulate.demo.station import ChildStation, StationDied
from dealerbox.simulate.demo.tables import BUTTON
from dealerbox.simulate.demo.twins import Twins
from dealerbox.station.show import show
from dealerbox_drivers.felt import BEHIND_GATE, BOX, HAND, MACHINE, OUTLET
from dealerbox_drivers.pins.fingers import way
from dealerbox_drivers.pins.twin_pins import wired

REACTION_S: Final = 0.3
"""What is lit must have been lit so long before a finger answers it: no person is quicker, and the panel knows."""
TAKEN_S: Final = 0.15
"""From a finger's lifting to an answer on the panel, at most."""
BUTTON_S: Final = 0.6
"""From a laid button to a station that knows."""
PATIENCE_S: Final = 3.0
"""How long a person waits for a key to be lit before giving up."""
SAID: Final = (Key.MISDEAL, Key.MANUAL, Key.UNDO)
"""Keys of which people speak whenever they are given."""
ASKED: Final = ("unseen", "acted", "half_muck")
"""Prompts whose answer is of interest: something has gone wrong, and nothing is held."""


class LiveTable:
    """Satisfies `seen.Table`. Whoever acts has two hands: each act is done before the next one begins."""

    level = "wires"

    def __init__(self, setup: Setup, twins: Twins, station: ChildStation, clock: Clock) -> None:
        self.setup, self.felt = setup, twins.felt
        self.down = False
        self.losable = ("shuffler", "panel", *setup.readers)  # contacts on pins cannot be told lost
        self.seen: list[Callable[[View], None]] = []
        """Told of every view that somebody looked at."""
        self.done: list[Callable[[str], None]] = []
        """Told in words what somebody does to end a hold."""
        self.lifted: list[Callable[[Key], None]] = []
        """Told of every key that was given, as the finger leaves it."""
        self._lifted: dict[Uid, str] = {}
        self.felt.watch(self._moved)
        self._twins, self._station = twins, station
        self._clock = clock
        self._view: View | None = None
        self._lit: tuple[Key, ...] = ()
        self._asked = Key.START
        self._lit_since_s = 0.0
        self._acts: list[Callable[[], Awaitable[object]]] = []
        self._people: set[asyncio.Task[None]] = set()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Raises what went wrong with people."""

    @property
    def now_ns(self) -> int:
        """The events' clock."""
        return self._clock()

    async def look(self) -> View:
        """Look at the panel; while the daemon is down it shows what it did."""
        if not self.down:
            await self._look()
        return self.view()

    async def _look(self) -> None:
        try:
            view = await self._station.view()
        except StationDied:
            if self.down:  # it was killed while it was asked
                return
            raise
        if (view.lit, view.go) != (self._lit, self._asked):
            self._lit, self._asked, self._lit_since_s = view.lit, view.go, asyncio.get_running_loop().time()
        self._view = view
        for seen in self.seen:
            seen(view)

    def view(self) -> View:
        """Return what the panel showed at the last look."""
        if self._view is None:
            raise RuntimeError("look before you act")
        return self._view

    def start(self, process: Iterator[float], pace: float = 1.0) -> None:
        """Let somebody act until the end. `pace`: seconds on the clock for each second of a person's time."""
        person = asyncio.create_task(self._live(process, pace))
        self._people.add(person)
        person.add_done_callback(self._gone)

    async def rest(self) -> None:
        """Everybody stops where they are."""
        people = tuple(self._people)
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)

    def press(self, key: Key, seat: int = 0, badge: str = "") -> None:
        """Give a key by the presses that the panel has for it; it reads no badge."""
        self._acts.append(partial(self._press, key, seat))

    def rule(self, ruling: Ruling, why: str, *, seat: int = 0, seats: tuple[int, ...] = (), value: int = 0) -> None:
        """Rule as the director: key switch, and the push that has this ruling."""
        if ruling is Ruling.SET_BUTTON:
            self._acts.append(partial(self._lay, (seat,)))
        self._acts.append(partial(self._rule, ruling))

    def lay_button(self, seats: Iterable[int]) -> None:
        """Lay the dealer button."""
        self._acts.append(partial(self._lay, tuple(seats)))

    def taking(self) -> bool:
        """Tell whether the shuffler's infeed is open."""
        return self._twins.taking()

    def open_door(self) -> None:
        """Open the shuffler's door."""
        if self._view and self._view.holds:
            self._tell("somebody opens the shuffler and looks")
        self._twins.shuffler.open_door()

    def close_door(self) -> None:
        """Shut it."""
        self._twins.shuffler.open_door(is_open=False)

    def lose(self, device: str) -> None:
        """Pull the plug of one of `losable`."""
        self._twins.unplug(device)

    def find(self, device: str) -> None:
        """Put it back in."""
        self._twins.plug_in(device)

    def restart(self) -> None:
        """Kill the daemon; it comes back by itself."""
        self._acts.append(self._restart)

    def set_wall(self, wrong_s: int, *, sure: bool) -> None:
        """Leave the clock as it is: it is this machine's."""

    def reboot(self, away_s: float) -> None:
        """Kill the daemon: this machine stays on."""
        self.restart()

    async def _live(self, process: Iterator[float], pace: float) -> None:
        await self.look()
        for seconds in process:
            acts, self._acts = self._acts, []  # each has hands of his own
            for act in acts:
                await act()
            await asyncio.sleep(seconds * pace)
            if not self.down:
                await self.look()

    def _gone(self, person: asyncio.Task[None]) -> None:
        self._people.discard(person)
        error = None if person.cancelled() else person.exception()
        if error and not self.failed.done():
            self.failed.set_exception(error)

    async def _press(self, key: Key, seat: int) -> bool:
        """Give a key with a finger; False: it could not be given."""
        if not await self._ready(key, seat):
            return False
        view = self.view()
        if view.holds or key in SAID or view.prompt_code in ASKED or key not in view.lit:
            said = by_finger(key, view, self._twins.panel_settings)
            self._tell(f"the dealer presses {key.upper()} ({said})")
        try:
            await self._twins.panel.choose(key, show(self.view()), seat, lambda: self._twins.pins.words.menu)
        except (LookupError, TimeoutError):
            return False  # overtaken by what happens at the table: look again
        for told in self.lifted:
            told(key)
        await asyncio.sleep(TAKEN_S)
        return True

    async def _ready(self, key: Key, seat: int) -> bool:
        """Wait until `key` can be given and what is lit has been lit for a moment; False: it never came so far."""
        loop = asyncio.get_running_loop()
        give_up_s = loop.time() + PATIENCE_S
        while loop.time() < give_up_s:
            await self.look()
            possible = way(self._twins.panel_settings, key, show(self.view()), seat)
            if possible and loop.time() - self._lit_since_s >= REACTION_S:
                return True
            await asyncio.sleep(0.05)
        return False

    async def _rule(self, ruling: Ruling) -> None:
        pushes = self._twins.panel_settings.pushes
        push = next((name for name, push in pushes.items() if push.ruling is ruling), None)
        if push is None:
            raise LookupError(f"no push of the panel gives the ruling {ruling}")
        self._tell(f"the director turns the key and holds {push.upper()}: {RULINGS[ruling]} ({ruling.upper()})")
        await self._twins.panel.turn(True)
        await asyncio.sleep(TAKEN_S)
        await self._twins.panel.hold(push)
        await asyncio.sleep(TAKEN_S)
        await self._twins.panel.turn(False)

    async def _lay(self, seats: tuple[int, ...]) -> None:
        if self._view and self._view.holds and seats:
            self._tell(f"somebody puts the button on seat {seats[0]}")
        self.felt.set_button(seats)
        for number, pin in BUTTON.items():
            wired(self._twins.pins.factory, pin).drive(False if number in seats else None)
        await asyncio.sleep(BUTTON_S)

    def _moved(self, uid: Uid, before: str, after: str) -> None:
        """Tell of a card that is carried to another place while the deal is held."""
        if after == HAND:
            self._lifted[uid] = before
            return
        if uid not in self._lifted and after in (BEHIND_GATE, OUTLET, MACHINE):
            return  # the machine's own doing
        origin = self._lifted.pop(uid, before)
        if self._view and self._view.holds and self._view.street and origin != after:
            self._tell(f"somebody moves a card from {_words(origin)} to {_words(after)}")

    def _tell(self, line: str) -> None:
        for done in self.done:
            done(line)

    async def _restart(self) -> None:
        self.down = True
        await self._station.kill()
        await self._station.start()
        self.down = False


def _words(place: str) -> str:
    """Return a place as people say it."""
    if place.startswith("seat:"):
        return place.replace(":", " ")
    said = {
        BOX: "the box",
        BEHIND_GATE: "behind the gate",
        OUTLET: "the exit",
        "away": "elsewhere",
        "burn": "the burns",
    }
    return said.get(place, f"the {place}")
