"""The readers' times: measured with a card carried about, proposed within the law, written with every comment kept."""

import asyncio
import re
from typing import Any

import pytest

from dealerbox.diagnostics.calibration import Measured, measured, proposed, rewritten
from dealerbox.model.setup import House
from dealerbox.ports import ConfigError, DealerboxError, DeviceGone
from dealerbox.station.virtual import virtual_clock
from dealerbox_drivers.felt import BOX, HAND, OUTLET

CARRYING_S = 0.8


@pytest.fixture
def person(table, reads) -> Any:
    card = table.felt.at(BOX)[0]

    async def carry(zone: str) -> None:
        table.felt.put(card, HAND)
        await asyncio.sleep(2)
        table.felt.put(card, OUTLET)
        await asyncio.sleep(1)
        table.felt.put(card, HAND)
        await asyncio.sleep(CARRYING_S)
        table.felt.put(card, zone)

    fingers = []

    def does(what: str) -> None:
        found = re.search(r"carry it to (\S+) as", what) or re.search(r"Lay the card on (\S+),", what)
        zone = {"exit": OUTLET}.get(found[1], found[1])
        if zone == OUTLET:
            table.felt.put(card, OUTLET)
        else:
            fingers.append(asyncio.ensure_future(carry(zone)))

    return reads(does)


@pytest.fixture
def walked(table, device, steps_of, person) -> Any:
    def play(who=person) -> dict[str, Measured]:
        table.devices(
            device("left", "feig", port="/dev/left", zones={1: "seat:1", 2: "seat:2"}),
            device("outlet", "feig", port="/dev/outlet", zones={0: "exit"}),
        )
        return {one.zone: one for one in steps_of(lambda: measured(table.loans(), who, virtual_clock))}

    return play


def test_each_zone_is_measured_with_the_way_that_a_card_was_carried(walked) -> None:
    zones = walked()
    assert set(zones) == {"seat:1", "seat:2", "exit"}
    assert not any(one.why for one in zones.values())
    assert zones["seat:1"].carried_ms == pytest.approx(CARRYING_S * 1000, abs=200)
    assert zones["exit"].carried_ms == 0
    assert zones["seat:1"].look_ms > zones["exit"].look_ms > 20
    assert zones["seat:1"].wavers_ms == 0


def test_a_card_that_wavers_before_it_lies_is_measured(walked, table) -> None:
    felt, real = table.felt, table.near.readable
    looks = {"seat:2": 0}

    def readable(zone: str) -> Any:
        found = real(zone)
        if zone == "seat:2" and felt.at("seat:2"):
            looks[zone] += 1
            return () if looks[zone] in (2, 3, 4) else found
        return found

    table.near.readable = readable
    zones = walked()
    assert zones["seat:2"].wavers_ms == pytest.approx(3 * zones["seat:2"].look_ms, rel=0.2)
    assert zones["seat:2"].missed == 3


def test_a_zone_that_reads_nothing_is_said_and_the_others_are_measured(walked, table) -> None:
    table.spoils["/dev/left"] = lambda twin: twin.deaf.update({"seat:2": 0x84})
    zones = walked()
    assert "no card was read there" in zones["seat:2"].why
    assert not zones["seat:1"].why


def test_a_reader_that_is_gone_ends_it(walked, table) -> None:
    table.spoils["/dev/left"] = lambda twin: setattr(twin, "silent", True)
    with pytest.raises(DeviceGone, match="no answer"):
        walked()


def at(look_ms: float, wavers_ms: float = 0.0, carried_ms: float = 0.0, why: str = "") -> Measured:
    return Measured(zone="board", look_ms=look_ms, wavers_ms=wavers_ms, missed=0, carried_ms=carried_ms, why=why)


@pytest.mark.parametrize(
    ("zones", "wanted"),
    [
        ([at(120, 0, 900), at(81)], {"settling_ms": 1580, "scan_ms": 120}),
        ([at(120, 2000, 900)], {"settling_ms": 2950, "scan_ms": 120}),
        ([at(150, 0, 750)], {}),
        ([at(15)], {"settling_ms": 200, "scan_ms": 20}),
    ],
)
def test_what_is_proposed_follows_from_the_slowest_zone(zones, wanted) -> None:
    assert proposed(zones, House()) == wanted


def test_what_the_law_of_the_house_does_not_allow_is_not_proposed() -> None:
    with pytest.raises(DealerboxError, match="scan_ms: 1500 is not allowed"):
        proposed([at(1500)], House())
    with pytest.raises(DealerboxError, match="no zone could be measured"):
        proposed([at(0, why="deaf")], House())


TEXT = """# The house.

# How long.
settling_ms = 1500   # measured by hand

button_rule = "moving"
"""


def test_comments_order_and_all_else_stay(tmp_path) -> None:
    after = rewritten(TEXT, {"settling_ms": 2000, "scan_ms": 180})
    assert after.startswith(TEXT.replace("1500", "2000").rstrip())
    assert "scan_ms = 180" in after
    assert rewritten(TEXT, {}) == TEXT
    with pytest.raises(ConfigError, match="no TOML"):
        rewritten("= no", {"scan_ms": 1})
