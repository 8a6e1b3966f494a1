"""Killed in virtual time: some deaths of one hand, and an engine that comes back freer is found out.

In a process of its own: it forks at every death.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FREER = """
import json, sys
from msgspec.structs import replace
from bench.killed.every import Asked, every_event
from dealerbox.engine.facts import in_hand
from dealerbox.model.commands import Hold
from dealerbox.model.events import Started
from dealerbox.simulate.run import ENGINE

def freer(state, event):
    state, commands = ENGINE.step(state, event)
    if isinstance(event, Started) and in_hand(state):
        state, commands = replace(state, holds=()), tuple(c for c in commands if not isinstance(c, Hold))
    return state, commands

engine = ENGINE if sys.argv[1] == "sound" else replace(ENGINE, step=freer)
found = every_event(Asked(hands=1, seats="2", every=int(sys.argv[2]), first=int(sys.argv[3])), engine)
print(json.dumps([found.deaths, found.asked_ms, found.wrong]))
"""


def deaths(engine: str, every: int, first: int = 0) -> tuple[int, list[int], list[str]]:
    """Return how many deaths there were, how long each start took to agree, ms, and what was wrong after them."""
    run = subprocess.run(
        [sys.executable, "-c", FREER, engine, str(every), str(first)],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'drivers'}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    number, asked_ms, wrong = json.loads(run.stdout)
    return number, asked_ms, wrong


def test_a_daemon_killed_after_any_event_comes_back_held_to_the_same_hand() -> None:
    number, asked_ms, wrong = deaths("sound", every=15)
    assert number >= 8
    assert 500 < max(asked_ms) <= 1_000  # five looks of a slow reader, from its first answer on
    assert wrong == []


def test_a_daemon_that_comes_back_freer_is_found_out() -> None:
    _, _, wrong = deaths("freer", every=100_000, first=120)
    assert any("a hand was open, and the start gave" in line for line in wrong)
