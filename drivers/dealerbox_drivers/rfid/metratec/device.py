"""A metraTec reader at the table: one antenna, as many tags as lie there."""

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.metratec import wire
from dealerbox_drivers.rfid.metratec.talk import Talk, Timing
from dealerbox_drivers.rfid.reader import Reader
from dealerbox_drivers.rfid.settings import MetratecSettings

FIELD_ON, FIELD_OFF = "SRI SS 100", "SRI OFF"


class MetratecReader(Reader[Talk, MetratecSettings, Timing]):
    """Its wire has no checks, and a tag with one spoilt digit would be another: two looks in a row must agree."""

    pace = Timing
    family = "metraTec"
    appear = 2

    async def _talk(self) -> Talk:
        return Talk(self.name, await self._open_line(), self._timing)

    async def _ask_who(self, talk: Talk) -> str | None:
        answer = await talk.ask("REV")
        return None if answer is None else self._met(wire.version_of(answer))

    async def _prepare(self, talk: Talk) -> None:
        await talk.ask(FIELD_ON)

    async def _look(self, talk: Talk, channel: int) -> tuple[Uid, ...] | WireError:
        if self._field is not None and await talk.ask(FIELD_ON) is None:
            return WireError("field on: no answer")
        answer = await talk.ask("INV")
        return WireError("inventory: no answer") if answer is None else wire.tags_of(answer)

    async def _go_dark(self, talk: Talk) -> bool:
        return await talk.ask(FIELD_OFF) is not None
