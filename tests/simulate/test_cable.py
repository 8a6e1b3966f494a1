"""The cable of a simulated device: it outlives every line that is plugged in, and can be bad."""

import asyncio
from random import Random

from dealerbox.simulate.cable import Cable
from dealerbox.station.virtual import virtual_run
from dealerbox_drivers.line import memory_pair


def test_a_cable_carries_both_ways_and_waits_for_another_line_when_one_goes() -> None:
    async def main() -> None:
        cable = Cable(Random(1))
        reading = asyncio.create_task(cable.read())
        cable.write(b"to nobody")
        near, far = memory_pair()
        cable.plug(far)
        near.write(b"one")
        assert await reading == b"one"
        cable.write(b"two")
        assert await near.read() == b"two"
        reading = asyncio.create_task(cable.read())
        await asyncio.sleep(1)
        near.close()
        await asyncio.sleep(1)
        near, far = memory_pair()
        cable.plug(far)
        near.write(b"three")
        assert await reading == b"three"

    virtual_run(main(), limit_s=60)


def test_nothing_comes_through_a_broken_cable_either_way_and_nobody_is_told() -> None:
    async def main() -> None:
        cable = Cable(Random(1))
        near, far = memory_pair()
        cable.plug(far)
        cable.broken = True
        near.write(b"lost")
        cable.write(b"lost")
        reading = asyncio.create_task(cable.read())
        listening = asyncio.create_task(near.read())
        await asyncio.sleep(1)
        cable.broken = False
        near.write(b"in")
        cable.write(b"out")
        assert (await reading, await listening) == (b"in", b"out")

    virtual_run(main(), limit_s=60)


def test_a_poor_cable_loses_single_bytes() -> None:
    async def main() -> int:
        cable = Cable(Random(1), rate=0.01)
        near, far = memory_pair()
        cable.plug(far)
        come = 0
        for _ in range(1000):
            near.write(bytes(10))
            data = await cable.read()
            assert len(data) in (9, 10)
            come += len(data)
        return come

    assert 9_850 < virtual_run(main()) < 9_950
