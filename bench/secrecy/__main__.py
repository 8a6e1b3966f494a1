"""`python -m bench.secrecy [short] [PROOF]...`: nothing that leaves a station says anything of a card. JSON lines.

Exit 1 when one finds something.

faces    an evening with two orders of the faces: every channel the same, byte for byte, the journal too
tags     an evening with the tags on other cards: the same on all that is read while a hand is open; faulty: and with
         everything going wrong
order    the state before each deal is the same for two shuffles
guess    somebody who knows every past showdown and reads every channel does no better than chance
blind    the same guesser at a station that forgets to renumber: he must be noticed
canary   marked tags and faces, searched for on every channel: 1,000 hands over the wires, every second evening with
         everything going wrong; as many without wires; and some with the daemon's process
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import msgspec

from bench.secrecy import observer, quick, same
from bench.secrecy.canary import Search
from bench.secrecy.channels import Taps
from bench.secrecy.order import deals
from bench.secrecy.process import watched
from bench.secrecy.searched import hear_evenings, marks
from dealerbox.model.setup import Dispense
from dealerbox.simulate.faults_by_hand import kinds_of


class Size(msgspec.Struct, frozen=True):
    """How many hands each proof plays."""

    faces: int
    tags: int
    faulty: int
    order: int
    """Evenings of a dozen hands."""
    guess: int
    trials: int
    """Deals of the unseen cards by which the test of the guesses is itself measured."""
    quick: int
    wired: int
    process: int
    jobs: int = 1
    """Processes for the hands over the wires."""


LONG: Final = Size(
    faces=5, tags=20, faulty=50, order=20, guess=2_000, trials=200, quick=1_000, wired=1_000, process=4, jobs=2
)
SHORT: Final = Size(faces=1, tags=1, faulty=2, order=1, guess=40, trials=20, quick=20, wired=1, process=1)
Proof = tuple[str, dict[str, Any], list[str]]
"""Name, figures, and what was found: nothing may be."""


def faces(size: Size) -> Proof:
    return _compared("faces", same.other_faces("faces", size.faces))


def tags(size: Size) -> Proof:
    return _compared("tags", same.other_cards("tags", size.tags))


def faulty(size: Size) -> Proof:
    return _compared("faulty", same.other_cards("faulty", size.faulty, kinds=kinds_of(Dispense.SINGLE)))


def order(size: Size) -> Proof:
    found, compared = [], 0
    for evening in range(size.order):
        one, other = deals(f"order:{evening}", "one"), deals(f"order:{evening}", "other")
        compared += len(one)
        found += [
            f"evening {evening}: state {at}"
            for at, pair in enumerate(zip(one, other, strict=True))
            if pair[0] != pair[1]
        ]
        if one.dealt == other.dealt:
            found.append(f"evening {evening}: the same cards were dealt: nothing was changed")
    return "order", {"states": compared}, found


def guess(size: Size) -> Proof:
    guessed = observer.guess("guess", size.guess, trials=size.trials)
    return "guess", {"hands": size.guess, "ways": guessed}, [str(each) for each in guessed if each.knows]


def blind(size: Size) -> Proof:
    guessed = observer.guess("guess", size.guess // 10 or 1, renumbers=False)
    noticed = [each.way for each in guessed if each.knows]
    return (
        "blind",
        {"noticed": noticed},
        [] if "last_time" in noticed else ["a station without renumbering is not noticed"],
    )


def canary(size: Size) -> Proof:
    search = Search(marks())
    hands = quick.evenings("canary", size.quick, Taps(search.heard))
    wired_hands, evenings = hear_evenings(search, size.wired, size.jobs)
    looks = asyncio.run(watched(search, size.process)) if size.process else 0
    found = [f"{each.what} in {each.where}: {each.shown}" for each in search.found]
    if not search.tags_heard or not search.tokens_kept:
        found.append("no tag on the readers' cables or no token in the journal: what is searched for is not there")
    figures = {
        "hands": hands + wired_hands + size.process,
        "hands_over_wires": wired_hands,
        "evenings_over_wires": evenings,
        "channels": len(search.bytes),
        "bytes": sum(search.bytes.values()),
    }
    kept = {"tags_on_readers": search.tags_heard, "tokens_in_journal": search.tokens_kept, "looks_at_process": looks}
    return "canary", {**figures, **kept}, found


def _compared(name: str, told: same.Compared) -> Proof:
    return name, {"hands": told.hands, "channels": told.channels, "bytes": told.bytes}, list(told.differences)


ALL: Final[dict[str, Callable[[Size], Proof]]] = {
    "faces": faces,
    "tags": tags,
    "faulty": faulty,
    "order": order,
    "guess": guess,
    "blind": blind,
    "canary": canary,
}


def unrevealed(names: Iterable[str] = ALL, *, short: bool) -> Iterator[dict[str, Any]]:
    """Give each proof, and yield its figures."""
    for proof in names:
        begun_s = _processor_s()
        name, figures, found = ALL[proof](SHORT if short else LONG)
        yield {"proof": name, **figures, "processor_s": round(_processor_s() - begun_s, 1), "found": found[:10]}


def _processor_s() -> float:
    """Return the processor's time of this process and of those of its own that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def main(arguments: list[str]) -> int:
    """Print those that are asked for, all when none is; return the exit code."""
    short, names = arguments[:1] == ["short"], [each for each in arguments if each != "short"]
    if not set(names) <= set(ALL):
        print(__doc__, file=sys.stderr)
        return 2
    sound = True
    for each in unrevealed(names or ALL, short=short):
        print(msgspec.json.encode(each).decode(), flush=True)
        sound = sound and not each["found"]
    return 0 if sound else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
