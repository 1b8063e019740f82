"""``sv.by_group``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sottovoce.problems.groups import GroupedEstimate
from sottovoce.rehearsal import Request, rehearse


def by_group(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    of: str = "mean",
    observations: int | None = None,
    low: float | None = None,
    high: float | None = None,
    levels: int | None = None,
    categories: Sequence[str] | None = None,
    other: str | None = None,
    edges: Sequence[float] | None = None,
    bins: int | None = None,
    q: float | Sequence[float] | None = None,
    step: float | None = None,
    confidence: float = 0.95,
    by: Any = None,
    groups: Sequence[Any] | None = None,
    memberships: int | None = None,
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
) -> GroupedEstimate:
    """Estimate a mean, a histogram or quantiles in each of some groups, membership being private too.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of lists, a file
    (CSV, Excel, Parquet), or a data set. `observations` is the public guess of how many a user holds; left out, this
    rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy. See `ByGroup` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes dealt or joint, whichever has the lowest predicted error; dealt deals every slot a group; it answers
        for that one, or that it has nothing there; joint asks everybody for group and level in one symbol; for users
        with something in one group each
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    of
        what is estimated in each group
    observations
        observations per user, as the survey declares it
    low
        lowest declared value, in units of the observations
    high
        highest declared value; what lies beyond is clamped
    levels
        levels that a mean is rounded to, ends included (left out: by predicted error)
    categories
        for a histogram: labels of the categories, or @FILE
    other
        the declared category that takes what is in none of them (left out: none)
    edges
        for a histogram: edges of bins, ends included
    bins
        how many equal bins from low to high (left out: for quantiles, up to 32 by the number of users)
    q
        levels of the quantiles, between 0 and 1 (left out: 0.5, the median)
    step
        for quantiles: observations are low, low + step, …, high (left out: any number)
    confidence
        level of the interval, 0 to 1
    by
        the column of a frame or file that says the group of an observation; for arrays an array, of the shape of the
        data or with a label for each user (left out: everybody who has something)
    groups
        labels of the groups (left out: those of the data, which a survey cannot look up)
    memberships
        in how many groups a user has something, as the survey declares it (left out: looked up in the data)
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
    >>> stream = np.random.default_rng(1)
    >>> hours, shop = stream.gamma(4, 2, size=(6000, 9)), stream.integers(0, 3, size=(6000, 9))
    >>> answer = sv.by_group(hours, by=shop, groups=["0", "1", "2"], of="mean", low=0, high=20, epsilon=2.0, seed=7)
    >>> [round(group.value[0]) for group in answer]
    [8, 8, 8]
    """
    request = Request.of(
        "groups",
        data,
        epsilon=epsilon,
        method=method,
        of=of,
        observations=observations,
        low=low,
        high=high,
        levels=levels,
        categories=categories,
        other=other,
        edges=edges,
        bins=bins,
        q=q,
        step=step,
        confidence=confidence,
        by=by,
        groups=groups,
        memberships=memberships,
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
    answer: GroupedEstimate = rehearse(request).answer
    return answer
