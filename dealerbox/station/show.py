"""From the view to the dealer's panel, one thing at a time, and to the service manager, in a line."""

from collections.abc import Sequence

from dealerbox.model.commands import Show
from dealerbox.model.reasons import Reason
from dealerbox.model.view import View
from dealerbox.station.condition import Condition, DeviceHealth


def show(view: View) -> Show:
    """Return what the panel shows of a view: a hold first, then a refusal, then the prompt.

    What a technician is refused in mid-hand is said to him, at his socket, and not to the dealer.
    """
    head, said = _said(view)
    return Show(
        lamp=view.lamp,
        buzzer=view.buzzer,
        head=head,
        said=said,
        prompt=view.prompt,
        lit=tuple(key.value for key in view.lit),
        go=view.go,
        menu=view.menu,
    )


def status_line(view: View, devices: Sequence[DeviceHealth], trouble: str = "") -> str:
    """Return what the service manager shows of a station: the first hold or the phase, and what is amiss.

    `trouble`: of the station itself; '' none.
    """
    said = view.holds[0].what if view.holds else view.phase
    away = [f"{device.name}: {device.why}" for device in devices if device.why]
    waiting = [f"{device.name}: opening" for device in devices if device.condition is Condition.OPENING]
    return "; ".join([said, *([trouble] if trouble else []), *away, *waiting])


def _said(view: View) -> tuple[str, str]:
    """Return the line above and what happened; the remedy of what stands is the prompt's business.

    A hold whose remedy is not what the prompt asks for now is told by its name alone.
    """
    if view.holds:
        held = next((hold for hold in view.holds if hold.remedy == view.prompt), None)
        if held is None:
            held = view.holds[0]
            return f"HELD {held.clause}", f"{held.reason.replace('_', ' ').capitalize()}."
        return f"HELD {held.clause}", held.what
    refused = view.refused
    if refused is not None and not (view.street and refused.reason == Reason.SERVICE):
        return f"NO {refused.clause}", "" if view.prompt.startswith(refused.what) else refused.what
    noted = next((notice.what for notice in view.notices), "")
    return _where(view), noted


def _where(view: View) -> str:
    """Return where the table is in its evening; between hands with the journal's head, as far as there is room."""
    head = short(view.head)
    if view.twins:
        return f"Twins {f'hand {view.hand} {view.street}' if view.street else head or view.phase}"
    if view.street:
        return f"Hand {view.hand} {view.street}"
    if not head:
        return view.phase.capitalize().replace("Between", "Between hands")
    return f"{'Gather' if view.phase == 'gathering' else view.phase.capitalize()} {head}"


def short(head: str) -> str:
    """Return as much of a journal's head as a panel shows, to be written down or compared by eye."""
    seq, _, digest = head.partition(":")
    return f"{seq}:{digest[:8]}" if digest else ""
