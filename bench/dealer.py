"""docs/dealer.md and its pictures, written from what the station shows: `python -m bench.dealer`.

`python -m bench.dealer check` writes nothing, and ends with 1 where page or pictures are not what would be written.
What is shown is collected over the logs of tests/incidents, over simulated evenings and over hands of `bench.lawful`,
all with faults.
"""

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from bench.incidents.table import Table
from bench.lawful.proof import Engine, prove
from bench.lawful.variations import chosen
from dealerbox.engine.prompt import ASKED, FIND
from dealerbox.engine.view import view
from dealerbox.law.clauses import CLAUSES
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox.model.commands import Command, Lamp, Show
from dealerbox.model.events import Event, ServiceBegan, Space, SpaceLeft
from dealerbox.model.keys import Key
from dealerbox.model.reasons import Reason
from dealerbox.model.setup import Dispense, House
from dealerbox.model.view import View
from dealerbox.model.zones import ASIDE, seat, seat_number
from dealerbox.simulate.faults_by_hand import BY_HAND
from dealerbox.simulate.run import simulate
from dealerbox.station.replay import play
from dealerbox.station.show import show
from dealerbox_drivers.display.draw import drawn
from dealerbox_drivers.display.page import HEIGHT, WIDTH, page_of
from dealerbox_drivers.pins.compact import foot_of

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "dealer.md"
PICTURES: Final = ROOT / "docs" / "pictures" / "prompts"
HANDS: Final = 300
SEEDS: Final = ("c", "d")
"""Of those tried, the two that showed most."""
EVENINGS: Final = {Dispense.SINGLE: (150, ("all",)), Dispense.HAND: (12, tuple(BY_HAND))}
"""By the way they are dealt: how many hands, and what goes wrong; from the hand also what the other way never shows."""
SCALE: Final = 2

HEAD: Final = """\
# At the table: what the display says, and what to press

The display says one thing at a time: the next thing to do. The lamp is green while you go on, amber while something is
waited for, and **red when the deal is held: no card moves until what the display names is put right.** Its last line
says what GO does now. Nothing here knows a card's face.

- **GO** is what comes next: START, NEXT, CUT, ACK. Held for a second it is AWARD.
- **ACTION**: a player has acted. From then on a misdeal is the director's business.
- **PROBLEM** answers NO where a question is asked; else it opens the list of what may have gone wrong, the likeliest
  first: PROBLEM again goes down the list, GO takes the line, ACTION leaves. For a flashed or fallen card, or a hand
  that lives, the seat is asked next, in the same way.
- **COUNT**, between hands: count the deck. **DECK**, held for a second, between hands: change the deck.

A key pressed too early is taken back with UNDO in the list, while no card has moved. When in doubt: hands off the
cards, call the director. What is held stays held, over a power cut too.

A panel with a push for each key names no seat: EXPOSED there means the card dealt last. One that was flashed earlier
the director sends back, to be dealt anew: `dealerbox rule to_stub --cards seat:3:1 --reason flashed`, which is the
first card dealt of those that lie on seat 3.

Written by `make pages` from what the station shows, rare questions from their words: change the code, not this page.
"""
SECTIONS: Final[Mapping[str, str]] = {
    "A hand": """meeting open seal shuffling button start deal_seat deal_burn deal_board round award gather""",
    "Between hands": """count counted empty feed cards_out recount not_now one_deck change foreign_card other_deck
        joker_present set_button too_few_seats paused outside_hours began tournament_over defective""",
    "When something is asked": """unseen half_muck acted aside cut return find find_yes find_no find_many unread
        silent_aside silent_back on_top went_in doubled looked places proof restarted time_due time_over device_lost""",
    "The deal goes on by hand": """given manual_empty manual_show manual_order manual_shuffled take_up""",
}
"""Title -> codes of its prompts, as they follow each other."""
RED: Final = "When the lamp is red"


class Seen(NamedTuple):
    """Something that was shown, and how plain it is: of those with one code the least is taken."""

    plain: tuple[object, ...]
    shown: Show


class _Watched(Engine):
    """The engine, with its panel looked at after each event."""

    def __init__(self, seen: dict[str, Seen]) -> None:
        super().__init__()
        self._seen = seen

    def __call__(self, event: Event) -> tuple[Command, ...]:
        commands = super().__call__(event)
        _see(self._seen, self.look())
        return commands


def seen() -> dict[str, Seen]:
    """Return the plainest of what was shown under each code."""
    found: dict[str, Seen] = {}
    for log in sorted((ROOT / "tests" / "incidents").glob("*/*.jsonl")):
        _look(found, log.read_bytes(), log.name)
    for table in (_first_card_flashed(), _in_service(), _disk_full()):
        _see(found, table.view)
    for dispense, (hands, faults) in EVENINGS.items():
        evenings = io.StringIO()
        simulate(hands, seed=7, faults=faults, log=evenings, action_clock_s=40, dispense=dispense)
        _look(found, evenings.getvalue().encode(), "the simulated evenings")
    for seed in SEEDS:
        prove(HANDS, seed, chosen(frozenset(), frozenset(), True), lambda: _Watched(found))
    seldom = {question.value: (words.format(to="seat 4"), Key.ACK) for question, words in ASKED.items()}
    seldom |= {f"find_{answer}": (words, Key.NO) for answer, words in FIND.items() if answer}
    for code, (prompt, key) in seldom.items():
        if code not in found:  # too seldom to be met: in its own words
            shown = Show(lamp=Lamp.AMBER, buzzer=False, head="Hand 1 turn", prompt=prompt, lit=(key,), go=key)
            found[code] = Seen((), shown)
    return found


