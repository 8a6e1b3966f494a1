"""Many hands over the wires, and all that is said there searched for marked cards, in several processes."""

from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from typing import Final

from bench.secrecy import same, wired
from bench.secrecy.canary import Finding, Marks, Search
from bench.secrecy.channels import Taps
from dealerbox.model.cards import DECK_SIZE, Token, cut_card, joker, stand_in, token
from dealerbox.model.setup import Dispense
from dealerbox.simulate.evening import Standstill
from dealerbox.simulate.faults_by_hand import kinds_of

EVENING: Final = 10
"""Hands of an evening."""


def marks() -> Marks:
    """Return what is looked for: the tags of both decks, every face, every token that a card of theirs can have."""
    tokens: list[Token] = []
    for slot in same.SLOTS:
        tokens += [kind(slot, number) for kind in (token, stand_in) for number in range(1, DECK_SIZE + 1)]
        tokens += [*(joker(slot, number) for number in range(1, 9)), cut_card(slot)]
    return Marks(same.pack_tags(), tokens)


def hear_evenings(search: Search, hands: int, jobs: int) -> tuple[int, int]:
    """Play so many hands in so many processes, and let `search` have what was found; return hands and evenings."""
    played = evenings = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as processes:
        while played < hands:  # some evenings end early, when everything goes wrong
            most = min(EVENING, hands - played)
            more = range(evenings, evenings + max(1, (hands - played) // EVENING))
            for number, heard in processes.map(heard_in, more, repeat(most)):
                played += number
                search.add(heard)
            evenings = more.stop
    return played, evenings


def heard_in(evening: int, hands: int) -> tuple[int, Search]:
    """Play one evening of at most so many hands over the wires; return how many it was, and what was searched in it.

    An evening that stands still is among what is found.
    """
    search = Search(marks())
    kinds = kinds_of(Dispense.SINGLE) if evening % 2 else ()
    try:
        played = wired.evening(f"canary:{evening}", hands, Taps(search.heard), kinds=kinds)
    except Standstill as still:
        search.found.append(Finding("standstill", f"evening {evening}", str(still)))
        return 0, search
    return played.dealer.hands, search
