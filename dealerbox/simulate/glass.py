"""Pictures of what a dealer reads: `python -m dealerbox.simulate.glass docs/pictures` takes them anew.

Each is shown by the real driver to a display's twin, and photographed there.
"""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PIL import Image

from dealerbox.engine.menu import WORDS
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.model.commands import Lamp, Show
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.station.virtual import virtual_clock, virtual_run
from dealerbox_drivers.display.oled import Display
from dealerbox_drivers.display.settings import DisplaySettings
from dealerbox_drivers.display.twin import DisplayTwin, picture
from dealerbox_drivers.face import Face, OpenMenu
from dealerbox_drivers.pins.compact import MENU_FOOT, TITLE

_WRONG: Final = IRREGULARITIES[Reason.WRONG_SEAT]
_LINES: Final = (Key.EXPOSED, Key.MISDEAL, Key.OFF_TABLE, Key.FACED, Key.MANUAL, Key.SUSPECT, Key.FIND, Key.CUT)
_DEAL: Final = Show(lamp=Lamp.GREEN, buzzer=False, head="Hand 12 preflop", prompt="Deal to seat 3.")
_HELD: Final = Show(
    lamp=Lamp.RED,
    buzzer=True,
    head=f"HELD {_WRONG.clause}",
    said=_WRONG.what.format(zone="seat 4", to="seat 3"),
    prompt=_WRONG.remedy.format(to="seat 3"),
)

SCENES: Final[Mapping[str, tuple[Show, OpenMenu | None, str]]] = {
    "display-deal": (_DEAL, None, "GO held AWARD"),
    "display-held": (_HELD, None, "GO held AWARD"),
    "display-menu": (_DEAL, OpenMenu(TITLE, tuple(WORDS[key] for key in _LINES), 1), MENU_FOOT),
}
"""Name of the picture -> what is shown, the open menu, and what the buttons mean."""


def photographed(show: Show, menu: OpenMenu | None, foot: str) -> Image.Image:
    """Return the picture of a display's twin that shows this."""

    async def stand() -> Image.Image:
        twin, face = DisplayTwin(), Face()
        display = Display("display", DisplaySettings(), virtual_clock, face, twin)
        display.obey(show)
        face.say(menu, foot)
        running = asyncio.create_task(display.run(lambda _: None))
        await asyncio.sleep(1)
        seen = picture(twin.image(), 3)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return seen

    return virtual_run(stand())


def main(folder: Path) -> None:
    """Write every picture into `folder`."""
    for name, scene in SCENES.items():
        photographed(*scene).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
