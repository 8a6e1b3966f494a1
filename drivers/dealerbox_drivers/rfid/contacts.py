"""The dealer button's tag in what the readers tell: at which seats it lies, and what is left for others (C11)."""

import asyncio
from typing import Any

from dealerbox.model.commands import Command
from dealerbox.model.events import Event, TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.model.zones import Zone, seat_number
from dealerbox.ports import Device, Emit


class TagContacts:
    """At which seats the button's tags are read (satisfies `Contacts`), out of what the readers tell.

    A tag is in one place: read at a seat it lies there, whatever other readers know. Read at none it is
    nowhere only when all of them look; until then its place is not known and `read` waits.
    """

    def __init__(self, tags: tuple[str, ...], zones: tuple[Zone, ...]) -> None:
        """`zones`: those that readers watch."""
        self._tags = frozenset(tags)
        self._blind = set(zones)
        self._at: set[tuple[Zone, str]] = set()
        self._anew: set[tuple[Zone, str]] = set()
        """Read since their zone became blind."""
        self._known = asyncio.Event()
        self._weigh()

    async def open(self) -> None:
        """There is nothing to open: the readers are devices of their own."""

    async def read(self) -> frozenset[int]:
        """Return the seats where a tag is read, once that is known."""
        await self._known.wait()
        return frozenset(seat_number(zone) for zone, _ in self._at if seat_number(zone) and zone not in self._blind)

    def close(self) -> None:
        """There is nothing to close."""

    def sift(self, event: Event) -> Event | None:
        """Take what a reader tells; return it without the button's tags, None where nothing is left."""
        match event:
            case TagsSeen() | TagsGone():
                own = [uid for uid in event.uids if uid in self._tags]
                if not own:
                    return event
                for uid in own:
                    self._move(event.zone, uid, here=isinstance(event, TagsSeen))
                self._weigh()
                rest = tuple(uid for uid in event.uids if uid not in self._tags)
                return type(event)(event.at_ns, event.zone, rest) if rest else None
            case ZoneUnknown():
                self._blind.add(event.zone)
                self._anew = {place for place in self._anew if place[0] != event.zone}
                self._weigh()
            case ZoneKnown():
                self._blind.discard(event.zone)
                self._at = {place for place in self._at if place[0] != event.zone or place in self._anew}
                self._weigh()
        return event

    def _move(self, zone: Zone, uid: str, *, here: bool) -> None:
        for places in (self._at, self._anew):
            (places.add if here else places.discard)((zone, uid))

    def _weigh(self) -> None:
        read = any(seat_number(zone) and zone not in self._blind for zone, _ in self._at)
        (self._known.set if read or not self._blind else self._known.clear)()


class Sifted:
    """A reader whose events go through the button's contacts first (satisfies `Device`)."""

    def __init__(self, reader: Device, contacts: TagContacts) -> None:
        self.name = reader.name
        self._reader, self._contacts = reader, contacts

    def __getattr__(self, name: str) -> Any:
        """Return what the reader has beyond a device's own: its counters."""
        return getattr(self._reader, name)

    def obey(self, command: Command) -> None:
        self._reader.obey(command)

    async def run(self, emit: Emit) -> None:
        """Serve as the reader does."""

        def sifted(event: Event) -> None:
            rest = self._contacts.sift(event)
            if rest is not None:
                emit(rest)

        await self._reader.run(sifted)
