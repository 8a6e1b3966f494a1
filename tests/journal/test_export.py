from dealerbox.journal.export import export
from dealerbox.journal.recover import Verdict


def test_an_export_has_a_line_for_each_event_and_none_for_heads(crash_disk, chain) -> None:
    records = [
        chain.record(b'{"format":1}', 0, kind=1),
        chain.record(b'{"event":{"event":"Started"},"commands":[]}', 1),
        chain.record(b'{"event":{"event":"Tick"},"commands":[]}', 2),
    ]
    disk = crash_disk({"00000001.journal": b"".join(records).ljust(16384, b"\0")})
    lines: list[bytes] = []
    assert export(disk, lines.append, segment_bytes=16384).verdict is Verdict.CLEAN
    assert lines == [
        b'{"seq":2,"event":{"event":"Started"},"commands":[]}\n',
        b'{"seq":3,"event":{"event":"Tick"},"commands":[]}\n',
    ]


def test_an_export_of_a_damaged_log_says_where_it_stops(crash_disk, chain) -> None:
    records = [chain.record(b'{"event":{},"commands":[]}', n) for n in range(3)]
    disk = crash_disk({"00000001.journal": (records[0] + b"\1" + records[1][1:] + records[2]).ljust(16384, b"\0")})
    lines: list[bytes] = []
    found = export(disk, lines.append, segment_bytes=16384)
    assert (found.verdict, len(lines)) == (Verdict.CORRUPT, 1)
    assert "record 2" in found.why
