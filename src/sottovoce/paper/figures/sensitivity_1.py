"""Sensitivity, setting 1 (L1031): which distribution suffers from a small constant in Δ. 10,000 repetitions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.messages import has_numba
from sottovoce.paper.figure import (
    Cell,
    Claim,
    Estimate,
    Figure,
    Judgement,
    Rows,
    Run,
    Verdict,
    above_one,
    all_within,
    column,
    gather_parts,
    joined,
    mean_of,
    rows_along,
    verdict_of,
    verdict_over_sides,
    within,
)
from sottovoce.paper.plots import INK, MARKERS, PALETTE, Look, curve, legend_beside, name_axes, panel_grid
from sottovoce.paper.simulation import averages
from sottovoce.paper.simulation.vote_then_refine import squared_errors, surveys_with_constants

USERS, OBSERVATIONS = 200, 100
SHAPES = (0.1, 0.5, 1.0, 3.0, 5.0)
LEVELS = (0.5, 1.0, 2.0)
BLOCK = 500


def cells(run: Run) -> list[Cell]:
    """One a shape of the Beta distribution and a quarter of the repetitions."""
    parts, count = (1, 500) if run.reduced else (1, 1000) if run.quick else (4, 2500)
    return [{"p": p, "part": part, "repetitions": count, "step": 4 if run.quick else 1}
            for p in SHAPES for part in range(parts)]  # fmt: skip


def compute(cell: Cell, stream: Generator) -> Rows:
    """Sums over repetitions for every (α, C); `gather_parts` adds the parts up."""
    constants = np.arange(cell["step"], 101, cell["step"]) / 100
    surveys = surveys_with_constants(USERS, OBSERVATIONS, LEVELS, constants)
    sums, squares = np.zeros(surveys.shape), np.zeros(surveys.shape)
    count = cell["repetitions"]
    for block in stream.spawn(count // BLOCK):
        user_means = averages.beta(block, OBSERVATIONS, cell["p"], (BLOCK, USERS))
        some = squared_errors(block, user_means, np.zeros(BLOCK), surveys=surveys)
        sums, squares = sums + some[0], squares + some[1]
    return [
        {
            "p": cell["p"],
            "alpha": alpha,
            "C": float(c),
            "count": count,
            "sum": float(sums[a, i]),
            "squares": float(squares[a, i]),
        }
        for a, alpha in enumerate(LEVELS)
        for i, c in enumerate(constants)
    ]


Curve = tuple[np.ndarray, np.ndarray, np.ndarray]


def _error_curve(rows: Rows, p: float, alpha: float) -> Curve:
    chosen = rows_along(rows, "C", p=p, alpha=alpha)
    return column(chosen, "C"), column(chosen, "mse"), column(chosen, "se")


def _mean_log_errors(rows: Rows, alpha: float, low: float, high: float) -> list[Estimate]:
    """For each shape, the mean of log error over some C; its error as if they shared their noise, as they do users."""
    levels = []
    for p in SHAPES:
        c, mse, se = _error_curve(rows, p, alpha)
        where = (low <= c) & (c <= high)
        levels.append(Estimate(float(np.log(mse[where]).mean()), float((se / mse)[where].mean())))
    return levels


def _valley(rows: Rows) -> Judgement:
    falls: list[Estimate] = []
    rises: list[Estimate] = []
    graceful = []
    for p in SHAPES:
        for alpha in LEVELS:
            c, mse, se = _error_curve(rows, p, alpha)
            least, relative = int(mse.argmin()), se / mse
            for end, found in ((0, falls), (-1, rises)):
                error = math.hypot(relative[end], relative[least])
                found.append(Estimate(math.log(mse[end] / mse[least]), error))
            graceful.append(within(rises[-1], math.log(1.2), math.log(1.15 * (c[-1] / c[least]) ** 2)))
    spans = [[math.exp(extreme(f.value for f in found)) for extreme in (min, max)] for found in (falls, rises)]
    return Judgement(
        verdict=verdict_of(all_within(falls, math.log(2), math.inf) and all(graceful)),
        seen=f"the smallest C is {spans[0][0]:.3g} to {spans[0][1]:.3g} times worse than the best, C = 1 is "
        f"{spans[1][0]:.3g} to {spans[1][1]:.3g} times worse; in {sum(graceful)} of {len(graceful)} curves that is no "
        "more than C² from the best C",
        why="'gracefully' is as C²: the noise has scale 6Δ/α",
    )


def _spread(rows: Rows) -> Judgement:
    steps, ratios = [], {}
    for alpha in LEVELS:
        levels = _mean_log_errors(rows, alpha, 0.0, 0.2)
        steps += [wide - narrow for wide, narrow in itertools.pairwise(levels)]
        ratios[alpha] = levels[0] - levels[-1]
    return Judgement(
        verdict=verdict_of(above_one(steps) and above_one(list(ratios.values()))),
        seen="error for p = 0.1 over that for p = 5, geometric mean over C ≤ 0.2: "
        + joined("{1.factor:.2f} (α={0:g})", ratios.items())
        + f"; of {len(steps)} steps from a shape to the next narrower one {sum(s.value > 0 for s in steps)} lower it",
        why="the larger the variance of the observations, the wider the bins must be; where α is so small that the "
        "votes fail for every distribution there is little left to compare",
    )


def _coincide(rows: Rows) -> Judgement:
    apart, text = [], []
    for alpha in LEVELS:
        levels = _mean_log_errors(rows, alpha, 0.8, 1.0)
        middle = float(np.mean([level.value for level in levels]))
        apart += [Estimate(level.value - middle, level.error) for level in levels]
        text.append(", ".join(f"{math.exp(level.value - middle):.3f}" for level in levels) + f" (α={alpha:g})")
    return Judgement(
        verdict=verdict_of(all_within(apart, math.log(1 / 1.03), math.log(1.03))),
        seen="error of each shape over the geometric mean of all, over C ≥ 0.8: " + "; ".join(text),
        why="there the Laplace noise is nearly all of the error and does not know the distribution",
    )


def _below_over_above(rows: Rows, alpha: float, factor: float) -> list[Estimate]:
    """For each shape, the log ratio of the errors at half the best C and at `factor` times the best."""
    ratios = []
    for p in SHAPES:
        c, mse, se = _error_curve(rows, p, alpha)
        best = c[mse.argmin()]
        places = [best / 2, min(1.0, factor * best)]
        values, errors = (np.interp(places, c, part) for part in (np.log(mse), se / mse))
        ratios.append(Estimate(float(values[0] - values[1]), float(np.hypot(*errors))))
    return ratios


def _larger_is_safer(rows: Rows) -> Judgement:
    sides = {factor: {alpha: _below_over_above(rows, alpha, factor) for alpha in LEVELS} for factor in (1.5, 2.0)}
    words = {1.5: "1.5 times the best, as far above it", 2.0: "twice the best"}
    return Judgement(
        verdict=verdict_over_sides(
            *(all(above_one([mean_of(logs)]) for logs in ratios_of.values()) for ratios_of in sides.values())
        ),
        seen="error at half the best C over that at "
        + "; ".join(
            f"{words[factor]}: "
            + ", ".join(
                f"{mean_of(logs).factor:.2f} ({sum(log.value > 0 for log in logs)} of {len(logs)} shapes, α={alpha:g})"
                for alpha, logs in ratios_of.items()
            )
            for factor, ratios_of in sides.items()
        ),
        why="as far on either side, as one reads it off a linear axis, the larger C is better. By the same factor it "
        "is not shown for α = 0.5, where a small C fails gently",
        choice="what equally far from the optimal C is: the same difference, or the same factor",
    )


CLAIMS = (
    Claim(
        name="a valley in C",
        text="In all cases too small a C gives a large error; it decays to a minimum, then increases gracefully.",
        where="L1038",
        expected=Verdict.AGREES,
        tolerance="in every curve the smallest C at least twice as bad as the best; C = 1 between 1.2 times as bad and "
        "1.15 (1/C)² from the best C, the most that noise alone can add; four standard errors each",
        check=_valley,
    ),
    Claim(
        name="small C hurts wide distributions",
        text="The effects of a small C are more adverse for distributions with larger variance.",
        where="L1038",
        expected=Verdict.AGREES,
        tolerance="no step to the next narrower shape may raise the error over C ≤ 0.2 by four standard errors, all "
        "together lower it by four, and so for p = 0.1 against p = 5; the paper states no size",
        check=_spread,
    ),
    Claim(
        name="large C is the same for all",
        text="The errors of the distributions coincide for large C.",
        where="L1038",
        expected=Verdict.AGREES,
        tolerance="over C ≥ 0.8 every shape within 3 % of the mean of all on either side, less than a line's width, "
        "and four standard errors",
        check=_coincide,
    ),
    Claim(
        name="better too large than too small",
        text="It is preferable to pick C larger than optimal rather than smaller.",
        where="L1038, L1073",
        expected=Verdict.DEPENDS,
        tolerance="at each α the five shapes together, by geometric mean, prefer the larger C by four standard errors: "
        "single curves are jagged, and with them the best C",
        check=_larger_is_safer,
    ),
)


def draw(rows: Rows, picture: Any) -> None:
    """A panel an α."""
    axes, places = panel_grid(picture, ("",), LEVELS, "α = {1:g}", log="y")
    for place, _, alpha in places:
        for p, colour, marker in zip(SHAPES, (*PALETTE[:4], INK), MARKERS, strict=False):
            look = Look(colour=colour, marker=marker)
            curve(place, rows_along(rows, "C", p=p, alpha=alpha), "C", look=look, label=f"p = {p:g}")
    name_axes(picture, axes, x="C in Δ = C√(log(nTα²)/T)", y="mean squared error")
    legend_beside(picture, axes, columns=5, title="2·Beta(p, p) − 1")


FIGURES = {
    "sensitivity-1": Figure(
        name="sensitivity-1",
        title="Sensitivity to the constant in Δ: Beta distributions (n = 200, T = 100)",
        where="L1028–1046",
        cells=cells,
        compute=compute,
        gather=gather_parts,
        cost=lambda cell: cell["repetitions"] / 1000 * (0.9 + (0.4 if has_numba() else 0.95) / cell["step"]),
        keys=("p", "alpha", "C"),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "The curves are jagged because nothing is shifted here: as C varies, the mean 0 lies now on an edge of a "
            "bin and now in its middle.",
        ),
        size=(9.6, 3.9),
    )
}
