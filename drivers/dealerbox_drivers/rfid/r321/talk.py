"""Questions and answers with one R321 over one open line."""

from dealerbox.ports import Line
from dealerbox_drivers.rfid import talk
from dealerbox_drivers.rfid.r321 import wire
from dealerbox_drivers.rfid.r321.wire import ANY_ADDRESS, HOST, Command, Frame


class Timing(talk.Timing, frozen=True, kw_only=True):
    """What an R321 needs: 50 ms between requests, an answer within 200 (V1.1, 1.1 and 1.2).

    One that comes sooner is lost, and with it a quarter of a second: a millisecond is for the way there.
    """

    apart_ms: int = 51
    pause_ms: int = 0
    longest_ms: int = 400


class Talk(talk.Talk[Frame]):
    """An answer is taken by command and addresses; VERSION is the mark."""

    def __init__(self, name: str, line: Line, address: int, timing: Timing) -> None:
        super().__init__(name, line, wire.Decoder(), timing)
        self._address = address

    def _encoded(self, question: Frame) -> bytes:
        return wire.encode(question)

    def _answers(self, question: Frame, item: Frame) -> bytes | None:
        """Return the parameters."""
        if not item.is_reply or item.command != question.command or item.target != HOST:
            return None
        return item.params if self._address in (ANY_ADDRESS, item.source) else None

    def _new_mark(self) -> Frame:
        return wire.request(self._address, Command.VERSION)
