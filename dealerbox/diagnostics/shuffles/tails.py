"""How often chance alone does as much, for the three distributions that the tests need."""

from math import erfc, exp, lgamma, log, sqrt
from typing import Final

_STEPS: Final = 1000
_SMALL: Final = 1e-15


def normal(z: float) -> float:
    """Return the chance that a normal deviate is as far from 0 as `z`, on either side."""
    return erfc(abs(z) / sqrt(2))


def chi_square(x: float, degrees: int) -> float:
    """Return the chance that chi-square is `x` or more."""
    return 1.0 if x <= 0 or not degrees else upper_gamma(degrees / 2, x / 2)


def poisson(count: int, mean: float) -> float:
    """Return the chance that so many or more come where `mean` are expected."""
    return 1.0 if count <= 0 else lower_gamma(count, mean)


def upper_gamma(a: float, x: float) -> float:
    """Return the regularized upper incomplete gamma function Q(a, x) (Abramowitz and Stegun, 6.5)."""
    if x <= 0:
        return 1.0
    return 1.0 - _scale(a, x) * _series(a, x) if x < a + 1 else _scale(a, x) * _fraction(a, x)


def lower_gamma(a: float, x: float) -> float:
    """Return P(a, x) = 1 - Q(a, x), exact where it is tiny."""
    if x <= 0:
        return 0.0
    return _scale(a, x) * _series(a, x) if x < a + 1 else 1.0 - _scale(a, x) * _fraction(a, x)


def _scale(a: float, x: float) -> float:
    return exp(a * log(x) - x - lgamma(a))


def _series(a: float, x: float) -> float:
    term = total = 1.0 / a
    for step in range(1, _STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _SMALL:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """Return 6.5.31 by Lentz's method."""
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    value = d
    for step in range(1, _STEPS):
        part = -step * (step - a)
        b += 2.0
        d = 1.0 / (part * d + b)
        c = b + part / c
        value *= d * c
        if abs(d * c - 1.0) < _SMALL:
            break
    return value
