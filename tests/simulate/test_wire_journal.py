"""What a death leaves of the simulated journal: everything that was durable, and no gap."""

import asyncio
from random import Random

import pytest

from dealerbox.simulate.wire_journal import CrashJournal
from dealerbox.station.virtual import virtual_run


async def written(journal: CrashJournal, payloads: list[bytes]) -> list[int]:
    """Append all at once; return what was told durable, in order, once all was."""
    told: list[int] = []
    journal.open(told.append)
    for payload in payloads:
        journal.append(payload)
    await asyncio.sleep(1)
    return told


def test_records_become_durable_later_and_in_their_order() -> None:
    journal = CrashJournal(Random(1))
    assert virtual_run(written(journal, [b"a", b"b", b"c"])) == [1, 2, 3]


@pytest.mark.parametrize("seed", range(20))
def test_records_given_at_one_moment_become_durable_in_their_order(seed) -> None:
    payloads = [b"%d" % number for number in range(40)]
    assert virtual_run(written(CrashJournal(Random(seed)), payloads)) == list(range(1, 41))


@pytest.mark.parametrize("seed", range(20))
def test_a_death_keeps_all_that_was_durable_and_a_part_of_the_rest_without_a_gap(seed) -> None:
    async def main() -> None:
        journal = CrashJournal(Random(seed))
        told = await written(journal, [b"a", b"b"])
        for payload in (b"c", b"d", b"e"):
            journal.append(payload)
        lost = journal.cut()
        assert journal.records == [b"a", b"b", b"c", b"d", b"e"][: 5 - lost]
        assert lost <= 3
        await asyncio.sleep(1)
        assert told == [1, 2]
        assert journal.append(b"f") == 6 - lost

    virtual_run(main())


@pytest.mark.parametrize(("keep", "left"), [(0, 2), (1, 3), (3, 5), (9, 5)])
def test_a_death_keeps_as_much_as_it_is_told(keep, left) -> None:
    async def main() -> None:
        journal = CrashJournal(Random(1))
        await written(journal, [b"a", b"b"])
        for payload in (b"c", b"d", b"e"):
            journal.append(payload)
        assert journal.cut(keep) == 5 - left
        assert journal.durable == len(journal.records) == left

    virtual_run(main())


def test_deaths_differ_in_what_they_lose() -> None:
    async def loss(seed: int) -> int:
        journal = CrashJournal(Random(seed))
        for payload in (b"a", b"b"):
            journal.append(payload)
        return journal.cut()

    assert {virtual_run(loss(seed)) for seed in range(20)} == {0, 1, 2}


def test_an_end_in_good_order_loses_nothing() -> None:
    async def main() -> None:
        journal = CrashJournal(Random(1))
        journal.append(b"a")
        journal.close()
        assert (journal.durable, journal.cut()) == (1, 0)

    virtual_run(main())
