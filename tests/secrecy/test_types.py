"""What is shown, answered and sent to devices has no place for a card: no field of it is a token or a tag (P4)."""

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from dealerbox.model.cards import Token, Uid
from dealerbox.model.commands import AnyCommand, Show
from dealerbox.model.events import CardsSeen, TagsSeen
from dealerbox.model.view import View
from dealerbox.station.asked import Answer
from dealerbox.station.condition import DeviceHealth
from dealerbox.station.gauges import Gauges


def cards_in(kind: Any, path: str = "") -> Iterator[str]:
    """Yield where a type has room for a token or a tag."""
    if kind in (Token, Uid):
        yield path
    for place, inner in enumerate(get_args(kind)):
        yield from cards_in(inner, f"{path}[{place}]")
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for name, hint in get_type_hints(kind).items():
            yield from cards_in(hint, f"{path}.{name}")


@pytest.mark.parametrize("kind", [View, Show, Answer, DeviceHealth, Gauges, AnyCommand])
def test_nothing_that_leaves_the_station_has_room_for_a_card(kind: Any) -> None:
    assert list(cards_in(kind)) == []


@pytest.mark.parametrize("kind", [CardsSeen, TagsSeen])
def test_an_event_of_a_reader_has_room_for_one(kind: Any) -> None:
    assert len(list(cards_in(kind))) == 1
