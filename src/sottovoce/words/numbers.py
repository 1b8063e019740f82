"""Numbers in sentences: digits that make sense beside an interval, shares, counts; what messages call by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from sottovoce.messages import (
    confidence_percent,
    decimals,
    decimals_needed,
    half_width,
    share_percent,
    short_number,
    without_powers,
)

Interval = tuple[float, float]
_ROUNDING = 1e-9
"""A standard error below this part of its number is rounding."""


class Catalogue(Protocol):
    """What functions need of a catalogue."""

    def say(self, code: str, /, **data: Any) -> str:
        """A message with data in it."""
        ...

    def shown(self, value: Any) -> str:
        """A value as it stands in a sentence."""
        ...


def shown(value: Any) -> str:
    """A value without a format of its own: whole numbers with separators, others by six digits."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return "" if value is None else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def plural(number: float) -> str:
    """The plural category of English, and of the languages that count like it."""
    return "one" if number == 1 else "other"


def rounded(value: float, ends: Interval, *, scale: float = 1.0, unit: str = "") -> str:
    """A value with the digits that its interval warrants; shares as percents by `scale` 100 and `unit` %."""
    places = decimals_needed(decimals(scale * half_width(ends)), *(scale * number for number in (value, *ends)))
    text = f"{scale * value:.{places}f}{unit}"
    return text[1:] if text[:1] == "-" and not text.strip("-0.%") else text


