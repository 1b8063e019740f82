"""Pictures on a page: marks and bars in boxes that follow its width, curves in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from sottovoce.messages import Fact
from sottovoce.pictures.characters import in_characters, scale_of
from sottovoce.pictures.description import Drawing, Interval, Mark, Marks, Ribbon, Text

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
_MOST = 40
"""So many numbers are drawn below each other."""
_POINTS = 201


def figure(drawing: Drawing, *, caption: Text = "") -> str:
    """A figure, and what is to be said of it; in characters where there is nothing else to draw."""
    if isinstance(drawing, Ribbon):
        curve = drawing.projected() if drawing.projected else drawing
        return _figure(_curve(curve), Fact("picture-caption-curve"))
    known = [mark for mark in drawing.marks if mark.value is not None]
    shown = [mark for at, mark in enumerate(known) if at < _MOST or mark.error is not None]
    if not shown:
        return f'<pre class="drawn" tabindex="0">{escape(in_characters(drawing))}</pre>'
    return _figure(_marks(drawing, shown), caption or _caption(shown, len(known) - len(shown)))


def _figure(inside: str, caption: Text) -> str:
    return f'<figure class="answer">{inside}<figcaption>{escape(str(caption))}</figcaption></figure>'


def _caption(shown: Sequence[Mark], left_out: int) -> Fact:
    parts = [Fact("picture-caption-marks")]
    if any(mark.model for mark in shown):
        parts.append(Fact("picture-caption-model"))
    if any(mark.truth is not None for mark in shown):
        parts.append(Fact("picture-caption-truth"))
    if left_out:
        parts.append(Fact("picture-caption-more", count=left_out))
    return Fact("picture-caption", parts=parts)


def _interval(mark: Mark) -> Interval:
    value, near = mark.value or 0.0, 2 * (mark.error or 0.0)
    return mark.interval or (value - near, value + near)


def _marks(drawing: Marks, shown: Sequence[Mark]) -> str:
    tops = [max(_interval(mark)[1], mark.truth or 0.0) for mark in shown]
    low, high = (0.0, max(tops)) if drawing.bars else scale_of(shown)
    exact = drawing.bars and all(mark.interval is None and mark.error is None for mark in shown)
    rows = "".join(_exact(mark, high or 1.0) if exact else _row(mark, (low, high), bars=drawing.bars) for mark in shown)
    if exact:
        return f'<div class="marks wide">{rows}</div>'
    if len(shown) == 1 and not (shown[0].title or shown[0].name):
        return f"{rows}{_ends((low, high))}"
    scale = Fact("picture-one-scale", low=low, high=high, shares=drawing.bars)
    return f'<div class="marks">{rows}</div><p class="soft">{scale}</p>'


def _ends(ends: Interval) -> str:
    return f'<div class="scale"><span>{ends[0]:g}</span><span>{ends[1]:g}</span></div>'


def _row(mark: Mark, ends: Interval, *, bars: bool) -> str:
    low, width = ends[0], (ends[1] - ends[0]) or 1.0

    def place(value: float) -> float:
        return round(100 * min(1.0, max(0.0, (value - low) / width)), 2)

    def span(kind: str, ends: Interval) -> str:
        left, right = map(place, ends)
        return f'<i class="{kind}" style="left:{left}%;width:{round(right - left, 2)}%"></i>'

    value, interval = mark.value or 0.0, _interval(mark)
    parts = [f'<i class="bar" style="width:{place(value)}%"></i>'] if bars else []
    parts.append(span("ends", interval))
    parts += [span("model", mark.model)] if mark.model else []
    parts.append(f'<i class="at" style="left:{place(value)}%"></i>')
    parts += [] if mark.truth is None else [f'<i class="true" style="left:{place(mark.truth)}%"></i>']
    spoken, short = (Fact(code, value=value, ends=interval) for code in ("picture-value-and-ends", "picture-value"))
    return _framed(mark, "".join(parts), spoken=spoken, short=short)


def _exact(mark: Mark, longest: float) -> str:
    bar = f'<i class="bar" style="width:{100 * (mark.value or 0.0) / longest:.2f}%"></i>'
    return _framed(mark, bar, spoken=mark.told, short=mark.told)


def _framed(mark: Mark, parts: str, *, spoken: Text, short: Text) -> str:
    """A picture in its box, with words for the ear; where it has a name, between that and its number."""
    name = str(mark.title or mark.name)
    label = escape(f"{name}: {spoken}" if name else str(spoken), quote=True)
    track = f'<div class="track" role="img" aria-label="{label}">{parts}</div>'
    if not name:
        return track
    shown = f'<span class="name">{escape(name)}</span>{track}<span class="number">{escape(str(short))}</span>'
    return f'<div class="row">{shown}</div>'


def _curve(drawing: Ribbon) -> str:
    points = np.linspace(drawing.low, drawing.high, _POINTS)
    heights, (lower, upper) = drawing.value(points), drawing.band(points)
    low, high = min(0.0, *lower.tolist()), float(upper.max()) or 1.0
    left, width = drawing.low, drawing.high - drawing.low

    def corners(heights: Sequence[float]) -> list[str]:
        pairs = zip(points.tolist(), heights, strict=True)
        return [f"{1000 * (at - left) / width:.1f},{400 * (1 - (up - low) / (high - low)):.1f}" for at, up in pairs]

    line, above, below = (corners(values.tolist()) for values in (heights, upper, lower))
    label = Fact("picture-curve", low=drawing.low, high=drawing.high, top=float(heights.max()))
    return (
        f'<svg class="curve" viewBox="0 0 1000 400" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'<polygon points="{" ".join([*above, *reversed(below)])}"/><polyline points="{" ".join(line)}"/></svg>'
        f"{_ends((drawing.low, drawing.high))}"
    )
