"""``sv.cdf``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sottovoce.problems.quantiles import CdfEstimate
from sottovoce.rehearsal import Request, rehearse


def cdf(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    low: float | None = None,
    high: float | None = None,
    observations: int | None = None,
    step: float | None = None,
    spread: float | None = None,
    empty: Literal["middle", "random", "symbol"] = "middle",
    empty_at_most: float = 0.0,
    points: Sequence[float] = (),
    count: int | None = None,
    confidence: float = 0.95,
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
) -> CdfEstimate:
    """Estimate the share of the observations up to each point, averaged over users.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of lists, a file
    (CSV, Excel, Parquet), or a data set. `observations` is the public guess of how many a user holds; left out, this
    rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy. See `Cdf` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes one-round or adaptive, the first unless another's predicted squared error is below 0.7 times its own;
        one-round asks everybody once about the whole range; adaptive asks a quarter of the users about the whole range,
        then the others close to what is wanted
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    low
        lowest declared value, in units of the observations
    high
        highest declared value; observations beyond count as this one
    observations
        observations per user, as the survey declares it
    step
        declares that observations are whole steps apart: low, low + step, …, high (left out: any number)
    spread
        how much users' own means differ (standard deviation), for auto to choose by (left out: not known: alike, or by
        a tenth of the range)
    empty
        what a user without observations counts as: the middle of what is asked about, or a random place there; symbol
        counts them apart
    empty_at_most
        the largest share of the users that may hold no observation, 0 to 1: the intervals allow for them (left out: 0:
        every user is taken to hold one)
    points
        where it is wanted (left out: evenly spaced)
    count
        how many evenly spaced points, 1 to 64 (left out: 16, or one at every step of up to 64)
    confidence
        level of the interval, 0 to 1
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
    >>> minutes = np.random.default_rng(1).gamma(4, 5, size=(5000, 40))
    >>> answer = sv.cdf(minutes, points=[10, 20, 40], low=0, high=100, epsilon=2.0, seed=7)
    >>> [round(share, 1) for share in answer.value]
    [0.1, 0.6, 0.9]
    """
    request = Request.of(
        "cdf",
        data,
        epsilon=epsilon,
        method=method,
        low=low,
        high=high,
        observations=observations,
        step=step,
        spread=spread,
        empty=empty,
        empty_at_most=empty_at_most,
        points=points,
        count=count,
        confidence=confidence,
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
    answer: CdfEstimate = rehearse(request).answer
    return answer
