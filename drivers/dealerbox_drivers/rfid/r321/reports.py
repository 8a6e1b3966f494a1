"""HID reports of 64 bytes: the first says how many of the rest belong to the stream of frames."""

from typing import Final

from dealerbox.ports import Line, WireError

REPORT: Final = 64
ROOM: Final = REPORT - 1


def reports(data: bytes) -> list[bytes]:
    """Return the reports that carry `data`."""
    parts = [data[at : at + ROOM] for at in range(0, len(data), ROOM)]
    return [(bytes((len(part),)) + part).ljust(REPORT, b"\0") for part in parts]


def carried(report: bytes) -> bytes | WireError:
    """Return what one report carries; its count is of this report, never of the frame."""
    if len(report) != REPORT or report[0] > ROOM:
        return WireError(f"report of {len(report)} bytes that counts {report[:1].hex() or 'none'}")
    return report[1 : 1 + report[0]]


class Reports:
    """A Line over a line whose bytes come and go in reports."""

    def __init__(self, line: Line) -> None:
        self.faults = 0
        """Reports that carry nothing that can be read."""
        self._line = line
        self._begun = b""

    async def read(self) -> bytes:
        data = b""
        while not data:
            unread = self._begun + await self._line.read()
            whole = len(unread) // REPORT * REPORT
            self._begun = unread[whole:]
            for at in range(0, whole, REPORT):
                part = carried(unread[at : at + REPORT])
                if isinstance(part, WireError):
                    self.faults += 1
                else:
                    data += part
        return data

    def write(self, data: bytes) -> None:
        for report in reports(data):
            self._line.write(report)

    def close(self) -> None:
        self._begun = b""
        self._line.close()
