"""The clauses of Title 28, Chapter 18 that touch cards, deck, button, devices or clocks, each in a line.

A citation is written as on the panel: section, then part and paragraph: `1804A(3)`. `house`
marks what the statute leaves to the organisation (1822).
"""

from typing import Final

CLAUSES: Final[dict[str, str]] = {
    "1802(18)": "A deck with other than the proper cards, or another number of them, is defective.",
    "1802(19)": "The flop is the first three board cards, turned up together.",
    "1802(22)": "A misdeal is a hand dealt incorrectly.",
    "1804A(1)": "The dealer verifies one new, sealed, complete deck of 52: backs alike, no jokers.",
    "1804A(3)": "Each player gets two cards, face down, one at a time, in order from the button's left.",
    "1804A(4)": "When the betting round is over, one card is burned, then three go to the board.",
    "1804A(6)": "One card is burned before the fourth board card, and one before the fifth.",
    "1804B(6)": "Each table has two decks, and their backs differ in colour or markings.",
    "1804B(7)": "Every card in play is dealt by the dealer, out of the hand.",
    "1804B(8)": "The deck is counted at least once an hour and changed at least every two hours.",
    "1804B(9)": "Only the dealer awards pots, and each hand is played to its end.",
    "1804B(10)": "Each player plays one hand, and only the player plays it.",
    "1809": "A shuffling device may give the cards to the dealer.",
    "1810": "A protected hand is not dead because discards touched it by accident.",
    "1811(1)": "A card that is flashed, or dealt off the table, is dead and is replaced.",
    "1811(2)": "A flop, turn or river dealt too early, or a flop of too many cards, is dealt anew.",
    "1811(3)": "After a misdeal all cards come back for a redeal; none may be called once a player has acted.",
    "1812": "A burned card is kept apart from the muck until all cards have been dealt.",
    "1813": "The dealer may declare a folded hand retrievable.",
    "1815(1)": "A hand with too many or too few cards is dead.",
    "1815(3)": "A discarded hand that touches the discards is dead.",
    "1817": "A hand is played to its end before the pot is awarded.",
    "1819": "If the deck was defective, the chips in the pot go back to the players as contributed.",
    "1820": "A card that lies face up in the deck is dead, and the next one replaces it.",
    "1821": "The time to act may be limited, with a warning before it is over.",
    "1823": "The organisation sets how many may play.",
    "1824": "No card may come into the game that the dealer did not deal in this hand.",
    "1827": "No tournament begins before 1:30 p.m. or lasts longer than six hours.",
    "1830(2)": "The tournament director decides every dispute.",
    "house": "A house rule: the law says nothing of it.",
}
"""Citation -> what the clause asks, in our words: a sentence that a player understands."""


def cited(clause: str) -> str:
    """Return a citation as a stranger reads it: `Delaware Title 28 §1804A(3)`, or `house rule`."""
    return f"Delaware Title 28 §{clause}" if clause[:1].isdigit() else "house rule"
