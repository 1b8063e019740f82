"""The regime diagram (L666–746): where user level is easier, equal, harder, or hopeless, by T and nα²/d."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.paper.drawing import panels
from sottovoce.paper.figure import Cell, Claim, Figure, Judgement, Rows, Run, Verdict, pick, verdict

PANELS = ("l2", "sparse")


def cells(run: Run) -> list[Cell]:
    """One a panel."""
    return [{"panel": panel} for panel in PANELS]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """The region of every point of a grid."""
    from sottovoce.theory import regime

    return [
        {"panel": cell["panel"], "T": T, "y": y, "region": regime(cell["panel"], observations=T, level=y)}
        for T in np.linspace(1, 6, 26).round(3).tolist()
        for y in np.linspace(0.05, 5, 34).round(3).tolist()
    ]


def _shares(rows: Rows, panel: str) -> dict[str, float]:
    mine = pick(rows, panel=panel)
    return {
        region: len(pick(mine, region=region)) / len(mine)
        for region in ("both impossible", "user-level easier", "user-level harder", "equivalent")
    }


def _never_easier(rows: Rows) -> Judgement:
    shares = _shares(rows, "l2")
    return Judgement(
        verdict=verdict(shares["user-level easier"] == 0 and shares["equivalent"] > 0),
        seen="share of the ℓ2 panel: " + ", ".join(f"{name} {share:.0%}" for name, share in shares.items()),
    )


def _sometimes_easier(rows: Rows) -> Judgement:
    from sottovoce.theory import comparisons

    shares = _shares(rows, "sparse")
    n, d = 100, 10_000
    user = comparisons.selected_sparse(T=50, s=1)
    item = comparisons.item_sparse(n=n, T=50, alpha=1, d=d, s=1)
    return Judgement(
        verdict=verdict(shares["user-level easier"] > 0 and user < item),
        seen="share of the sparse panel: "
        + ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        + f"; at n = {n}, d = {d:,}, T = 50, α = 1 the rates are {user:.2g} (user) and {item:.2g} (item)",
        why="constants and logarithms are left out of the diagram: its curves are places to look at",
    )


def draw(rows: Rows, picture: Any) -> None:
    """Both panels."""
    from sottovoce.theory import plot_regime

    left, right = panels(picture, 1, 2)[0]
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
        cost=lambda cell: 0.1,
        keys=("panel", "T", "y", "region"),
        values=(),
        claims=(
            Claim(
                name="ℓ2: never better",
                text="On the ℓ2 ball user level is never better than item level, and equivalent while T is small.",
                where="L664",
                expected=Verdict.AGREES,
                check=_never_easier,
            ),
            Claim(
                name="sparse: better in a regime",
                text="For sparse means user level outperforms item level in certain regimes.",
                where="L664",
                expected=Verdict.AGREES,
                check=_sometimes_easier,
            ),
        ),
        draw=draw,
        size=(10, 4.6),
    )
}
