"""Questions and answers: none is taken for another's, however late the reader is."""

import asyncio

from hypothesis import example, given
from hypothesis import strategies as st

from dealerbox.ports import DeviceGone
from dealerbox.station.virtual import virtual_run
from dealerbox_drivers.line import memory_pair
from dealerbox_drivers.rfid.feig import wire
from dealerbox_drivers.rfid.feig.talk import Talk, Timing
from dealerbox_drivers.rfid.feig.wire import Command, Decoder, Frame


class SlowReader:
    """Answers every question in its order, an inventory with its own number, after the delays it is given.

    `marks_ms`: how long it takes for each SOFTWARE_VERSION, one after another.
    """

    def __init__(self, line, delays_ms=(), marks_ms=()) -> None:
        self.line = line
        self.delays_ms = list(delays_ms)
        self.marks_ms = list(marks_ms)
        self.inventories = 0

    async def run(self) -> None:
        decoder = Decoder()
        try:
            while True:
                for question in decoder.feed(await self.line.read()):
                    if question.command == Command.ISO_HOST:
                        delay_ms = self.delays_ms.pop(0) if self.delays_ms else 30
                        self.inventories += 1
                        payload = bytes((0, self.inventories))
                    else:
                        delay_ms = self.marks_ms.pop(0) if self.marks_ms else 3
                        payload = bytes(8)
                    await asyncio.sleep(delay_ms / 1000)
                    self.line.write(wire.encode(Frame(0, question.command, payload)))
        except DeviceGone:
            return


@given(
    st.lists(st.sampled_from([30, 240, 251, 262, 300, 517, 530, 800, 1400]), max_size=8),
    st.lists(st.sampled_from([3, 100, 251, 400, 650]), max_size=8),
)
@example([600, 262, 30, 30], [])
@example([600, 400, 30, 30], [3, 3, 300, 3])
def test_an_answer_is_that_of_its_own_question_or_none(delays_ms, marks_ms) -> None:
    async def main() -> None:
        near, far = memory_pair()
        reader = SlowReader(far, delays_ms, marks_ms)
        running = asyncio.create_task(reader.run())
        talk = Talk("left", near, 255, Timing(silent_answers=99))
        answered = 0
        for _ in range(30):
            before = reader.inventories
            answer = await talk.ask(wire.inventory(255), 250)
            if answer is not None:
                assert reader.inventories == before + 1
                assert answer == bytes((0, reader.inventories))
                answered += 1
        assert answered >= 30 - 6 * len(delays_ms) - 4 * len(marks_ms)
        await talk.close()
        await running

    virtual_run(main())


def test_what_came_in_before_the_first_question_is_no_answer() -> None:
    async def main() -> None:
        near, far = memory_pair()
        running = asyncio.create_task(SlowReader(far).run())
        far.write(wire.encode(Frame(0, Command.ISO_HOST, b"\x00\x63")))
        talk = Talk("left", near, 255, Timing())
        assert await talk.ask(wire.inventory(255), 250) == b"\x00\x01"
        await talk.close()
        await running

    virtual_run(main())


def test_a_line_full_of_other_frames_does_not_make_a_question_last() -> None:
    async def main() -> None:
        near, far = memory_pair()
        running = asyncio.create_task(SlowReader(far, [100_000]).run())

        async def chatter() -> None:
            while True:
                far.write(wire.encode(Frame(0, Command.RF_RESET, b"\x00")))
                await asyncio.sleep(0.001)

        talk = Talk("left", near, 255, Timing())
        assert await talk.mark() is not None
        chattering = asyncio.create_task(chatter())
        began_s = asyncio.get_running_loop().time()
        assert await talk.ask(wire.inventory(255), 250) is None
        assert asyncio.get_running_loop().time() - began_s < 0.256
        chattering.cancel()
        running.cancel()
        await talk.close()

    virtual_run(main(), limit_s=10)
