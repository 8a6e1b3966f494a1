"""From the view to the dealer's panel: one thing at a time."""

from dealerbox.model.commands import Show
from dealerbox.model.view import Standing, View


def show(view: View) -> Show:
    """Return what the panel shows of a view: a hold first, then a refusal, then the prompt."""
    return Show(
        lamp=view.lamp,
        buzzer=view.buzzer,
        lines=_lines(view),
        lit=tuple(key.value for key in view.lit),
    )


def _lines(view: View) -> tuple[str, ...]:
    if view.holds:
        held = _said(view.holds[0])
        return held if view.prompt in ("", view.holds[0].remedy) else (*held, view.prompt)
    if view.refused is not None:
        return (*_said(view.refused), view.prompt)
    noted = tuple(notice.what for notice in view.notices[:1])
    return (view.prompt, *noted)


def _said(standing: Standing) -> tuple[str, ...]:
    """Return what happened, what to do, and under which clause; the clause of a house rule is no number."""
    clause = f"§{standing.clause}" if standing.clause[:1].isdigit() else standing.clause
    return (standing.what, standing.remedy, f"{standing.reason} ({clause})")
