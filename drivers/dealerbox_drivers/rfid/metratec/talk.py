"""Questions and answers with one metraTec reader over one open line."""

import re
from typing import Final

from dealerbox.ports import Line
from dealerbox_drivers.rfid import talk
from dealerbox_drivers.rfid.metratec.wire import IDENTITY, Decoder, encode

Timing = talk.Timing

_ANSWERS: Final = {
    "BRK": re.compile("BRA|NCM"),
    "REV": IDENTITY,
    "INV": re.compile(r"([0-9A-F]{16}\r)*(ARP \d+\r)?IVF \d\d"),
}
_DONE: Final = re.compile("OK!")
"""What every other question is answered with."""


class Talk(talk.Talk[str]):
    """An answer is known by its form; BRK, which stops what a reader does by itself, is the mark."""

    def __init__(self, name: str, line: Line, timing: Timing) -> None:
        super().__init__(name, line, Decoder(), timing)

    def _encoded(self, question: str) -> bytes:
        return encode(question)

    def _answers(self, question: str, item: str) -> bytes | None:
        return item.encode() if _ANSWERS.get(question, _DONE).fullmatch(item) else None

    def _new_mark(self) -> str:
        return "BRK"
