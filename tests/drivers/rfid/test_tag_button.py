"""A tag in the dealer's button, read by the readers of the seats: the same events as a contact's (C11)."""

import asyncio
from random import Random

import pytest

from dealerbox.model.events import ButtonAt, TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.rfid.button import tag_button
from dealerbox_drivers.rfid.contacts import Sifted, TagContacts
from dealerbox_drivers.rfid.settings import TagButtonSettings

BUTTON = "E0040000000000CC"
SEATS = ("seat:1", "seat:2", "seat:3")


class Table:
    """A reader of three seats, its twin, and a button sensor that hears it."""

    def __init__(self, bench) -> None:
        self.bench, self.told = bench, []
        contacts = TagContacts((BUTTON,), SEATS)
        self.sensor = tag_button("button", TagButtonSettings(tags=(BUTTON,)), contacts, virtual_clock)
        self.reader = Sifted(bench.reader(), contacts)
        self.felt, self.tasks = bench.felt, []

    def start(self) -> None:
        self.tasks = [asyncio.create_task(each.run(self.told.append)) for each in (self.sensor, self.reader)]

    def places(self):
        return [event.seats for event in self.told if isinstance(event, ButtonAt)]

    def cards(self):
        return [uid for event in self.told if isinstance(event, TagsSeen | TagsGone) for uid in event.uids]

    async def lies(self, *seats) -> None:
        await self.bench.until(lambda: self.places()[-1:] == [seats], limit_s=10)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.bench.stop()


@pytest.fixture
def table(bench_of, run, family):
    """`table(story)`: a story at such a table, in virtual time."""

    def told(story):
        async def whole() -> None:
            t = Table(bench_of(family, felt=Felt([family.cards, (BUTTON,)], Random(1))))
            try:
                await story(t)
            finally:
                await t.stop()

        return run(whole(), limit_s=600)

    return told


@pytest.mark.parametrize("family", ["feig"], indirect=True)
def test_the_button_is_told_where_it_lies_and_never_as_a_card(table) -> None:
    async def story(t) -> None:
        t.felt.put(BUTTON, "seat:2")
        t.felt.put(t.bench.family.cards[0], "seat:2")
        t.start()
        await t.lies(2)
        t.felt.put(BUTTON, "seat:3")
        await t.lies(3)
        t.felt.put(BUTTON, "hand")
        await t.lies()
        assert t.places() == [(2,), (3,), ()]
        assert t.cards() == [t.bench.family.cards[0]]

    table(story)


@pytest.mark.parametrize("family", ["feig"], indirect=True)
def test_a_button_that_is_nowhere_is_told_once_every_reader_has_looked(table) -> None:
    async def story(t) -> None:
        t.start()
        await t.lies()
        assert t.places() == [()]

    table(story)


@pytest.mark.parametrize("family", ["feig"], indirect=True)
def test_while_its_reader_is_deaf_the_button_is_where_it_was_and_never_nowhere(table) -> None:
    """UNKNOWN is never empty."""

    async def story(t) -> None:
        t.felt.put(BUTTON, "seat:2")
        t.start()
        await t.lies(2)
        t.bench.twin.deaf["seat:2"] = 0x84
        t.felt.put(BUTTON, "hand")
        await asyncio.sleep(10)
        assert t.places() == [(2,)]
        t.bench.twin.deaf.clear()
        await t.lies()

    table(story)


@pytest.mark.parametrize("family", ["feig"], indirect=True)
def test_read_at_another_seat_it_lies_there_whatever_a_deaf_reader_knows(table) -> None:
    async def story(t) -> None:
        t.felt.put(BUTTON, "seat:2")
        t.start()
        await t.lies(2)
        t.bench.twin.deaf["seat:2"] = 0x84
        t.felt.put(BUTTON, "seat:3")
        await t.lies(3)
        t.bench.twin.deaf.clear()
        await asyncio.sleep(5)
        assert t.places() == [(2,), (3,)]

    table(story)


def seen(contacts, *events):
    return [contacts.sift(event) for event in events]


def test_read_at_two_seats_it_is_told_at_both() -> None:
    """As two contacts closed are: no first card (button_wrong)."""

    async def main() -> None:
        contacts = TagContacts((BUTTON,), ("seat:1", "seat:2"))
        seen(contacts, TagsSeen(1, "seat:1", (BUTTON,)), TagsSeen(1, "seat:2", (BUTTON,)))
        seen(contacts, ZoneKnown(2, "seat:1"), ZoneKnown(2, "seat:2"))
        assert await contacts.read() == {1, 2}

    asyncio.run(main())


def test_what_is_told_of_cards_goes_through_as_it_came() -> None:
    async def main() -> None:
        contacts = TagContacts((BUTTON,), ("seat:1",))
        cards = TagsSeen(1, "seat:1", ("A", "B"))
        assert seen(contacts, cards) == [cards]
        assert seen(contacts, TagsSeen(1, "seat:1", ("A", BUTTON))) == [TagsSeen(1, "seat:1", ("A",))]
        assert seen(contacts, TagsGone(1, "seat:1", (BUTTON,))) == [None]
        unknown = ZoneUnknown(2, "seat:1", "deaf")
        assert seen(contacts, unknown, ButtonAt(3, (1,))) == [unknown, ButtonAt(3, (1,))]

    asyncio.run(main())


def test_a_button_read_at_no_seat_but_on_the_board_is_at_no_seat() -> None:
    async def main() -> None:
        contacts = TagContacts((BUTTON,), ("seat:1", "board"))
        seen(contacts, ZoneKnown(1, "seat:1"), TagsSeen(1, "board", (BUTTON,)), ZoneKnown(1, "board"))
        assert await contacts.read() == frozenset()

    asyncio.run(main())
