"""What the figures rest on: the table that is one card before a hold, and the frames of the measuring program."""

import re
from pathlib import Path

from bench import instructions
from bench.held import Path as Held
from bench.hosts import ANSWER
from dealerbox_drivers.shuffler.messages import HoldRequest, Type
from dealerbox_drivers.shuffler.wire import Decoder, Frame

WIRE_C = Path(instructions.__file__).with_name("wire.c").read_text()


def bytes_of(name: str) -> bytes:
    """Return a constant of `wire.c`."""
    found = re.search(rf"{name}\[\] = {{(.*?)}}", WIRE_C, re.DOTALL)
    assert found is not None
    return bytes(int(word, 16) for word in re.findall(r"0x([0-9a-f]+)", found[1]))


def test_each_card_at_the_wrong_seat_brings_one_hold_and_one_record() -> None:
    sent: list[bytes] = []
    journal = instructions.Inline()
    path = Held(sent.append, journal)
    for _ in range(3):
        path.feed(bytes_of("FRAME"))
        path.again()
    frames = Decoder().feed(b"".join(sent))
    assert [frame.type for frame in frames if isinstance(frame, Frame)] == [Type.HOLD] * 3
    assert journal.seq == 3


def test_every_host_answers_a_hold_that_a_shuffler_would_take() -> None:
    assert bytes_of("HOLD") == ANSWER
    (frame,) = Decoder().feed(ANSWER)
    assert isinstance(frame, Frame)
    assert frame.body == HoldRequest(1, 0x0203)


def test_all_figures_send_the_same_card() -> None:
    assert bytes_of("FRAME") == instructions.FRAME
