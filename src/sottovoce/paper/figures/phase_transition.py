"""The phase transition (L1003): the least error over 300 Δ, by the paper's estimate and exactly.

1,248,000,000 surveys: 2 n × 26 T × 4 α × 300 Δ × 20,000 repetitions.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.messages import has_numba
from sottovoce.paper import our_methods
from sottovoce.paper.figure import (
    ALPHAS,
    Cell,
    Claim,
    Estimate,
    Figure,
    Judgement,
    Rows,
    Run,
    Verdict,
    all_within,
    column,
    joined,
    rows_along,
    rows_with,
    slope,
    values_of,
    verdict_of,
    verdict_over_sides,
    within,
)
from sottovoce.paper.our_methods import QUICK
from sottovoce.paper.plots import ALPHA_LOOK, INK, curve, legend_beside, line, name_axes, panels
from sottovoce.paper.simulation import averages
from sottovoce.paper.simulation.vote_then_refine import Surveys, error_summary, squared_errors, surveys_with_deltas
from sottovoce.problems.mean import Mean

BLOCK = 1000
"""Repetitions that share a stream: fixed, so that the result does not depend on who computes what."""
SPOTLIGHT = {"n": 100, "T": 10**4, "alpha": 4.0}
"""Where all Δ are shown (ERRATA 18)."""


def cells(run: Run) -> list[Cell]:
    """One an (n, T)."""
    powers = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0) if run.quick else [2 + k / 5 for k in range(26)]
    return [
        {
            "n": n,
            "T": math.floor(10**m + 1e-6),
            "repetitions": 500 if run.reduced else 2000 if run.quick else 20_000,
            "grid": "some" if run.quick else "all",
            "coarse": 10 if run.quick else 24,
        }
        for n in (100, 200)
        for m in powers
    ] + [
        {"series": "ours", "n": n, "T": 10**m, "repetitions": our_methods.QUICK if run.quick else REPETITIONS}
        for n in (100, 200)
        for m in ((4,) if run.quick else (2, 3, 4, 5, 6, 7))
    ]


REPETITIONS = 40
"""Of our default, at every power of ten."""
SOME = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 25, 30, 36, 44, 54, 66, 80, 97, 118, 143, 173, 210, 250, 300)


def grid(which: str) -> np.ndarray:
    """Δ = i/2000 for i up to 300, all or some; N = ⌈2000/i⌉ follows."""
    return np.array(range(1, 301) if which == "all" else SOME) / 2000


def surveys_of_cell(cell: Cell) -> Surveys:
    """The paper's survey for every (α, Δ)."""
    return surveys_with_deltas(cell["n"], cell["T"], ALPHAS, grid(cell["grid"]))


def finer_deltas(best: float) -> list[float]:
    """Δ between and below those of the paper's grid, where its best is near the grid's end: 1/N for whole N."""
    if best > 0.006:
        return [best]
    lowest = -6 if best < 0.00075 else -2
    return [1 / math.ceil(2 ** (-k / 4) / best) for k in range(lowest, 3)]


