"""What goes wrong with clocks: the wall clock steps, the computer loses its power and comes up with a clock or none."""

from collections.abc import Callable
from typing import Final

from dealerbox.model.reasons import Reason
from dealerbox.simulate.faults import Kind
from dealerbox.simulate.people import Acts, Dealer

STEPS_S: Final = (1, 2, 90, 3_600, 6 * 3_600, 31_536_000)
"""How far a wall clock may step, either way: a leap smeared, a battery that is empty."""
AWAY_S: Final = (0, 300, 3 * 3_600)
"""How long the power is gone."""
LONG_S: Final = 3_600
NIGHT: Final = 0.1
"""How often it is gone for so long that nobody plays on with this deck tonight: of those that could be."""
SET_RIGHT_S: Final = (5.0, 60.0)
"""When the time daemon has the right time again."""


def _dealing(dealer: Dealer) -> bool:
    return dealer.hand is not None and dealer.hand.placed > 0


def _wrong_s(dealer: Dealer) -> int:
    return dealer.rng.choice((-1, 1)) * dealer.rng.choice(STEPS_S)


def _set_right(dealer: Dealer) -> None:
    """Let the time daemon set the wall clock right after a while."""

    def later() -> Acts:
        yield dealer.pause(*SET_RIGHT_S)
        dealer.table.set_wall(0, sure=True)

    dealer.table.start(later())


def _stepped(dealer: Dealer) -> Acts:
    """The wall clock steps, and is set right later."""
    dealer.table.set_wall(_wrong_s(dealer), sure=False)
    _set_right(dealer)
    yield 0.2


def _rebooted(good: bool) -> Callable[[Dealer], Acts]:
    def do(dealer: Dealer) -> Acts:
        """The computer loses its power and starts again."""
        long = dealer.rng.random() < NIGHT
        away_s = dealer.rng.choice([away for away in AWAY_S if (away > LONG_S) is long])
        dealer.table.set_wall(0 if good else _wrong_s(dealer), sure=good)
        dealer.table.reboot(away_s)
        if not good:
            _set_right(dealer)
        yield 0.5

    do.__doc__ = (
        f"The power is gone for a while, and the computer comes up {'with' if good else 'without'} a good clock."
    )
    return do


_WHENEVER: Final = ("round", "card", "next")

CLOCKS: dict[str, Kind] = {
    "wall_stepped": Kind((*_WHENEVER, "start"), frozenset(), lambda dealer: True, _stepped),
    "rebooted": Kind(_WHENEVER, frozenset({Reason.RESTARTED}), _dealing, _rebooted(True)),
    "rebooted_unsure": Kind(_WHENEVER, frozenset({Reason.RESTARTED}), _dealing, _rebooted(False)),
}
