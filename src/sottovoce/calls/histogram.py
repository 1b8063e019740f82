"""``sv.histogram``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from sottovoce.problems.groups import GroupedEstimate
from sottovoce.problems.histogram import HistogramEstimate
from sottovoce.rehearsal import Request, rehearse


@overload
def histogram(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    observations: int | None = None,
    categories: Sequence[str] | None = None,
    other: str | None = None,
    edges: Sequence[float] | None = None,
    low: float | None = None,
    high: float | None = None,
    bins: int | None = None,
    spread: float | None = None,
    empty_at_most: float = 0.0,
    public_seed: int = 0,
    confidence: float = 0.95,
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
) -> HistogramEstimate: ...


@overload
def histogram(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    observations: int | None = None,
    categories: Sequence[str] | None = None,
    other: str | None = None,
    edges: Sequence[float] | None = None,
    low: float | None = None,
    high: float | None = None,
    bins: int | None = None,
    spread: float | None = None,
    empty_at_most: float = 0.0,
    public_seed: int = 0,
    confidence: float = 0.95,
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
) -> HistogramEstimate | GroupedEstimate: ...


def histogram(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    observations: int | None = None,
    categories: Sequence[str] | None = None,
    other: str | None = None,
    edges: Sequence[float] | None = None,
    low: float | None = None,
    high: float | None = None,
    bins: int | None = None,
    spread: float | None = None,
    empty_at_most: float = 0.0,
    public_seed: int = 0,
    confidence: float = 0.95,
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
) -> HistogramEstimate | GroupedEstimate:
    """Estimate the average over users of their own shares of some categories, or of numbers in bins.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of lists, a file
    (CSV, Excel, Parquet), or a data set. `observations` is the public guess of how many a user holds; left out, this
    rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy. See `Histogram` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes one-round or adaptive, the first unless another's predicted squared error is below 0.75 times its
        own; one-round asks everybody once, for one random item of theirs; adaptive finds out how alike users are, and
        asks in which direction they lie from what it knows
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    observations
        observations per user, as the survey declares it
    categories
        labels of the categories, or @FILE with a label to a line
    other
        the declared category that takes what is in none of them (left out: none)
    edges
        edges of bins for numbers, ends included
    low
        lowest declared value, for equal bins
    high
        highest declared value; what lies beyond counts in the outermost bins
    bins
        how many equal bins from low to high
    spread
        how much users' own shares differ (root mean squared distance from their average, 0 to 1), for auto to choose by
        (left out: not known: alike, or by 0.2)
    empty_at_most
        the largest share of the users that may hold no observation, 0 to 1: the intervals allow for them (left out: 0:
        every user is taken to hold one)
    public_seed
        makes the public directions of adaptive; chosen without looking at data
    confidence
        level of the interval, 0 to 1
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
    >>> ways = np.random.default_rng(1).choice(["bus", "train", "car"], size=(4000, 50), p=[0.5, 0.3, 0.2])
    >>> answer = sv.histogram(ways, categories=["bus", "car", "train"], epsilon=2.0, seed=7)
    >>> [one.label for one in answer.top(2)]
    ['bus', 'train']
    """
    request = Request.of(
        "histogram",
        data,
        epsilon=epsilon,
        method=method,
        observations=observations,
        categories=categories,
        other=other,
        edges=edges,
        low=low,
        high=high,
        bins=bins,
        spread=spread,
        empty_at_most=empty_at_most,
        public_seed=public_seed,
        confidence=confidence,
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
    answer: HistogramEstimate | GroupedEstimate = rehearse(request).answer
    return answer