def _first_card_flashed() -> Table:
    """Return a table of a house that calls that a misdeal; the card lies aside."""
    table = Table(House(first_card_exposed_is_misdeal=True))
    table.ready()
    table.press(Key.START)
    (card,) = table.deal(1)
    table.press(Key.EXPOSED)
    table.lose(seat(2), card)
    table.see(ASIDE, card)
    return table


def _in_service() -> Table:
    """Return a table that a technician has, between two hands."""
    table = Table()
    table.ready()
    table.tell(lambda at: ServiceBegan(at, "a technician"))
    return table


def _disk_full() -> Table:
    """Return a table whose journal has no room for another record of play."""
    table = Table()
    table.holes()
    table.tell(lambda at: SpaceLeft(at, Space.FULL, 0))
    return table


def _look(found: dict[str, Seen], log: bytes, name: str) -> None:
    for decision in play(log.splitlines(keepends=True), name):
        _see(found, view(decision.state))


def _see(found: dict[str, Seen], now: View) -> None:
    code = now.prompt_code
    if code == "held":
        code = f"held {next((hold for hold in now.holds if hold.remedy == now.prompt), now.holds[0]).reason}"
    elif code == "deal":
        code = f"deal_{'seat' if seat_number(now.expect) else now.expect}"
    told = show(now)
    plain = (
        bool(now.holds),
        len(told.prompt + told.said),
        len(told.lit),
        told.prompt,
        told.said,
        told.head,
        told.lit,
        told.go,
    )
    one = Seen(plain, told)
    if code not in found or plain < found[code].plain:
        found[code] = one


def written() -> dict[Path, bytes]:
    """Return the page and its pictures."""
    found = seen()
    placed = {code for codes in SECTIONS.values() for code in codes.split()}
    stray = [code for code in found if not code.startswith("held ") and code not in placed]
    if stray:
        raise SystemExit(f"bench.dealer: {', '.join(stray)}: of no section; give it one in SECTIONS")
    files = {PICTURES / f"{_file(code)}.png": _picture(one) for code, one in found.items()}
    parts = [HEAD]
    for title, codes in SECTIONS.items():
        parts += [f"## {title}", "", *_table((code, found[code]) for code in codes.split() if code in found), ""]
    red = [(f"held {reason}", reason) for reason in IRREGULARITIES if f"held {reason}" in found]
    parts += [f"## {RED}", "", *_table(((code, found[code]) for code, _ in red), red=True), ""]
    files[PAGE] = "\n".join(parts).encode()
    return files


def _file(code: str) -> str:
    return code.replace(" ", "-").replace("_", "-")


def _picture(one: Seen) -> bytes:
    image = drawn(page_of(one.shown, foot=foot_of(one.shown)))
    whole = Image.new("1", (WIDTH + 8, HEIGHT + 8))
    whole.paste(image, (4, 4))
    written = io.BytesIO()
    whole.resize((whole.width * SCALE, whole.height * SCALE)).save(written, "PNG", optimize=True)
    return written.getvalue()


def _table(rows: Iterable[tuple[str, Seen]], red: bool = False) -> Iterator[str]:
    yield "| the display | in words | to press |" + (" why |" if red else "")
    yield "|---|---|---|" + ("---|" if red else "")
    for code, one in rows:
        words = f"{one.shown.said} {one.shown.prompt}".strip().replace("|", "/")
        line = f"| ![{one.shown.prompt}](pictures/prompts/{_file(code)}.png) | {words} | {_keys(one)} |"
        yield line + (f" {_why(Reason(code.removeprefix('held ')))} |" if red else "")


def _keys(one: Seen) -> str:
    lit = [key for key in one.shown.lit if key in (one.shown.go, Key.NO, Key.RETRIEVE, Key.DECK)]
    return ", ".join(key.upper() for key in lit) or "-"


def _why(reason: Reason) -> str:
    row = IRREGULARITIES[reason]
    return f"{row.why or CLAUSES[row.clause]} ({row.clause})"


def main(words: list[str]) -> int:
    """Write, or compare."""
    files = written()
    old = {*PICTURES.glob("*.png")} - files.keys()
    if words == ["check"]:
        wrong = [path for path, content in files.items() if not path.exists() or not _same(path, content)]
        for path in sorted({*wrong, *old}):
            print(f"{path.relative_to(ROOT)}: not what the station shows; run `make pages`", file=sys.stderr)
        return 1 if wrong or old else 0
    PICTURES.mkdir(exist_ok=True)
    for path in old:
        path.unlink()
    for path, content in files.items():
        if not path.exists() or not _same(path, content):
            path.write_bytes(content)
    return 0


def _same(path: Path, content: bytes) -> bool:
    """Tell whether a file says the same; of pictures the dots are compared, which every Pillow packs in its own way."""
    if path.suffix != ".png":
        return path.read_bytes() == content
    return Image.open(path).tobytes() == Image.open(io.BytesIO(content)).tobytes()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
