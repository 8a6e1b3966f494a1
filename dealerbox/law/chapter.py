"""The whole of Title 28, Chapter 18: its numbered paragraphs, and those that a station decides nothing about.

`docs/law.md` is made from these tables and `clauses`: every paragraph is in one of the two, or in
both where a part of it is the station's and a part the people's.
"""

from typing import Final

PARAGRAPHS: Final[dict[str, int]] = {
    "1801": 0,
    "1802": 33,
    "1803": 3,
    "1804A": 9,
    "1804B": 15,
    "1805": 9,
    "1806": 0,
    "1807": 0,
    "1808": 0,
    "1809": 2,
    "1810": 0,
    "1811": 3,
    "1812": 0,
    "1813": 0,
    "1814": 2,
    "1815": 6,
    "1816": 5,
    "1817": 0,
    "1818": 0,
    "1819": 0,
    "1820": 0,
    "1821": 0,
    "1822": 0,
    "1823": 0,
    "1824": 0,
    "1825": 0,
    "1826": 5,
    "1827": 0,
    "1828": 0,
    "1829": 0,
    "1830": 2,
    "1831": 0,
    "1832": 4,
}
"""Section, or part of one -> its numbered paragraphs; 0: it has none and is cited whole. (1802 has no paragraph 5.)"""

PEOPLE: Final[dict[str, str]] = {
    "1801": "Why the game is allowed; where two readings are possible, the stricter one is taken.",
    "1802": "What the words mean. Those about cards stand in the other list; the rest are about bets, chips and pots.",
    "1803": "Who may hold a tournament, under which licence, supervised by whom.",
    "1804A(2)": "Bets make the pot; a bet that nobody meets, or the best hand, wins it.",
    "1804A(5)": "Betting after the flop, in turn.",
    "1804A(7)": "The best high hand wins at the showdown.",
    "1804A(8)": "A hand is the best five of two own cards and five common ones.",
    "1804A(9)": "No limit to a bet; all-in at any time.",
    "1804B(1)": "Everyone gets the same number of chips.",
    "1804B(2)": "Seats are drawn or assigned. (The station is told who sits where.)",
    "1804B(3)": "Who has no chips left is out.",
    "1804B(4)": "Play goes on until one player is left.",
    "1804B(5)": "Nobody agrees on sharing prizes.",
    "1804B(9)": "Who takes the pot, and that it is not shared by agreement.",
    "1804B(10)": "Nobody advises a player.",
    "1804B(11)": "Nobody plays for another or passes chips on.",
    "1804B(12)": "No cameras or recorders at the table.",
    "1804B(13)": "Only chips that lay on the table when the hand began are in play.",
    "1804B(14)": "When chips pushed forward are a bet.",
    "1804B(15)": "An absent player pays what is due; the hand is dead at their turn. (The station deals them in.)",
    "1805": "How hands rank. (No part of the station knows a face.)",
    "1806": "Ties go by house rules.",
    "1807": "The organisation provides the dealer, who does not play.",
    "1808": "Antes.",
    "1810": "How a player protects a hand, and what chips come back if it is fouled.",
    "1813": "What a spoken or shown action binds a player to.",
    "1814": "What a call is, and how it is put right.",
    "1815(2)": "Cards speak for themselves.",
    "1815(4)": "A spoken concession binds nobody.",
    "1815(5)": "Who leaves the table gives up the pot.",
    "1815(6)": "A hand mucked by the dealer without objection is dead. (To the station it is folded.)",
    "1816": "Who shows first.",
    "1817": "Who gets the pot, and until when it can be claimed.",
    "1818": "Who gets the odd chip.",
    "1819": "Each player's part of the pot, and what is forfeited by those who knew.",
    "1822": "Rules are posted and handed out.",
    "1824": "Which chips may be bet, and what they stand for.",
    "1825": "Entry fees, re-buys and wristbands.",
    "1826": "What the printed house rules say.",
    "1827": "At most four tournaments a year, 75 days apart.",
    "1828": "Prizes.",
    "1829": "Drinks.",
    "1830(1)": "A tournament director is appointed.",
    "1831": "Nobody under 21.",
    "1832": "Licensed vendors of equipment and dealers.",
}
"""Citation -> what people see to, in our words. A section cited whole stands for all its paragraphs."""


def chapter() -> tuple[str, ...]:
    """Return every citation of the chapter, in its order."""
    cited = []
    for section, number in PARAGRAPHS.items():
        numbers = [n for n in range(1, number + 1) if (section, n) != ("1802", 5)]
        cited += [f"{section}({n})" for n in numbers] or [section]
    return tuple(cited)
