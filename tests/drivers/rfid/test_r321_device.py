"""What an R321 asks of its driver beyond what every reader does: 50 ms from one request to the next."""

import asyncio
from random import Random

CARD = "E0040150A05F0001"


class Late:
    """Carries what is written up to `most_ms` late, by chance, in its order: a bus that others use too."""

    def __init__(self, line, rng, most_ms) -> None:
        self._line, self._rng, self._most_s = line, rng, most_ms / 1000
        self._free_s = 0.0

    async def read(self) -> bytes:
        return await self._line.read()

    def write(self, data) -> None:
        loop = asyncio.get_running_loop()
        self._free_s = max(self._free_s, loop.time() + self._rng.uniform(0, self._most_s))
        loop.call_at(self._free_s, self._line.write, data)

    def close(self) -> None:
        self._line.close()


def test_a_request_that_was_heard_late_is_not_followed_too_soon(bench) -> None:
    async def story(b) -> None:
        b.felt.put(CARD, "seat:1")
        await b.until(lambda: b.twin.inventories >= 200, limit_s=120)
        assert b.twin.too_soon <= 10  # until it is known how soon an answer may come

    bench(story, "r321", worsen=lambda line: Late(line, Random(1), 8))


def test_a_pile_that_takes_long_to_read_is_not_taken_for_a_question_heard_late(bench) -> None:
    async def story(b) -> None:
        await b.until(lambda: b.twin.inventories >= 10)
        for number in range(1, 25):
            b.felt.put(f"E0040150A05F{number:04X}", "seat:1")
        await b.until(lambda: b.twin.inventories >= 20)
        began_s, looks = asyncio.get_running_loop().time(), b.twin.inventories
        await b.until(lambda: b.twin.inventories >= looks + 100)
        round_ms = (asyncio.get_running_loop().time() - began_s) * 20
        assert round_ms <= 2 * 155 + 45  # two antennas, and by how much the pile takes longer than a request must

    bench(story, "r321")


def test_requests_are_as_close_as_its_page_allows(bench) -> None:
    """Three for each antenna: the antenna, an RF reset, the inventory."""

    async def story(b) -> None:
        await b.until(lambda: b.twin.inventories >= 10)
        began_s, looks = asyncio.get_running_loop().time(), b.twin.inventories
        await b.until(lambda: b.twin.inventories >= looks + 100)
        look_ms = (asyncio.get_running_loop().time() - began_s) * 10
        assert 150 <= look_ms <= 160
        assert b.twin.too_soon == 0

    bench(story, "r321")
