"""One request at a time, the same bytes again, and three tries once somebody has answered."""

import asyncio

import pytest

from dealerbox.ports import DeviceGone
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.shuffler.link import Link
from dealerbox_drivers.shuffler.messages import Flag, Query, Type
from dealerbox_drivers.shuffler.wire import Decoder


@pytest.mark.parametrize(("heard", "tries"), [(True, 3), (False, 15)])
def test_a_request_is_said_three_times_the_first_of_a_line_fifteen_in_the_same_bytes(run, heard, tries) -> None:
    """The opening of its port may have reset the board: it is given three seconds to start."""

    async def story():
        near, far = memory_pair()
        link = Link("shuffler", near, 29)
        if heard:
            link.answered()
        began_s = asyncio.get_running_loop().time()
        with pytest.raises(DeviceGone, match=f"no answer to QUERY in {tries} tries"):
            await link.ask(Type.QUERY, Query())
        assert asyncio.get_running_loop().time() - began_s == pytest.approx(0.2 * tries)
        said = Decoder().feed(await far.read())
        assert [frame.flags for frame in said] == [Flag(0)] + [Flag.REPEAT] * (tries - 1)
        assert len({(frame.type, frame.seq, frame.session) for frame in said}) == 1

    run(story())


def test_an_interrupted_request_is_not_repeated(run) -> None:
    async def story():
        near, far = memory_pair()
        link = Link("shuffler", near, 29)
        asking = asyncio.create_task(link.ask(Type.QUERY, Query()))
        await asyncio.sleep(0.1)
        link.interrupt()
        assert await asking is False
        await asyncio.sleep(2)
        assert len(Decoder().feed(await far.read())) == 1

    run(story())
