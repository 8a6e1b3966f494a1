"""Evenings with five buttons and a small display: what is lit has a way to it, and what is said is read whole."""

import pytest
from msgspec.structs import replace

from dealerbox.engine.state import State
from dealerbox.model.keys import Key
from dealerbox.model.view import View
from dealerbox.simulate.faults import KINDS
from dealerbox.simulate.run import ENGINE, simulate
from dealerbox.station.show import show
from dealerbox_drivers.display.draw import width
from dealerbox_drivers.display.page import fits, page_of
from dealerbox_drivers.face import Face
from dealerbox_drivers.pins.compact import Compact
from dealerbox_drivers.pins.fingers import way
from dealerbox_drivers.pins.layout import CompactSettings

ALWAYS = {Key.ACTION, Key.COUNT, Key.DECK}
IN_HAND = {Key.AWARD, Key.MISDEAL, Key.SUSPECT}
"""Keys that the law answers in every open hand; that none which would be taken is missing, `bench.five_keys` looks."""


class Reader:
    """Judges every view of an evening as a dealer with five buttons does."""

    def __init__(self) -> None:
        self.wrong: set[str] = set()
        self.read = 0
        self._panel, self._face = CompactSettings(), Face()
        self._compact = Compact(self._panel, self._face)

    def view(self, state: State) -> View:
        seen = ENGINE.view(state)
        shown = show(seen)
        self.read += 1
        self._compact.shown(shown, 0)
        if not fits(page_of(shown, foot=self._face.foot), width):
            self.wrong.add(f"is not read whole: {shown.head}: {shown.said} / {shown.prompt} / {self._face.foot}")
        needed = {*map(Key, seen.lit), *ALWAYS, seen.go, *(IN_HAND if seen.street else ())}
        for key in needed:
            seats: tuple[int, ...] = next((choice.seats for choice in seen.menu if choice.key is key), ())
            if not all(way(self._panel, key, shown, seat) for seat in seats or (0,)):
                self.wrong.add(f"there is no way to {key} in {seen.phase}, {seen.prompt_code}")
        return seen


@pytest.mark.parametrize("faults", [(), tuple(KINDS)], ids=["lawful", "with every kind of fault"])
def test_every_lit_key_can_be_given_and_every_page_be_read(faults: tuple[str, ...]) -> None:
    reader = Reader()
    engine = replace(ENGINE, view=reader.view)
    simulate(60, "2-10", faults=faults, seed=11, engine=engine)
    assert reader.wrong == set()
    assert reader.read > 1000
