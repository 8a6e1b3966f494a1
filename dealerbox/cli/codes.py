"""Every code that the box may show, what it means and what to do: `dealerbox explain`, docs/codes.md."""

from collections.abc import Iterator
from typing import Final

import msgspec

from dealerbox.cli.exits import Exit
from dealerbox.diagnostics.steps import STEPS
from dealerbox.law.clauses import CLAUSES
from dealerbox.law.irregularities import IRREGULARITIES
from dealerbox_drivers.shuffler.messages import Code as Wire

_PLACES: Final = {"zone": "[zone]", "to": "[its place]", "device": "[device]"}
"""Where the panel names the zone, the place or the device concerned."""
PROTOCOL: Final = "firmware-protocols/shuffler/v1/PROTOCOL.md, section 3"


class Code(msgspec.Struct, frozen=True):
    """One code."""

    code: str
    kind: str
    """`hold`: it holds the deal, refuses a key, or is a notice; `exit`; `shuffler`; `test`; `clause`."""
    means: str
    source: str
    """The clause or manual that it comes from."""
    steps: tuple[str, ...] = ()
    """What to do first, second, third."""


def codes() -> Iterator[Code]:
    """Yield every code, in the order of its page."""
    for reason, row in IRREGULARITIES.items():
        why = row.why or CLAUSES[row.clause]
        means = row.what.format(**_PLACES)
        yield Code(reason.value, "hold", f"{means} {why}", row.clause, _sentences(row.remedy.format(**_PLACES)))
    for number, (means, *steps) in _EXITS.items():
        yield Code(str(number.value), "exit", means, "sysexits.h" if number >= Exit.DATA else "dealerbox", tuple(steps))
    for word in Wire:
        means, *steps = _WIRE[word]
        yield Code(f"shuffler-{word:02X}", "shuffler", f"{word.name}: {means}", PROTOCOL, tuple(steps))
    for name, asked in STEPS.items():
        test = name.partition("-")[0]
        yield Code(name, "test", asked.asks, f"dealerbox diag {_TESTS.get(test, test)}", asked.todo)
    for clause, words in CLAUSES.items():
        yield Code(clause, "clause", words, f"28 Del. C. §{clause}" if clause[0].isdigit() else "config/house")


_TESTS: Final = {"station": "selftest", "watchdog": "selftest", "deal": "deal-test"}
"""Steps that are not named after the command that does them."""


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(f"{part.rstrip('.')}." for part in text.split(". ") if part)


_EXITS: Final[dict[Exit, tuple[str, ...]]] = {
    Exit.DONE: ("Done; nothing was found wrong.",),
    Exit.FOUND: (
        "The command ran and found what it looks for: `replay --expect` a difference, `simulate` a card let out "
        "against the law, a missed or a false hold, `check` a table at which no hand can be dealt, `check --ports` a "
        "port that is not there, `log` a torn tail, `log prune` a reason not to, `diag conformance` a rule of the page "
        "that is broken, `deck verify` and `deck list` a deck file that is not in order, `deck retire` a deck that is "
        "retired already, `deck open` faces that are not this deck's, `diag replay` a driver that does otherwise than "
        "when the capture was taken, `diag capture` a device that was lost meanwhile, `diag audit` a machine that does "
        "not shuffle, `diag bundle` something that may not leave the table, the tests of `diag` a step that failed or "
        "could not be done.",
        "Read what was found.",
    ),
    Exit.USAGE: ("The command was not understood.", "`dealerbox COMMAND --help`"),
    Exit.ROLLED_BACK: (
        "`log`: whole, and older than the head that is known from elsewhere (rolled back).",
        "Find the newer journal.",
        "The director looks into it.",
    ),
    Exit.DATA: (
        "The input is there and makes no sense: a log with a line of rubbish, a corrupt journal, a list of tags that "
        "is no deck, half a capture, or one that a newer Dealerbox took.",
        "Mend or leave out the line that is named.",
        "Keep a corrupt journal as it is.",
    ),
    Exit.NO_INPUT: ("The input is not there or may not be read.", "Check the path.", "Check its permissions."),
    Exit.NOT_RUNNING: (
        "The station or the device is not there or does not answer, or its port is not for you; or `deck` lacks "
        "what seals and opens faces, `simulate` the twins, `diag watch` what draws its screen.",
        "`systemctl status dealerbox`",
        "Install what the sentence names.",
    ),
    Exit.FAULT: (
        "The program itself is wrong. The gate is locked, nothing is lost.",
        "Keep the journal.",
        "Report the sentence.",
    ),
    Exit.JOURNAL: (
        "The journal, or the disk under it, cannot be read or written.",
        "Read the sentence; the journal is never cut or rewritten to make it fit.",
    ),
    Exit.NOT_ALLOWED: (
        "Not by this person, not here or not now: a station's socket, or a question to it, that is not for you; `rule` "
        "and `diag service` what law or house do not let be done now; `deck open` with another key, or on a machine "
        "on which a station runs; `log show` and `log export` of a journal whose hand is open; a device for a test of "
        "`diag` while a hand is open, or the table is not in service; `diag probe` at a port that the station holds.",
        "The sentence says who may, where and when.",
    ),
    Exit.CONFIG: (
        "The configuration cannot be used.",
        "`dealerbox check FILE` tells every fault with its key and what is allowed.",
    ),
    Exit.INTERRUPTED: ("Stopped by Ctrl-C, or nobody answers at the terminal, or whoever read the output closed it.",),
}

