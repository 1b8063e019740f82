"""What the two real-data figures share (L937–953), on any table of users by observations: rows, claims and panels.

One share of all observations, and the shares of four groups.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.baselines import FullItem, SemiUser, sphere_radius, true_side_chance
from sottovoce.design import one_bit, unary
from sottovoce.paper import our_methods
from sottovoce.paper.figure import (
    ALPHAS,
    Cell,
    Claim,
    Floats,
    Integers,
    Judgement,
    Row,
    Rows,
    Verdict,
    above_one,
    column,
    joined,
    log_ratio,
    log_slope,
    rows_along,
    verdict_of,
    verdict_over_sides,
    within,
)
from sottovoce.paper.plots import (
    curve_with_bars,
    is_narrow,
    legend_beside,
    name_axes,
    panels,
    ribbon,
    with_others,
    with_ours,
)
from sottovoce.paper.simulation import averages
from sottovoce.paper.simulation.vote_then_refine import (
    coordinatewise_estimates,
    error_summary,
    first_users,
    mean_scheme,
    user_level_estimates,
    vector_scheme,
    voters_and_refiners,
)
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean

Errors = dict[tuple[str, float], Floats]
SCHEMES = ("full item", "user level", "semi user", "one item")
PLAIN = ("user level, 0/1", "semi user, 0/1")
"""Without the mapping to 2x − 1, which the paper does not state (ERRATA 17)."""


def one_share_errors(stream: Generator, observations: Integers, truth: float, repetitions: int) -> Errors:
    """Squared errors of the share of ones, `observations` being (n, T) of 0 and 1, encoded as 2x − 1 (ERRATA 17).

    Users are dealt to the two halves anew in every repetition; their observations are what they are.
    """
    users, T = observations.shape
    average = 2 * observations.mean(axis=1) - 1
    rows = np.arange(users)
    errors: Errors = {}
    order = np.argsort(stream.random((repetitions, users)), axis=1)
    dealt = average[order]
    items = observations[rows, stream.integers(0, T, size=(repetitions, users))]
    for alpha in ALPHAS:
        declared: dict[str, Any] = {"epsilon": alpha, "low": -1.0, "high": 1.0, "users": users, "observations": T}
        for name, baseline in (("full item", FullItem(**declared)), ("semi user", SemiUser(**declared))):
            noise = averages.laplace_mean(stream, baseline.question(), (repetitions,))
            errors[name, alpha] = _squared_error_of_share(average.mean() + noise, truth)
        scheme = mean_scheme(users, T, alpha)
        errors["user level", alpha] = _squared_error_of_share(
            user_level_estimates(stream, *voters_and_refiners(dealt, scheme), scheme=scheme), truth
        )
        bit = one_bit(alpha)
        sent = stream.random((repetitions, users)) < np.array(bit.probabilities)[items, 1]
        errors["one item", alpha] = (np.array(bit.decode)[sent.astype(np.int64)].mean(axis=1) - truth) ** 2
    for alpha in ALPHAS:  # the other reading: 0 and 1 stay what they are in [−1, 1], and so does the noise
        semi = SemiUser(epsilon=alpha, low=-1.0, high=1.0, users=users, observations=T)
        noise = averages.laplace_mean(stream, semi.question(), (repetitions,))
        errors[PLAIN[1], alpha] = np.asarray((observations.mean() + noise - truth) ** 2)
        scheme = mean_scheme(users, T, alpha)
        located = user_level_estimates(stream, *voters_and_refiners((dealt + 1) / 2, scheme), scheme=scheme)
        errors[PLAIN[0], alpha] = np.asarray((located - truth) ** 2)
    return errors


def _squared_error_of_share(value: Floats, truth: float) -> Floats:
    """The squared error of the share, (θ + 1)/2."""
    return np.asarray(((value + 1) / 2 - truth) ** 2)


def group_share_errors(stream: Generator, observations: Integers, truth: Floats, repetitions: int) -> Errors:
    """Squared ℓ2 errors of the shares of all groups, `observations` being (n, T) of group numbers."""
    users, T = observations.shape
    groups = len(truth)
    shares = np.stack([(observations == group).mean(axis=1) for group in range(groups)], axis=1)
    lengths = np.sqrt((shares**2).sum(axis=1))
    rows = np.arange(users)
    order = np.argsort(stream.random((repetitions, users)), axis=1)
    errors: Errors = {}

    def located(alpha: float, averages: Floats) -> Floats:
        scheme = vector_scheme(users, T, alpha, dimension=groups, ball="linf")
        first = first_users(scheme)

        def draw(group: int, shape: tuple[int, int]) -> Floats:
            return np.asarray(averages[order[:, first[group] : first[group] + shape[1]], group])

        return coordinatewise_estimates(stream, draw, scheme=scheme, repetitions=repetitions)

    for alpha in ALPHAS:
        errors["user level", alpha] = ((((located(alpha, 2 * shares - 1) + 1) / 2) - truth) ** 2).sum(axis=1)
        fold = [order[:, group::groups] for group in range(groups)]  # full item: users split evenly, Laplace
        full = [
            shares[mine, group].mean(axis=1)
            + averages.laplace_mean(
                stream,
                FullItem(epsilon=alpha, low=0.0, high=1.0, users=mine.shape[1], observations=T).question(),
                (repetitions,),
            )
            for group, mine in enumerate(fold)
        ]
        errors["full item", alpha] = ((np.stack(full, axis=1) - truth) ** 2).sum(axis=1)
        semi, one = np.empty(repetitions), np.empty(repetitions)
        scale, channel = sphere_radius(groups, alpha, 1.0), unary(alpha, groups)
        for repetition in range(repetitions):
            points = averages.sphere(stream, groups, users)
            toward = np.where((points * shares).sum(axis=1) >= 0, 1.0, -1.0)
            toward_end = np.where(stream.random(users) < 0.5 + lengths / 2, 1.0, -1.0)
            true_side = np.where(stream.random(users) < true_side_chance(alpha), 1.0, -1.0)
            estimate = scale * (points * (toward * toward_end * true_side)[:, None]).mean(axis=0)
            semi[repetition] = ((estimate - truth) ** 2).sum()
            item = observations[rows, stream.integers(0, T, size=users)]
            counts = np.bincount(item, minlength=groups)
            votes = stream.binomial(counts, channel.keep) + stream.binomial(users - counts, 1 - channel.keep)
            one[repetition] = ((channel.shares(votes, users) - truth) ** 2).sum()
        errors["semi user", alpha], errors["one item", alpha] = semi, one
    for alpha in ALPHAS:
        errors[PLAIN[0], alpha] = ((located(alpha, shares) - truth) ** 2).sum(axis=1)
    return errors


LINES = {"full item": "-.", "user level": "-", "semi user": "--", "one item": ":"}


def rows_of_cell(cell: Cell, stream: Generator, ones: np.ndarray, groups: np.ndarray) -> Rows:
    """Mean squared errors of one cell, the truth being the share over all observations of all users."""
    T, count = cell["T"], cell["repetitions"]
    if cell.get("series"):
        errors = default_errors(cell, stream, ones, groups)
    elif cell["panel"] == "one":
        errors = one_share_errors(stream, ones[:, :T], float(ones.mean()), count)
    else:
        errors = group_share_errors(stream, groups[:, :T], group_shares(groups), count)
    return [
        {"panel": cell["panel"], "T": T, "alpha": alpha, "scheme": scheme} | error_summary(error)
        for (scheme, alpha), error in errors.items()
    ]


def group_shares(groups: np.ndarray) -> np.ndarray:
    """The shares of the four groups, over all observations."""
    return np.asarray(np.bincount(groups.ravel(), minlength=4) / groups.size)


def default_errors(cell: Cell, stream: Generator, ones: np.ndarray, groups: np.ndarray) -> Errors:
    """Squared errors of our defaults: a mean of 2x − 1 on [−1, 1] as the paper's method has it, or a histogram."""
    T, count, (users, _) = cell["T"], cell["repetitions"], ones.shape
    errors: Errors = {}
    for alpha in ALPHAS:
        declared: dict[str, Any] = {"epsilon": alpha, "users": users, "observations": T}
        if cell["panel"] == "one":
            mean = Mean(low=-1.0, high=1.0, **declared)
            user_means = 2 * ones[:, :T].mean(axis=1) - 1
            answers = our_methods.answers(mean, [user_means] * count, stream)
            errors[our_methods.DEFAULT, alpha] = _squared_error_of_share(
                np.array([answer.value for answer in answers]), ones.mean()
            )
        else:
            histogram = Histogram(categories=("1", "2", "3", "4"), **declared)
            values = np.array(
                [answer.value for answer in our_methods.answers_about_people(histogram, groups[:, :T], stream, count)]
            )
            errors[our_methods.DEFAULT, alpha] = ((values - group_shares(groups)) ** 2).sum(axis=1)
    return errors


