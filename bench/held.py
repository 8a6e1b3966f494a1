"""A table one card before a hold: the released card is on its way to seat 2, and will be read at seat 3."""

from collections.abc import Callable
from typing import Any

import msgspec

from dealerbox.engine.state import State
from dealerbox.engine.step import step
from dealerbox.model import events as ev
from dealerbox.model.cards import Token, Uid, token
from dealerbox.model.commands import Command, Hold
from dealerbox.model.keys import Key, Ruling
from dealerbox.model.setup import DeckInfo, Setup
from dealerbox.model.shuffler import Cap, Cycle, Memory, Result
from dealerbox.model.zones import EXIT, INFEED, seat
from dealerbox.ports import Journal
from dealerbox.station.build import core_of
from dealerbox.station.core import Core
from dealerbox.station.tokens import DeckTags, Tokens
from dealerbox_drivers.rfid.feig import wire as feig
from dealerbox_drivers.rfid.presence import Presence
from dealerbox_drivers.shuffler.messages import HOLD, PLAIN, HoldRequest
from dealerbox_drivers.shuffler.wire import Frame, encode

UID = Uid("E0040150A05F02B7")
"""The tag of the recorded inventory reply that `wire.c` sends."""
DECK = DeckTags(1, (UID, *(Uid(f"E00401{number:010X}") for number in range(51))))
SETUP = Setup(
    table="bench",
    seats=tuple(range(1, 10)),
    decks=(DeckInfo(slot=1, name="a", back="red"), DeckInfo(slot=2, name="b", back="blue")),
)


class Gate:
    """Says HOLD on the shuffler's wire the moment it is told to: what the driver does with nothing latched."""

    name = "shuffler"

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self._send = send

    async def run(self, emit: object) -> None:
        """Nothing to serve: the bench only gives it commands."""

    def obey(self, command: Command) -> None:
        if isinstance(command, Hold):
            body = HoldRequest(command.key, 0x0203)
            self._send(encode(Frame(HOLD, PLAIN, command.key & 0xFF, 29, body)))


def on_its_way(released: Token) -> State:
    """Return the state in which `released` has passed the gate for seat 2, told by hand."""
    state, now_ns = State(), 0

    def told(event: ev.Event) -> None:
        nonlocal state, now_ns
        now_ns += 10_000_000
        state, _ = step(state, msgspec.structs.replace(event, at_ns=now_ns))

    def met() -> ev.ShufflerMet:
        numbers: dict[str, Any] = dict.fromkeys(("machine", "exit_id", "token_id", "deal_id", "last_id"), 0)
        return ev.ShufflerMet(0, serial=1, epoch=9, caps=int(Cap(0x1FFF)), agreed=True, **numbers)

    told(ev.Started(0, setup=SETUP, memory=Memory(session=1)))
    told(ev.WallClock(0, 1_767_294_000, 19 * 3600, True))
    told(met())
    for number in range(1, 53):
        told(ev.CardsSeen(0, INFEED, (token(1, number),)))
        told(ev.CardsGone(0, INFEED, (token(1, number),)))
    told(ev.CycleEnded(0, state.memory.pending, Cycle.RETURN, Result.DONE, 52))
    told(ev.KeyPressed(0, Key.ACK))
    told(ev.CycleEnded(0, state.memory.pending, Cycle.SHUFFLE, Result.DONE, 52))
    told(ev.Ruled(0, ruling=Ruling.SET_BUTTON, by="bench", reason="bench", seat=1))
    told(ev.ButtonAt(0, (1,)))
    told(ev.KeyPressed(0, Key.START))
    told(ev.CardUp(0, state.memory.pending))
    told(ev.CardsSeen(0, EXIT, (released,)))
    now_ns += 1_000_000_000
    told(ev.Tick(0))
    told(ev.CardPassed(0, state.memory.pending, state.memory.exit_id))
    told(ev.CardsGone(0, EXIT, (released,)))
    assert state.released is not None
    assert state.released.step.zone == seat(2)
    return state


class Path:
    """Frame in, HOLD out: decoder, presence, tokens, core with its engine and journal, shuffler wire."""

    def __init__(self, send: Callable[[bytes], object], journal: Journal) -> None:
        """`send` takes the HOLD's bytes. Time stands still a millisecond after the card has left."""
        tokens = Tokens((DECK,), b"k" * 32)
        tokens.renumber(1, 1)
        self._before = on_its_way(tokens.of(UID))
        now_ns = self._before.now_ns + 1_000_000
        self._clock = clock = lambda: now_ns
        self._decoder = feig.Decoder()
        self._presence = Presence(seat(3), clock())
        self._presence.looked((), clock())
        self.core: Core[State] = core_of(
            self._before,
            journal=journal,
            devices=(Gate(send),),
            clock=clock,
            tokens=tokens,
            wake=lambda at_ns: None,
            fault=lambda why: exit(why),
            later=lambda show: None,
        )

    def feed(self, data: bytes) -> int:
        """Take bytes as they come from the line; return how many frames they completed."""
        items = self._decoder.feed(data)
        for item in items:
            assert isinstance(item, feig.Frame)
            uids: Any = tuple(feig.tags_of(item.payload))  # a fault among them would have no token
            for event in self._presence.looked(uids, self._clock()):
                self.core.handle(event)
        return len(items)

    def again(self) -> None:
        """Put table and reader back to before the frame."""
        self.core.state = self._before
        self._presence._missed.clear()
