"""The pictures of the display in the documentation show what the driver shows today."""

from pathlib import Path

import pytest
from PIL import Image

from dealerbox.simulate.glass import SCENES, main, photographed

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_of_the_documentation_is_the_drivers_own(name: str) -> None:
    with Image.open(PICTURES / f"{name}.png") as kept:
        same = kept.convert("RGB").tobytes() == photographed(*SCENES[name]).tobytes()
    assert same, "take them anew: python -m dealerbox.simulate.glass docs/pictures"


def test_all_of_them_are_taken_at_once(tmp_path: Path) -> None:
    main(tmp_path)
    assert sorted(file.stem for file in tmp_path.iterdir()) == sorted(SCENES)