SLOPES = {"full item": (-1.15, -0.8), "user level": (-1.15, -0.5), "semi user": (-0.1, 0.1), "one item": (-0.1, 0.1)}
"""What counts as improving as 1/T, as log(nTα²)/T with users that differ, and as constant."""
SIDES = {
    "2x − 1": {"user level": "user level", "semi user": "semi user"},
    "0/1": {"user level": PLAIN[0], "semi user": PLAIN[1]},
}
CHOICE = (
    "the mapping of {0, 1} into [−1, 1], and with it the width of the Laplace noise: 2x − 1, or 0 and 1 as they are"
)


def _last_row(rows: Rows, panel: str, alpha: float, scheme: str) -> Row:
    return rows_along(rows, "T", panel=panel, alpha=alpha, scheme=scheme)[-1]


def _improves(rows: Rows) -> Judgement:
    falls = {
        (scheme, alpha): log_slope(rows_along(rows, "T", panel="one", scheme=scheme, alpha=alpha), "T")
        for scheme in LINES
        for alpha in ALPHAS
    }
    return Judgement(
        verdict=verdict_of(all(within(slope, *SLOPES[scheme]) for (scheme, _), slope in falls.items())),
        seen="slope of the error in T on log axes for α = .5, 1, 2, 4: "
        + "; ".join(f"{scheme} " + joined("{}", (falls[scheme, alpha] for alpha in ALPHAS)) for scheme in LINES),
        why="what a slope of zero leaves is noise that does not depend on T, and users that differ",
    )