def estimated_errors(
    cell: Cell, stream: Generator, *, surveys: Surveys | None = None, compiled: bool | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The paper's estimate of the mean squared error for every (α, Δ), and its standard error."""
    n, T, count = cell["n"], cell["T"], cell["repetitions"]
    surveys = surveys_of_cell(cell) if surveys is None else surveys
    sums, squares = np.zeros(surveys.shape), np.zeros(surveys.shape)
    for block in stream.spawn(math.ceil(count / BLOCK)):
        size = min(BLOCK, count)
        shift = block.uniform(-0.3, 0.3, size)
        user_means = averages.rademacher(block, T, 0.5, (size, n)) + shift[:, None]
        some = squared_errors(block, user_means, shift, surveys=surveys, compiled=compiled)
        sums, squares = sums + some[0], squares + some[1]
    mse = sums / count
    return mse, np.sqrt(np.maximum(squares / count - mse**2, 0) / count)


def compute(cell: Cell, stream: Generator) -> Rows:
    """For each α: the smallest estimate, the exact risk of the Δ it picked, and the smallest exact risk."""
    from sottovoce.theory import Rademacher, best_delta, exact_risk

    if cell.get("series"):
        return our_rows(cell, stream)
    fast = has_numba()
    mse, error = estimated_errors(cell, stream)
    deltas = grid(cell["grid"])
    rows: Rows = []
    for a, alpha in enumerate(ALPHAS):
        place = {"n": cell["n"], "T": cell["T"], "alpha": alpha}
        at = int(mse[a].argmin())
        setting: dict[str, Any] = {
            "users": cell["n"], "observations": cell["T"], "epsilon": alpha, "law": Rademacher(), "shift": (-0.3, 0.3),
        }  # fmt: skip
        best = best_delta(**setting, deltas=tuple(deltas.tolist()), coarse=cell["coarse"])
        lowest = exact_risk(**setting, delta=best.delta, compiled=fast)
        picked = exact_risk(**setting, delta=float(deltas[at]), compiled=fast)
        fine = min(
            (exact_risk(**setting, delta=d, compiled=fast) for d in finer_deltas(best.delta)), key=lambda r: r.mse
        )
        rows.append(
            place
            | {"kind": "minimum", "delta": float(deltas[at]), "mse": float(mse[a, at]), "se": float(error[a, at])}
            | {"exact_of_delta": picked.mse, "misses_of_delta": picked.misses}
            | {"exact": lowest.mse, "exact_delta": best.delta, "misses": lowest.misses}
            | {"finer": min(lowest.mse, fine.mse)}
        )
        if place == SPOTLIGHT:
            rows += [
                place
                | {"kind": "every Δ", "delta": float(deltas[i]), "mse": float(mse[a, i]), "se": float(error[a, i])}
                | {"exact_of_delta": exact_risk(**setting, delta=float(deltas[i]), compiled=fast).mse}
                for i in np.flatnonzero((deltas > 0.0045) & (deltas < 0.0255))
            ]
    return rows


def our_rows(cell: Cell, stream: Generator) -> Rows:
    """Our default on the same users."""
    n, T, count = cell["n"], cell["T"], cell["repetitions"]
    shift = stream.uniform(-0.3, 0.3, (count,))
    user_means = averages.rademacher(stream, T, 0.5, (count, n)) + shift[:, None]
    rows: Rows = []
    for alpha in ALPHAS:
        survey = Mean(epsilon=alpha, users=n, observations=T, low=-1.0, high=1.0)
        values = np.array([answer.value for answer in our_methods.answers(survey, user_means, stream)])
        row = {"n": n, "T": T, "alpha": alpha, "kind": our_methods.DEFAULT} | error_summary((values - shift) ** 2)
        rows.append(row | {"of_default": row["mse"], "of_default_se": row["se"]})  # a minimum's is held to no tolerance
    return rows


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes: the exact risks of the search, and the surveys."""
    if cell.get("series"):
        return float(0.18 * cell["repetitions"])
    searched = (0.5 + cell["coarse"] / 20) * cell["n"] / 100
    crowded = (100 / cell["T"]) ** 0.25  # users far apart fill many bins
    surveys = len(grid(cell["grid"])) * cell["repetitions"] * cell["n"] / 6e8 * crowded
    return float(1.3 * searched + 15 * surveys if has_numba() else 7 * searched + 160 * surveys)


def rename_minima(rows: Rows) -> Rows:
    """The Δ that a minimum picked is a result, not the name of a row."""
    renamed = {"delta": "picked", "exact_of_delta": "exact_of_picked", "misses_of_delta": "misses_of_picked"}
    return [
        {renamed.get(name, name): value for name, value in row.items()} if row["kind"] == "minimum" else row
        for row in rows
    ]


def line_of(rows: Rows, n: int, alpha: float) -> Rows:
    """The minima over Δ as T grows."""
    return rows_along(rows, "T", kind="minimum", n=n, alpha=alpha)


LINEAR = (-1.1, -0.9)
"""Slopes that count as linear decay: −1 give or take a tenth."""
FLAT, BENT = -0.1, 0.1
"""A slope that counts as flat already, and the least change of slope that counts as flattening."""
SIZES = (100, 200)


def _decades(rows: Rows, n: int, alpha: float, name: str, *, last: float = 1e7) -> list[float]:
    """The slope of a column in each decade of T, on log axes."""
    line = line_of(rows, n, alpha)
    powers = [T for T in values_of(rows, "T") if abs(np.log10(T) - round(np.log10(T))) < 1e-9 and T <= last]
    slopes = []
    for low, high in itertools.pairwise(powers):
        chosen = [row for row in line if low <= row["T"] <= high]
        slopes.append(slope(column(chosen, "T"), column(chosen, name)))
    return slopes


def _in_words(slopes: list[float]) -> str:
    return joined("{:+.2f}", slopes)


def _flatten(rows: Rows) -> Judgement:
    slopes_of = {(n, alpha): _decades(rows, n, alpha, "exact") for n in SIZES for alpha in (0.5, 1.0, 2.0)}
    holds = [
        within(slopes[0], -1.1, -0.01)
        and within(slopes[-1], -0.5, 0.01)
        and (slopes[-1] - slopes[0] > BENT or min(slopes[0], slopes[-1]) > FLAT)
        for slopes in slopes_of.values()
    ]
    return Judgement(
        verdict=verdict_of(all(holds)),
        seen="slope of the exact minimum on log axes, decade by decade of T: "
        + "; ".join(f"n={n}, α={alpha:g}: {_in_words(slopes)}" for (n, alpha), slopes in slopes_of.items())
        + " (−1 is no flattening)",
        why="with n fixed the votes cannot tell ever narrower bins apart. α ≤ 1 is flat; α = 2 falls on at a quarter "
        "of the pace up to 10⁷",
    )


def _four_linear(rows: Rows) -> Judgement:
    names = {"estimate": "mse", "exact": "exact", "exact on a finer grid": "finer"}
    slopes_of = {(n, word): _decades(rows, n, 4.0, name) for n in SIZES for word, name in names.items()}
    sides = {word: {n: all_within(slopes_of[n, word], *LINEAR) for n in SIZES} for word in list(names)[1:]}
    bent = [n for n in SIZES if not any(side[n] for side in sides.values())]
    return Judgement(
        verdict=verdict_over_sides(*(all(side.values()) for side in sides.values())),
        seen="slope for α = 4, decade by decade of T: "
        + "; ".join(f"n={n}, {word}: {_in_words(slopes)}" for (n, word), slopes in slopes_of.items()),
        why=f"bent whatever the grid: n = {', '.join(map(str, bent)) or 'none'}. At n = 200 the grid bends it: its "
        "smallest Δ, 0.0005, leaves noise of 72Δ²/(α²n/2) = 1.1e-8, and with Δ down to a third of that it is nearly "
        "straight to 10⁷. At n = 100 the votes give out from T ≈ 10⁵ on, as they do for smaller α",
        choice="the grid of Δ, which stops at 0.0005",
    )


def _two_linear(rows: Rows) -> Judgement:
    slopes = {name: _decades(rows, 200, 2.0, name, last=1e5) for name in ("exact", "mse")}
    factor = [row["exact"] / row["mse"] for row in line_of(rows, 200, 2.0) if 9.9e3 < row["T"] < 1.01e5]
    return Judgement(
        verdict=verdict_of(all_within(slopes["exact"], *LINEAR)),
        seen="n = 200, α = 2, decade by decade to T = 10⁵: slope of the exact minimum "
        f"{_in_words(slopes['exact'])}, of the estimate {_in_words(slopes['mse'])}; from 10⁴ on the exact minimum is "
        f"{min(factor):.2g} to {max(factor):.2g} times the estimate",
        why="what is straight is made by the estimate, which picks the Δ whose rare failures it did not see; the "
        "exact risk flattens from T ≈ 10³ (ERRATA 18)",
    )


def _biased(rows: Rows) -> Judgement:
    chosen = rows_with(rows, kind="minimum")
    really = column(chosen, "exact_of_picked") / column(chosen, "mse")
    worst = chosen[int(really.argmax())]
    low = column(chosen, "exact") / column(chosen, "mse")
    relative = column(chosen, "se") / column(chosen, "mse")
    spread = (low - 1) / np.maximum(relative, 1e-300)
    holds = all_within(map(Estimate, low.tolist(), relative.tolist()), 1 / 1.2, 1.2)
    return Judgement(
        verdict=verdict_of(holds),
        seen=f"the estimate is below the exact minimum in {np.mean(low > 1):.0%} of the {len(low)} cells and by more "
        f"than three of its standard errors in {np.mean(spread > 3):.0%}; the exact minimum is {low.min():.2f} to "
        f"{low.max():.2f} times the estimate, and the Δ that was picked is really {np.median(really):.2f} times worse "
        f"(median), {really.max():.3g} times at n={worst['n']:g}, T={worst['T']:g}, α={worst['alpha']:g}",
        why="failures rarer than one in the number of repetitions are missed, and a minimum over Δ looks for exactly "
        "those Δ; the standard error cannot show what was never seen",
    )


def _in_practice(rows: Rows) -> Judgement:
    lost = {}
    for alpha in (2.0, 4.0):
        for n in SIZES:
            at = {row["T"]: row["exact"] for row in line_of(rows, n, alpha)}
            lost[alpha, n] = 10 * at[10_000] / at[1000]
    return Judgement(
        verdict=verdict_of(all_within(lost.values(), 0.5, 2.0)),
        seen="exact minimum at T = 10⁴ over what a straight line from T = 10³ would give: "
        + joined("{1:.2f} (α={0[0]:g}, n={0[1]})", lost.items()),
        why="at α = 4 it costs little. At α = 2, which the sentence counts in, ten times the observations are worth "
        "two to four times as many with 100 or 200 users: the phase transition is there in practice",
    )


CLAIMS = (
    Claim(
        name="small α flatten",
        text="For α in {0.5, 1, 2} the curves decay at varying rates before starting to flatten.",
        where="L1005",
        expected=Verdict.AGREES,
        tolerance="in the first decade a slope between −1.1 and −0.01; in the last between −0.5 and 0.01, nearer to "
        "flat than to linear decay; and either the slope rises by more than 0.1 from the first to the last, which a "
        "straight line does not, or both are flatter than −0.1 already; no simulation in it",
        check=_flatten,
    ),
    Claim(
        name="α = 4 decays linearly",
        text="For α = 4 there is a consistent linear decay, even for T = 10⁷.",
        where="L1005",
        expected=Verdict.DOES_NOT,
        tolerance="in every decade a slope between −1.1 and −0.9, for both n, on the exact minimum: logarithms and the "
        "steps of the grid move it by less; no simulation in it",
        check=_four_linear,
    ),
    Claim(
        name="α = 2, n = 200 linear to 10⁵",
        text="For n = 200 and α = 2 the decay is linear until roughly T = 10⁵.",
        where="L1005",
        expected=Verdict.DOES_NOT,
        tolerance="in every decade to 10⁵ a slope between −1.1 and −0.9 on the exact minimum; no simulation in it",
        check=_two_linear,
    ),
    Claim(
        name="the minimum estimates the error",
        text="The minimum over Δ of the estimated errors shows the error at an optimally tuned Δ.",
        where="L1003–1005, ERRATA 18",
        expected=Verdict.DOES_NOT,
        tolerance="the exact minimum between 1/1.2 and 1.2 times the estimate in every cell, and four of its standard "
        "errors",
        check=_biased,
    ),
    Claim(
        name="no issue in practice",
        text="As α ≥ 2 is often taken, the phase transition is unlikely to cause significant issues in practice.",
        where="L1005",
        expected=Verdict.DOES_NOT,
        tolerance="at T = 10⁴, the largest T of the other figures, for α = 2 and 4 and both n an exact error between "
        "half and twice what linear decay from 10³ gives; no simulation in it",
        check=_in_practice,
    ),
)


def draw(rows: Rows, picture: Any) -> None:
    """The least error at n = 100 and n = 200, and one setting at every Δ."""
    axes = panels(picture, 1, 3, width_ratios=[1, 1, 0.9])
    axes[0, 1].sharey(axes[0, 0])
    for place, n in zip(axes[0, :2], (100, 200), strict=True):
        place.set_xscale("log")
        place.set_yscale("log")
        place.set_title(f"n = {n}: least error over Δ")
        for alpha, look in ALPHA_LOOK.items():
            chosen = line_of(rows, n, alpha)
            curve(place, chosen, "T", look=replace(look, line=":"))
            line(place, column(chosen, "T"), column(chosen, "exact"), look=replace(look, hollow=True))
            finer = [row for row in chosen if (row.get("finer") or row["exact"]) < 0.97 * row["exact"]]
            if finer:
                label = "dashed: exact risk, Δ also below the grid"
                line(place, column(finer, "T"), column(finer, "finer"), look=replace(look, line="--", hollow=True))
                axes[0, 0].plot([], [], color=INK, linestyle="--", label=label)
            ours = rows_along(rows, "T", kind="default", n=n, alpha=alpha)
            curve(place, ours, "T", look=replace(look, colour=INK, line="-."))
    name_axes(picture, axes, x="T, observations per user", y="mean squared error")
    for alpha, look in ALPHA_LOOK.items():
        axes[0, 0].plot([], [], color=look.colour, marker=look.marker, linestyle="none", label=f"α = {alpha:g}")
    axes[0, 0].plot([], [], color=INK, linestyle=":", label="dotted, filled: the paper's estimate, a minimum")
    axes[0, 0].plot([], [], color=INK, label="solid, hollow: exact risk at its best Δ")
    if rows_with(rows, kind="default"):
        axes[0, 0].plot([], [], color=INK, linestyle="-.", label="dash-dot: Sottovoce, default, marker of its α")
    spot, look = axes[0, 2], ALPHA_LOOK[4.0]
    chosen = rows_along(rows, "delta", kind="every Δ")
    spot.set_yscale("log")
    if chosen:
        curve(spot, chosen, "delta", look=replace(look, line=":"), label="estimate at this Δ")
        x, y = column(chosen, "delta"), column(chosen, "exact_of_delta")
        line(spot, x, y, look=replace(look, hollow=True), label="exact risk at this Δ")
        spot.legend(loc="upper center")
    spot.locator_params(axis="x", nbins=5)
    spot.set_xlabel("Δ")
    spot.set_title("why: n = 100, T = 10⁴, α = 4")
    legend_beside(picture, axes[0, 0], columns=3)


FIGURES = {
    "phase-transition": Figure(
        name="phase-transition",
        title="Phase transition: the least error over Δ as T grows",
        where="L998–1013",
        cells=cells,
        compute=compute,
        gather=rename_minima,
        cost=cost,
        keys=("kind", "n", "T", "alpha", "delta"),
        values=(("exact", ""), ("exact_of_delta", ""), ("of_default", "of_default_se")),
        recorded=("mse", "se", "picked", "exact_of_picked", "exact_delta", "finer"),
        relative_tolerance=2e-3,
        claims=CLAIMS,
        draw=draw,
        notes=(
            "Whether the paper draws new users for every Δ is not stated: here the users of a repetition are the same "
            "for all (α, Δ), votes and noise are new for every Δ and shared by the four α.",
            "Exact risk: sottovoce.theory.exact_risk, minimised over the same Δ; `finer` also between and below them, "
            "where the best is near the grid's end.",
            f"default is sv.mean with method auto on [−1, 1], which chooses no Δ: {REPETITIONS} whole surveys at each "
            f"power of ten ({QUICK} at one in a quick look).",
        ),
        size=(11, 4.2),
    )
}
