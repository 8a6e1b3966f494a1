"""What goes wrong at the demo's table, and when: each slow enough to be read."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.simulate.faults import KINDS
from dealerbox.simulate.people import Acts, Dealer
from dealerbox.simulate.remedies import MISPLACED, mend, put_right

ONE_IN: Final = 5
ALWAYS: Final = 2
"""The hand that always goes wrong; after it every fifth."""
FIRST: Final = "wrong_seat"
MORE: Final = (
    "burn_missing", "card_strayed", "button_moved", "restarted", "wrong_zone", "foreign_card", "burn_in_muck",
    "burn_extra",
)  # fmt: skip
"""What goes wrong in later hands, in an order that chance decides."""
READ_S: Final = 3.5
"""How long people look at a new hold before they do anything: a stranger reads it meanwhile."""
SOME_CARDS: Final = 3
"""A misplaced card is never the first."""


class NowAndThen:
    """Satisfies `people.Trouble`: one hand in five goes wrong, the second always.

    With `kinds` (names of `faults.KINDS`) every hand goes wrong, with these in turn. `tell` is told in
    words what goes wrong; `pace`: seconds on the clock for each second of the dealer's.
    """

    def __init__(self, rng: Random, tell: Callable[[str], None], pace: float, kinds: Sequence[str] = ()) -> None:
        self.done: list[str] = []
        """Faults that were made."""
        more = list(MORE)
        rng.shuffle(more)
        self._kinds = list(kinds) or [FIRST, *more]
        self._always = bool(kinds)
        self._tell, self._pace = tell, pace
        self._hand = 0
        """Hand for which the fault was made already."""
        self._read: tuple[Reason, ...] = ()
        self._tried = False

    def at(self, moment: str, dealer: Dealer) -> Acts:
        """Do the fault that is due, where it fits, in unhurried time: a sight must last to count."""
        number = dealer.hands + 1
        due = self._always or number % ONE_IN == ALWAYS
        if not due or number == self._hand or dealer.by_hand:
            return
        dealer.moment = moment
        name = self._kinds[len(self.done) % len(self._kinds)]
        kind = KINDS[name]
        if moment not in kind.moments or not kind.fits(dealer):
            return
        if moment == "card" and dealer.hand and dealer.hand.street == 0 and dealer.hand.placed < SOME_CARDS:
            return
        self._hand = number
        self.done.append(name)
        self._tell(f"a slip, on purpose: {(kind.do.__doc__ or name).rstrip('.')}")
        yield from self._unhurried(kind.do(dealer))

    def mend(self, dealer: Dealer, view: View) -> Acts:
        """Let a new hold be read, then find its remedy; the first misplaced card of all is put right."""
        reasons = tuple(hold.reason for hold in view.holds)
        if reasons != self._read and view.phase != "gathering":
            self._read = reasons
            yield READ_S / self._pace
            view = dealer.table.view()
        if view.prompt_code == "empty":
            yield from mend(dealer, view)
        elif not view.holds:
            return
        elif view.holds[0].reason in MISPLACED and len(self.done) == 1 and not self._tried:
            self._tried = True  # once: where it does not end the hold, another remedy must
            yield from self._unhurried(put_right(dealer, view.holds[0]))
        elif view.street:
            yield from self._unhurried(mend(dealer, view))
        else:
            yield from mend(dealer, view)

    def _unhurried(self, acts: Acts) -> Acts:
        for seconds in acts:
            yield seconds / self._pace