def _wins(why: str, panel: str, alphas: tuple[float, ...], rows: Rows) -> Judgement:
    """User level against semi user and one item, each on its own over all α, at the largest T."""
    sides, text = [], []
    for side, names in SIDES.items():
        others = (names["semi user"] if panel == "one" else "semi user", "one item")
        user = {alpha: _last_row(rows, panel, alpha, names["user level"]) for alpha in alphas}
        logs = [[log_ratio(_last_row(rows, panel, a, other), user[a]) for a in alphas] for other in others]
        sides.append(all(above_one(of_other) for of_other in logs))
        least = [math.exp(min(log.value for log in both)) for both in zip(*logs, strict=True)]
        text.append(f"{side}: " + joined("{:.2f} (α={:g})", zip(least, alphas, strict=True)))
    return Judgement(
        verdict=verdict_over_sides(*sides),
        seen="error of the better of semi user and one item over that of user level, largest T. " + "; ".join(text),
        why=why,
        choice=f"{CHOICE} (ERRATA 17)",
    )


def _full_best(rows: Rows) -> Judgement:
    panels = {
        panel: [
            log_ratio(_last_row(rows, panel, alpha, other), _last_row(rows, panel, alpha, "full item"))
            for alpha in ALPHAS
            for other in list(LINES)[1:]
        ]
        for panel in ("one", "four")
    }
    return Judgement(
        verdict=verdict_of(all(above_one(logs) for logs in panels.values())),
        seen="error of the best other scheme over that of full item, at its least: "
        + ", ".join(f"{math.exp(min(log.value for log in logs)):.2f} ({panel})" for panel, logs in panels.items()),
        why="it protects single observations only",
    )


