"""A lamp that blinks is lit in its dark moments too, and out only when it is."""

from random import Random

import pytest

from dealerbox.model.commands import Lamp
from dealerbox.simulate.demo.eyes import Eyes
from dealerbox_drivers.pins.gpio import signal_output
from dealerbox_drivers.pins.layout import PanelSettings
from dealerbox_drivers.pins.twin import Look, PanelTwin
from dealerbox_drivers.pins.twin_pins import wired_factory

MS = 1_000_000


class Seen:
    def __init__(self) -> None:
        self.now_ns = 10_000 * MS
        factory, layout = wired_factory(), PanelSettings()
        panel = PanelTwin(factory, layout, lambda: self.now_ns, Random(1))
        self.eyes = Eyes(panel, lambda: self.now_ns)
        self.outputs = {name: signal_output(factory, getattr(layout, name)) for name in (*Lamp, "buzzer")}

    def play(self, name: str, *pattern_ms: int) -> None:
        for place, wait_ms in enumerate(pattern_ms):
            self.outputs[name].value = place % 2 == 0
            self.now_ns += wait_ms * MS


@pytest.fixture
def seen():
    table = Seen()
    yield table
    for output in table.outputs.values():
        output.close()


def test_a_red_lamp_is_lit_from_its_first_flash_on(seen) -> None:
    seen.play(Lamp.RED, 125, 60)
    assert seen.eyes.lamps() == {Lamp.RED: Look.STEADY}
    seen.play(Lamp.RED, 125, 125, 125, 125, 125, 60)
    assert seen.eyes.lamps() == {Lamp.RED: Look.FAST}


def test_a_buzzer_is_not_silent_between_two_sounds(seen) -> None:
    assert not seen.eyes.buzzer()
    seen.play("buzzer", 200, 250)
    assert seen.eyes.buzzer()
    seen.now_ns += 700 * MS
    assert not seen.eyes.buzzer()


def test_of_two_lamps_lit_just_now_the_last_is_lit(seen) -> None:
    seen.play(Lamp.RED, 125, 50)
    seen.outputs[Lamp.GREEN].on()
    assert set(seen.eyes.lamps()) == {Lamp.GREEN}


def test_a_panel_of_a_station_that_is_gone_is_dark(seen) -> None:
    seen.play(Lamp.RED, 125, 900)
    assert seen.eyes.lamps() == {}
