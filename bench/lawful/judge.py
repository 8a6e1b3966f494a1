"""What the station says, held against what the page asks for at this moment."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dealerbox.model.commands import Clear, Command, Hold, Notice, Refuse
from dealerbox.model.reasons import Reason


class Finding(Exception):
    """The station and this reading of the page differ; the evening ends here.

    `kind`: false_alarm, miss (a hold that the page asks for did not come), let_out (P1), count, dead_end (P7), freed
    (a hold ended without its remedy).
    """

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind, self.what = kind, what


Asked = tuple[type[Command], Reason]
"""Hold, Notice or Refuse, and its reason."""


class Judge:
    """Knows which holds stand by the page, and what may be said now."""

    def __init__(self) -> None:
        self.held: set[Reason] = set()
        """Reasons of the holds that stand."""
        self.doing = "opening"
        """What the world is about, for the report."""
        self._may: list[Asked] = []
        self._said: list[Asked] = []
        self._ending: frozenset[Reason] = frozenset()
        self.by_time: Callable[[Reason], bool] = lambda _reason: False
        """Whether a notice of this reason is asked for by a clock, or by a card long on its way."""
        self.noticed: Counter[Reason] = Counter()

    def heard(self, command: Command) -> None:
        """Judge a Hold, Notice, Refuse or Clear. Finding."""
        if isinstance(command, Clear):
            if self.held - self._ending:
                raise self.finding("freed", f"Clear while {sorted(self.held)} stands")
            self.held.clear()
            return
        assert isinstance(command, Hold | Notice | Refuse)
        asked = (type(command), command.reason)
        again = isinstance(command, Hold) and command.reason in self.held
        timely = isinstance(command, Notice) and self.by_time(command.reason)
        if asked not in self._may and not again and not timely:
            about = f" at {command.zone}" if command.zone else ""
            raise self.finding("false_alarm", f"{type(command).__name__} {command.reason}{about}")
        self._said.append(asked)
        if isinstance(command, Hold):
            self.held.add(command.reason)
        elif isinstance(command, Notice):
            self.noticed[command.reason] += 1

    def finding(self, kind: str, what: str) -> Finding:
        """Return a finding about what is being done now."""
        return Finding(kind, f"{what} ({self.doing})")

    @contextmanager
    def asks(self, *must: Asked, may: tuple[Asked, ...] = ()) -> Iterator[None]:
        """Within: what the page asks the station to say (`must`, each at least once), or lets it (`may`). Finding."""
        before, since = len(self._may), len(self._said)
        self._may += (*must, *may)
        yield
        del self._may[before:]
        said = self._said[since:]
        for kind, reason in must:
            if (kind, reason) not in said:
                raise self.finding("miss", f"no {kind.__name__} {reason}")

    @contextmanager
    def first(self, *reasons: Reason, may: tuple[Asked, ...] = ()) -> Iterator[None]:
        """Within: one of these holds is asked for, and none other before it. Finding."""
        before, since = len(self._may), len(self._said)
        self._may += [(Hold, reason) for reason in reasons]
        self._may += may
        yield
        del self._may[before:]
        if not any(kind is Hold and reason in reasons for kind, reason in self._said[since:]):
            raise self.finding("miss", f"no Hold {' or '.join(reasons)}")

    @contextmanager
    def ends(self, *reasons: Reason) -> Iterator[None]:
        """Within: the remedy of these holds is done, and they end."""
        self._ending = frozenset(reasons)
        yield
        self._ending = frozenset()
        self.held -= set(reasons)
