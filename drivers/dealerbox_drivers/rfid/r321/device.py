"""An R321 at the table: one antenna, or up to six of its own."""

from typing import Final

from dealerbox.model.cards import Uid
from dealerbox.ports import WireError
from dealerbox_drivers.rfid.r321 import wire
from dealerbox_drivers.rfid.r321.reports import Reports
from dealerbox_drivers.rfid.r321.talk import Talk, Timing
from dealerbox_drivers.rfid.r321.wire import Command, Frame
from dealerbox_drivers.rfid.reader import Reader
from dealerbox_drivers.rfid.settings import R321Settings

MOST_REPLIES: Final = 6
"""Replies of 25 tags followed before a scan is given up: no antenna holds so many."""


class R321Reader(Reader[Talk, R321Settings, Timing]):
    """Asks each antenna in turn, the others off, and its field reset so that none answers for the next.

    The reader keeps its settings over power cuts: they are read at each start and written where they
    are others. One that keeps tags quiet all the same gets an RF reset before every inventory.
    """

    pace = Timing
    family = "R321"
    check = "`port`, `baud` and `address`"
    _reset_always = True
    """Tags stay quiet after a look, for all that is known: the field is reset before each."""

    async def _talk(self) -> Talk:
        line = await self._open_line()
        return Talk(
            self.name, Reports(line) if self._settings.in_reports else line, self._settings.address, self._timing
        )

    async def _ask_who(self, talk: Talk) -> str | None:
        self._reset_always = True
        answer = await talk.mark()
        if answer is None:
            return None
        return self._met(wire.version_of(answer))

    async def _prepare(self, talk: Talk) -> None:
        """Have it speak when asked alone, of ISO15693, and leave tags awake."""
        config = await self._config(talk)
        if config is not None and not config.is_fit:
            await talk.ask(
                wire.request(self._settings.address, Command.WRITE_CONFIG, config.fitted().content),
                self._timing.longest_ms,
            )
            config = await self._config(talk)
        self._reset_always = config is None or not config.is_fit

    async def _config(self, talk: Talk) -> wire.Config | None:
        return wire.config_of(await talk.ask(wire.request(self._settings.address, Command.READ_CONFIG, b"\x00")))

    async def _look(self, talk: Talk, channel: int) -> tuple[Uid, ...] | WireError:
        steps: list[tuple[str, Frame]] = []
        if channel:
            steps.append((f"antenna {channel}", wire.only_antenna(self._settings.address, channel)))
        if self._field is not None:
            steps.append(("field on", wire.rf(self._settings.address, on=True)))
        elif channel or self._reset_always:
            steps.append(("field reset", wire.rf_reset(self._settings.address)))
        for what, question in steps:
            answer = await talk.ask(question)
            if not wire.is_done(answer):
                return WireError(f"{what}: {'no answer' if answer is None else 'refused'}")
        return await self._inventory(talk)

    async def _inventory(self, talk: Talk) -> tuple[Uid, ...] | WireError:
        uids: list[Uid] = []
        for _ in range(MOST_REPLIES):
            answer = await talk.ask(wire.inventory(self._settings.address))
            if answer is None:
                return WireError("inventory: no answer")
            listed = wire.tags_of(answer)
            if isinstance(listed, WireError):
                return listed
            before = len(uids)
            for item in listed.tags:
                if isinstance(item, WireError):
                    return item
                if item not in uids:
                    uids.append(item)
            if not listed.remaining:
                return tuple(uids)
            if len(uids) == before:
                return WireError(f"inventory: {listed.remaining} tags remain and none comes")
        return WireError(f"inventory: more than {MOST_REPLIES} replies")

    async def _go_dark(self, talk: Talk) -> bool:
        return wire.is_done(await talk.ask(wire.rf(self._settings.address, on=False)))
