"""A maker's list and a deck read card by card: 52 faces once each, jokers, cut card (1804A(1))."""

import pytest

from dealerbox.enrolment.faces import printed_order
from dealerbox.enrolment.lists import Wanted, in_order, list_faults, makers_list
from dealerbox.ports import DealerboxError

FREE = Wanted()


def faults(text: str, wanted: Wanted = FREE) -> list[str]:
    return list_faults(makers_list(text, "list"), wanted, "list")


def test_a_makers_list_gives_each_tag_its_face(listed: str, faces: dict[str, str]) -> None:
    tagged = makers_list(listed, "list")
    assert {each.uid: each.face for each in tagged[:52]} == faces
    assert [each.face for each in tagged[52:]] == ["joker", "joker", "cut"]
    assert faults(listed) == []


@pytest.mark.parametrize("mark", [";", "\t", "  ", " , "])
def test_fields_may_stand_in_either_order_parted_by_anything(listed: str, faces: dict[str, str], mark: str) -> None:
    lines = [mark.join(line.split(",")[::-1]).replace("cut card", "cut") for line in listed.splitlines()]
    text = "\n".join(["\ufeffface" + mark + "uid", "# a deck", *lines])
    assert {each.uid: each.face for each in makers_list(text, "list")[:52]} == faces


def test_a_uid_may_have_its_bytes_parted(listed: str, faces: dict[str, str]) -> None:
    def parted(uid: str) -> str:
        return ":".join(uid[at : at + 2] for at in range(0, 16, 2)).lower()

    text = "\n".join(f"{parted(line[:16])}{line[16:]}" for line in listed.splitlines())
    assert {each.uid: each.face for each in makers_list(text, "list")[:52]} == faces


def test_a_card_twice_and_a_card_missing_are_each_told(listed: str, faces: dict[str, str]) -> None:
    lines = listed.splitlines()
    lines[1] = lines[1].split(",")[0] + ",As"
    told = faults("\n".join(lines))
    assert told == [
        "list: line 2: the ace of spades again, as in list: line 1; each is there once",
        "list: 51 of 52 faces; missing: two of spades (1804A(1))",
    ]


def test_a_tag_twice_is_told(listed: str) -> None:
    lines = listed.splitlines()
    lines[1] = lines[0].split(",")[0] + "," + lines[1].split(",")[1]
    (told,) = faults("\n".join(lines))
    assert told.startswith("list: line 2: tag E00401")
    assert told.endswith("again, as in list: line 1; a tag is on one card")


def test_what_is_missing_is_named_up_to_six() -> None:
    (told,) = faults("E004010000000009,Ks")
    assert told == (
        "list: 1 of 52 faces; missing: ace of spades, two of spades, three of spades, four of spades, five of spades, "
        "six of spades and 45 more (1804A(1))"
    )


def test_a_house_that_has_no_jokers_is_told_of_them(listed: str) -> None:
    assert faults(listed, Wanted(jokers=2, cut_card=True)) == []
    assert faults(listed, Wanted(jokers=0, cut_card=False)) == [
        "list: 2 jokers, and this house has 0; list them all, or change --jokers",
        "list: a cut card, and this house has none; mend the list, or change --cut-card",
    ]
    assert faults(listed.replace("joker", "cut")) == ["list: 3 cut cards; a deck has one at most"]


@pytest.mark.parametrize("line", ["E004010000000001", "As", "E004010000000001,As,Kd", "E004010000000001,jok", "x,As"])
def test_a_line_that_is_no_tag_and_face_is_named(line: str, listed: str) -> None:
    with pytest.raises(DealerboxError) as refused:
        makers_list(f"{listed}{line}\n", "list")
    assert str(refused.value) == (
        "list: line 56: no tag and face; write one uid and one face, as in E004015012345678,As"
    )


def uids(number: int) -> list[str]:
    return [f"E00401{place:010X}" for place in range(number)]


def test_cards_read_in_printed_order_get_their_faces_by_place() -> None:
    order = printed_order()
    tagged = in_order([uids(1)[0], "", "E004019000000000 joker", "# pause", *uids(52)[1:]], order, "stdin")
    assert [each.face for each in tagged if each.face != "joker"] == list(order)
    assert [each.uid for each in tagged if each.face == "joker"] == ["E004019000000000"]


def test_a_reading_that_ends_early_says_which_card_is_next() -> None:
    with pytest.raises(DealerboxError, match="13 of 52 cards read; the next is the ace of diamonds"):
        in_order(uids(13), printed_order(), "stdin")


def test_a_card_too_many_and_a_line_that_is_no_uid_are_named() -> None:
    with pytest.raises(DealerboxError, match="line 53: a tag more than the 52 cards"):
        in_order(uids(53), printed_order(), "stdin")
    with pytest.raises(DealerboxError, match="line 1: no uid; write hex digits alone"):
        in_order(["ace of spades"], printed_order(), "stdin")
