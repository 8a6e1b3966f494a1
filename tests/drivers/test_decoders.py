"""Whatever comes in: no decoder raises, keeps much, or takes for a frame what did not come with the right check."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.decoders import Wire, breach, wires
from dealerbox.ports import WireError

WIRES = {wire.name: wire for wire in wires()}


def chunks_of(wire: Wire) -> st.SearchStrategy[list[bytes]]:
    """Noise, real frames, real frames cut and spoilt, in any pieces."""
    frame = st.sampled_from(wire.frames)
    cut = st.tuples(frame, st.integers(0, 60), st.integers(0, 60)).map(lambda made: made[0][made[1] : made[2]])
    spoilt = st.tuples(frame, st.integers(0, 300), st.integers(1, 255)).map(
        lambda made: bytes(byte ^ made[2] if at == made[1] % len(made[0]) else byte for at, byte in enumerate(made[0]))
    )
    return st.lists(st.one_of(st.binary(max_size=300), frame, cut, spoilt), max_size=12)


@pytest.mark.parametrize("name", WIRES)
@given(data=st.data())
@settings(max_examples=60)
def test_no_rule_is_broken_by_anything_that_comes_in(name, data) -> None:
    assert breach(WIRES[name], data.draw(chunks_of(WIRES[name]))) == ""


@pytest.mark.parametrize("name", WIRES)
def test_every_real_frame_is_taken_and_found_to_have_come(name) -> None:
    wire = WIRES[name]
    taken = [item for frame in wire.frames for item in wire.decoder().feed(frame) if not isinstance(item, WireError)]
    assert len(taken) >= 4
    assert breach(wire, wire.frames) == ""


class Credulous:
    """A decoder that takes anything: the rules must tell it."""

    def __init__(self, item, keeps: int = 0) -> None:
        self.begun, self._item, self._buffer = False, item, bytearray(keeps)

    def feed(self, data):
        return [self._item]

    def gap(self):
        return []


@pytest.mark.parametrize("name", WIRES)
def test_the_rules_bite(name) -> None:
    wire = WIRES[name]
    item = next(item for frame in wire.frames for item in wire.decoder().feed(frame) if not isinstance(item, WireError))
    credulous = Wire(name, lambda: Credulous(item), wire.most, wire.came, wire.frames)
    assert "never came" in breach(credulous, [b"anything"])
    hoarding = Wire(name, lambda: Credulous(item, wire.most + 1), wire.most, wire.came, wire.frames)
    assert "keeps" in breach(hoarding, [wire.frames[0]])
