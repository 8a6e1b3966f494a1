"""The parts of the closure. Each reaches its fixed point; what they cover together:

- **no fault**: 2, 3 and 4 seats, all four streets, hand after hand; two seats with an action clock;
- **one fault outstanding**, of any kind, at any moment of a hand of two seats: on all four streets for the kinds of
  `ANYWHERE`, up to the flop for those of `TO_THE_FLOP`, before the flop for `BEFORE_THE_FLOP`; any number of them one
  after another, each once the table is again as a faultless evening can have it; the end of the six hours is one;
- **two outstanding at once** before the flop, for the pairs of `PAIRS`;
- **dealt in groups** (1809): no fault, and one fault of the kinds of `GROUPED` on all four streets, of `GROUPED_FEW`
  before the flop;
- **dealt from the dealer's hand** (C4 `hand`): no fault, one of the kinds of `IN_HAND` on all four streets, of
  `IN_HAND_FEW` before the flop, and the shuffler given up in mid-hand for good (C15);
- **what is seldom** (`seldom`): time that runs backward, a count without a name, a house of two persons, one deck, two
  alike, a player too many, PREMATURE after ACTION, another card burned, a card by hand while the round is open, a used
  deck listed or fed in again, one tag on two cards, a mucked card that is sent back;
- **three seats** with one fault of the kinds of `MORE_SEATS`, **four** with a card misplaced, before the flop.

Not explored: pairs that are not listed, and any fault behind MANUAL.
Every ordered pair of kinds is a longer form, `pairs`, run by hand: what of it was closed stands in `docs/closure.md`.

In families called quick the machine is quick: people and mishaps other than its own wait while it has something to do.
"""

from typing import Final

from bench.closure.family import Family
from bench.closure.mishaps import KINDS
from dealerbox.model.setup import Dispense

ANYWHERE: Final = (
    *("misplaced", "strayed", "mucked", "lifted", "unseen", "lingering", "fed_in", "missing", "silent", "double"),
    *("void", "lost", "count", "deaf", "button", "rulings", "notes", "late", "keys"),
)
TO_THE_FLOP: Final = ("restarted", "jam", "slipped")
BEFORE_THE_FLOP: Final = ("hours", "foreign", "joker", "other_deck", "door", "ahead", "service")
MORE_SEATS: Final = ("misplaced", "mucked", "button", "void")
LIKELIEST: Final = ("unseen", "lifted", "mucked", "lingering", "silent", "void")
CHEAP: Final = tuple(kind for kind in KINDS if kind not in ("keys", "manual", "other_deck", "joker"))
PAIRS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("void", CHEAP),
    ("late", ("keys",)),
    ("button", ("button", "unseen", "lifted")),
    ("lifted", ("strayed", "fed_in")),
    ("fed_in", ("fed_in", "mucked")),
    *((kind, LIKELIEST) for kind in ("unseen", "lifted", "mucked", "lingering", "silent")),
    ("lost", ("lifted",)),
    ("double", ("double", "void")),
    ("count", ("count", "void")),
)
"""First fault, and what may come while it is outstanding."""

BEHIND_PREMATURE: Final = (
    *("misplaced", "strayed", "mucked", "lifted", "unseen", "lingering", "fed_in", "silent"),
    *("void", "lost", "count", "deaf", "restarted", "jam", "premature"),
)
"""What may come while a street goes back that came too early."""

TOGETHER: Final = (
    LIKELIEST,
    ("misplaced", "button", "double", "count", "late"),
    ("strayed", "fed_in", "lost", "deaf"),
    ("jam", "door", "restarted"),
    ("missing", "ahead", "service", "hours", "slipped"),
    ("foreign",),
    ("joker",),
    ("other_deck",),
    ("notes",),
    ("rulings",),
)
"""Kinds that may come second in one family of the longer form, the likeliest at a table first."""

