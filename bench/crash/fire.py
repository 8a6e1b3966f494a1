"""The whole fire, and its short form: one line of JSON for each part, with what was tried and what is wrong."""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from bench.crash import calls, flips, forgets, states, tails
from bench.crash.evening import batches, record_evening

Part = dict[str, Any]


def fire(*, short: bool, seed: int = 1) -> Iterator[Part]:
    """Yield what each part tried and found; `wrong` is empty where nothing is.

    Short: the opening and first hand of an evening (some seconds). Long: 20 hands, some 2,500 records (minutes).
    """
    evening = record_evening(1 if short else 20, seed)
    hand = evening[:150] if short else evening[:700]
    yield _part("crash states", lambda: _states(evening, seed, pruned=True))
    yield _part("crash states, one log", lambda: _states(hand[:90] if short else hand, seed, pruned=False))
    groups = batches(evening[: 8 if short else 40], Random(seed))
    yield _part("failing calls", lambda: calls.prove(groups, seed))
    yield _part("stall of 750 ms", lambda: calls.stalled(groups))
    yield _part(
        "flipped bits", lambda: flips.prove(evening[:6] if short else evening[:300], seed, every=2 if short else 1)
    )
    yield _part("flipped bits in a torn sync", lambda: tails.prove(evening, seed, every=1_200 if short else 16))
    yield _part("forgetful card", lambda: forgets.prove(hand, seed, 3 if short else 12))


def _states(payloads: list[bytes], seed: int, *, pruned: bool) -> tuple[dict[str, int], list[str]]:
    judge = states.prove(payloads, seed, pruned=pruned)
    return {"records": judge.recorder.head.seq, **judge.score}, judge.wrong


def _part(name: str, prove: Callable[[], tuple[dict[str, Any], list[str]]]) -> Part:
    began = time.monotonic()
    score, wrong = prove()
    return {"journal": name, **score, "wrong": wrong[:5], "wall_s": round(time.monotonic() - began, 1)}
