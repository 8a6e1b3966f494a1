"""Checks from the field: serial protocols (SP), readers (RF). Each is named by its id."""

import asyncio
import itertools
from random import Random

import pytest

from bench.decoders import breach, wires
from dealerbox.model.events import ZoneKnown
from dealerbox.ports import WireError
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.line import open_serial, pty_pair
from dealerbox_drivers.registry import DRIVERS
from dealerbox_drivers.rfid.pn532.device import Pn532Reader
from dealerbox_drivers.rfid.pn532.twin import Pn532Twin

WIRES = {wire.name: wire for wire in wires()}
POWER_DOWN = 0x16


def flips(data: bytes):
    """Yield `data` with every bit, and every two bits, the other way round."""
    bits = range(8 * len(data))
    for changed in itertools.chain(((bit,) for bit in bits), itertools.combinations(bits, 2)):
        spoilt = bytearray(data)
        for bit in changed:
            spoilt[bit // 8] ^= 1 << bit % 8
        yield bytes(spoilt)


@pytest.mark.parametrize("name", ["shuffler", "feig", "r321"])
def test_sp_03_no_reply_with_one_or_two_bits_flipped_is_taken_for_another(name) -> None:
    wire = WIRES[name]
    shortest = min((frame for frame in wire.frames if _taken(wire, frame)), key=len)
    true = _taken(wire, shortest)
    for spoilt in flips(shortest):
        assert _taken(wire, spoilt) in ([], true)


def _taken(wire, data: bytes) -> list:
    decoder = wire.decoder()
    items = decoder.feed(data) + (decoder.gap() if hasattr(decoder, "gap") else [])
    return [item for item in items if not isinstance(item, WireError)]


def test_sp_03_a_sum_of_eight_bits_may_be_cheated_so_a_pn532_must_find_a_tag_twice() -> None:
    wire = WIRES["pn532"]
    frame = next(frame for frame in wire.frames if frame.hex() == "0000ff06fad50332010607e800")
    cheated = [spoilt for spoilt in flips(frame) if _taken(wire, spoilt) not in ([], _taken(wire, frame))]
    assert cheated
    assert Pn532Reader.appear == 2


@pytest.mark.parametrize("name", WIRES)
def test_sp_05_every_short_thing_that_comes_in_is_answered_in_bounded_time(name) -> None:
    wire = WIRES[name]
    telling = sorted({0, 1, 2, 0x1F, 0x7E, 0x55, 0x7F, 0xFF, 0xD5, *wire.frames[0][:4]})
    for length in range(1, 4):
        for data in itertools.product(telling if length > 1 else range(256), repeat=length):
            assert breach(wire, [bytes(data)]) == ""


def test_rf_01_a_reader_that_was_opened_twenty_times_has_never_been_put_to_sleep(run) -> None:
    """PowerDown on close leaves some readers deaf until they are plugged in anew (nfcpy 231, 186)."""

    async def main() -> None:
        path, far = pty_pair()
        felt, asked = Felt([("04A1B2C3D4E5F6",)], Random(1)), set()
        twin = Pn532Twin(far, felt, {0: "exit"})

        def noted(question, sent: bytes) -> bytes:
            asked.add(question.payload[0])
            return sent

        twin.answer_with = noted
        serving = asyncio.create_task(twin.run())
        settings = DRIVERS["pn532"].settings(port=path, zone="exit")
        for _ in range(20):
            known = asyncio.Event()
            reader = Pn532Reader("mouth", open_serial(path, 115_200), virtual_clock, settings)
            running = asyncio.create_task(
                reader.run(lambda event, known=known: known.set() if isinstance(event, ZoneKnown) else None)
            )
            async with asyncio.timeout(5):
                await known.wait()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        assert POWER_DOWN not in asked
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        far.close()

    run(main(), limit_s=600)
