"""The picture of an answer on a page: marks and bars in boxes that follow the page's width, curves in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from sottovoce.answers import Marks, Ribbon, drawing, drawn_number

if TYPE_CHECKING:
    from sottovoce.answers import Answer, Mark

STYLE = """
figure.answer { margin:1.5rem 0 } figure.answer figcaption { color:var(--soft); font-size:.9rem }
.marks .row { display:grid; grid-template-columns:9rem 1fr 4.5rem; gap:0 .8rem; align-items:center; margin:.35rem 0 }
.marks.wide .row { grid-template-columns:12.5rem 1fr 11rem } .marks.wide .number { text-align:left }
.marks .name { overflow-wrap:anywhere } .marks .number { font-variant-numeric:tabular-nums; text-align:right }
.track { position:relative; height:1.6rem; background:var(--card); border:1px solid var(--line); border-radius:4px }
.track i { position:absolute; display:block }
.track .ends { top:35%; height:30%; background:var(--blue); opacity:.4; border-radius:3px; min-width:2px }
.track .model { top:35%; height:30%; background:var(--blue); border-radius:3px; min-width:2px }
.track .bar { top:12%; height:76%; left:0; background:var(--blue); opacity:.45 }
.track .at { top:50%; width:.8rem; height:.8rem; margin:-.4rem 0 0 -.4rem; border-radius:50%; background:var(--blue);
  border:2px solid var(--back) }
.track .true { top:0; bottom:0; width:3px; margin-left:-1.5px; background:var(--good) }
.scale { display:flex; justify-content:space-between; color:var(--soft); font-size:.9rem }
svg.curve { width:100%; height:14rem; display:block; background:var(--card); border:1px solid var(--line) }
svg.curve polygon { fill:var(--blue); fill-opacity:.25 }
svg.curve polyline { fill:none; stroke:var(--blue); stroke-width:2.5; vector-effect:non-scaling-stroke }
@media (max-width:30rem) { .marks .row, .marks.wide .row { grid-template-columns:1fr max-content; margin:.6rem 0 }
  .marks .track { grid-column:1 / -1; grid-row:2 } }
"""


def picture(answer: Answer) -> str:
    """A figure; in characters where there is nothing else to draw."""
    found = drawing(answer)
    if isinstance(found, Marks):
        return _figure(_marks(found), _caption(found))
    if isinstance(found, Ribbon):
        return _figure(_curve(found), "The line is the estimate, the band around it is where the truth may lie.")
    return f'<pre class="drawn" tabindex="0">{escape(answer.picture())}</pre>'


def bars(rows: Sequence[tuple[str, float, str]], *, caption: str) -> str:
    """Names, lengths and what to write beside them, on one scale from zero."""
    longest = max((value for _, value, _ in rows), default=0.0) or 1.0
    drawn = "".join(
        f'<div class="row"><span class="name">{escape(name)}</span>'
        f'<div class="track" role="img" aria-label="{escape(f"{name}: {text}", quote=True)}">'
        f'<i class="bar" style="width:{100 * value / longest:.2f}%"></i></div>'
        f'<span class="number">{escape(text)}</span></div>'
        for name, value, text in rows
    )
    return _figure(f'<div class="marks wide">{drawn}</div>', caption)


def _figure(inside: str, caption: str) -> str:
    return f'<figure class="answer">{inside}<figcaption>{escape(caption)}</figcaption></figure>'


def _caption(found: Marks) -> str:
    said = ["The dot is the estimate, the band around it its interval."]
    if any(mark.model for mark in found.marks):
        said.append("The darker part holds if users are as the model has them.")
    if any(mark.truth is not None for mark in found.marks):
        said.append("The upright line is the truth, which a survey does not see.")
    if found.left_out:
        said.append(f"{found.left_out:,} more are not drawn.")
    return " ".join(said)


def _marks(found: Marks) -> str:
    alone = len(found.marks) == 1 and not found.marks[0].name
    rows = "".join(_row(mark, found, alone=alone) for mark in found.marks)
    ends = f"<span>{found.low:g}</span><span>{found.high:g}</span>" if alone else ""
    if alone:
        return f'{rows}<div class="scale">{ends}</div>'
    high = f"{found.high:.2g}" if found.bars else f"{found.high:g}"  # of shares nobody declared an end
    scale = f"all on one scale, from {found.low:g} to {high}"
    return f'<div class="marks">{rows}</div><p class="soft">{scale}</p>'


def _row(mark: Mark, found: Marks, *, alone: bool) -> str:
    width = (found.high - found.low) or 1.0

    def place(value: float) -> float:
        return round(100 * min(1.0, max(0.0, (value - found.low) / width)), 2)

    def span(kind: str, ends: tuple[float, float]) -> str:
        left, right = map(place, ends)
        return f'<i class="{kind}" style="left:{left}%;width:{round(right - left, 2)}%"></i>'

    parts = [f'<i class="bar" style="width:{place(mark.value)}%"></i>'] if found.bars else []
    parts.append(span("ends", mark.interval))
    parts += [span("model", mark.model)] if mark.model else []
    parts.append(f'<i class="at" style="left:{place(mark.value)}%"></i>')
    parts += [] if mark.truth is None else [f'<i class="true" style="left:{place(mark.truth)}%"></i>']
    said = drawn_number(mark)
    label = escape(f"{mark.name}: {said}" if mark.name else said, quote=True)
    track = f'<div class="track" role="img" aria-label="{label}">{"".join(parts)}</div>'
    if alone:
        return track
    value = escape(said.partition(",")[0])
    name = f'<span class="name">{escape(mark.name)}</span>'
    return f'<div class="row">{name}{track}<span class="number">{value}</span></div>'


def _curve(found: Ribbon) -> str:
    low = min(0.0, *(ends[0] for ends in found.band))
    high = max(ends[1] for ends in found.band) or 1.0
    left, width = found.points[0], found.points[-1] - found.points[0]

    def at(point: float, height: float) -> str:
        return f"{1000 * (point - left) / width:.1f},{400 * (1 - (height - low) / (high - low)):.1f}"

    line = " ".join(map(at, found.points, found.value))
    upper = [at(point, ends[1]) for point, ends in zip(found.points, found.band, strict=True)]
    lower = [at(point, ends[0]) for point, ends in zip(found.points, found.band, strict=True)]
    label = f"a curve from {found.points[0]:g} to {found.points[-1]:g}, at most {max(found.value):.3g} high"
    return (
        f'<svg class="curve" viewBox="0 0 1000 400" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'<polygon points="{" ".join([*upper, *reversed(lower)])}"/><polyline points="{line}"/></svg>'
        f'<div class="scale"><span>{found.points[0]:g}</span><span>{found.points[-1]:g}</span></div>'
    )