GROUPED: Final = (
    *("misplaced", "strayed", "mucked", "lifted", "unseen", "lingering", "fed_in", "missing", "silent", "double"),
    *("void", "lost", "count", "deaf", "button", "rulings", "late", "jam", "ahead"),
)
GROUPED_FEW: Final = ("restarted", "slipped", "door", "other_deck", "service")
IN_HAND: Final = (
    *("misplaced", "strayed", "mucked", "lifted", "unseen", "fed_in", "deaf", "button", "restarted", "notes", "late"),
    *("rulings", "lost", "door", "manual"),
)
IN_HAND_FEW: Final = ("joker", "other_deck", "foreign", "service")


def families() -> list[Family]:
    """Return every family."""
    made = [Family("no fault, 2 seats"), Family("no fault, 3 seats", seats=3), Family("no fault, 4 seats", seats=4)]
    made.append(Family("no fault, an action clock", action_clock_s=10))
    made += [Family(f"one {kind}", first=(kind,)) for kind in ANYWHERE]
    made += [Family(f"one {kind} to the flop", first=(kind,), streets=2) for kind in TO_THE_FLOP]
    made += [Family(f"one {kind} before the flop", first=(kind,), streets=1) for kind in BEFORE_THE_FLOP]
    made += [
        Family("one of a few, 3 seats", seats=3, first=MORE_SEATS, streets=1, eager=True),
        Family("one misplaced, 4 seats", seats=4, first=("misplaced",), streets=1, eager=True),
    ]
    for way, kinds, few in ((Dispense.GROUP, GROUPED, GROUPED_FEW), (Dispense.HAND, IN_HAND, IN_HAND_FEW)):
        made.append(Family(f"no fault, by {way}", dispense=way))
        made += [
            Family(f"one of a few before the flop, by {way}", first=few, dispense=way, streets=1, eager=True),
            Family(f"one of many, by {way}", first=kinds, dispense=way, eager=True),
        ]
    made += seldom()
    made += [_pair(*pair) for pair in PAIRS]
    made += [Family(f"one premature, by {way}", first=("premature",), dispense=way) for way in Dispense]
    made.append(Family("premature, then any of many", first=("premature",), second=BEHIND_PREMATURE, eager=True))
    made.append(Family("one manual", first=("manual",), eager=True))
    return made[::-1]  # the heaviest are begun first, so that both processors end together


def seldom() -> list[Family]:
    """Return the small families of what is seldom: reasons that nothing else leads to."""
    by_hand, quick = Dispense.HAND, {"streets": 1, "eager": True}
    return [
        Family("time runs backward", first=("backward",), **quick),
        Family("a count without a name", first=("nameless",), house={"count_by_name": True}, **quick),
        Family("a player too many", seats=3, first=("impatient",), house={"max_seats": 2}, **quick),
        Family("rulings by two persons", first=("rulings",), house={"two_persons": True}, **quick),
        Family("one deck alone", first=("impatient",), backs=("back 1",), **quick),
        Family("two decks with one back", first=("impatient",), backs=("back 1", "back 1"), **quick),
        Family("premature after action", first=("belated",), streets=2, eager=True),
        Family("another card burned, by hand", first=("unburned",), streets=2, eager=True, dispense=by_hand),
        Family("too early by hand", first=("hasty",), streets=2, eager=True, dispense=by_hand),
        Family("a used deck at the infeed", first=("changed",), second=("reused",), **quick),
        Family("a used deck listed again", first=("relisted",), **quick),
        Family("one tag on two cards", first=("twinned",), **quick),
        Family("a mucked card is sent back", first=("mucked",), second=("sent_back",), **quick),
    ]


def pairs() -> list[Family]:
    """Return the longer form: each kind, and while it is outstanding any one of some others; before the flop, quick."""
    kinds = [kind for some in TOGETHER for kind in some]
    return [_pair(first, second) for second in TOGETHER for first in kinds]


def _pair(first: str, second: tuple[str, ...]) -> Family:
    name = f"{first}, then {'any' if second is CHEAP else ' or '.join(second)}"
    return Family(name, first=(first,), second=second, streets=1, eager=True)


def short() -> list[Family]:
    """Return the families of the short form: no fault, and every kind once before the flop."""
    kinds = tuple(kind for kind in KINDS if kind not in ("manual", "keys"))
    return [
        Family("no fault, 2 seats"),
        Family("any one fault, quick, before the flop", first=kinds, streets=1, eager=True),
    ]
