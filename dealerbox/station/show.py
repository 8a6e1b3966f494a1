"""From the view to the dealer's panel: one thing at a time."""

from dealerbox.model.commands import Show
from dealerbox.model.view import View


def show(view: View) -> Show:
    """Return what the panel shows of a view: a hold first, then a refusal, then the prompt."""
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
    if view.refused is not None:
        refused = view.refused
        return f"NO {refused.clause}", "" if view.prompt.startswith(refused.what) else refused.what
    where = f"Hand {view.hand} {view.street}" if view.street else view.phase.capitalize()
    noted = next((notice.what for notice in view.notices), "")
    return where.replace("Between", "Between hands"), noted
