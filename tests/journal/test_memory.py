import asyncio

from dealerbox.journal.memory import MemoryJournal
from dealerbox.station.virtual import START_NS, virtual_clock, virtual_run


def test_without_a_delay_a_record_is_durable_before_append_returns() -> None:
    told, kept = [], []
    journal = MemoryJournal(told.append, keep=lambda seq, payload: kept.append((seq, payload)))
    assert journal.append(b"one") == 1
    assert (told, kept) == ([1], [(1, b"one")])


def test_with_a_delay_a_record_is_durable_after_that_virtual_time() -> None:
    async def write() -> list[tuple[int, int]]:
        told: list[tuple[int, int]] = []
        journal = MemoryJournal(lambda seq: told.append((seq, virtual_clock() - START_NS)), delay_ms=20)
        journal.append(b"one")
        await asyncio.sleep(0.005)
        journal.append(b"two")
        await asyncio.sleep(1)
        return told

    assert virtual_run(write()) == [(1, 20_000_000), (2, 25_000_000)]


def test_equal_payloads_give_equal_digests_and_a_boundary_moved_another() -> None:
    def digest(*payloads: bytes) -> str:
        journal = MemoryJournal(lambda seq: None)
        for payload in payloads:
            journal.append(payload)
        return journal.digest

    assert digest(b"one", b"two") == digest(b"one", b"two")
    assert digest(b"one", b"two") != digest(b"onet", b"wo")
