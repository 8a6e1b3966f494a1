"""Breadth first to the fixed point, then backwards from rest: who cannot come back?"""

import time
from array import array
from collections.abc import Iterator

import msgspec

from bench.protocol.moves import at_rest, check, first, moves
from bench.protocol.values import Broken, Setting, State


class Found(msgspec.Struct):
    """What a search of one setting came to."""

    setting: str
    states: int
    transitions: int
    seconds: float
    broken: str = ""
    """The invariant that does not hold, the first in breadth; '' when all do."""
    lost: int = 0
    """States from which nothing leads back to play without a further fault."""
    trace: list[str] = []
    """The shortest way to what is broken, or to a lost state."""


class Search:
    """One setting, explored. `limit`: give up after so many states, as not closed."""

    def __init__(self, setting: Setting, limit: int = 5_000_000) -> None:
        self._setting = setting
        self._limit = limit
        self._states: list[State] = []
        self._numbers: dict[State, int] = {}
        self._came_from: array[int] = array("l")
        self._back: list[array[int]] = []
        """For each state those before it, by a move that is no fault."""
        self._transitions = 0

    def run(self) -> Found:
        """Explore to the fixed point, or to the first invariant that does not hold."""
        began = time.perf_counter()
        broken, trace = "", []
        self._reach(first(self._setting), -1)
        number = -1
        try:
            for number, state in enumerate(self._states):  # it grows as it is walked
                self._follow(number, state)
        except Broken as found:
            broken = str(found)
            trace = [*self._way_to(number), f"=> {broken}"]
        lost: list[int] = [] if broken else self._lost()
        if lost:
            trace = [*self._way_to(lost[0]), "=> nothing leads back to play"]
        return Found(
            setting=self._setting.name,
            states=len(self._states),
            transitions=self._transitions,
            seconds=round(time.perf_counter() - began, 1),
            broken=broken,
            lost=len(lost),
            trace=trace,
        )

    def _reach(self, state: State, parent: int) -> int:
        number = self._numbers.get(state)
        if number is None:
            if len(self._states) >= self._limit:
                raise RuntimeError(f"{self._setting.name}: more than {self._limit} states")
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            self._came_from.append(parent)
            self._back.append(array("l"))
        return number

    def _follow(self, number: int, state: State) -> None:
        check(self._setting, state)
        for label, after in moves(self._setting, state):
            self._transitions += 1
            reached = self._reach(after, number)
            if label[0] != "!":
                self._back[reached].append(number)

    def _lost(self) -> list[int]:
        """Return the states from which no move without a fault leads to rest, in the order they were found."""
        back = bytearray(len(self._states))
        todo = [number for number, state in enumerate(self._states) if at_rest(state)]
        for number in todo:
            back[number] = 1
        while todo:
            for before in self._back[todo.pop()]:
                if not back[before]:
                    back[before] = 1
                    todo.append(before)
        return [number for number, known in enumerate(back) if not known]

    def _way_to(self, number: int) -> list[str]:
        return list(self._labels(number))[::-1]

    def _labels(self, number: int) -> Iterator[str]:
        """Yield what led to a state, the last first; labels are made again, for they are not kept."""
        while (parent := self._came_from[number]) >= 0:
            state = self._states[number]
            try:
                label = next(name for name, after in moves(self._setting, self._states[parent]) if after == state)
            except Broken:  # the move came after the one that breaks
                label = "?"
            yield label
            number = parent
