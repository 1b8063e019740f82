"""The paper's five tables of rates and its table of running times, made from the functions they stand for."""

from __future__ import annotations

import numpy as np

from sottovoce.paper.experiments.tables import SIZES
from sottovoce.paper.figure import Claim, Judgement, Rows, Verdict, pick, verdict


def _value(rows: Rows, table: str, row: str, column: str) -> float:
    return float(pick(rows, table=table, row=row, column=column)[0]["value"])


def _equal_rates(rows: Rows) -> Judgement:
    pairs = [
        tuple(_value(rows, table, row, "minimax rate") for row in ("local item-level", f"local user-level ({at})"))
        for table, at in (("tab-2", "T small"), ("tab-5", "T small"), ("tab-20", "n large"))
    ]
    return Judgement(
        verdict=verdict(all(np.isclose(item, user) for item, user in pairs)),
        seen="item level and user level (T small, or n large) at the sizes below: "
        + "; ".join(f"{item:.3g} and {user:.3g}" for item, user in pairs),
        why="as rates, without constants and logarithms: the univariate figure has a factor of 14 there at α ≥ 2",
    )


def _density_transition(rows: Rows) -> Judgement:
    from sottovoce.theory import comparisons

    n, alpha, beta = SIZES["n"], SIZES["alpha"], SIZES["beta"]
    T = _value(rows, "tab-3", "phase transition (T = ·)", "density")
    small = comparisons.item_density(n=n, T=T, alpha=alpha, beta=beta)
    large = comparisons.large_t_density(n=n, alpha=alpha, beta=beta)
    return Judgement(
        verdict=verdict(bool(np.isclose(small, large))),
        seen=f"density: at T = (nα²)^(2β+1) = {T:.3g} the small-T rate is {small:.3g}, the large-T rate {large:.3g}",
    )


def _mean_transition(rows: Rows) -> Judgement:
    from sottovoce.theory import comparisons

    n, alpha, d = SIZES["n"], SIZES["alpha"], SIZES["d"]
    T = _value(rows, "tab-3", "phase transition (T = ·)", "d-dim. mean (ℓ2 ball)")
    small = comparisons.item_mean(n=n, T=T, alpha=alpha, d=d)
    large = comparisons.large_t_mean(n=n, alpha=alpha, d=d)
    gap = n * alpha**2 / d
    return Judgement(
        verdict=verdict(bool(np.isclose(large / small, gap))),
        seen=f"mean: at T = e^(nα²/d) = {T:.3g} the small-T rate is {small:.3g}, the large-T rate {large:.3g}",
        why="they differ by nα²/d, a logarithm of T, which the table leaves out",
    )


CLAIMS = (
    Claim(
        name="user level equals nT items",
        text="While T is small the user-level rate equals the item-level rate with nT users.",
        where="L523, L811",
        expected=Verdict.AGREES,
        check=_equal_rates,
    ),
    Claim(
        name="the transition of the mean",
        text="The mean's phase transition is at T of order e^{nα²/d}.",
        where="L960",
        expected=Verdict.AGREES,
        check=_mean_transition,
    ),
    Claim(
        name="the transition of the density",
        text="The density's phase transition is at T of order (nα²)^{2β+1}.",
        where="L960",
        expected=Verdict.AGREES,
        check=_density_transition,
    ),
)
