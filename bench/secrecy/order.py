"""Before a deal the station knows how many cards there are and which, and nothing of their order."""

from bench.secrecy.channels import Taps
from bench.secrecy.quick import evenings
from dealerbox.engine.state import State
from dealerbox.model.cards import Token
from dealerbox.model.events import CardsSeen, Event
from dealerbox.model.zones import INFEED


class Deals(list[State]):
    """The state before each deal and after its START; and what came up in each deal."""

    def __init__(self) -> None:
        super().__init__()
        self.dealt: list[list[Token]] = []

    def stepped(self, before: State, event: Event, after: State) -> None:
        """Keep the states around a START, and the order in which cards come."""
        if after.hand != before.hand:
            self += [before, after]
            self.dealt.append([])
        elif isinstance(event, CardsSeen) and event.zone != INFEED and self.dealt:
            self.dealt[-1] += event.tokens


def deals(seed: str, shuffles: str, hands: int = 12) -> Deals:
    """Play an evening's first hands; `shuffles` is the shuffler's chance, all else is the seed's."""
    kept = Deals()
    evenings(seed, hands, Taps(), seats=(6, 6), stepped=kept.stepped, shuffles=shuffles)
    return kept
