"""What is printed on a card, however a list writes it."""

import pytest

from dealerbox.enrolment.faces import FACES, face_of, named, printed_order
from dealerbox.ports import DealerboxError


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("As", "As"),
        ("10D", "Td"),
        ("td", "Td"),
        ("q\N{BLACK HEART SUIT}", "Qh"),
        (" 2 c", "2c"),
        ("Joker", "joker"),
        ("CUT CARD", "cut"),
    ],
)
def test_a_face_is_known_as_lists_write_it(text: str, face: str) -> None:
    assert face_of(text) == face


@pytest.mark.parametrize("text", ["", "1s", "11s", "Ax", "A", "s", "As2c", "E004015012345678"])
def test_what_is_no_face_is_none(text: str) -> None:
    assert face_of(text) == ""


def test_there_are_52_faces_each_with_a_name() -> None:
    assert len({named(face) for face in FACES}) == len(FACES) == 52
    assert (named("As"), named("Td"), named("cut")) == ("ace of spades", "ten of diamonds", "cut card")


def test_a_new_deck_has_spades_and_diamonds_up_clubs_and_hearts_down() -> None:
    order = printed_order()
    assert (order[:2], order[12:14], order[25:27], order[38:40], order[-1]) == (
        ("As", "2s"),
        ("Ks", "Ad"),
        ("Kd", "Kc"),
        ("Ac", "Kh"),
        "Ah",
    )


def test_another_makers_order_is_told_by_its_suits() -> None:
    assert printed_order("h+c+d+s+")[:14] == (*(f"{rank}h" for rank in "A23456789TJQK"), "Ac")


@pytest.mark.parametrize("suits", ["", "s+d+c+", "s+d+c+h", "s+s+d+c+", "s+d+c+h+x", "spades"])
def test_what_is_no_order_of_suits_is_refused(suits: str) -> None:
    with pytest.raises(DealerboxError, match="no order of suits; each of s h d c once with"):
        printed_order(suits)
