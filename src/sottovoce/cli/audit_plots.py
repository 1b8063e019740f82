"""The plots of the audit's page, as inline SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from sottovoce.audit import Series

WIDTH = 1000


def _svg(height: float, parts: Sequence[str], label: str, *, width: float = WIDTH) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(label)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "var(--line)", width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def _text(x: float, y: float, words: str, *, anchor: str = "middle", kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{escape(words)}</text>'


def _dot(x: float, y: float, passed: bool) -> str:
    colour = "var(--blue)" if passed else "var(--bad)"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}" fill-opacity=".55"/>'


def slack(rows: Sequence[tuple[str, Sequence[tuple[float, bool]]]]) -> str:
    """Dots on a logarithmic axis, one row for each mechanism; what overspends stands left of a line, in red."""
    low, high = -21, 1
    left, right, row, top = 220.0, 20.0, 22.0, 34.0
    bottom = top + row * len(rows)

    def place(exponent: float) -> float:
        return left + 40 + (WIDTH - left - 40 - right) * (exponent - low) / (high - low)

    parts = []
    for exponent in range(low, high + 1, 2):
        x = place(exponent)
        parts += [_line(x, top - 8, x, bottom), _text(x, top - 14, "1" if exponent == 0 else f"1e{exponent}")]
    parts += [_line(left + 20, top - 8, left + 20, bottom, "var(--soft)", 1.5), _text(left + 2, top - 14, "over")]
    for place_of, (name, values) in enumerate(rows):
        y = top + row * (place_of + 0.5)
        parts.append(_text(left - 12, y + 4, name, anchor="end", kind="name"))
        for value, passed in values:
            x = place(min(high, max(low, math.log10(value)))) if value > 0 else left + 20 if value == 0 else left + 4
            parts.append(_dot(x, y, passed))
    return _svg(bottom + 10, parts, "Slack of every question on a logarithmic axis")


def seen(points: Sequence[tuple[float, float, bool]]) -> str:
    """Lower bounds against declared ε, both on logarithmic axes, with the diagonal."""
    low, high = math.log10(0.05), math.log10(40)
    left, right, top, height = 60.0, 20.0, 14.0, 430.0
    bottom = top + height

    def across(value: float) -> float:
        return left + (WIDTH - left - right) * (min(high, max(low, math.log10(max(value, 1e-9)))) - low) / (high - low)

    def up(value: float) -> float:
        return bottom - height * (min(high, max(low, math.log10(max(value, 1e-9)))) - low) / (high - low)

    parts = []
    for tick in (0.1, 0.5, 1, 2, 4, 8, 16, 32):
        parts += [_line(across(tick), top, across(tick), bottom), _text(across(tick), bottom + 18, f"{tick:g}")]
        parts += [
            _line(left, up(tick), WIDTH - right, up(tick)),
            _text(left - 10, up(tick) + 4, f"{tick:g}", anchor="end"),
        ]
    parts.append(_text(left - 10, bottom + 4, "none", anchor="end"))
    parts.append(_line(across(0.05), up(0.05), across(40), up(40), "var(--amber)", 2))
    parts += [_dot(across(declared), up(bound), passed) for declared, bound, passed in points]
    parts.append(_text((left + WIDTH) / 2, bottom + 36, "declared ε"))
    parts.append(_text(left + 8, top + 12, "ε proven from reports", anchor="start"))
    parts.append(_text(across(30), up(30) + 24, "declared = spent", anchor="end"))
    return _svg(bottom + 44, parts, "Lower bounds on ε from reports against declared ε")


def shares(series: Series) -> str:
    """Two samples as bars side by side."""
    width, left, top, height = 520.0, 44.0, 26.0, 190.0
    bottom, step = top + height, (width - left - 10) / len(series.cells)
    most = max(0.05, *series.first, *series.second)
    parts = []
    for tick in (0.0, 0.5, 1.0):
        y = bottom - height * tick
        parts += [_line(left, y, width - 10, y), _text(left - 6, y + 4, f"{tick * most:.0%}", anchor="end")]
    for place, name in enumerate(series.cells):
        x = left + step * place
        for shift, share, colour in (
            (0.12, series.first[place], "var(--blue)"),
            (0.5, series.second[place], "var(--amber)"),
        ):
            tall = height * share / most
            parts.append(
                f'<rect x="{x + shift * step:.1f}" y="{bottom - tall:.1f}" width="{0.38 * step:.1f}" '
                f'height="{tall:.1f}" fill="{colour}"/>'
            )
        if place % 2 == 0:
            parts.append(_text(x + step / 2, bottom + 16, name))
    parts += [
        f'<rect x="{left}" y="4" width="10" height="10" fill="var(--blue)"/>',
        _text(left + 16, 13, series.labels[0], anchor="start"),
        f'<rect x="{left + 80}" y="4" width="10" height="10" fill="var(--amber)"/>',
        _text(left + 96, 13, series.labels[1], anchor="start"),
        _text(width / 2, bottom + 34, "place of the lowest bit"),
    ]
    return _svg(bottom + 42, parts, f"{series.title}: place of the lowest bit", width=width)
