"""Presence by pure rules: appear, vanish, and UNKNOWN that is never EMPTY."""

from dealerbox.model.events import TagsGone, TagsSeen, ZoneKnown, ZoneUnknown
from dealerbox_drivers.rfid.presence import STALE_NS, Look, Presence

S = 1_000_000_000


def test_it_is_unknown_until_it_has_looked() -> None:
    presence = Presence("board", 0)
    assert presence.reading.look is Look.UNKNOWN
    assert presence.looked((), 1) == [ZoneKnown(1, "board")]
    assert presence.reading.look is Look.EMPTY


def test_the_tags_of_one_scan_are_told_as_one_set_before_the_zone_is_known() -> None:
    assert Presence("board", 0).looked(("A", "B"), 5) == [TagsSeen(5, "board", ("A", "B")), ZoneKnown(5, "board")]


def test_it_appears_after_as_many_scans_in_a_row_as_asked() -> None:
    presence = Presence("board", 0, appear=2)
    presence.looked((), 0)
    assert presence.looked(("A",), 1) == []
    assert presence.looked((), 2) == []
    assert presence.looked(("A",), 3) == []
    assert presence.looked(("A",), 4) == [TagsSeen(4, "board", ("A",))]


def test_it_vanishes_after_three_good_scans_without_it_and_errors_do_not_count() -> None:
    presence = Presence("board", 0)
    presence.looked(("A",), 0)
    told = []
    for now in range(1, 10):
        told += presence.could_not_look("noise", now)
    assert told == []
    assert presence.looked((), 10) + presence.looked((), 11) == []
    assert presence.looked(("A",), 12) == []
    assert presence.looked((), 13) + presence.looked((), 14) == []
    assert presence.looked((), 15) == [TagsGone(15, "board", ("A",))]


def test_nine_tenths_of_a_second_without_a_good_scan_is_unknown_told_once_and_all_is_told_anew_after_it() -> None:
    presence = Presence("board", 0)
    presence.looked(("A",), 0)
    assert presence.could_not_look("deaf", STALE_NS) == []
    assert presence.could_not_look("deaf", STALE_NS + 1) == [ZoneUnknown(STALE_NS + 1, "board", "deaf")]
    assert presence.could_not_look("deaf", 2 * S) == []
    assert presence.reading.look is Look.UNKNOWN
    assert presence.looked(("A",), 3 * S) == [TagsSeen(3 * S, "board", ("A",)), ZoneKnown(3 * S, "board")]


def test_a_zone_whose_turn_does_not_come_is_unknown_as_soon() -> None:
    presence = Presence("board", 0)
    presence.looked(("A",), 0)
    assert presence.aged(STALE_NS) == []
    assert presence.aged(STALE_NS + 1) == [
        ZoneUnknown(STALE_NS + 1, "board", "no answer yet, or its turn did not come")
    ]
    assert presence.aged(STALE_NS + 2) == []


def test_a_zone_that_ages_after_trouble_tells_the_trouble() -> None:
    presence = Presence("board", 0)
    presence.looked(("A",), 0)
    presence.could_not_look("status 84", 1)
    assert presence.aged(S + 1) == [ZoneUnknown(S + 1, "board", "status 84")]


def test_a_zone_is_not_known_before_what_lies_there_is_told() -> None:
    presence = Presence("board", 0, appear=2)
    assert presence.looked(("A",), 1) == []
    assert presence.reading.look is Look.UNKNOWN
    assert presence.looked(("A",), 2) == [TagsSeen(2, "board", ("A",)), ZoneKnown(2, "board")]


def test_a_scan_without_the_reference_tag_could_not_look() -> None:
    presence = Presence("board", 0, reference="R")
    assert presence.looked(("R", "A"), 0) == [TagsSeen(0, "board", ("A",)), ZoneKnown(0, "board")]
    told = [event for number in range(1, 9) for event in presence.looked((), number)]
    assert told == []
    (unknown,) = presence.looked(("A",), S + 1)
    assert isinstance(unknown, ZoneUnknown)
    assert "reference tag" in unknown.why
    assert presence.looked(("R",), S + 2) == [ZoneKnown(S + 2, "board")]
