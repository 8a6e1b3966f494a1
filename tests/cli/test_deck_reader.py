"""A deck read card by card by a reader of the table."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from dealerbox.cli.deck_reader import laid_singly, read_singly
from dealerbox.enrolment.faces import FACES
from dealerbox.model.cards import Uid
from dealerbox.model.commands import Command
from dealerbox.model.events import Event, TagsGone, TagsSeen
from dealerbox.model.zones import Zone
from dealerbox.ports import ConfigError, DeviceGone, Emit, Line
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.felt import Felt
from dealerbox_drivers.memory_line import memory_pair
from dealerbox_drivers.rfid.feig.device import FeigReader
from dealerbox_drivers.rfid.feig.twin import FeigTwin
from dealerbox_drivers.rfid.settings import FeigSettings

CONFIG = Path(__file__).parents[2] / "config/station.toml"
INFEED = Zone("infeed")
UIDS = tuple(Uid(f"E00401000000{number:04X}") for number in range(9))


class Scripted:
    """A reader that sees what the test says, and is then gone."""

    name = "mouth"

    def __init__(self, *events: Event) -> None:
        self._events = events

    async def run(self, emit: Emit) -> None:
        for event in self._events:
            emit(event)
            await asyncio.sleep(0)
        raise DeviceGone("mouth: unplugged")

    def obey(self, command: Command) -> None:
        """Nothing is for it."""


def seen(*uids: str, zone: Zone = INFEED) -> Event:
    return TagsSeen(0, zone, tuple(map(Uid, uids)))


def read(*events: Event) -> tuple[list[str], list[str]]:
    said: list[str] = []
    return asyncio.run(read_singly(Scripted(*events), INFEED, ("As", "2s"), said.append)), said


def test_each_card_is_asked_for_by_its_face() -> None:
    uids, said = read(seen("A1"), TagsGone(0, INFEED, (Uid("A1"),)), seen("B2"))
    assert uids == ["A1", "B2"]
    assert said == [" 1 of 2: lay the ace of spades there, alone", " 2 of 2: lay the two of spades there, alone"]


def test_two_at_once_another_zone_and_a_card_again_count_for_nothing() -> None:
    uids, said = read(seen("C3", "D4"), seen("E5", zone=Zone("exit")), seen("A1"), seen("A1"), seen("B2"))
    assert uids == ["A1", "B2"]
    assert "2 tags at once; take them off and lay that card there alone" in said
    assert "that card was the ace of spades; take it off" in said


def test_a_reader_that_is_lost_ends_the_reading() -> None:
    with pytest.raises(DeviceGone, match="unplugged"):
        read(seen("A1"))


@pytest.mark.parametrize(
    ("reader", "zone", "sentence"),
    [
        ("shuffler", None, "no reader 'shuffler'; known: seats-left, seats-right, middle, mouth, outlet"),
        ("mouth", "board", "devices.mouth does not watch 'board'; known: infeed"),
    ],
)
def test_a_reader_or_zone_that_the_table_has_not_is_refused(reader: str, zone: str | None, sentence: str) -> None:
    with pytest.raises(ConfigError) as refused:
        laid_singly(str(CONFIG), reader, zone, ("As",))
    assert str(refused.value) == f"{CONFIG}: {sentence}"


def test_a_reader_over_its_own_wire_reads_cards_that_are_laid_when_they_are_asked_for() -> None:
    async def enrol() -> list[str]:
        felt = Felt([UIDS], Random(1))
        near, far = memory_pair()
        twin = asyncio.create_task(FeigTwin(far, felt, {1: "burn"}).run())
        settings = FeigSettings(port="/dev/ttyUSB0", zones={1: "burn"})

        async def open_line() -> Line:
            return near

        def lay(prompt: str) -> None:
            asked = int(prompt.split()[0])
            if asked > 1:
                felt.put(UIDS[asked - 2], "box")
            felt.put(UIDS[asked - 1], "burn")

        reader = FeigReader("middle", open_line, virtual_clock, settings)
        try:
            return await read_singly(reader, Zone("burn"), FACES[: len(UIDS)], lay)
        finally:
            twin.cancel()

    assert virtual_run(enrol()) == list(UIDS)
