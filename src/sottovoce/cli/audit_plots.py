"""The plots of the audit's page, as inline SVG: each drawn twice, for a desk and for a phone, with words for the ear.

What failed is told by its shape and its place, and not by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from sottovoce.audit import Series
from sottovoce.messages import Fact

WIDE, NARROW = 960.0, 350.0
Rows = Sequence[tuple[str, Sequence[tuple[float, bool]]]]
Points = Sequence[tuple[float, float, bool]]


def both(draw: Callable[[float], str]) -> str:
    """A picture for wide windows and one for narrow ones, of which a page shows one."""
    return f'<div class="wide">{draw(WIDE)}</div><div class="narrow">{draw(NARROW)}</div>'


def _svg(size: tuple[float, float], parts: Sequence[str], title: Fact, told: Fact) -> str:
    """A picture with a name and a description, which is read out in its place."""
    (width, height), name, words = size, escape(str(title)), escape(str(told))
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{name}. {words}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{name}</title><desc>{words}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "line", width: float = 1) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke-width="{width}"/>'


def _text(x: float, y: float, words: Fact | str, *, anchor: str = "middle", kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{escape(str(words))}</text>'


def _dot(x: float, y: float, passed: bool) -> str:
    """A dot, or a cross."""
    if passed:
        return f'<circle class="held" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
    return f'<path class="broken" d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"/>'


def slack(rows: Rows, width: float) -> str:
    """Dots on a logarithmic axis, one row for each mechanism; what overspends stands left of a line, as a cross.

    Where there is little room a name stands above its row.
    """
    narrow = width < 600
    low, high = -21, 1
    left, right, row, top = (4.0, 14.0, 42.0, 34.0) if narrow else (250.0, 20.0, 24.0, 34.0)
    bottom = top + row * len(rows)

    def place(exponent: float) -> float:
        return left + 44 + (width - left - 44 - right) * (exponent - low) / (high - low)

    parts = []
    for exponent in range(-20, high + 1, 5 if narrow else 2):
        x = place(exponent)
        parts += [_line(x, top - 8, x, bottom), _text(x, top - 14, "1" if exponent == 0 else f"1e{exponent}")]
    parts += [_line(left + 24, top - 8, left + 24, bottom, "axis", 1.5)]
    parts.append(_text(left, top - 14, Fact("picture-audit-over"), anchor="start"))
    for turn, (name, values) in enumerate(rows):
        y = top + row * (turn + (0.72 if narrow else 0.5))
        at = (left + 30, y - 14, "start") if narrow else (left - 12, y + 4, "end")
        parts.append(_text(at[0], at[1], name, anchor=at[2], kind="ink"))
        for value, passed in values:
            x = place(min(high, max(low, math.log10(value)))) if value > 0 else left + 24 if value == 0 else left + 8
            parts.append(_dot(x, y, passed))
    over = sum(not passed for _, values in rows for _, passed in values)
    least, name = min((value, name) for name, values in rows for value, _ in values)
    dots = sum(len(values) for _, values in rows)
    told = Fact("picture-audit-slack-told", dots=dots, rows=len(rows), over=over, least=f"{least:.1e}", name=name)
    return _svg((width, bottom + 10), parts, Fact("picture-audit-slack"), told)


def seen(points: Points, width: float) -> str:
    """Lower bounds against declared ε, both on logarithmic axes, with the diagonal."""
    narrow = width < 600
    low, high = math.log10(0.05), math.log10(40)
    left, right, top, height = (44.0, 10.0, 14.0, 300.0) if narrow else (60.0, 20.0, 14.0, 430.0)
    bottom = top + height

    def along(value: float) -> float:
        return (min(high, max(low, math.log10(max(value, 1e-9)))) - low) / (high - low)

    def across(value: float) -> float:
        return left + (width - left - right) * along(value)

    def up(value: float) -> float:
        return bottom - height * along(value)

    parts = []
    for tick in (0.1, 0.5, 1, 2, 4, 8, 16, 32):
        parts += [_line(across(tick), top, across(tick), bottom), _text(across(tick), bottom + 18, f"{tick:g}")]
        parts += [
            _line(left, up(tick), width - right, up(tick)),
            _text(left - 8, up(tick) + 4, f"{tick:g}", anchor="end"),
        ]
    parts.append(_text(left - 8, bottom + 4, Fact("picture-audit-none"), anchor="end"))
    parts.append(_line(across(0.05), up(0.05), across(40), up(40), "even", 2))
    parts += [_dot(across(declared), up(bound), passed) for declared, bound, passed in points]
    parts.append(_text((left + width) / 2, bottom + 38, Fact("picture-audit-declared")))
    parts.append(_text(left + 8, top + 12, Fact("picture-audit-proven"), anchor="start"))
    slope = math.degrees(math.atan2(height, width - left - right))
    words = _text(0, -8, Fact("picture-audit-even"))
    parts.append(f'<g transform="translate({across(11):.1f} {up(11):.1f}) rotate({-slope:.2f})">{words}</g>')
    above = sum(not passed for *_, passed in points)
    told = Fact("picture-audit-seen-told", tests=len(points), above=above)
    return _svg((width, bottom + 46), parts, Fact("picture-audit-seen"), told)


def shares(series: Series) -> str:
    """Two samples as bars side by side."""
    width, left, top, height = 400.0, 44.0, 30.0, 190.0
    bottom, step = top + height, (width - left - 10) / len(series.cells)
    most = max(0.05, *series.first, *series.second)
    parts = []
    for tick in (0.0, 0.5, 1.0):
        y = bottom - height * tick
        parts += [_line(left, y, width - 10, y), _text(left - 6, y + 4, f"{tick * most:.0%}", anchor="end")]
    for place, name in enumerate(series.cells):
        x = left + step * place
        for shift, share, kind in ((0.1, series.first[place], "model"), (0.5, series.second[place], "second")):
            tall = height * share / most
            parts.append(
                f'<rect class="{kind}" x="{x + shift * step:.1f}" y="{bottom - tall:.1f}" width="{0.4 * step:.1f}" '
                f'height="{tall:.1f}"/>'
            )
        if place % 4 == 0:
            parts.append(_text(x + step / 2, bottom + 18, name))
    for turn, (label, kind) in enumerate(zip(series.labels, ("model", "second"), strict=True)):
        x = left + 90 * turn
        parts += [f'<rect class="{kind}" x="{x}" y="4" width="12" height="12"/>']
        parts.append(_text(x + 18, 15, label, anchor="start"))
    parts.append(_text(left + (width - left) / 2, bottom + 38, Fact("picture-audit-bit")))
    pairs = list(zip(series.first, series.second, strict=True))
    alone = sum(one + other for one, other in pairs if min(one, other) == 0.0) / 2
    told = Fact("picture-audit-shares-told", alone=alone)
    return _svg((width, bottom + 46), parts, Fact("picture-audit-shares", title=series.title), told)
