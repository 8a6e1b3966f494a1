"""The display's driver against its twin: what it shows, what it writes, and how it is lost."""

import asyncio
import warnings
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from luma.core.render import canvas
from luma.oled import device as luma
from PIL import Image

from dealerbox.model.commands import Hold, Lamp, Show
from dealerbox.model.reasons import Reason
from dealerbox.ports import DeviceGone
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.display.draw import drawn, packed
from dealerbox_drivers.display.oled import Display
from dealerbox_drivers.display.page import Page
from dealerbox_drivers.display.settings import Chip, DisplaySettings
from dealerbox_drivers.display.twin import DisplayTwin
from dealerbox_drivers.face import Face, OpenMenu

Run = Callable[..., Any]
SEAT_3 = Show(lamp=Lamp.GREEN, buzzer=False, head="Hand 1 preflop", prompt="Deal to seat 3.")
SEAT_4 = Show(lamp=Lamp.GREEN, buzzer=False, head="Hand 1 preflop", prompt="Deal to seat 4.")


def read(twin: DisplayTwin) -> bytes:
    return twin.image().tobytes()


def shown(page: Page) -> bytes:
    return drawn(page).tobytes()


PAGE_3, PAGE_4 = (Page(head=one.head, prompt=one.prompt) for one in (SEAT_3, SEAT_4))


@pytest.fixture
def glass(run: Run) -> Callable[..., Any]:
    """`glass(scene, settings)`: play a scene with a running display; return what is left of it."""

    def played(scene: Callable[[Any], Awaitable[Any]], **settings: Any) -> Any:
        async def play() -> Any:
            chip = settings.get("chip", Chip.SSD1306)
            twin, face = DisplayTwin(sh1106=chip is Chip.SH1106), Face()
            display = Display("display", DisplaySettings(**settings), virtual_clock, face, twin)
            table = SimpleNamespace(twin=twin, face=face, display=display)
            table.serving = asyncio.create_task(display.run(lambda event: pytest.fail(f"a display said {event}")))
            try:
                await scene(table)
            finally:
                table.serving.cancel()
                await asyncio.gather(table.serving, return_exceptions=True)
            return table

        return run(play())

    return played


@pytest.mark.parametrize("chip", Chip)
def test_what_the_station_shows_is_read_on_every_chip(glass: Run, chip: Chip) -> None:
    async def scene(table: Any) -> None:
        table.display.obey(SEAT_3)
        await asyncio.sleep(1)
        assert read(table.twin) == shown(PAGE_3)
        table.display.obey(SEAT_4)
        await asyncio.sleep(1)
        assert read(table.twin) == shown(PAGE_4)

    glass(scene, chip=chip)


def test_one_that_is_mounted_upside_down_is_read_upright(glass: Run) -> None:
    async def scene(table: Any) -> None:
        table.display.obey(SEAT_3)
        await asyncio.sleep(1)
        upright = table.twin.image().transpose(Image.Transpose.ROTATE_180)
        assert upright.tobytes() == shown(PAGE_3)

    glass(scene, upside_down=True)


def test_only_what_changed_is_written_in_transfers_of_a_page_at_most(glass: Run) -> None:
    async def scene(table: Any) -> None:
        table.display.obey(SEAT_3)
        await asyncio.sleep(1)
        written = table.twin.written
        table.display.obey(SEAT_3)
        await asyncio.sleep(1)
        assert table.twin.written == written
        table.display.obey(SEAT_4)
        await asyncio.sleep(1)
        assert 0 < table.twin.written - written < 40
        assert table.twin.longest <= 129

    glass(scene)


def test_a_hold_says_stop_at_once_and_the_stations_words_follow(glass: Run) -> None:
    async def scene(table: Any) -> None:
        table.display.obey(SEAT_3)
        await asyncio.sleep(1)
        table.display.obey(Hold(key=1, reason=Reason.WRONG_SEAT, clause="1804A(3)"))
        await asyncio.sleep(0.05)
        assert read(table.twin) == shown(Page("HELD 1804A(3)", "", "Stop. No card moves.", "", True))
        table.display.obey(SEAT_4)
        await asyncio.sleep(0.05)
        assert read(table.twin) == shown(PAGE_4)

    glass(scene)


def test_the_panels_menu_covers_the_prompt_until_it_is_shut(glass: Run) -> None:
    async def scene(table: Any) -> None:
        table.display.obey(SEAT_3)
        menu = OpenMenu("WHAT WENT WRONG?", ("MISDEAL", "Card was flashed"), 1)
        table.face.say(menu, "GO this")
        await asyncio.sleep(0.1)
        assert read(table.twin) == shown(Page("", "", "", "GO this", False, menu))
        table.face.say(None, "GO NEXT")
        await asyncio.sleep(0.1)
        assert read(table.twin) == shown(Page(head=SEAT_3.head, prompt=SEAT_3.prompt, foot="GO NEXT"))

    glass(scene)


def test_one_that_is_pulled_out_is_gone_within_two_seconds_and_nobody_reads_it(glass: Run) -> None:
    async def scene(table: Any) -> None:
        await asyncio.sleep(1)
        assert table.face.lit
        table.twin.present = False
        await asyncio.sleep(2.1)
        with pytest.raises(DeviceGone, match=r"display 0x3c on .*: .*; look at its supply, its wires and its address"):
            await table.serving
        assert not table.face.lit

    glass(scene)


def test_one_that_lost_its_power_for_a_moment_is_drawn_anew(glass: Run) -> None:
    async def scene(table: Any) -> None:
        table.display.obey(SEAT_3)
        await asyncio.sleep(1)
        table.twin.power()
        assert read(table.twin) == bytes(1024)
        await asyncio.sleep(31)
        assert read(table.twin) == shown(PAGE_3)

    glass(scene)


def test_it_goes_dark_when_the_station_ends(glass: Run) -> None:
    async def scene(table: Any) -> None:
        table.display.obey(SEAT_3)
        await asyncio.sleep(1)

    assert read(glass(scene).twin) == bytes(1024)


def test_before_the_first_word_it_says_to_wait(glass: Run) -> None:
    async def scene(table: Any) -> None:
        await asyncio.sleep(1)
        assert read(table.twin) == shown(Page("Dealerbox", "", "Wait."))

    glass(scene)


class Wire:
    """Stands where luma has a bus."""

    def __init__(self) -> None:
        self.dots = bytearray()

    def command(self, *order: int) -> None:
        return

    def data(self, data: list[int]) -> None:
        self.dots += bytes(data)

    def cleanup(self) -> None:
        return


@pytest.mark.parametrize("kind", [luma.ssd1306, luma.sh1106])
def test_dots_are_packed_as_luma_packs_them(kind: Any) -> None:
    wire = Wire()
    image = drawn(Page("HELD 1804A(3)", "A card went to seat 4.", "Put it on seat 3.", "GO ACK", True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # luma's own, of Pillow
        oracle = kind(wire)
        wire.dots.clear()
        oracle.display(image)
        assert bytes(wire.dots) == b"".join(packed(image))
        with canvas(oracle):
            wire.dots.clear()
        assert not any(wire.dots)
