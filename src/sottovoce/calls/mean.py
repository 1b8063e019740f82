"""``sv.mean``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from sottovoce.answers import Estimate
from sottovoce.problems.groups import GroupedEstimate
from sottovoce.rehearsal import Request, rehearse


@overload
def mean(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    low: float | None = None,
    high: float | None = None,
    observations: int | None = None,
    spread: float | None = None,
    caution: Literal["high", "medium", "low"] = "medium",
    rounds: int | None = None,
    shrink: bool = False,
    empty_at_most: float = 0.0,
    confidence: float = 0.95,
    refine: Literal["laplace", "table"] = "laplace",
    proof_constant: float = 8535.0,
    delta: float | None = None,
    three_bin_votes: bool | None = None,
    by: None = None,
    groups: Sequence[Any] | None = None,
    memberships: int | None = None,
    empty: Literal["middle", "random"] = "middle",
    find_range: float | None = None,
    user: str | None = None,
    value: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    skip_bad: bool = False,
    seed: int | None = None,
) -> Estimate: ...


@overload
def mean(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    low: float | None = None,
    high: float | None = None,
    observations: int | None = None,
    spread: float | None = None,
    caution: Literal["high", "medium", "low"] = "medium",
    rounds: int | None = None,
    shrink: bool = False,
    empty_at_most: float = 0.0,
    confidence: float = 0.95,
    refine: Literal["laplace", "table"] = "laplace",
    proof_constant: float = 8535.0,
    delta: float | None = None,
    three_bin_votes: bool | None = None,
    by: Any = None,
    groups: Sequence[Any] | None = None,
    memberships: int | None = None,
    empty: Literal["middle", "random", "symbol"] = "middle",
    find_range: float | None = None,
    user: str | None = None,
    value: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    skip_bad: bool = False,
    seed: int | None = None,
) -> Estimate | GroupedEstimate: ...


def mean(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    low: float | None = None,
    high: float | None = None,
    observations: int | None = None,
    spread: float | None = None,
    caution: Literal["high", "medium", "low"] = "medium",
    rounds: int | None = None,
    shrink: bool = False,
    empty_at_most: float = 0.0,
    confidence: float = 0.95,
    refine: Literal["laplace", "table"] = "laplace",
    proof_constant: float = 8535.0,
    delta: float | None = None,
    three_bin_votes: bool | None = None,
    by: Any = None,
    groups: Sequence[Any] | None = None,
    memberships: int | None = None,
    empty: Literal["middle", "random", "symbol"] = "middle",
    find_range: float | None = None,
    user: str | None = None,
    value: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    skip_bad: bool = False,
    seed: int | None = None,
) -> Estimate | GroupedEstimate:
    """Estimate the average over users of the mean of their observations.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of lists, a file
    (CSV, Excel, Parquet), or a data set. `observations` is the public guess of how many a user holds; left out, this
    rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy. See `Mean` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes one-round or adaptive, the first unless another's predicted squared error is below 0.5 times its own;
        one-round asks everybody once on the full range; adaptive finds out where users are, then asks there;
        homogeneous for users who are alike, as the caller asserts: finds them, then asks about a few bins at their
        centre; paper votes for a place first, with the constants of the paper's experiments; theory votes for a place
        first, with the constants of the paper's proofs
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    low
        lowest declared value, in units of the observations
    high
        highest declared value; averages beyond are clamped
    observations
        observations per user, as the survey declares it
    spread
        how much users' own means differ (standard deviation), for auto to choose by (left out: not known: alike, or by
        a tenth of the range)
    caution
        how wary adaptive is of a group of users far from the rest, at the price of accuracy
    rounds
        at most so many rounds: 2 or 3 for adaptive, 1 to 5 for homogeneous (left out: 3 and 5)
    shrink
        with few users, pull the estimate toward the middle: lower error on average, biased
    empty_at_most
        the largest share of the users that may hold no observation, 0 to 1: the intervals allow for them (left out: 0:
        every user is taken to hold one)
    confidence
        level of the interval, 0 to 1
    refine
        how users report in the winning bin, for methods paper and theory
    proof_constant
        K, a constant of the proofs, for method theory (left out: 8535, as in the proofs)
    delta
        Δ, half the width of a bin of the vote, in half-ranges (left out: by the method)
    three_bin_votes
        vote for three bins instead of one (left out: by the method)
    by
        estimate in each group instead: the column of a frame or file that says the group of an observation; for arrays
        an array, of the shape of the data or with a label for each user; see `ByGroup`
    groups
        labels of the groups (left out: those of the data, which a survey cannot look up)
    memberships
        in how many groups a user has something, as the survey declares it (left out: looked up in the data)
    empty
        what a user without any observation sends: what lies in the middle, something at random, or a symbol of its own,
        with which the estimate is among those who have something
    find_range
        in place of low and high: this share of the users, 0.1 for a tenth, is asked for the range first, and the others
        in it; each still sends one report
    user
        column of a frame or file that says whose observation a row is
    value
        column with the numbers
    separator
        what separates the cells of a file (left out: looked up)
    encoding
        of a file (left out: looked up)
    decimal
        decimal sign of a file, . or , (left out: looked up)
    dates
        dmy or mdy, for dates that leave it open (left out: looked up)
    header
        line of a file that holds the names, 0 for none (left out: the first)
    sheet
        of an Excel workbook (left out: the first)
    skip_bad
        count odd cells as missing and leave out rows that cannot be read
    seed
        simulate the reports; left out, they are real and new every time

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included.

    Accuracy
    --------
    In the answer: intervals at `confidence` and what they assume, and warnings.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> ratings = np.random.default_rng(1).integers(1, 6, size=(4000, 25))
    >>> answer = sv.mean(ratings, low=1, high=5, epsilon=2.0, seed=7)
    >>> print(f"{answer.value:.1f}, {answer.method}")
    3.0, adaptive
    """
    request = Request.of(
        "mean",
        data,
        epsilon=epsilon,
        method=method,
        low=low,
        high=high,
        observations=observations,
        spread=spread,
        caution=caution,
        rounds=rounds,
        shrink=shrink,
        empty_at_most=empty_at_most,
        confidence=confidence,
        refine=refine,
        proof_constant=proof_constant,
        delta=delta,
        three_bin_votes=three_bin_votes,
        by=by,
        groups=groups,
        memberships=memberships,
        empty=empty,
        find_range=find_range,
        user=user,
        value=value,
        separator=separator,
        encoding=encoding,
        decimal=decimal,
        dates=dates,
        header=header,
        sheet=sheet,
        skip_bad=skip_bad,
        seed=seed,
    )
    answer: Estimate | GroupedEstimate = rehearse(request).answer
    return answer
