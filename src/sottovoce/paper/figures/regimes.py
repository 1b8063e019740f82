"""The regime diagram (L661–746): where user level is easier, equal, harder, or hopeless, by T and nα²/d.

The claims work the rates out again from the theorems for every point, and hold them against the region that is drawn.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.paper.figure import Cell, Claim, Figure, Judgement, Rows, Run, Verdict, rows_with, verdict_of
from sottovoce.paper.plots import is_narrow, panels

PANELS = ("l2", "sparse")


def cells(run: Run) -> list[Cell]:
    """One a panel."""
    return [{"panel": panel} for panel in PANELS]


def compute(cell: Cell, stream: Generator) -> Rows:
    """The region of every point of a grid."""
    from sottovoce.theory import regime

    return [
        {"panel": cell["panel"], "T": T, "y": y, "region": regime(cell["panel"], observations=T, level=y)}
        for T in np.linspace(1, 6, 26).round(3).tolist()
        for y in np.linspace(0.05, 5, 34).round(3).tolist()
    ]


CORNER = 4.0
"""e^{nα²} along the sparse panel's last curve, as it is drawn (L727)."""
LARGE = 1000
"""A dimension and with it a number of users, nα² = y·d, for which the theorems are evaluated."""


def _rates(panel: str, T: float, y: float) -> tuple[float, float]:
    """User-level and item-level rate, at most 1 (the trivial answer), in units in which all curves meet at (1, 1)."""
    item = min(1.0, 1 / (y * T))
    every_coordinate = min(1.0, max(1 / (y * T), math.exp(1 - y)))
    if panel == "l2":
        return every_coordinate, item
    if T < 1 + math.log(1 / y):
        return every_coordinate, item  # a user cannot find the support alone
    return min(every_coordinate, max(1 / T, 1 / CORNER)), item


def _region(user: float, item: float, y: float) -> str:
    """The one region that the two rates allow; a factor below y ≥ 1, a logarithm of T, counts as equivalent."""
    if user >= 1 and item >= 1:
        return "both impossible"
    if user < item * (1 - 1e-9):
        return "user-level easier"
    return "equivalent" if user < max(1.0, y) * item * (1 - 1e-9) else "user-level harder"


def _misplaced(rows: Rows, panel: str) -> Rows:
    """Points drawn in another region than their rates allow, but for those on the curve T = d/(nα²) itself."""
    mine = [row for row in rows_with(rows, panel=panel) if not math.isclose(row["T"] * row["y"], 1.0)]
    return [row for row in mine if row["region"] != _region(*_rates(panel, row["T"], row["y"]), row["y"])]


def _in_words(rows: Rows, panel: str) -> str:
    mine = rows_with(rows, panel=panel)
    count = Counter(row["region"] for row in mine)
    wrong = len(_misplaced(rows, panel))
    shares = ", ".join(f"{name} {number / len(mine):.0%}" for name, number in count.items())
    return f"regions of the {panel} panel: {shares}; {wrong} of {len(mine)} points contradict the rates there"


def _never_easier(rows: Rows) -> Judgement:
    from sottovoce.theory import mean_l2

    better, equal = [], set()
    for row in rows_with(rows, panel="l2"):
        T, y = row["T"], row["y"]
        bound = mean_l2(users=y * LARGE, observations=T, epsilon=1.0, dimension=LARGE).lower.value
        item = LARGE / (y * LARGE * T)
        better.append(bound / item)
        if math.isclose(bound, item):
            equal.add((T, y))
    start = min(row["T"] for row in rows)
    small = {row["y"] for row in rows_with(rows, panel="l2", T=start) if row["region"] == "equivalent"}
    holds = min(better) >= 1 - 1e-9 and bool(small) and all((start, y) in equal for y in small)
    return Judgement(
        verdict=verdict_of(holds and not _misplaced(rows, "l2")),
        seen=f"the user-level lower bound (L379) over the item-level rate d/(nTα²) is at least {min(better):.3g}; "
        f"they are equal at {len(equal)} of {len(better)} points. {_in_words(rows, 'l2')}",
        why="constants and logarithms are left out of the diagram: its curves are places to look at",
    )


def _sometimes_easier(rows: Rows) -> Judgement:
    from sottovoce.theory import sparse

    n, d, T = 100, 10_000, 50
    user = sparse(users=n, observations=T, epsilon=1.0, dimension=d, sparsity=1).upper.value
    item = min(1.0, d / (n * T))
    easier = [row for row in rows_with(rows, panel="sparse") if row["region"] == "user-level easier"]
    return Judgement(
        verdict=verdict_of(bool(easier) and user < item and not _misplaced(rows, "sparse")),
        seen=f"{_in_words(rows, 'sparse')}. At n = {n}, d = {d:,}, T = {T}, α = 1, s = 1 the "
        f"user-level upper bound (L551) is {user:.2g}, logarithms included, the item-level rate {item:.2g}",
        why="each user finds the support alone once T exceeds log(d/(nα²)), and then s/T is below sd/(nTα²)",
    )


CLAIMS = (
    Claim(
        name="ℓ2: never better",
        text="On the ℓ2 ball user level is never better than item level, and equivalent while T is not too large.",
        where="L661",
        expected=Verdict.AGREES,
        tolerance="none: at every point the theorem's rates, not the diagram, must allow the region that is drawn and "
        "no other. Equivalent is within the factor nα²/d, a logarithm of T that rates leave out, harder is beyond it, "
        "impossible is no better than answering nothing",
        check=_never_easier,
    ),
    Claim(
        name="sparse: better in a regime",
        text="For sparse means user level outperforms item level in certain regimes.",
        where="L661",
        expected=Verdict.AGREES,
        tolerance="none: at every point the theorem's rates must allow the region that is drawn and no other (easier "
        "is a strict order), and at one size the upper bound with its logarithms must be below the item-level rate",
        check=_sometimes_easier,
    ),
)


def draw(rows: Rows, picture: Any) -> None:
    """Both panels, as the paper draws them."""
    from sottovoce.theory import plot_regime

    left, right = panels(picture, 1, 2)[0]
    if is_narrow(picture):
        picture.set_size_inches(4.3, 7.6)
    for axes in (left, right):
        axes.grid(False)
    plot_regime("l2", left)
    plot_regime("sparse", right)


FIGURES = {
    "regimes": Figure(
        name="regimes",
        title="User level against nT items: the regime diagram",
        where="L664–746",
        cells=cells,
        compute=compute,
        cost=lambda cell: 0.01,
        keys=("panel", "T", "y", "region"),
        values=(),
        claims=CLAIMS,
        draw=draw,
        size=(10, 4.6),
    )
}
