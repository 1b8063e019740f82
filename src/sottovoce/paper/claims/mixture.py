"""Means of mixtures (L1101–1146): four equal components, and three of which two are rare. 1,000 repetitions."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.experiments.mixture import line_of
from sottovoce.paper.figure import Claim, Judgement, Rows, Verdict, verdict


def _ends(rows: Rows, vary: str, alpha: float) -> tuple[float, float, float, float]:
    """Largest |bias| and sd over components at the start (a quarter of the way: 500) and at the end."""
    components = sorted({row["component"] for row in rows})
    lines = [line_of(rows, vary, alpha, k) for k in components]
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


CLAIMS = {
    "mixture-1": (
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
    "mixture-2": (
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
}
