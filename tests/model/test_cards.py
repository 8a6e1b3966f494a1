"""Tokens say which deck and which kind, and nothing else."""

import pytest

from dealerbox.model.cards import Kind, Token, cut_card, deck_of, joker, kind_of, token
from dealerbox.model.zones import is_zone, seat, seat_number


@pytest.mark.parametrize(
    ("value", "deck", "kind"),
    [
        (token(1, 1), 1, Kind.CARD),
        (token(2, 52), 2, Kind.CARD),
        (joker(1, 1), 1, Kind.JOKER),
        (joker(2, 8), 2, Kind.JOKER),
        (cut_card(2), 2, Kind.CUT),
        (Token(1), 0, Kind.FOREIGN),
        (Token(999), 0, Kind.FOREIGN),
    ],
)
def test_a_token_names_its_deck_and_kind(value, deck, kind) -> None:
    assert (deck_of(value), kind_of(value)) == (deck, kind)


def test_seats_are_zones_by_number() -> None:
    assert [seat_number(seat(number)) for number in range(1, 21)] == list(range(1, 21))
    assert seat_number("board") == 0
    assert not is_zone("seat:0")
    assert not is_zone("seat:21")
    with pytest.raises(ValueError, match=r"1\.\.20"):
        seat(21)
