"""The clocks of the law: count, deck change, hours of the tournament (1804B(8), 1819, 1827; C1, C3, C12, T3)."""

from typing import Final

from msgspec.structs import replace

from dealerbox.engine.holds import notice, refuse, wake
from dealerbox.engine.phases import Phase
from dealerbox.engine.state import NOWHERE, Daytime, State, Tournament, change
from dealerbox.law.custody import (
    DAY_S,
    EARLIEST_DAY_S,
    MINUTE_NS,
    NEVER_NS,
    SECOND_NS,
    TOURNAMENT_NS,
    Reach,
    Since,
    change_margin_ns,
    count_margin_ns,
    dated,
    reach,
    rebooted,
    since_now,
    tournament_margin_ns,
    warning_ns,
)
from dealerbox.model.events import WallClock
from dealerbox.model.keys import Ruling
from dealerbox.model.reasons import Reason
from dealerbox.model.zones import Zone

LATEST_S: Final = 2**33
"""No clock that is right says a later time than this, of the year 2242."""
LONGEST_AGO_MIN: Final = 24 * 60
"""BEGAN reaches no further back."""
_NO_LIMIT_NS: Final = 1 << 62
"""Later than any time: no clock has a limit before it."""


def told_time(state: State, event: WallClock) -> State:
    """Take a reading of the wall clock; one known to be right dates what happened and bounds what a reboot hid."""
    if event.sure and not (0 <= event.day_s <= DAY_S and 0 <= event.wall_s <= LATEST_S):
        state = refuse(state, Reason.CLOCK_UNSURE, "time")
        event = replace(event, sure=False)
    state.wall = event
    if not event.sure:
        return state
    now_ns, wall_s = state.now_ns, event.wall_s
    held = state.tournament
    state = _new_evening(
        change(
            state,
            daytime=Daytime(now_ns, event.day_s),
            counted=dated(state.counted, now_ns, wall_s),
            changed=dated(state.changed, now_ns, wall_s),
            tournament=replace(
                held, began=dated(held.began, now_ns, wall_s), played=dated(held.played, now_ns, wall_s)
            ),
        )
    )
    return clocks(state)


def started(state: State, at_ns: int, boot_id: str) -> State:
    """The daemon started at `at_ns` of this boot's clock: within a boot elapsed time is exact, over a reboot not."""
    before_ns = state.now_ns
    state = change(state, now_ns=at_ns)
    if boot_id == state.boot_id and at_ns >= before_ns:
        return state
    held = state.tournament
    return change(
        state,
        boot_id=boot_id,
        wall=None,
        daytime=None,
        hour=None,
        counted=rebooted(state.counted, before_ns, at_ns),
        changed=rebooted(state.changed, before_ns, at_ns),
        tournament=replace(
            held, began=rebooted(held.began, before_ns, at_ns), played=rebooted(held.played, before_ns, at_ns)
        ),
    )


def opened(state: State) -> State:
    """A table that was closed opens again: after the six hours of the last tournament another may begin."""
    return _new_evening(change(state, clock_ns=0))


def _new_evening(state: State) -> State:
    held = state.tournament
    if not held.closed or state.phase is Phase.CLOSED:
        return state
    earliest_ns = held.began.earliest_ns
    passed_ns = state.now_ns - (earliest_ns if earliest_ns > NEVER_NS else held.began.latest_ns)
    if held.began.latest_ns > NEVER_NS and passed_ns <= TOURNAMENT_NS:
        return state
    return change(state, tournament=Tournament(), warned=state.warned - {Reason.TOURNAMENT_OVER})


def closed(state: State) -> State:
    """The evening ends at this table."""
    return change(state, tournament=replace(state.tournament, closed=True, paused=False))


def begun(state: State) -> State:
    """A hand starts: the tournament has begun, at this moment unless the director said when (T3)."""
    held = state.tournament
    now = since_now(state.now_ns)
    return clocks(
        change(
            state,
            tournament=Tournament(
                began=held.began if _has(held.began) else now,
                played=held.played if _has(held.played) else now,
                lawful_hour=True,
            ),
        )
    )


def _has(since: Since) -> bool:
    return since.latest_ns > NEVER_NS


def said_began(state: State, minutes: int) -> State:
    """BEGAN: the director says how many minutes ago the tournament began (T3).

    Not later than the first hand at this table, nor before 13:30: the hours are not his to waive (C14).
    """
    held = state.tournament
    at_ns = state.now_ns - minutes * MINUTE_NS
    other_evening = held.closed and reach(held.played, state.now_ns, TOURNAMENT_NS) is not Reach.WITHIN
    if not 0 <= minutes <= LONGEST_AGO_MIN or (at_ns > held.played.latest_ns > NEVER_NS and not other_evening):
        return refuse(state, Reason.NO_AUTHORITY, Ruling.BEGAN)
    day_s = _day_s(state)
    if day_s is not None and (day_s - minutes * 60) % DAY_S < EARLIEST_DAY_S:
        return refuse(state, Reason.OUTSIDE_HOURS, Ruling.BEGAN)
    told = replace(
        held,
        began=Since(at_ns, at_ns),
        played=Since() if other_evening else held.played,
        lawful_hour=day_s is not None or (held.lawful_hour and not other_evening),
        closed=False,
    )
    return clocks(change(state, tournament=told, warned=state.warned - {Reason.TOURNAMENT_OVER}))


def said_hour(state: State, minutes: int) -> State:
    """HOUR: where no wall clock is known to be right, the director says the local time in minutes since midnight.

    0 confirms the hour that the wall clock shows.
    """
    shown = state.wall
    if state.daytime is not None or not 0 <= minutes < DAY_S // 60 or (not minutes and shown is None):
        return refuse(state, Reason.NO_AUTHORITY, Ruling.HOUR)
    if minutes or shown is None:
        return change(state, hour=Daytime(state.now_ns, minutes * 60))
    return change(state, hour=Daytime(shown.at_ns, shown.day_s))


