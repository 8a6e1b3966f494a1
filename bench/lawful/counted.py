"""What the generator's hands have met: keys, rulings, reasons told, readings; what they never meet, and why."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from bench.citations import rules_in
from bench.lawful.variations import FAULTS, VARIATIONS
from dealerbox.law.rules import RULES
from dealerbox.model.commands import Command, Hold, Notice, Refuse
from dealerbox.model.events import Event, KeyPressed, Ruled
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.reasons import Reason

IN_EVERY_HAND: Final = ("H1", "H2", "H3", "H5", "H7", "S1", "T1", "T2", "T4", "T5", "C11", "P1", "P2", "P3", "P7")
"""Readings that the judge or the world holds against every hand, whatever happens in it."""


ELSEWHERE: Final = {
    "T3": "evenings here begin at 19:00 and end with twelve hands: tests/engine/test_hours",
    "P4": "the generator knows no face: bench/secrecy",
    "P5": "restarts are played (restart); at every event: bench/killed",
    "P6": "the same seed gives the same events: tests/lawful",
    "ruling to_stub": "tests/engine/test_rulings",
    "ruling began": "T3",
    "ruling hour": "T3",
    "ruling close": "an evening here ends where it ends: tests/engine/test_hours",
    "told outside_hours": "T3",
    "told tournament_over": "T3",
    "told clock_unsure": "the wall clock here is right: tests/engine/test_clocks, simulate --faults rebooted_unsure",
    "told too_many_cards": "simulate --dispense hand --faults third_card",
    "told too_few_cards": "tests/engine/test_from_hand",
    "told duplicate_tag": "tags here are unique: tests/engine/test_witnesses",
    "told new_set_required": "two decks make an evening here: tests/engine/test_custody_decks",
    "told deck_used": "as new_set_required",
    "told deck_defective": "as new_set_required",
    "told deck_not_enrolled": "as new_set_required",
    "told decks_alike": "as new_set_required",
    "told deck_not_new": "as new_set_required",
    "told not_verified": "the seal is always confirmed: tests/engine/test_start",
    "told not_shuffled": "people here wait for the shuffle: simulate --faults not_shuffled",
    "told no_name": "every count is confirmed with a badge: tests/engine/test_certificate",
    "told time_due": "no action clock here: tests/engine/test_action_clock",
    "told time_over": "as time_due",
    "told fouled_hand": "nobody asks: tests/engine/test_fouled_hand",
    "told table_closed": "as ruling close",
    "told too_many_seats": "tests/engine/test_start",
    "told journal_fault": "no disk here: bench/crash",
    "told journal_full": "no disk here: tests/engine/test_space",
    "told key_stuck": "no panel here: tests/engine/test_refusals",
    "told no_authority": "the director here says what fits: tests/engine/test_what_is_refused",
    "told second_person": "one person is enough here: tests/engine/test_authority",
    "told service": "no technician comes: tests/engine/test_service",
}
"""What these hands do not meet, and why, or where it is met."""


def met(log: Iterable[tuple[Event, tuple[Command, ...]]]) -> Counter[str]:
    """Return how often each key was pressed, each ruling given, each reason told."""
    found: Counter[str] = Counter()
    for event, commands in log:
        if isinstance(event, KeyPressed):
            found[f"key {event.key}"] += 1
        elif isinstance(event, Ruled):
            found[f"ruling {event.ruling}"] += 1
        for command in commands:
            if isinstance(command, Hold | Notice | Refuse):
                found[f"told {command.reason}"] += 1
    return found


def readings(done: Counter[str], hands: int) -> Counter[str]:
    """Return how often each reading came up: as its variations say, or in every hand."""
    found = Counter(dict.fromkeys(IN_EVERY_HAND, hands))
    for name, text in (*VARIATIONS.items(), *FAULTS.items()):
        for number in rules_in(text):
            found[f"{number}"] += done[name]
    return found


def never(found: Counter[str]) -> list[str]:
    """Return the keys, rulings and reasons that no hand met."""
    all_of = [*(f"key {key}" for key in Key), *(f"ruling {one}" for one in Ruling), *(f"told {one}" for one in Reason)]
    return [what for what in all_of if not found[what]]


def unread(found: Counter[str]) -> list[str]:
    """Return the readings that no hand met."""
    return [number for number in RULES if not found[number]]


def unexplained(found: Counter[str]) -> list[str]:
    """Return what was never met, though nothing says that it is met elsewhere."""
    return [what for what in (*never(found), *unread(found)) if what not in ELSEWHERE]