def number(value: float, digits: int = 4) -> str:
    """As pages write a number: so many digits, a true minus sign, powers of ten for very large and very small ones."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    if abs(value) < 1e-300:
        return "0"
    if 1e-4 <= abs(value) < 1e7:
        text = f"{float(f'{value:.{digits}g}'):,.10f}".rstrip("0").rstrip(".")
    else:
        mantissa, power = f"{value:.{digits - 1}e}".split("e")
        text = f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{int(power)}"
    return text.replace("-", "−")


def chance(share: float) -> str:
    """As pages write a share: per cent, by two digits, and three from ten on."""
    return f"{number(100 * share, 3 if abs(100 * share) >= 10 else 2)} %"


# ---- what messages call ----------------------------------------------------------------------------------------------


def _few(_: Catalogue, number: float, *, digits: float = 2) -> str:
    return short_number(number, int(digits))


def _g(_: Catalogue, number: float, *, digits: float = 6) -> str:
    return f"{number:.{int(digits)}g}"


def _fixed(_: Catalogue, number: float, decimals: float = 0, *, digits: float | None = None) -> str:
    return f"{number:.{int(decimals if digits is None else digits)}f}"


def _power(_: Catalogue, number: float, *, digits: float = 1) -> str:
    return f"{number:.{int(digits)}e}"


def _share(_: Catalogue, share: float, *, digits: float = 0) -> str:
    return f"{share:.{int(digits)}%}"


def _quoted(_: Catalogue, text: str | tuple[str, ...]) -> str:
    return ", ".join(map(repr, text)) if isinstance(text, tuple) else repr(text)


def _padded(_: Catalogue, number: float, decimals: int, width: int, *, sign: str = "") -> str:
    return f"{number:{sign}.{decimals}f}".rjust(width)


def _rounded(_: Catalogue, value: float, ends: Interval, *, scale: float = 1.0, unit: str = "") -> str:
    return rounded(value, ends, scale=scale, unit=unit)


def _between(own: Catalogue, ends: Interval, *, scale: float = 1.0, unit: str = "") -> str:
    low, high = (rounded(end, ends, scale=scale, unit=unit) for end in ends)
    return own.say("between", low=low, high=high) if ends[0] < ends[1] else own.say("at", low=low)


def _with_ends(
    own: Catalogue, value: float, ends: Interval, then: Any = "", *, scale: float = 1.0, unit: str = ""
) -> str:
    text = f"{rounded(value, ends, scale=scale, unit=unit)}{own.shown(then)}"
    if not ends[0] < ends[1]:
        return own.say("exactly", value=text)
    return own.say("value-and-ends", value=text, ends=_between(own, ends, scale=scale, unit=unit))


def _share_with_ends(own: Catalogue, value: float, ends: Interval) -> str:
    return _with_ends(own, value, ends, scale=100, unit="%")


def _unlucky(own: Catalogue, confidence: float) -> str:
    if not 0 < confidence < 1:
        return confidence_percent(1 - confidence)
    often = 1 / (1 - confidence)
    if abs(often - round(often)) < 0.01 * often:
        return own.say("one-in", count=round(often))
    return own.say("so-many-of-them", share=confidence_percent(1 - confidence))


def _beside_error(_: Catalogue, value: float, error: float | None) -> str:
    """A number with the digits that its standard error warrants, and the error behind it."""
    if error is None or not error > _ROUNDING * value:
        return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
    if not value < 1e7:
        return f"{value:.2g} ± {error:.1g}"
    exponent = math.floor(math.log10(error))
    digits = max(0, min(6, int(error < 3 * 10.0**exponent) - exponent))  # 0.8, but 0.21: one digit of it would be rough
    return f"{value:,.{digits}f} ± {error:,.{digits}f}"


def _texts(own: Catalogue, parts: Sequence[Any]) -> list[str]:
    return [own.shown(one) for one in parts]


def _list(own: Catalogue, parts: Sequence[Any]) -> str:
    *most, last = _texts(own, parts)
    return own.say("list-and", most=", ".join(most), last=last) if most else last


def _join(own: Catalogue, parts: Sequence[Any], *, by: str = "; ") -> str:
    return by.join(text for text in _texts(own, parts) if text)


def _capital(own: Catalogue, text: Any) -> str:
    words = own.shown(text)
    return words[:1].upper() + words[1:]


def _cut(own: Catalogue, text: Any, length: int) -> str:
    return own.shown(text)[:length]


def _table(own: Catalogue, rows: Sequence[Sequence[Any]], *, left: float = 0) -> str:
    """Rows as aligned lines, the first one a header: columns to the right, but for the first `left` of them."""
    cells = [_texts(own, row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
    return "\n".join(lines)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "BARE": lambda _, number: f"{number}",
    "BARE_LIST": lambda _, numbers: ", ".join(map(str, numbers)),
    "BESIDE_ERROR": _beside_error,
    "BETWEEN": _between,
    "CAPITAL": _capital,
    "COMMAS": lambda _, number: f"{number:,.7g}",
    "CHANCE": lambda _, share: chance(share),
    "CUT": _cut,
    "FEW": _few,
    "FIXED": _fixed,
    "G": _g,
    "GROUPED": lambda _, number, *, digits: f"{number:,.{int(digits)}f}",
    "HIGH": lambda _, ends: ends[-1],
    "JOIN": _join,
    "LIST": _list,
    "LOW": lambda _, ends: ends[0],
    "PAD": lambda own, text, *, length: own.shown(text).ljust(int(length)),
    "PADDED": _padded,
    "PART": lambda _, share: share_percent(share),
    "MOMENT": lambda _, seconds: datetime.fromtimestamp(seconds, UTC).strftime("%-d %B %Y, %H:%M UTC"),
    "NUMBER": lambda _, value, *, digits=4: number(value, int(digits)),
    "PERCENT": lambda _, confidence: confidence_percent(confidence),
    "PERCENT_2G": lambda _, share: f"{100 * share:.2g}%",
    "PLAIN_PERCENT": lambda _, share: f"{100 * share:g}%",
    "PLAINLY": lambda own, text: without_powers(own.shown(text)),
    "POWER": _power,
    "QUOTED": _quoted,
    "ROUNDED": _rounded,
    "SHARE": _share,
    "SHARE_WITH_ENDS": _share_with_ends,
    "SIGNED": lambda _, number, *, digits: without_powers(f"{number:+.{int(digits)}g}"),
    "TABLE": _table,
    "UNLUCKY": _unlucky,
    "WITH_ENDS": _with_ends,
}
"""Functions of the catalogue's files, by name; each gets the catalogue first."""