def paused(state: State, pause: bool) -> State:
    """PAUSE (hand-for-hand): no hand starts before RESUME; the clocks go on (C12)."""
    if state.phase is Phase.CLOSED or state.tournament.paused is pause:
        return refuse(state, Reason.NOT_NOW, Ruling.PAUSE if pause else Ruling.RESUME)
    return change(state, tournament=replace(state.tournament, paused=pause))


def _day_s(state: State) -> int | None:
    """Return the local seconds since midnight; None where nobody knows."""
    known = state.daytime or state.hour
    return None if known is None else (known.day_s + (state.now_ns - known.at_ns) // SECOND_NS) % DAY_S


def counted(state: State) -> State:
    """The dealer has confirmed a complete count: its clock begins anew (C1, C2)."""
    warned = state.warned - {Reason.COUNT_DUE, Reason.COUNT_OVERDUE}
    return clocks(change(state, counted=since_now(state.now_ns), count_owed=False, warned=warned))


def came_into_play(state: State) -> State:
    """A deck came into play: the two hours begin (1804B(8))."""
    warned = state.warned - {Reason.DECK_CHANGE_DUE, Reason.DECK_CHANGE_OVERDUE}
    return change(state, changed=since_now(state.now_ns), warned=warned)


def clocks(state: State) -> State:
    """Tell once that a limit is near, and once that it has passed, or ask to be woken then (C1)."""
    state.clock_ns = _NO_LIMIT_NS
    if state.sealed:
        house = state.setup.house
        count_ns, change_ns = count_margin_ns(house), change_margin_ns(house)
        state = _told(state, Reason.COUNT_DUE, state.counted, warning_ns(count_ns))
        state = _told(state, Reason.DECK_CHANGE_DUE, state.changed, warning_ns(change_ns))
        state = _told(state, Reason.COUNT_OVERDUE, state.counted, house.count_every_min * MINUTE_NS)
        state = _told(state, Reason.DECK_CHANGE_OVERDUE, state.changed, house.deck_change_every_min * MINUTE_NS)
    if state.phase is not Phase.CLOSED:
        state = _told(state, Reason.TOURNAMENT_OVER, state.tournament.began, TOURNAMENT_NS)
    return state


def _told(state: State, reason: Reason, since: Since, after_ns: int) -> State:
    """Tell of a limit once it is surely past; where the clock is unsure, START says so."""
    since_ns = since.earliest_ns if since.earliest_ns > NEVER_NS else since.latest_ns
    due_ns = since_ns + after_ns
    if since_ns <= NEVER_NS or reason in state.warned:
        return state
    if state.now_ns < due_ns:
        state.clock_ns = min(state.clock_ns, due_ns)
        return wake(state, due_ns)
    return notice(change(state, warned=state.warned | {reason}), reason)


def over_fault(state: State) -> tuple[Reason, Zone] | None:
    """Return why no hand may start any more, or not yet: the tournament is paused, or its hours are over (T3)."""
    held = state.tournament
    if held.paused:
        return Reason.PAUSED, NOWHERE
    if not _has(held.began):
        return None
    match reach(held.began, state.now_ns, tournament_margin_ns(state.setup.house)):
        case Reach.PAST:
            return Reason.TOURNAMENT_OVER, NOWHERE
        case Reach.UNSURE:
            known = held.began.earliest_ns > NEVER_NS
            return Reason.TOURNAMENT_OVER if known else Reason.CLOCK_UNSURE, NOWHERE
        case _:
            return None


def hour_fault(state: State) -> tuple[Reason, Zone] | None:
    """Return why the tournament may not begin at this hour; None when it may, or lawfully has (1827)."""
    held = state.tournament
    if held.lawful_hour:
        return None
    day_s = _day_s(state)
    if day_s is None:
        return Reason.OUTSIDE_HOURS, NOWHERE
    ago_s = (state.now_ns - held.began.earliest_ns) // SECOND_NS if _has(held.began) else 0
    return (Reason.OUTSIDE_HOURS, NOWHERE) if (day_s - ago_s) % DAY_S < EARLIEST_DAY_S else None


def deck_clock_fault(state: State) -> tuple[Reason, Zone] | None:
    """Return which clock of the deck lets no hand start: within the margin of its limit, or not known (C1, C12)."""
    if state.count_owed:
        return Reason.COUNT_OVERDUE, NOWHERE
    house = state.setup.house
    for reason, since, margin_ns in (
        (Reason.COUNT_OVERDUE, state.counted, count_margin_ns(house)),
        (Reason.DECK_CHANGE_OVERDUE, state.changed, change_margin_ns(house)),
    ):
        reached = reach(since, state.now_ns, margin_ns)
        if reached is not Reach.WITHIN:
            known = reached is Reach.PAST or since.earliest_ns > NEVER_NS
            return reason if known else Reason.CLOCK_UNSURE, NOWHERE
    return None


def unsure(state: State) -> Reason | None:
    """Return the limit whose clock is unsure: its own remedy is the remedy of `clock_unsure`; None: no clock is."""
    began = state.tournament.began
    if _has(began) and began.earliest_ns <= NEVER_NS:
        return Reason.TOURNAMENT_OVER
    if _has(state.counted) and state.counted.earliest_ns <= NEVER_NS:
        return Reason.COUNT_OVERDUE
    if _has(state.changed) and state.changed.earliest_ns <= NEVER_NS:
        return Reason.DECK_CHANGE_OVERDUE
    return None
