"""Checks from the field: pins (GP). Each is named by its id."""

import ast
from pathlib import Path
from random import Random

import pytest
from gpiozero.pins.mock import MockFactory

from dealerbox.ports import DeviceGone
from dealerbox_drivers.pins.debounce import MS, Feel, Touch
from dealerbox_drivers.pins.gpio import contact_input, header_chip, on_edge

ROOT = Path(__file__).parents[2]


def felt(touch: Touch, presses, edges: bool = True, until_ms: int = 12_000):
    """Play presses (down_ms, up_ms) with an edge each and a read every 50 ms; return what was felt and when, ms."""
    moments = sorted({*range(0, until_ms, 50), *(at for press in presses for at in press)})
    seen = []
    for at in moments:
        down = any(begin <= at < end for begin, end in presses)
        is_edge = edges and any(at in press for press in presses)
        for feel in touch.edge(down, at * MS) if is_edge else touch.read(down, at * MS):
            seen.append((feel, at))
    return seen


def count(seen, feel: Feel) -> int:
    return [one for one, _ in seen].count(feel)


@pytest.mark.parametrize(("stable_ms", "presses"), [(50, 2), (1000, 1)])
def test_gp_01_a_press_longer_than_the_window_is_told_once_whatever_pulse_was_before_it(stable_ms, presses) -> None:
    seen = felt(Touch(stable_ms=stable_ms), [(200, 300), (5300, 6900)])
    assert count(seen, Feel.PRESSED) == presses


def test_gp_02_a_key_whose_release_edge_is_lost_is_not_held_once_it_is_up() -> None:
    touch = Touch(stable_ms=15, long_ms=1000)
    told = [*touch.read(False, 0), *touch.read(False, 100 * MS), *touch.edge(True, 200 * MS)]
    for at in range(250, 3000, 50):
        told += touch.read(at < 400, at * MS)
    assert told == [Feel.PRESSED, Feel.RELEASED]


def test_gp_02_a_key_down_for_half_a_minute_is_stuck() -> None:
    assert count(felt(Touch(), [(200, 31_000)], until_ms=32_000), Feel.STUCK) == 1


def test_gp_03_with_edges_lost_the_state_is_that_of_the_level_at_the_next_look() -> None:
    rng, touch, at, down = Random(3), Touch(stable_ms=15), 0, False
    for _ in range(3000):
        down = not down
        if rng.random() > 0.3:  # the rest of the edges never come
            touch.edge(down, at * MS)
        for look in (at + 100, at + 200):
            touch.read(down, look * MS)
        assert touch.down == down
        at += rng.randrange(250, 400)


@pytest.mark.parametrize("number", [0, 4, 10])
def test_gp_04_the_header_is_found_by_its_label_whatever_its_number(number: int) -> None:
    others = {each: "gpio-brcmstb" for each in (0, 4, 10) if each != number}
    assert header_chip({number: "pinctrl-rp1", **others}) == number


def test_gp_04_without_a_header_it_is_said() -> None:
    with pytest.raises(DeviceGone, match="no GPIO chip is the 40-pin header"):
        header_chip({0: "gpio-brcmstb"})


def test_gp_06_lgpio_has_a_directory_of_the_units_own_for_its_pipes() -> None:
    lines = (ROOT / "systemd/dealerbox.service").read_text().splitlines()
    assert "RuntimeDirectory=dealerbox" in lines
    assert "WorkingDirectory=%t/dealerbox" in lines


def test_gp_07_nothing_forks_with_pins_or_ports_open() -> None:
    """Programs are executed, which closes them; to fork alone would share them. A simulated table has neither."""
    files = [*(ROOT / "dealerbox").rglob("*.py"), *(ROOT / "drivers").rglob("*.py")]
    for file in (file for file in files if "simulate" not in file.parts):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            assert "multiprocessing" not in names, file
            assert not (isinstance(node, ast.Attribute) and node.attr in ("fork", "forkpty")), file


def test_gp_08_an_input_that_is_closed_and_opened_again_silences_no_other() -> None:
    factory, told = MockFactory(), []
    kept = contact_input(factory, 5)
    stop_kept = on_edge(kept, lambda active: told.append(active))
    for _ in range(50):
        other = contact_input(factory, 6)
        on_edge(other, lambda active: None)()
        other.close()
        told.clear()
        factory.pin(5).drive_low()
        factory.pin(5).drive_high()
        assert told == [True, False]
    stop_kept()
    kept.close()
    factory.reset()


def test_gp_12_a_key_down_at_the_start_gives_nothing_until_it_was_let_go() -> None:
    seen = felt(Touch(stable_ms=15), [(0, 2000), (4000, 4300)])
    assert seen[0] == (Feel.PRESSED, seen[0][1])
    assert seen[0][1] >= 4000
