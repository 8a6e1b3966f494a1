"""The clauses of Title 28, Chapter 18 that touch cards, deck, button, devices or clocks, each in a line.

A citation is written as on the panel: section, then part and paragraph: `1804A(3)`. `house`
marks what the statute leaves to the organisation (1822).
"""

from typing import Final

CLAUSES: Final[dict[str, str]] = {
    "1802(18)": "A deck with other than the proper cards or number of cards is defective.",
    "1802(22)": "A misdeal is a hand dealt incorrectly.",
    "1804A(1)": "A table opens with one new sealed complete deck of 52, backs identical, jokers out.",
    "1804A(3)": "Two cards to each player, face down, one at a time, clockwise, the button last.",
    "1804A(4)": "After the first round a card is burned and three are dealt to the board.",
    "1804A(6)": "Before the fourth and before the fifth board card a card is burned.",
    "1804B(6)": "Two decks at each table, their backs different in colour or markings.",
    "1804B(7)": "Every card is dealt out of the hand by the dealer.",
    "1804B(8)": "The deck is counted at least hourly and changed at least every two hours.",
    "1804B(9)": "Pots are awarded by the dealer; each hand is played to its conclusion.",
    "1804B(10)": "One hand a player, played by that player.",
    "1809": "A shuffling device may dispense cards to the dealer.",
    "1810": "A protected hand is not dead by accidental contact with discards.",
    "1811(1)": "A card flashed or dealt off the table is dead and replaced.",
    "1811(2)": "What follows a premature flop, turn or river, and a flop of too many cards.",
    "1811(3)": "A misdeal returns all cards; none may be called once action has occurred.",
    "1812": "A burn card is kept apart from the muck until all cards have been dealt.",
    "1813": "The dealer may declare a folded hand retrievable.",
    "1815(1)": "A hand with too many or too few cards is dead.",
    "1815(3)": "A hand discarded early that touches the discards is dead.",
    "1817": "A hand is played to its conclusion and the pot awarded.",
    "1819": "Defective deck: the pot goes back as contributed; the deck is counted within 30 minutes of play.",
    "1820": "A card faced in the deck is dead and replaced by the next.",
    "1821": "The organisation may limit the time to act; the dealer warns before it expires.",
    "1823": "The organisation sets the greatest number of players.",
    "1824": "No card may be brought into the game but by the dealer's deal.",
    "1827": "No tournament begins before 1:30 p.m. or lasts longer than six hours.",
    "1830(2)": "The tournament director is the final arbiter of disputes.",
    "house": "House rule where the statute is silent.",
}
"""Citation -> what the clause says, in our words."""
