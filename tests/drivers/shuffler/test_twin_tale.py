"""The worked frames of PROTOCOL.md section 10, told to a machine: it answers byte for byte."""

import asyncio
from random import Random

from dealerbox.model.shuffler import Cap
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.shuffler import wire
from dealerbox_drivers.shuffler.messages import EventKind
from dealerbox_drivers.shuffler.twin import ShufflerTwin
from dealerbox_drivers.shuffler.twin_machine import Timings
from dealerbox_drivers.shuffler.twin_memory import Nvm, Record


class BootRandom(Random):
    """Chance, but for the boot's number."""

    def getrandbits(self, k):
        return 0xB0070007 if k == 32 else super().getrandbits(k)


def remembered(nvm):
    nvm.write(
        Record(
            epoch=0xE90C0001, fence=94, session=28, cmd_id=200, cmd_kind=0x13, cmd_state=2, cmd_result=0x37,
            machine=52, out_total=1000, token_id=200, boots=6,
        )
    )  # fmt: skip
    return nvm


def test_the_worked_frames_are_what_a_machine_says(run, vectors, felt_of):
    told = {table["name"]: bytes.fromhex(table["bytes"]) for table in vectors["frame"]}
    names = list(told)
    felt = felt_of(52)

    async def scene():
        line, far = memory_pair()
        timings = Timings(answer_ms=0, feed_min_ms=380, feed_max_ms=380)
        twin = ShufflerTwin(
            far, felt, BootRandom(1), nvm=remembered(Nvm()), caps=Cap(0x1F7F), timings=timings, first_tick=4900
        )
        serving = asyncio.ensure_future(twin.run())
        heard = bytearray()

        async def listen():
            while True:
                heard.extend(await line.read())

        listening = asyncio.ensure_future(listen())

        async def until(tick):
            await asyncio.sleep((tick - twin.state.tick()) / 1000)

        async def exchange(sent, *answers):
            heard.clear()
            line.write(told[names[sent]])
            await asyncio.sleep(0.0001)
            frames = [b"\0" + coded + b"\0" for coded in bytes(heard).split(b"\0") if coded]
            answered = [frame for frame in frames if frame[3] != 0x40]
            assert answered == [told[names[answer]] for answer in answers]

        async def obeyed(sent):
            heard.clear()
            line.write(told[names[sent]])
            await asyncio.sleep(0.001)
            statuses = [item.body for item in wire.Decoder().feed(bytes(heard)) if item.type != 0x40]
            assert [status.code for status in statuses] == [0]
            return statuses[0]

        twin._link._event_no = 15  # as if this were the end of a long evening
        twin._link._events.clear()
        await exchange(0, 1)
        twin._link.acknowledge(16)
        await until(5000)
        assert (await obeyed(2)).tick == 5000
        await obeyed(3)
        assert (await obeyed(4)).fence == 96
        await until(5100)
        await exchange(5, 7)
        heard.clear()
        await until(5481)
        assert bytes(heard) == told[names[8]]
        await exchange(9)
        await until(5890)
        await obeyed(10)
        await until(5900)
        heard.clear()
        line.write(told[names[11]])
        await asyncio.sleep(0.0001)
        event, answer = wire.Decoder().feed(bytes(heard))
        assert (event.body.event_no, event.body.kind) == (18, EventKind.LOCKED)
        assert wire.encode(answer) == told[names[12]]
        await until(6000)
        await exchange(10, 13)
        (card,) = felt.at("behind_gate")
        felt.put(card, "hand")
        await asyncio.sleep(0.05)
        twin.open_door()
        await asyncio.sleep(0.05)
        felt.put(card, "machine")
        twin.open_door(is_open=False)
        await asyncio.sleep(0.05)
        assert (await obeyed(14)).machine == 52
        assert (await obeyed(15)).fence == 100
        ticking = wire.Decoder().feed(told[names[3]])[0]
        beat = type(ticking.body)(ticking.body.boot_id, twin.state.tick())
        line.write(wire.encode(wire.Frame(3, ticking.flags, 2, 29, beat)))
        await asyncio.sleep(0.001)
        assert (await obeyed(16)).state == 1
        assert (await obeyed(17)).cmd_id == 204
        serving.cancel()
        listening.cancel()
        await asyncio.gather(serving, listening, return_exceptions=True)

    run(scene(), limit_s=60)
