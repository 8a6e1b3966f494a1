"""A deck of tags whose faces are known to the test alone."""

from random import Random

import pytest

from dealerbox.enrolment.faces import FACES


@pytest.fixture
def faces() -> dict[str, str]:
    """Tag -> face, in no order."""
    uids = [f"E00401{number * 2654435761 % 2**40:010X}" for number in range(1, 53)]
    Random(7).shuffle(uids)
    return dict(zip(uids, FACES, strict=True))


@pytest.fixture
def listed(faces: dict[str, str]) -> str:
    """The maker's list of that deck, with two jokers and a cut card."""
    lines = [f"{uid},{face}" for uid, face in faces.items()]
    return "\n".join([*lines, "E004010000000001,joker", "E004010000000002,joker", "E004010000000003,cut card", ""])
