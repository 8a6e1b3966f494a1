"""Contacts bounce: pure rules that turn raw levels into what fingers and magnets did.

Every look at a contact goes in with its time: an *edge* (the hardware says that the
level changed) or a *read* (the level as it is now). Nothing here waits; `due_ns` says
when to read again. A look that comes late counts at its own time; one that seems to
be older than the look before it counts at that one's time.

A level is believed when it stood still for the stable time: the first edge of a burst
starts the wait instead of ending it (gpiozero's `bounce_time` acts on the first edge
and is deaf afterwards: issues 378, 550, 559), and periodic reads find what a lost
edge hid.
"""

from enum import StrEnum
from typing import Generic, TypeVar

from dealerbox.ports import DealerboxError

MS = 1_000_000
"""Nanoseconds in a millisecond."""

Value = TypeVar("Value")


class NotSettled(DealerboxError):
    """Asked for a settled value before there was one."""


class Steady(Generic[Value]):
    """Believes a value once it stood still for `stable_ms`."""

    def __init__(self, stable_ms: float) -> None:
        self._stable_ns = round(stable_ms * MS)
        self._raw: list[Value] = []  # the last value seen, if any
        self._since_ns = 0
        self._settled: list[Value] = []
        self._settled_since_ns = 0
        self._now_ns = 0

    @property
    def known(self) -> bool:
        """Tell whether anything has been believed yet."""
        return bool(self._settled)

    @property
    def settled(self) -> Value:
        """The value believed. NotSettled before the first."""
        if not self._settled:
            raise NotSettled("no value has stood still for the stable time yet: ask `known` first")
        return self._settled[0]

    @property
    def since_ns(self) -> int:
        """When the value believed was first seen; meaningless before there is one."""
        return self._settled_since_ns

    @property
    def seen(self) -> list[Value]:
        """The last value seen, alone in a list; empty before the first look."""
        return list(self._raw)

    @property
    def still(self) -> bool:
        """Tell whether the last look showed the value that is believed."""
        return self._raw == self._settled

    @property
    def due_ns(self) -> int | None:
        """When to read again for the value last seen to be believed; None: nothing is under way."""
        return None if self.still else self._since_ns + self._stable_ns

    def edge(self, value: Value, at_ns: int) -> bool:
        """Take a change told by the hardware; True: a value that stood still before it is newly believed.

        An edge to the value already seen means that one was lost between: the wait starts again.
        """
        at_ns = self._clock(at_ns)
        lost = self._raw == [value]
        changed = False if lost else self._believe(at_ns)
        self._raw, self._since_ns = [value], at_ns
        return changed

    def read(self, value: Value, at_ns: int) -> bool:
        """Take the value as it is now; True: it is newly believed."""
        at_ns = self._clock(at_ns)
        if self._raw != [value]:
            self._raw, self._since_ns = [value], at_ns
        return self._believe(at_ns)

    def _clock(self, at_ns: int) -> int:
        self._now_ns = max(self._now_ns, at_ns)
        return self._now_ns

    def _believe(self, at_ns: int) -> bool:
        if self.still or at_ns - self._since_ns < self._stable_ns:
            return False
        self._settled, self._settled_since_ns = list(self._raw), self._since_ns
        return True


class Feel(StrEnum):
    """What a finger did to a key."""

    PRESSED = "pressed"
    HELD = "held"
    """Down for the long time; told once, after PRESSED."""
    RELEASED = "released"
    """Let go after PRESSED, unless it was stuck."""
    STUCK = "stuck"
    """Down longer than any finger means it; gives nothing more until FREED."""
    FREED = "freed"


class Touch:
    """One key: raw levels in, what the finger did out.

    Each press that stays down for the stable time is told exactly once. A key that is
    down when first looked at gives no press until it was let go; it can be stuck.
    """

    def __init__(self, *, stable_ms: float = 15, long_ms: float = 1000, stuck_ms: float = 10_000) -> None:
        self._level: Steady[bool] = Steady(stable_ms)
        self._long_ns = round(long_ms * MS)
        self._stuck_ns = round(stuck_ms * MS)
        self._fresh = True  # nothing believed yet
        self._counts = False  # the press now under way was told
        self._held = False
        self._stuck = False

    @property
    def down(self) -> bool:
        """Tell whether the key is believed to be down (at the start too)."""
        return self._level.known and self._level.settled

    @property
    def stuck(self) -> bool:
        """Tell whether the key is down and was called stuck."""
        return self._stuck

    @property
    def due_ns(self) -> int | None:
        """When to read the level again at the latest; None: when convenient."""
        if not self._level.still:
            return self._level.due_ns
        if not self.down or self._stuck:
            return None
        return self._level.since_ns + (self._long_ns if self._counts and not self._held else self._stuck_ns)

    def edge(self, down: bool, at_ns: int) -> tuple[Feel, ...]:
        """Take a change told by the hardware; return what it proves, in order."""
        was_down = self._level.seen == [True]
        told = self._settle(changed=self._level.edge(down, at_ns))
        return (*told, *self._dwell(at_ns)) if was_down and not down else told

    def read(self, down: bool, at_ns: int) -> tuple[Feel, ...]:
        """Take the level as it is now; return what it proves, in order."""
        told = self._settle(changed=self._level.read(down, at_ns))
        return (*told, *self._dwell(at_ns)) if self._level.still else told

    def _settle(self, *, changed: bool) -> tuple[Feel, ...]:
        if not changed:
            return ()
        fresh, self._fresh = self._fresh, False
        if self._level.settled:
            self._counts = not fresh
            return (Feel.PRESSED,) if self._counts else ()
        stuck, counts = self._stuck, self._counts
        self._counts = self._held = self._stuck = False
        return (Feel.FREED,) if stuck else (Feel.RELEASED,) if counts else ()

    def _dwell(self, at_ns: int) -> tuple[Feel, ...]:
        """What the time that the key has been down proves: it was down until `at_ns`."""
        if not self.down:
            return ()
        told: list[Feel] = []
        down_ns = at_ns - self._level.since_ns
        if self._counts and not self._held and down_ns >= self._long_ns:
            self._held = True
            told.append(Feel.HELD)
        if not self._stuck and down_ns >= self._stuck_ns:
            self._stuck = True
            told.append(Feel.STUCK)
        return tuple(told)