def on_other_data(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The same sentences of data that the paper does not speak of: they say so, and count apart."""
    return tuple(
        replace(claim, text=f"On these data: {claim.text[0].lower()}{claim.text[1:]}", borrowed=True)
        for claim in claims
    )


def claims(*, improve: Verdict, best: Verdict, four: Verdict, why: str) -> tuple[Claim, ...]:
    """The claims of the study, with the verdicts found on these data."""
    return (
        Claim(
            name="two improve with T, two do not",
            text="As T grows full item and user level improve, one item and semi user remain constant.",
            where="L944",
            expected=improve,
            tolerance="slopes on log axes, at every α: full item −1.15 to −0.8 (its noise gives −1), user level −1.15 "
            "to −0.5 (log(nTα²)/T, and users that differ), the others −0.1 to 0.1; four standard errors each",
            check=_improves,
        ),
        Claim(
            name="user level wins from α = 1",
            text="For α ≥ 1 the user-level method exhibits superior performance, excepting full item.",
            where="L944, ERRATA 17",
            expected=best,
            tolerance="against each of the two others: at no α worse by four standard errors, over all these α "
            "together better by four; the paper states no size",
            check=partial(_wins, why, "one", (1.0, 2.0, 4.0)),
        ),
        Claim(
            name="four shares from α = 2",
            text="For the shares of the groups, user level outperforms one item and semi user for α ≥ 2.",
            where="L954",
            expected=four,
            tolerance="against each of the two others: at no α worse by four standard errors, over all these α "
            "together better by four; the paper states no size",
            check=partial(_wins, why, "four", (2.0, 4.0)),
        ),
        Claim(
            name="full item is best",
            text="Full item level performs best, in both problems.",
            where="L944, L954",
            expected=Verdict.AGREES,
            tolerance="no other scheme better at any α by four standard errors, together worse by four",
            check=_full_best,
        ),
    )


SERIES = with_ours(LINES)


def draw(rows: Rows, picture: Any, *, one: str, four: str) -> None:
    """One share against T, scaled by α², a panel an α; four shares against α."""
    axes = panels(picture, 1, len(ALPHAS) + 1, width_ratios=[1] * len(ALPHAS) + [1.25])
    series = with_others(SERIES, rows)
    name_axes(picture, axes, x="T, observations", y=f"{one}:\nerror × α²")
    for place, alpha in zip(axes[0], ALPHAS, strict=False):
        if place is not axes[0, 0]:
            place.sharey(axes[0, 0])
        place.set_yscale("log")
        place.set_title(f"α = {alpha:g}")
        for scheme, (label, look) in series.items():
            chosen = rows_along(rows, "T", panel="one", alpha=alpha, scheme=scheme)
            if chosen:
                mse, error = alpha**2 * column(chosen, "mse"), alpha**2 * column(chosen, "se")
                ribbon(place, column(chosen, "T"), mse, error, look=look, label=label)
        if alpha != ALPHAS[0] and not is_narrow(picture):
            place.tick_params(labelleft=False)
    last = axes[0, -1]
    last.set_yscale("log")
    last.set_xscale("log", base=2)
    last.set_xticks(ALPHAS, [f"{alpha:g}" for alpha in ALPHAS])
    last.set(xlabel="α", ylabel="mean squared error", title=four)
    for scheme, (label, look) in series.items():
        curve_with_bars(last, rows_along(rows, "alpha", panel="four", scheme=scheme), "alpha", look=look, label=label)
    legend_beside(picture, axes, columns=4)
