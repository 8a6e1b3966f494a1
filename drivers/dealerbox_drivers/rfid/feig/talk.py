"""Questions and answers with one FEIG reader over one open line."""

from dealerbox.ports import Line
from dealerbox_drivers.rfid import talk
from dealerbox_drivers.rfid.feig import wire
from dealerbox_drivers.rfid.feig.wire import ANY_ADDRESS, Frame


class Timing(talk.Timing, frozen=True, kw_only=True):
    """What a FEIG reader needs: 5 ms before a question, no character later than 12 ms (H60301-3e, p. 18).

    To set a configuration block takes 300 ms, to set all of them 600.
    """

    settle_ms: int = 5
    """After the multiplexer has switched, before the field is reset."""


class Talk(talk.Talk[Frame]):
    """An answer is taken by command and address; SOFTWARE_VERSION is the mark."""

    def __init__(self, name: str, line: Line, address: int, timing: talk.Timing) -> None:
        super().__init__(name, line, wire.Decoder(), timing)
        self._address = address

    def _encoded(self, question: Frame) -> bytes:
        return wire.encode(question)

    def _answers(self, question: Frame, item: Frame) -> bytes | None:
        """Return the payload, its status first."""
        if item.command != question.command or self._address not in (ANY_ADDRESS, item.address):
            return None
        return item.payload or None

    def _new_mark(self) -> Frame:
        return Frame(self._address, wire.Command.SOFTWARE_VERSION)
