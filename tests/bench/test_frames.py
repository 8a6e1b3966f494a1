"""The socket under any frames, in short; `make prove` sends a million."""

import random
from itertools import islice

from bench.frames import Found, frames, fuzz
from dealerbox.station.asked import Authority


def test_no_frame_crashes_it_or_changes_the_table() -> None:
    found = fuzz(3_000, seed=1)
    assert found.sound, found
    assert found.hung_up > 3


def test_a_socket_that_lets_everybody_rule_is_found(monkeypatch) -> None:
    monkeypatch.setattr("dealerbox.station.control.may", lambda asked, authority: True)
    found = fuzz(300, seed=1)
    assert found.events
    assert not found.sound


def test_a_station_that_keeps_what_it_is_asked_is_found() -> None:
    assert not Found(
        frames=1, answered=1, hung_up=0, events=0, changed=False, growth_kib=9_000_000, seconds=0
    ).sound  # fmt: skip


def test_the_frames_are_of_every_kind() -> None:
    sent = list(islice(frames(random.Random(1), Authority.LOOK), 500))
    assert any(b'"ruling"' in frame for frame in sent)
    assert any(frame.startswith(b"[[[") for frame in sent)
    assert len(set(sent)) > 250
