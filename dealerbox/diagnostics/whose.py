"""Whose a port is: the running station's, or free to be asked."""

from pathlib import Path

from dealerbox.diagnostics.asking import ask, decoded
from dealerbox.model.view import View
from dealerbox.ports import DeviceGone, NotAllowed
from dealerbox.station.asked import Answer
from dealerbox_drivers.usb.names import is_usb


def refuse_taken(port: str, socket: str) -> str:
    """Return '' when the station at `socket` leaves `port` alone, or the sentence that none runs there.

    NotAllowed where the port is one of its devices', or a hand is open: nothing is asked of any device then.
    DeviceGone where a station runs and does not answer, NotAllowed too where it may not be asked.
    """
    try:
        view = decoded(socket, ask(socket, b'{"ask":"status"}'), View)
    except DeviceGone as error:
        if isinstance(error.__cause__, FileNotFoundError | ConnectionRefusedError):
            return str(error)
        raise
    if view.street:
        raise NotAllowed(f"hand {view.hand} is open at {view.table}: nothing is asked of a device before it is over")
    for device in decoded(socket, ask(socket, b'{"ask":"health"}'), Answer).devices:
        if _same(device.port, port):
            raise NotAllowed(
                f"{port}: the station holds it, for its device {device.name!r} ({device.condition}); "
                "`dealerbox diag list` says who answers there; to ask anew stop the station: systemctl stop dealerbox"
            )
    return ""


def hand_is_open(socket: str) -> bool:
    """Tell whether a station answers at `socket` that a hand is open."""
    try:
        return bool(decoded(socket, ask(socket, b'{"ask":"status"}'), View).street)
    except (DeviceGone, NotAllowed):
        return False


def _same(one: str, other: str) -> bool:
    if not one or is_usb(one) or is_usb(other):
        return one == other
    return Path(one).resolve() == Path(other).resolve()
