"""Means of mixtures (L1101–1146): four equal components, and three of which two are rare. 1,000 repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sottovoce.paper.drawing import PALETTE, panels
from sottovoce.paper.fast import mixture
from sottovoce.paper.figure import Cell, Claim, Figure, Judgement, Rows, Run, Verdict, column, pick, verdict
from sottovoce.schemes import experiment_delta

LEVELS = (2.0, 4.0)
SETTINGS = {
    1: (np.full(4, 0.25), np.array([1, 3, 5, 7]) / 8),
    2: (np.array([0.1, 0.8, 0.1]), np.array([1, 4, 7]) / 8),
}


def _cells(setting: int) -> Any:
    def cells(run: Run) -> list[Cell]:
        count = 150 if run.quick else 1000
        base = {"setting": setting, "repetitions": count}
        if setting == 2:
            sizes = (100, 300, 500, 1000, 2000) if run.quick else range(100, 2001, 50)
            return [base | {"vary": "n", "n": n, "T": 500} for n in sizes]
        sizes = (100, 300, 500, 1000, 2000) if run.quick else range(100, 2001, 100)
        return [base | {"vary": "T", "n": 1000, "T": T} for T in sizes] + [
            base | {"vary": "n", "n": n, "T": 1000} for n in sizes
        ]

    return cells


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Mean, standard deviation and mean squared error of each component's estimate."""
    weights, chances = SETTINGS[cell["setting"]]
    truth = 2 * chances - 1
    rows: Rows = []
    for alpha in LEVELS:
        held = mixture.draw_means(stream, weights, chances, cell["T"], (cell["repetitions"], cell["n"]))
        found = mixture.estimates(
            stream, held, components=len(truth), delta=experiment_delta(cell["n"], cell["T"], alpha), epsilon=alpha
        )
        error = (found - truth) ** 2
        total = error.sum(axis=1)
        for k in range(len(truth)):
            rows.append(
                {"vary": cell["vary"], "n": cell["n"], "T": cell["T"], "alpha": alpha, "component": k + 1}
                | {"truth": float(truth[k]), "mean": float(found[:, k].mean()), "sd": float(found[:, k].std(ddof=1))}
                | {"mean_se": float(found[:, k].std(ddof=1) / math.sqrt(len(found)))}
                | {"median_error": float(np.median(np.sqrt(error[:, k])))}
                | {"mse": float(total.mean()), "se": float(total.std(ddof=1) / math.sqrt(len(total)))}
                | {"median_mse": float(np.median(total))}
            )
    return rows


def _line(rows: Rows, vary: str, alpha: float, component: int) -> Rows:
    return sorted(pick(rows, vary=vary, alpha=alpha, component=component), key=lambda row: row[vary])


def _ends(rows: Rows, vary: str, alpha: float) -> tuple[float, float, float, float]:
    """Largest |bias| and sd over components at the start (a quarter of the way: 500) and at the end."""
    components = sorted({row["component"] for row in rows})
    lines = [_line(rows, vary, alpha, k) for k in components]
    early = [next(row for row in line if row[vary] >= 500) for line in lines]
    late = [line[-1] for line in lines]
    return (
        max(abs(row["mean"] - row["truth"]) for row in early),
        max(abs(row["mean"] - row["truth"]) for row in late),
        max(row["sd"] for row in early),
        max(row["sd"] for row in late),
    )


def _say(ends: tuple[float, float, float, float]) -> str:
    return f"|bias| {ends[0]:.2g} → {ends[1]:.2g}, standard deviation {ends[2]:.2g} → {ends[3]:.2g}"


def _consistent(*varied: str) -> Any:
    def check(rows: Rows) -> Judgement:
        ends = {vary: _ends(rows, vary, 4.0) for vary in varied}
        holds = all(bias < 0.05 and late < 0.8 * early for _, bias, early, late in ends.values())
        return Judgement(
            verdict=verdict(holds),
            seen="α = 4, largest over the components, from 500 to 2000: "
            + "; ".join(f"growing {vary}: {_say(end)}" for vary, end in ends.items()),
            why="with the votes of the second fold for the nearest centre (ERRATA P3): the pseudocode's own bin "
            "misses users who fall beside it and biases the shares",
        )

    return check


def _two_n(rows: Rows) -> Judgement:
    ends = _ends(rows, "n", 2.0)
    return Judgement(
        verdict=verdict(ends[1] < ends[0] and ends[3] < ends[2]),
        seen=f"α = 2, growing n from 500 to 2000: {_say(ends)}",
    )


