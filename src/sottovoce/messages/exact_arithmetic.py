"""Rational bounds on exp and log: the arithmetic in which every privacy claim is checked.

`decimal` rounds ``exp`` and ``ln`` correctly at any precision, so one unit in the last place in the safe
direction turns each result into a proof. None of these bounds is a float.

The functions `nearest_…` give floats, for numbers that go into questions: those of ``math`` differ in their last bit
from one processor to another. They take up to a tenth of a millisecond.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache

DIGITS = 70
_MARGIN = Fraction(1, 10 ** (DIGITS - 5))
_DOWN = Context(prec=DIGITS, rounding=ROUND_FLOOR)
_UP = Context(prec=DIGITS, rounding=ROUND_CEILING)
_NEAR = Context(prec=40)


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def exp_below(exponent: Fraction) -> Fraction:
    """A rational at most ``e^exponent``, closer than one part in 10^60."""
    return Fraction(_DOWN.exp(_decimal(exponent, _DOWN))) * (1 - _MARGIN)


@lru_cache(maxsize=512)
def log_above(ratio: Fraction) -> Fraction:
    """A rational at least ``ln(ratio)``, closer than 10^-60."""
    return Fraction(_UP.ln(_decimal(ratio, _UP))) + _MARGIN


@lru_cache(maxsize=512)
def log_below(ratio: Fraction) -> Fraction:
    """A rational at most ``ln(ratio)``, closer than 10^-60."""
    return Fraction(_DOWN.ln(_decimal(ratio, _DOWN))) - _MARGIN


@lru_cache(maxsize=512)
def nearest_exp(exponent: float) -> float:
    """The float nearest to ``e^exponent``: the same on every processor."""
    return float(_NEAR.exp(Decimal(float(exponent))))


@lru_cache(maxsize=512)
def nearest_log(number: float) -> float:
    """The float nearest to ``ln(number)``: the same on every processor."""
    return float(_NEAR.ln(Decimal(float(number))))


@lru_cache(maxsize=512)
def nearest_power(base: float, exponent: float) -> float:
    """The float nearest to a power of a positive number: the same on every processor."""
    return float(_NEAR.power(Decimal(float(base)), Decimal(float(exponent))))


@lru_cache(maxsize=512)
def nearest_sin(angle: float) -> float:
    """The float nearest to the sine of an angle between −π and π: the same on every processor."""
    term = total = at = Decimal(float(angle))
    square = _NEAR.multiply(at, at)
    for number in range(3, 60, 2):  # π^59/59! is below 10^-50
        term = _NEAR.divide(_NEAR.multiply(_NEAR.minus(term), square), Decimal(number * (number - 1)))
        total = _NEAR.add(total, term)
    return float(total)


@lru_cache(maxsize=512, typed=True)
def exact(epsilon: float | Fraction) -> Fraction:
    """The number a person means by a float: its shortest decimal. Ten times 0.1 is one, here."""
    return epsilon if isinstance(epsilon, Fraction) else Fraction(repr(float(epsilon)))
