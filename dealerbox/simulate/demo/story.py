"""What a stranger should hear of a table: what changed from one view of it to the next, a line each."""

from collections.abc import Iterator

from dealerbox.law.clauses import cited
from dealerbox.model.view import View

DEALT = {"preflop": "two cards each are dealt", "flop": "the flop is dealt", "turn": "the turn is dealt"}
TOLD = ("open", "shuffling", "seal", "set_button", "button", "unseen", "acted", "half_muck")
"""Codes of prompts that a stranger should hear."""
RIVER = "the river is dealt"
DETAIL = "  "
"""How a line begins that says more of the line before."""


def changes(before: View | None, now: View) -> list[str]:
    """Return what is new in `now`, in the order in which people say it."""
    return [*_holds(before, now), *_refused(before, now), *_course(before, now)]


def numbers(seats: tuple[int, ...]) -> str:
    """Return seats as people list them."""
    return ", ".join(map(str, seats)) or "none"


def _holds(before: View | None, now: View) -> Iterator[str]:
    old = before.holds if before else ()
    for hold in now.holds:
        if hold not in old:
            yield f"HOLD {hold.reason}: {hold.what}"
            yield f"{DETAIL}why: {cited(hold.clause)}: {hold.why}"
            yield f"{DETAIL}do: {hold.remedy}"
    ended = [hold for hold in old if hold not in now.holds]
    for number, hold in enumerate(ended, 1):
        free = number == len(ended) and not now.holds and now.street
        yield f"hold {hold.reason} has ended" + (": the deal goes on" if free else "")


def _refused(before: View | None, now: View) -> Iterator[str]:
    refused = now.refused
    if refused and (before is None or before.refused != refused):
        yield f"the last key is refused, {refused.reason}: {refused.what} {refused.remedy}"


def _course(before: View | None, now: View) -> Iterator[str]:
    """Tell how the evening goes: opening, hands, streets, folds."""
    was = before.phase if before else ""
    if now.phase == was and before and now.hand == before.hand and now.folded == before.folded:
        if now.prompt_code != before.prompt_code and now.prompt_code in TOLD:
            yield now.prompt
        return
    if now.phase == "opening" and was != "opening":
        yield f"the table opens: {now.prompt}"
    elif now.hand != (before.hand if before else 0) and now.street:
        yield f"hand {now.hand} begins: button at seat {now.button}, dealt in are seats {numbers(now.seats)}"
    elif now.phase == "gathering" and was not in ("gathering", ""):
        yield f"hand {now.hand} is over: every card goes back into the shuffler"
    elif was == "dealing" and now.phase in ("betting", "showdown"):
        yield DEALT.get(now.street, RIVER)
    elif now.phase == "between" and was != "between":
        yield f"{'the deck is verified' if was == 'opening' else 'all cards are back'}. {now.prompt}"
    folded = tuple(number for number in now.folded if before is None or number not in before.folded)
    if folded and now.street:
        yield f"seat {numbers(folded)} folds"