_AGAIN: Final = "The station greets the machine anew by itself."
_FIRMWARE: Final = "`dealerbox diag conformance PORT`: one of the two ends breaks the page; its maker needs the report."
_OPEN_UP: Final = "Open the door, look, take out what is stuck; close it."
_ACK: Final = "When the panel asks: look at the table, press ACK."

_WIRE: Final[dict[Wire, tuple[str, ...]]] = {
    Wire.OK: ("done, or already so.",),
    Wire.IN_PROGRESS: ("taken, and under way.",),
    Wire.REPEAT: ("this command was taken before; its result stands.",),
    Wire.NO_SESSION: ("the machine was started, or has not been greeted, since.", _AGAIN, _ACK),
    Wire.STALE_SESSION: (
        "another station, or a later run of this one, has greeted the machine.",
        "See that no other station is on its line.",
        _AGAIN,
    ),
    Wire.BAD_EPOCH: ("the machine's memory is not the one that was met: exchanged or wiped.", _AGAIN, _ACK),
    Wire.BAD_FENCE: ("a restriction came between: the command is void.", _AGAIN),
    Wire.BAD_PREV: ("the machine took another command last than the station thinks.", _AGAIN, _ACK),
    Wire.STALE_ID: ("an id that was used up: a command that came late.", _AGAIN),
    Wire.NOT_ARMED: ("the machine is locked: no permit is taken.", "See what holds it: `dealerbox status`.", _AGAIN),
    Wire.DISAGREE: ("machine and station remember different cards.", _ACK),
    Wire.NOT_THAT_HOLD: ("a newer hold stands than the one that was to be cleared.", "Put right what stands."),
    Wire.HOLD_KNOWN: ("this hold, or a newer one, was told before.",),
    Wire.BUSY: ("a command is under way.",),
    Wire.BAD_FRAME: ("a frame that says nothing usable.", _FIRMWARE),
    Wire.BAD_VERSION: ("no version of the wire that both speak.", "Bring firmware and station to the same version."),
    Wire.HELD: ("a hold is latched.", "Put right what stands: `dealerbox status`."),
    Wire.CONTENT: ("what is in the machine is not known.", _OPEN_UP, _ACK),
    Wire.EXIT_FULL: ("a card is up at the gate already.", _ACK),
    Wire.EXIT_EMPTY: ("no card is up at the gate.", _ACK),
    Wire.WRONG_CARD: ("another card is up than the one named.", _ACK),
    Wire.NO_TOKEN: ("the shuffle named is not the machine's last, or was dealt from.", "Shuffle again."),
    Wire.EMPTY: ("no card is in the machine.", "Feed the deck in."),
    Wire.OUTLET_FULL: ("a card lies in the outlet.", "Take it."),
    Wire.NOT_ASKED: ("the machine knows where its cards are: it takes no other word.", _AGAIN),
    Wire.SENSOR_SAYS_NO: ("what was said is not what the machine's sensor sees.", _OPEN_UP, _ACK),
    Wire.UNSUPPORTED: (
        "this machine cannot do that.",
        "`dealerbox check FILE`: the driver's settings and the machine differ.",
    ),
    Wire.MOVED: ("a card was brought up.",),
    Wire.NO_FEED: ("no card came.", "Is the tray empty, the roller worn or dusty?", _ACK),
    Wire.DOUBLE_FEED: (
        "more than one card came. The gate stays shut.",
        _OPEN_UP,
        "Say where the cards are when the panel asks.",
        "Clean the rollers if it comes again.",
    ),
    Wire.JAM: ("a card is stuck. The gate stays shut.", _OPEN_UP, "Say where the cards are when the panel asks."),
    Wire.PASSED: ("the card went through the gate.",),
    Wire.NOT_TAKEN: ("the card was not taken in time, or was held: it is still there.",),
    Wire.INTERRUPTED: ("a restriction ended it before its time.", _ACK),
    Wire.CYCLE_DONE: ("the cycle ran to its end.",),
    Wire.WRONG_NUMBER: ("the cycle found another number of cards than it was given.", "Look for the cards.", _ACK),
    Wire.SET: ("the machine has been told where its cards are.",),
}
