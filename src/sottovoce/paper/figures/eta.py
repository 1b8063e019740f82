"""The truncation η = √(Cs) of the hashed votes (L1083): the share of the support found. n = 500, T = 100."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import ALPHA_STYLE, legend_below, panels, ribbon
from sottovoce.paper.fast import sparse
from sottovoce.paper.figure import Cell, Claim, Figure, Judgement, Rows, Run, Verdict, column, pick, verdict

DIMENSIONS = (100, 500)
CONSTANTS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0, 15.0, 30.0)
RULES = ("most votes", "half a vote", "half a vote, ε with √2")


def cells(run: Run) -> list[Cell]:
    """One a dimension."""
    return [{"d": d, "repetitions": 60 if run.quick else 500} for d in DIMENSIONS]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """The same hashes truncated at every η."""
    crowd = sparse.SparseUsers(users=500, observations=100, dimension=cell["d"], sparsity=4, chance=0.75)
    voters = crowd.users // 2
    straight = np.arange(crowd.dimension)
    found: dict[tuple[str, float, float], list[float]] = {}
    for _ in range(cell["repetitions"]):
        sign = sparse.signs(stream, (voters, crowd.dimension))
        for alpha in ALPHAS:
            for constant in (1.0, math.sqrt(2)):
                hashed = sparse.hashes(stream, crowd, sign, sparse.threshold(crowd, alpha, constant))
                for c in CONSTANTS:
                    score = sparse.scores(stream, sign, hashed, eta=math.sqrt(4 * c), alpha=alpha)
                    printed = sparse.first_above(score, 4, straight)
                    chosen = {RULES[0]: sparse.most_votes(score, 4), RULES[1]: printed}
                    for rule, places in chosen.items() if constant == 1.0 else [(RULES[2], printed)]:
                        found.setdefault((rule, alpha, c), []).append(
                            float((places < 4).mean() if len(places) else 0) * len(places) / 4
                        )
    return [
        {"d": cell["d"], "rule": rule, "alpha": alpha, "C": c, "share": float(np.mean(shares)),
         "se": float(np.std(shares, ddof=1) / math.sqrt(len(shares)))}
        for (rule, alpha, c), shares in found.items()
    ]  # fmt: skip


def _line(rows: Rows, d: int, rule: str, alpha: float) -> dict[float, float]:
    return {row["C"]: row["share"] for row in pick(rows, d=d, rule=rule, alpha=alpha)}


def _smaller_is_better(rows: Rows) -> Judgement:
    gains = {
        (d, alpha): _line(rows, d, "most votes", alpha)[1.0] - _line(rows, d, "most votes", alpha)[30.0]
        for d in DIMENSIONS
        for alpha in ALPHAS
    }
    text = "; ".join(
        f"α={alpha:g}: {_line(rows, 100, 'most votes', alpha)[30.0]:.2f} → "
        f"{_line(rows, 100, 'most votes', alpha)[1.0]:.2f}"
        for alpha in ALPHAS
    )
    return Judgement(
        verdict=verdict(min(gains.values()) > -0.02 and gains[100, 4.0] > 0.2),
        seen=f"share of the support found at d = 100 from C = 30 to C = 1, by most votes: {text}",
        why="the noise of a vote has scale 2η/α; the hash itself is only of size √s",
    )


def _limit_at_one(rows: Rows) -> Judgement:
    votes = _line(rows, 100, "most votes", 4.0)
    cut = _line(rows, 100, "half a vote", 4.0)
    printed = max(_line(rows, 100, RULES[2], 4.0).values())
    best = max(cut, key=lambda c: cut[c])
    return Judgement(
        verdict=Verdict.DEPENDS if cut[0.25] < 0.5 * cut[best] and votes[0.25] > 0.9 * votes[1.0] else Verdict.DOES_NOT,
        seen=f"d = 100, α = 4, C = 0.25, 0.5, 1, 2: by most votes {votes[0.25]:.2f}, {votes[0.5]:.2f}, "
        f"{votes[1.0]:.2f}, {votes[2.0]:.2f}; with the cut at half a vote {cut[0.25]:.2f}, {cut[0.5]:.2f}, "
        f"{cut[1.0]:.2f}, {cut[2.0]:.2f}. With √2 in ε, as printed, at most {printed:.2f} at any C",
        why="truncation shrinks a true vote (to 0.75 at C = 1), and below C ≈ 1/2 it falls under the cut: the limit is "
        "made by the cut. Ranked by votes, C may be smaller still. With the cut, α = 0.5 seems to find half the "
        "support: noise lifts any coordinate over the cut, and the first four by index are the support (ERRATA 10)",
        choice="the rule of selection and the constant in ε: the printed √2 puts ε at 0.6, above the signal of 0.5 "
        "(ERRATA 10, 11)",
    )


def draw(rows: Rows, picture: Any) -> None:
    """A row a rule, a column a dimension."""
    axes = panels(picture, 1, 4, sharey=True)[0]
    shown = [(d, rule) for rule in RULES[:2] for d in DIMENSIONS]
    for place, (d, rule) in zip(axes, shown, strict=True):
        place.set_xscale("log")
        place.set_title(f"d = {d}, {rule}")
        place.set_xlabel("C in η = √(Cs)")
        for alpha, (colour, marker) in ALPHA_STYLE.items():
            line = sorted(pick(rows, d=d, rule=rule, alpha=alpha), key=lambda row: row["C"])
            ribbon(place, column(line, "C"), column(line, "share"), column(line, "se"), colour=colour, marker=marker,
                   label=f"α = {alpha:g}")  # fmt: skip
        place.axvline(1, color="0.4", linestyle=":", linewidth=1)
    axes[0].set_ylabel("share of the support found")
    legend_below(picture, axes[0], columns=4)


FIGURES = {
    "eta": Figure(
        name="eta",
        title="Sensitivity to the truncation of the hashed votes (n = 500, T = 100, s = 4, p = 0.75)",
        where="L1083–1090",
        cells=cells,
        compute=compute,
        cost=lambda cell: cell["repetitions"] / 100 * (1 + cell["d"] / 250),
        keys=("d", "rule", "alpha", "C"),
        values=(("share", "se"),),
        claims=(
            Claim(
                name="smaller C finds more",
                text="Across all privacy levels the support is found more often as C is decreased.",
                where="L1083",
                expected=Verdict.AGREES,
                check=_smaller_is_better,
            ),
            Claim(
                name="up to a limit near C = 1",
                text="The increase ends as C takes a value of approximately one.",
                where="L1083",
                expected=Verdict.DEPENDS,
                check=_limit_at_one,
            ),
        ),
        draw=draw,
        notes=(
            f"The paper does not state its grid of C; here C = {', '.join(f'{c:g}' for c in CONSTANTS)}.",
            "Constant in ε: 1 unless said otherwise.",
        ),
        size=(11, 3.6),
    )
}