def _two_t(rows: Rows) -> Judgement:
    two, four = _ends(rows, "T", 2.0), _ends(rows, "T", 4.0)
    return Judgement(
        verdict=verdict(two[3] / two[2] > four[3] / four[2] and two[3] / two[2] > 0.6),
        seen=f"growing T from 500 to 2000, α = 2: {_say(two)}; α = 4: {_say(four)}",
        why="what is left are repetitions whose votes chose a wrong bin, and more observations do not help the votes",
    )


def _two_imbalanced(rows: Rows) -> Judgement:
    ends = _ends(rows, "n", 2.0)
    return Judgement(
        verdict=verdict(ends[3] > 0.1),
        seen=f"α = 2, growing n from 500 to 2000: {_say(ends)}",
        why="a component of a tenth of a third of the users has to win its votes",
    )


def _draw(setting: int) -> Any:
    def draw(rows: Rows, picture: Any) -> None:
        shown = [(v, a) for v in (("n", "T") if setting == 1 else ("n",)) for a in LEVELS]
        axes = panels(picture, 1, len(shown), sharey=True)[0]
        for place, (vary, alpha) in zip(axes, shown, strict=True):
            fixed = "T = 1000" if setting == 1 and vary == "n" else "n = 1000" if vary == "T" else "T = 500"
            place.set_title(f"α = {alpha:g}, {fixed}")
            place.set_xlabel(vary)
            for k in sorted({row["component"] for row in rows}):
                line = _line(rows, vary, alpha, k)
                x, mean, sd = column(line, vary), column(line, "mean"), column(line, "sd")
                place.plot(x, mean, color=PALETTE[k - 1], marker="os^D"[k - 1], markevery=max(1, len(x) // 8))
                place.fill_between(x, mean - sd, mean + sd, color=PALETTE[k - 1], alpha=0.2, linewidth=0)
                place.axhline(line[0]["truth"], color=PALETTE[k - 1], linestyle=":", linewidth=0.9)
            place.set_ylim(-1.15, 1.15)
        axes[0].set_ylabel("estimate ± one standard deviation\n(dotted: truth)")

    return draw


_SHARED: dict[str, Any] = {
    "compute": compute,
    "cost": lambda cell: cell["repetitions"] * (0.2 + cell["n"] / 1000) / 800,
    "keys": ("vary", "n", "T", "alpha", "component"),
    "values": (("mean", "mean_se"),),
    "notes": (
        "Δ has C_α in place of √4 (ERRATA 14); shares below 1/(100m) are not used (L1123); votes of the second fold "
        "are one-hot for the nearest centre: exactly α (ERRATA P3).",
        "Components are matched to centres in increasing order.",
    ),
}

FIGURES = {
    "mixture-1": Figure(
        name="mixture-1",
        title="Mixture of four equal components",
        where="L1104–1136",
        cells=_cells(1),
        draw=_draw(1),
        claims=(
            Claim(
                name="α = 4 is consistent",
                text="With α = 4 and n or T increasing the estimates are consistent with decreasing variance.",
                where="L1121",
                expected=Verdict.AGREES,
                check=_consistent("n", "T"),
            ),
            Claim(
                name="α = 2 improves with n",
                text="With α = 2 and T fixed, bias and variance decrease as n grows.",
                where="L1121",
                expected=Verdict.AGREES,
                check=_two_n,
            ),
            Claim(
                name="α = 2 hardly improves with T",
                text="With α = 2 and n fixed the reductions in variance are limited.",
                where="L1121",
                expected=Verdict.AGREES,
                check=_two_t,
            ),
        ),
        size=(11, 3.6),
        **_SHARED,
    ),
    "mixture-2": Figure(
        name="mixture-2",
        title="Mixture of three components, two of them rare",
        where="L1114–1146",
        cells=_cells(2),
        draw=_draw(2),
        claims=(
            Claim(
                name="α = 4 is consistent",
                text="In the highly imbalanced case with α = 4 the components are identified and the estimator is "
                "consistent.",
                where="L1121",
                expected=Verdict.AGREES,
                check=_consistent("n"),
            ),
            Claim(
                name="α = 2 is more delicate",
                text="The case with α = 2 is more delicate.",
                where="L1121",
                expected=Verdict.AGREES,
                check=_two_imbalanced,
            ),
        ),
        size=(7.5, 3.6),
        **_SHARED,
    ),
}
