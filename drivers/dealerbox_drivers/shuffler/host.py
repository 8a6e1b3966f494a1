"""What the host knows of its shuffler, from IDENT and STATUS, and what it tells of it (PROTOCOL.md section 5): pure."""

from collections import deque
from typing import Final

import msgspec

from dealerbox.model import events
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result
from dealerbox.ports import DeviceWrong
from dealerbox_drivers.shuffler.holds import Holds
from dealerbox_drivers.shuffler.messages import Code, HoldRequest, Ident, Lock, Status
from dealerbox_drivers.shuffler.reconcile import (
    estranged,
    in_machine,
    is_old,
    judge,
    obstacle,
    remembered,
    rise,
)

PROTOCOL: Final = 1
REFUSALS: Final = 3
"""Greetings refused in a row after which the machine is believed to speak another protocol."""
LAST_SESSION: Final = 0xFFFFFFFF


class Host:
    """One machine as the station knows it. `told` fills with events, for whoever drains it.

    `standing` is the `why` of the last ShufflerMet, None while none was told since the last
    greeting. Frames of a retired epoch, of another session, or older than the newest STATUS
    prove nothing and change nothing. The order of events is in the docstring of `Shuffler`.
    """

    def __init__(self, name: str, memory: Memory, identity: int = 0) -> None:
        self.told: deque[events.Event] = deque()
        self.session = memory.session
        self.holds = Holds(memory.hold_key)
        self.record, self.owed = remembered(memory)
        self.again = False
        """The owed command was not taken, and still can be."""
        self.ident: Ident | None = None
        """Who was greeted; None: nobody yet."""
        self.newest: Status | None = None
        self.standing: str | None = None
        self._name = name
        self._memory = memory
        self._identity = identity
        self._epoch = memory.epoch
        self._retired = set(memory.retired)
        self._session_known = False
        """A STATUS has shown this session: a HOLD under it compares as newer than any before it."""
        self._locks: Lock | None = None
        self._unproved = False
        """A machine without a door sensor was left alone: its content counts as unknown."""
        self._refused = 0
        """Greetings in a row that were refused."""

        self._unpowered = False
        """It has been without power since it was last armed, and nobody was told."""

    def greet_again(self) -> None:
        """Nothing more is known until HELLO is answered."""
        self.ident = self.standing = None

    def hold_request(self) -> HoldRequest | None:
        """Return the HOLD that must be said now and again until the device has it; None: it has, or none stands.

        Before a STATUS has shown the session, HELLO itself keeps everything locked, and a hold that
        the device has from before must be read before a new one takes its place.
        """
        return self.holds.request(self.newest, self.session) if self._session_known else None

    def estrange(self, why: str) -> None:
        """From now on only a person's word makes the records agree."""
        self.record = estranged(self.record, self.record.strange or why)

    def void(self, id_: int, why: str, at_ns: int) -> None:
        """Tell of a permit that will never be given."""
        self.told.append(events.CommandVoid(at_ns, id_, why))

    def take_ident(self, ident: Ident) -> None:
        """Take the answer to HELLO. DeviceWrong when it is not the machine asked for, or cannot be used."""
        if ident.proto == 0 and self.session < ident.session < LAST_SESSION:
            self._go_above(ident.session)
            return
        self._refused = self._refused + 1 if ident.proto == 0 else 0
        if 0 < self._refused < REFUSALS:  # perhaps that of a greeting before ours, come late: greet again
            return
        self._check(ident)
        if ident.session != self.session or ident.epoch in self._retired:
            return
        newest = self.newest
        if ident.epoch != self._epoch:
            self._retired |= {self._epoch} - {0}
            self._epoch = ident.epoch
            self.newest = None
        elif newest is not None and ident.boot_id != newest.boot_id and ident.fence < newest.fence:
            self.newest = None
            self.estrange("behind")
        if self._memory.serial not in (0, ident.serial):
            self.estrange("serial")
        self.ident = ident

    def take_status(self, status: Status, at_ns: int) -> None:
        """Take a STATUS: settle, tell and remember. One that has restarted, or met another host, is greeted again."""
        ident = self.ident
        if ident is None or status.epoch in self._retired:
            return
        is_own = status.session == self.session and status.epoch == ident.epoch
        if is_own and is_old(status, self.newest):
            return
        overtaken = status.session > self.session or status.code in (Code.NO_SESSION, Code.STALE_SESSION)
        if status.boot_id != ident.boot_id or overtaken:
            self.greet_again()
        elif is_own:
            if self.holds.standing is not None and self._is_shared(status):
                self._go_above(status.session)
                self.greet_again()
                return
            self._weigh(status, ident, at_ns)

    def _is_shared(self, status: Status) -> bool:
        """Tell whether another host had this session too."""
        return status.session < LAST_SESSION and self.holds.is_known_and_gone(status, self.session)

    def _go_above(self, session: int) -> None:
        """Take a session that no hold of another host can have had."""
        self.session = session + 1
        self._session_known = False
        self.estrange("session")

    def _check(self, ident: Ident) -> None:
        if ident.proto != PROTOCOL:
            raise DeviceWrong(f"{self._name}: the shuffler does not speak protocol {PROTOCOL}: update its firmware")
        if self._identity not in (0, ident.serial):
            raise DeviceWrong(
                f"{self._name}: shuffler {ident.serial:X} answers where {self._identity:X} is configured: "
                "connect that machine, or correct the serial number in the config"
            )
        if ident.caps & Cap.FACE_SENSOR:
            raise DeviceWrong(f"{self._name}: shuffler {ident.serial:X} can see faces: use one without a face sensor")

    def _weigh(self, status: Status, ident: Ident, at_ns: int) -> None:
        before = self._locks
        risen = status.locks & ~(before or Lock(0))
        if not ident.caps & Cap.DOOR_SENSOR and risen & (Lock.BOOT | Lock.LEASE):
            self._unproved = True
        if risen and risen & Lock.BOOT:
            self._unpowered = True
        verdict = judge(self.record, self.owed, self._doubted(status), at_ns, ident.caps)
        self.record, self.owed, self.again = verdict.record, verdict.owed, verdict.again
        self.told.extend(verdict.told)
        if any(_proves_content(event) for event in verdict.told):
            self._unproved = False
        if any(isinstance(event, events.Misfed) for event in verdict.told):
            risen &= ~(Lock.UNCERTAIN | Lock.ERROR)
        if before is not None and before & ~status.locks & Lock.DOOR:
            self.told.append(events.DoorClosed(at_ns))
        if self.standing is not None and (why := rise(risen)):
            self.told.append(events.ShufflerLocked(at_ns, why))
        self._find_hold(status, ident, at_ns)
        self.newest, self._locks, self._session_known = self._doubted(status), status.locks, True
        if verdict.resting and verdict.owed is None:
            placed = any(isinstance(event, events.PlacesSet) for event in verdict.told)
            self._tell_standing(self.newest, ident, at_ns, anyway=placed)

    def _find_hold(self, status: Status, ident: Ident, at_ns: int) -> None:
        both_restarted = self._locks is None and self._memory.epoch not in (0, ident.epoch)
        if both_restarted and not ident.caps & Cap.NVM:
            # Such a machine forgets its holds: one may have stood.
            self.told.append(events.HoldFound(at_ns, 0, 0, 0))
        if self.holds.finds(status, self.session):
            found = events.HoldFound(at_ns, status.hold_session, status.hold_key, status.hold_reason)
            self.told.append(found)

    def _tell_standing(self, status: Status, ident: Ident, at_ns: int, *, anyway: bool) -> None:
        why = obstacle(self.record, status.locks)
        if why == self.standing and not anyway:
            return
        self.standing = why
        met = events.ShufflerMet(
            at_ns=at_ns,
            serial=ident.serial,
            epoch=status.epoch,
            last_id=status.cmd_id,
            machine=-1 if status.locks & Lock.CONTENT else in_machine(status),
            exit_id=status.exit_id,
            token_id=status.token_id,
            deal_id=status.deal_id,
            caps=ident.caps,
            agreed=not why,
            why=why,
            session=self.session,
            unpowered=self._unpowered,
        )
        self._unpowered = False
        self.told.append(met)

    def _doubted(self, status: Status) -> Status:
        """Return `status` as the host must take it where nobody knows who opened the machine meanwhile."""
        if not self._unproved:
            return status
        return msgspec.structs.replace(status, locks=status.locks | Lock.CONTENT)


def _proves_content(event: events.Event) -> bool:
    if isinstance(event, events.CycleEnded):
        return event.cycle is Cycle.COUNT and event.result is Result.DONE
    return isinstance(event, events.PlacesSet)
