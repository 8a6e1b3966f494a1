"""What the tests of a shuffle notice, and how often they are wrong: `python -m bench.shuffled [SHUFFLES]`. JSON lines.

Machines in a few lines each shuffle on a bench (all 52 seen going in and coming out) and in play (what was dealt goes
back below the stub, as many come out as a hand takes). `size` is how often a fair machine is accused, by one test
uncorrected at 1 % and by all of them together; power how often another is.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random
from typing import Final

from bench.secrecy.channels import LOG, Said, Taps
from bench.secrecy.quick import QuickTable, evenings
from dealerbox.diagnostics.shuffles.cycle import UNREAD, Cycle
from dealerbox.diagnostics.shuffles.judging import LEVEL, judged
from dealerbox.diagnostics.shuffles.linked import Key, shuffles_of
from dealerbox.model.cards import DECK_SIZE
from dealerbox.model.setup import DeckInfo
from dealerbox.simulate.evening import Evening
from dealerbox.simulate.pack import deck_tags
from dealerbox_drivers.felt import shelved

Machine = Callable[[list[int], Random], list[int]]


def fair(deck: list[int], rng: Random) -> list[int]:
    """Every order as likely as any other."""
    return rng.sample(deck, len(deck))


def riffled(times: int, deck: list[int], rng: Random) -> list[int]:
    """Riffle shuffles as Gilbert, Shannon and Reeds have them."""
    for _ in range(times):
        ones = [rng.random() < 0.5 for _ in deck]
        left, right = iter(deck[: ones.count(False)]), iter(deck[ones.count(False) :])
        deck = [next(right if one else left) for one in ones]
    return deck


def lazy(share: float, deck: list[int], rng: Random) -> list[int]:
    """A machine that passes a deck through as it came, now and then."""
    return list(deck) if rng.random() < share else fair(deck, rng)


def shelves(number: int, deck: list[int], rng: Random) -> list[int]:
    """One pass over shelves (arXiv 1107.2961)."""
    return shelved(deck, number, rng)


MACHINES: Final[dict[str, Machine]] = {
    "fair": fair,
    "10 shelves": partial(shelves, 10),
    "20 shelves": partial(shelves, 20),
    "7 riffles": partial(riffled, 7),
    "5 riffles": partial(riffled, 5),
    "1 in 10 not shuffled": partial(lazy, 0.1),
}


def on_the_bench(machine: Machine, rng: Random) -> Iterator[Cycle]:
    """Yield shuffles of which everything was seen."""
    while True:
        yield Cycle(DECK_SIZE, tuple(machine(list(range(DECK_SIZE)), rng)))


def in_play(machine: Machine, players: int, rng: Random) -> Iterator[Cycle]:
    """Yield shuffles as hands show them: two cards each, five on the board, three burns, gathered anyhow."""
    deck, dealt = fair(list(range(DECK_SIZE)), rng), 2 * players + 8
    while True:
        back = fair(deck[:dealt], rng)
        place = {card: at for at, card in enumerate(back)}
        deck = machine(deck[dealt:] + back, rng)
        yield Cycle(dealt, tuple(place.get(card, UNREAD) for card in deck[:dealt]))


def nights(
    seed: str, hands: int, seats: int, shelves: int, decks: tuple[DeckInfo, ...] = ()
) -> list[tuple[Key, list[bytes]]]:
    """Play evenings with the station's own core and return the log of each, with the token key behind it.

    `decks`: what the engine is told of them.
    """
    found: list[tuple[Key, list[bytes]]] = []

    def heard(said: Said) -> None:
        if said.channel == LOG:
            found[-1][1].append(said.data)

    def seen(evening: Evening, table: QuickTable) -> None:
        table.felt.shelves = shelves
        tags = [deck_tags(table.names.truth, slot) for slot in (1, 2)]
        found.append((Key(tags, Random(f"{evening.name}:key").randbytes(32)), []))

    evenings(seed, hands, Taps(heard), seats=(seats, seats), seen=seen, decks=decks)
    return found


def of_nights(found: Iterable[tuple[Key, list[bytes]]]) -> list[Cycle]:
    """Return what logs show of their shuffles to whoever has these keys."""
    return [cycle for key, lines in found for cycle in shuffles_of(lines, "evening", key, MARKS)]


def in_evenings(shelves: int, hands: int) -> dict[str, object]:
    """Return what the audit says of a simulated machine by the logs of its evenings."""
    cycles = of_nights(nights("shuffled", hands, 10, shelves))
    told = {outcome.name: outcome.p for outcome in judged(cycles) if outcome.tells}
    wrong = "it is missed" if shelves and not told else "a fair machine is accused" if told and not shelves else ""
    machine = f"{shelves} shelves" if shelves else "fair"
    return {"machine": machine, "seen": "logs of evenings", "shuffles": len(cycles), "told": told, "wrong": wrong}


def measured(machine: str, seen: str, shuffles: int, trials: int, seed: int = 1) -> dict[str, object]:
    """Return how often each test tells, and all together."""
    rng = Random(f"{machine}:{seen}:{shuffles}:{seed}")
    make = MACHINES[machine]
    alone: dict[str, int] = {}
    together = 0
    for _ in range(trials):
        cycles = on_the_bench(make, rng) if seen == "bench" else in_play(make, int(seen), rng)
        found = judged([next(cycles) for _ in range(shuffles)])
        together += any(test.tells for test in found)
        for test in found:
            alone[test.name] = alone.get(test.name, 0) + (test.p < LEVEL)
    shares = {name: round(count / trials, 4) for name, count in alone.items()}
    return {
        "machine": machine,
        "seen": "all 52" if seen == "bench" else f"{seen} players",
        "shuffles": shuffles,
        "trials": trials,
        "told": round(together / trials, 4),
        "by each at 1 %": shares,
    }


MARKS: Final = {1: "", 2: ""}
"""Simulated decks have none."""


def audited(*, short: bool) -> Iterator[dict[str, object]]:
    """Yield what was measured, each with `wrong`: why the audit may not be relied on, '' nothing."""
    trials = 300 if short else 4000
    for seen, shuffles in (("bench", 1), ("bench", 10), ("10", 40), ("6", 40), ("2", 100)):
        found = measured("fair", seen, shuffles, trials)
        most = LEVEL + 3.5 * (LEVEL / trials) ** 0.5
        yield found | {"wrong": "a fair machine is accused too often" if float(str(found["told"])) > most else ""}
    for shelves in (10,) if short else (10, 0):
        yield in_evenings(shelves, 40 if short else 300)
    trials = 40 if short else 400
    least = {("10 shelves", "bench", 1): 0.9, ("10 shelves", "bench", 10): 0.99, ("10 shelves", "10", 40): 0.99}
    for machine in MACHINES:
        for seen, shuffles in (("bench", 1), ("bench", 10), ("10", 40), ("6", 40)):
            if machine != "fair" and not (short and machine != "10 shelves"):
                found = measured(machine, seen, shuffles, trials)
                missed = float(str(found["told"])) < least.get((machine, seen, shuffles), 0.0)
                yield found | {"wrong": "it is missed too often" if missed else ""}


def main(words: list[str]) -> int:
    """Measure and print; 1 when something is wrong."""
    began, sound = time.perf_counter(), True
    for found in audited(short="short" in words):
        print(json.dumps(found), flush=True)
        sound = sound and not found["wrong"]
    print(json.dumps({"wall_s": round(time.perf_counter() - began, 1)}))
    return 0 if sound else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
