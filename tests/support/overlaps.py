"""What lies on what in a picture, after drawing: words on curves, words on words, words beyond the edge."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.transforms import Bbox

SLACK = 1.1
"""Words are taken a tenth wider than they are drawn: another font may stand in."""


def overlaps(picture: Any, *, slack: float = SLACK) -> list[str]:
    """Each place where words cross a curve, other words, or the edge of the picture."""
    FigureCanvasAgg(picture).draw()
    words = [(name, _wider(box, slack, side)) for name, box, side in _words(picture)]
    found = [
        f"{a!r} lies on {b!r}" for (a, first), (b, second) in itertools.combinations(words, 2) if _meet(first, second)
    ]
    edge = picture.bbox
    found += [
        f"{a!r} is cut off"
        for a, box in words
        if box.x0 < edge.x0 or box.x1 > edge.x1 or box.y0 < 0 or box.y1 > edge.y1
    ]
    curves = np.array(list(_curves(picture))).reshape(-1, 2, 2)
    found += [f"{name!r} lies on a curve" for name, box in words if _crosses(box, curves)]
    return found


def _words(picture: Any) -> Iterator[tuple[str, Bbox, str]]:
    shown: list[Any] = []
    for axes in picture.axes:
        shown += [axes.title, axes._left_title, axes._right_title, *axes.texts]
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            shown.append(axis.label)
            low, high = sorted(axis.get_view_interval())
            shown += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        for table in axes.tables:
            shown += [cell.get_text() for cell in table.get_celld().values()]
    parts = [picture, *picture.subfigs]
    for part in parts:
        shown += [*part.texts, part._suptitle]
    for text in dict.fromkeys(shown):
        if text is not None and text.get_visible() and text.get_text().strip():
            yield text.get_text(), text.get_window_extent(), text.get_ha()
    for legend in [
        *(legend for part in parts for legend in part.legends),
        *(axes.get_legend() for axes in picture.axes),
    ]:
        if legend is not None:
            yield "legend", legend.get_window_extent(), "center"


def _curves(picture: Any) -> Iterator[np.ndarray]:
    for axes in picture.axes:
        for line in axes.lines:
            points = line.get_transform().transform(np.column_stack(line.get_data(orig=False)).astype(float))
            if len(points) > 1 and line.get_visible() and line.get_linestyle() != "None":
                yield from _within(points, axes.bbox)
        for group in axes.collections:
            if isinstance(group, LineCollection):
                for part in group.get_segments():
                    yield from _within(group.get_transform().transform(part), axes.bbox)


def _within(points: np.ndarray, edge: Bbox) -> Iterator[np.ndarray]:
    """The segments of a curve, cut at the edge of its axes."""
    for a, b in itertools.pairwise(points):
        kept = _cut(a, b, edge)
        if kept is not None:
            yield kept


def _cut(a: np.ndarray, b: np.ndarray, box: Bbox) -> np.ndarray | None:
    """Liang and Barsky: the part of a segment inside a box, or None."""
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    first, last, step = 0.0, 1.0, b - a
    for p, q in (
        (-step[0], a[0] - box.x0),
        (step[0], box.x1 - a[0]),
        (-step[1], a[1] - box.y0),
        (step[1], box.y1 - a[1]),
    ):
        if p == 0:
            if q < 0:
                return None
        elif p < 0:
            first = max(first, q / p)
        else:
            last = min(last, q / p)
    return np.array([a + first * step, a + last * step]) if first < last else None


def _crosses(box: Bbox, segments: np.ndarray) -> bool:
    low, high = segments.min(axis=1), segments.max(axis=1)
    near = (low < (box.x1, box.y1)).all(axis=1) & (high > (box.x0, box.y0)).all(axis=1)
    return any(_cut(a, b, box) is not None for a, b in segments[near])


def _meet(a: Bbox, b: Bbox) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1


def _wider(box: Bbox, slack: float, side: str) -> Bbox:
    """Longer words grow to the side where they are free to."""
    extra = (slack - 1) * box.width
    left, right = {"left": (0.0, extra), "right": (extra, 0.0)}.get(side, (extra / 2, extra / 2))
    return Bbox.from_extents(box.x0 - left, box.y0, box.x1 + right, box.y1)
