"""`engine`: the median step of a 9-player hand against PokerKit's median card operation, in one run."""

import gc
import statistics
import time
from collections.abc import Callable, Iterator

from bench.evening import events
from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.model.events import CardsSeen

ROUNDS = 40
GATE = 0.13
AIM = 0.05


def _steps() -> Iterator[tuple[int, bool]]:
    """Yield the time of each step of the evening, ns, and whether a card was seen in it."""
    state = State()
    for event in events():
        begun = time.perf_counter_ns()
        state, _ = step(state, event)
        yield time.perf_counter_ns() - begun, isinstance(event, CardsSeen)


def _pokerkit_cards() -> Iterator[int]:
    """Yield the time of each card operation of a hand of nine with known cards by PokerKit, ns."""
    from pokerkit import Automation, NoLimitTexasHoldem

    state = NoLimitTexasHoldem.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True,
        0,
        (1, 2),
        2,
        200,
        9,
    )

    def timed(operation: Callable[[], object]) -> int:
        begun = time.perf_counter_ns()
        operation()
        return time.perf_counter_ns() - begun

    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    while state.status:
        if state.can_deal_hole():
            yield timed(lambda: state.deal_hole(deck.pop()))
        elif state.can_burn_card():
            yield timed(lambda: state.burn_card(deck.pop()))
        elif state.can_deal_board():
            cards = 1 if list(state.get_board_cards(0)) else 3
            yield timed(lambda cards=cards: state.deal_board("".join(deck.pop() for _ in range(cards))))
        else:
            state.check_or_call()


def figure(rounds: int = ROUNDS) -> dict[str, object]:
    """Return the figure; rounds of both are interleaved."""
    ours, cards, theirs = [], [], []
    events()
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for ns, is_card in _steps():
                ours.append(ns)
                if is_card:
                    cards.append(ns)
            theirs.extend(_pokerkit_cards())
    finally:
        gc.enable()
    step_us, card_us = statistics.median(ours) / 1000, statistics.median(cards) / 1000
    pokerkit_us = statistics.median(theirs) / 1000
    return {
        "figure": "engine",
        "step_us_p50": round(step_us, 2),
        "step_us_p99": round(statistics.quantiles(ours, n=100)[98] / 1000, 2),
        "card_us_p50": round(card_us, 2),
        "pokerkit_us_p50": round(pokerkit_us, 2),
        "ratio": round(step_us / pokerkit_us, 3),
        "card_ratio": round(card_us / pokerkit_us, 3),
        "gate": GATE,
        "aim": AIM,
        "passes": step_us / pokerkit_us <= GATE,
        "steps": len(ours),
    }
