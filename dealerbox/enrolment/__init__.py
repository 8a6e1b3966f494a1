"""Decks before they come to the table and after they have left it: the one room that knows faces. Nothing of the
station may import it (tests/house)."""
