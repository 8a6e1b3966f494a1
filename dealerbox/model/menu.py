"""A line of the dealer's menu of what may have gone wrong."""

import msgspec

from dealerbox.model.keys import Key


class Choice(msgspec.Struct, frozen=True):
    """A key that may be meant now, in words that fit a line of the panel's display."""

    key: Key
    words: str
    seats: tuple[int, ...] = ()
    """Seats that the key may name, the likeliest first; 0: the card let out last. (): it names none."""
