"""A file that is no capture, half of one, a newer one, or of a driver that is not known, is told for what it is."""

from collections.abc import Callable
from typing import Any

import pytest

from dealerbox.diagnostics.captures.driven import WIRED, NoWire
from dealerbox.diagnostics.captures.explained import explained
from dealerbox.diagnostics.captures.families import family_of
from dealerbox.diagnostics.captures.file import CaptureError, of_lines
from dealerbox.diagnostics.captures.played import played
from dealerbox.diagnostics.captures.pseudonyms import Pseudonyms
from dealerbox.diagnostics.captures.words import CODECS
from dealerbox_drivers.registry import DRIVERS

HEAD = b'{"capture":1,"driver":"feig","device":"left","settings":{"port":"/dev/x","zones":{"0":"seat:1"}}}\n'


def told(*lines: bytes) -> str:
    with pytest.raises(CaptureError) as error:
        of_lines(lines, "it").whole()
    return str(error.value)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ((), "it: no capture: its first line is no JSON"),
        ((b"\x00\x01",), "it: no capture: its first line is no JSON"),
        ((b'{"seq":1}\n',), "it: no capture: its first line says no `capture`"),
        (
            (b'{"capture":2,"software":"9.1"}\n',),
            "it: a capture of format 2, and this Dealerbox reads up to 1; use the "
            "version that took it (9.1), or a newer one",
        ),
        ((b'{"capture":1}\n',), "it: line 1: Object missing required field `driver`"),
        ((HEAD,), "it: half a capture: line 1 is the last that can be read; copy it whole, or take it anew"),
        ((HEAD, b'{"us":1,"out":"00"}\n', b'{"us":2,"i'), "it: half a capture: line 2 is the last that can be read"),
        ((HEAD, b'{"us":1,"out":"0"}\n'), "it: line 2 is none of a capture"),
        ((HEAD, b'{"us":1,"in":7}\n'), "it: line 2 is none of a capture"),
        ((HEAD, b'{"us":1,"end":3}\n'), "it: 2 lines are missing; copy it anew"),
        ((HEAD, b'{"us":1,"open":true}\n', b'{"us":1,"end":1}\n'), "it: 1 lines are too many; copy it anew"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(lines: tuple[bytes, ...], says: str) -> None:
    assert told(*lines).startswith(says)


def test_a_driver_that_is_not_known_is_named_beside_those_that_are() -> None:
    capture = of_lines((HEAD.replace(b"feig", b"clrc663"), b'{"us":1,"end":1}\n'), "it")
    with pytest.raises(NoWire, match="driver clrc663 is not known to this Dealerbox; known with a wire: acr122u, "):
        played(capture)


def test_a_panel_has_no_wire() -> None:
    capture = of_lines((HEAD.replace(b"feig", b"panel-pins"), b'{"us":1,"end":1}\n'), "it")
    with pytest.raises(NoWire, match="driver panel-pins has no wire of bytes"):
        list(explained(capture))


def test_half_a_capture_is_explained_and_not_played(captured: Callable[..., Any]) -> None:
    lines = captured("feig", seconds=1).lines
    capture = of_lines(lines[: len(lines) // 2], "it")
    assert len(list(explained(capture))) > 20
    with pytest.raises(CaptureError, match="half a capture"):
        played(capture)


def test_a_driver_that_does_otherwise_now_is_told_with_the_line(captured: Callable[..., Any]) -> None:
    lines = captured("feig", seconds=1).lines
    other = [line.replace(b"seat:2", b"seat:3") if b"settings" in line else line for line in lines]
    assert played(of_lines(other, "it")).difference.endswith(
        'then told {"event":"ZoneKnown","zone":"seat:2"}, now {"event":"ZoneKnown","zone":"seat:3"}'
    )


def test_every_driver_with_a_wire_can_be_captured_and_explained() -> None:
    """A driver that is not known to `families` would be captured by nobody: what of its answers may be kept?"""
    wired_ones = [driver.name for driver in DRIVERS.values() if driver.role in WIRED]
    assert [name for name in wired_ones if name not in CODECS] == []
    for name in wired_ones:
        family_of(name, Pseudonyms(), None)
