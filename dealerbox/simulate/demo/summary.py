"""What an evening came to, read from the journal alone after its end."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from dealerbox.config import Config
from dealerbox.journal.disk import RealDisk
from dealerbox.journal.export import export
from dealerbox.journal.recover import Verdict
from dealerbox.model.commands import Clear, Command, Hold
from dealerbox.model.events import CardPassed, CardsSeen, Event, KeyPressed, Ruled
from dealerbox.model.keys import Key
from dealerbox.station.replay import Difference, LogError, play, replay

STANDING: Final = "stood at the end"
HOW: Final = {
    "ButtonAt": "the button was seen where it belongs",
    "CardsGone": "a reader lost sight of the card",
    "CycleEnded": "the shuffler counted its cards",
    "DeviceBack": "the device answers again",
    "PlacesSet": "the shuffler took a person's word",
    "ShufflerMet": "the shuffler agrees with the record again",
    "Tick": "it lay there long enough",
    "ZoneKnown": "the reader sees again",
}
"""Class of the event that ended a hold, in words."""


class HoldTold(msgspec.Struct):
    """One hold of the evening."""

    reason: str
    clause: str
    hand: int
    """Number of the hand, 0 before the first."""
    ended: str = STANDING
    lasted_s: float = 0.0


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The evening in figures."""

    hands: int
    """Pots awarded."""
    cards: int
    """Cards let out."""
    holds: tuple[HoldTold, ...]
    records: int
    verdict: str
    replay: str
    """'equal', or where the log and the engine differ."""
    gate_locked: bool

    @property
    def right(self) -> bool:
        """Tell whether the evening ended as it must."""
        return self.verdict == Verdict.CLEAN and self.replay == "equal" and self.gate_locked


def summarize(config: Config, log: Path, *, gate_locked: bool) -> Summary:
    """Export the journal to `log`, play it again, and say what it was. JournalError, OSError."""
    with log.open("wb") as out:
        recovery = export(RealDisk(config.state_dir / "journal"), out.write)
    try:
        for _ in replay(str(log), expect=True):
            pass
        same = "equal"
    except (Difference, LogError) as error:
        same = str(error)
    teller = _Teller()
    with log.open("rb") as lines:
        try:
            for decision in play(lines, str(log)):
                teller.take(decision.event, decision.commands, decision.state.hand)
        except LogError as error:
            same = str(error)
    return Summary(
        hands=teller.hands,
        cards=teller.cards,
        holds=tuple(teller.holds),
        records=recovery.head.seq,
        verdict=recovery.verdict,
        replay=same,
        gate_locked=gate_locked,
    )


def told(summary: Summary) -> list[str]:
    """Return the summary in lines for people."""
    counted = ((summary.hands, "hand"), (summary.cards, "card"), (len(summary.holds), "hold"))
    hands, cards, holds = (f"{number} {noun}{'' if number == 1 else 's'}" for number, noun in counted)
    lines = [f"{hands} played, {cards} let out, {holds}"]
    lines += _holds(summary.holds)
    lines.append(f"journal: {summary.verdict}, {summary.records} records; played again: {summary.replay}")
    lines.append(
        "gate: locked, as it must be when the table is stopped"
        if summary.gate_locked
        else "gate: NOT LOCKED, and it must be when the table is stopped"
    )
    return lines


def _holds(holds: tuple[HoldTold, ...]) -> Iterator[str]:
    """Say each hold once: one trouble may be told many times over."""
    alike: dict[tuple[int, str, str, str], list[float]] = {}
    for hold in holds:
        alike.setdefault((hold.hand, hold.reason, hold.clause, hold.ended), []).append(hold.lasted_s)
    for (hand, reason, clause, ended), lasted_s in alike.items():
        when = f"hand {hand}" if hand else "before the first hand"
        often = f", told {len(lasted_s)} times" if len(lasted_s) > 1 else ""
        after = "" if ended == STANDING else f", after {max(lasted_s):.1f} s"
        yield f"  {when}: {reason} ({f'§{clause}' if clause[:1].isdigit() else 'house rule'}){often}: {ended}{after}"


class _Teller:
    def __init__(self) -> None:
        self.hands = self.cards = 0
        self.holds: list[HoldTold] = []
        self._open: list[tuple[int, int, HoldTold]] = []
        """Key, time and account of each hold that stands."""

    def take(self, event: Event, commands: tuple[Command, ...], hand: int) -> None:
        self.cards += isinstance(event, CardPassed)
        self.hands += isinstance(event, KeyPressed) and event.key is Key.AWARD and _taken(commands)
        for command in commands:
            if isinstance(command, Hold):
                held = HoldTold(str(command.reason), command.clause, hand)
                self.holds.append(held)
                self._open.append((command.key, event.at_ns, held))
            elif isinstance(command, Clear):
                for key, since_ns, held in tuple(self._open):
                    if key <= command.key:
                        held.ended, held.lasted_s = _how(event), (event.at_ns - since_ns) / 1e9
                        self._open.remove((key, since_ns, held))


def _taken(commands: tuple[Command, ...]) -> bool:
    return not any(type(command).__name__ == "Refuse" for command in commands)


def _how(event: Event) -> str:
    """Tell what ended a hold: the event that brought about its Clear."""
    match event:
        case CardsSeen():
            return f"a reader saw the card at {event.zone}"
        case KeyPressed():
            return f"{event.key.upper()} was pressed"
        case Ruled():
            return f"the director ruled {event.ruling}"
        case _:
            return f"{HOW.get(type(event).__name__, type(event).__name__)}"
