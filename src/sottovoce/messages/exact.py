"""Rational bounds on exp and log: the arithmetic in which every privacy claim is checked.

`decimal` rounds ``exp`` and ``ln`` correctly at any precision, so one unit in the last place in the safe
direction turns each result into a proof. Nothing here is a float.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache

DIGITS = 70
_MARGIN = Fraction(1, 10 ** (DIGITS - 5))
_DOWN = Context(prec=DIGITS, rounding=ROUND_FLOOR)
_UP = Context(prec=DIGITS, rounding=ROUND_CEILING)


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


@lru_cache(maxsize=512, typed=True)
def exact(epsilon: float | Fraction) -> Fraction:
    """The number a person means by a float: its shortest decimal. Ten times 0.1 is one, here."""
    return epsilon if isinstance(epsilon, Fraction) else Fraction(repr(float(epsilon)))
