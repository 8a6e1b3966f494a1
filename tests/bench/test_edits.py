"""Every edit of an exported log is found, in short; `make prove` makes ten thousand."""

from bench.edits import FORGED, PLAIN, edits, evening, exported, head_of
from dealerbox.journal import evidence
from dealerbox.journal.evidence import verify
from dealerbox.journal.recover import Head


def test_every_edit_is_found() -> None:
    found = edits(240, seed=1)
    assert found.missed == []
    assert found.edits == found.found > 200
    assert set(found.kinds) == {kind.__name__.strip("_") for kind in (*PLAIN, *FORGED)}


def test_a_log_that_nobody_touched_is_clean() -> None:
    chain = evening(7)
    found = verify(exported(chain), "night.jsonl")
    assert (found.verdict, found.head) == ("clean", head_of(chain))
    assert found.signed is not None
    assert found.signed.seq == head_of(chain).seq - 1


def test_a_verifier_that_does_not_look_at_the_chain_misses_edits(monkeypatch) -> None:
    def careless(log, text: bytes, place: str) -> None:
        log._closed = text.startswith(b'{"exported":')
        if not log._closed:
            record, digest = evidence._record(text, place)
            log.head = Head(max(record.seq, 10**6), digest)

    monkeypatch.setattr(evidence._Log, "take", careless)
    assert edits(100, seed=1).missed
