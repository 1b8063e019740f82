"""``sv.find_range``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from typing import Any, Literal

from sottovoce.problems.range import RangeEstimate
from sottovoce.rehearsal import Request, rehearse


def find_range(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    of: Literal["averages", "observations"] = "averages",
    smallest: float = 1e-06,
    largest: float = 1000000000.0,
    confidence: float = 0.95,
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
) -> RangeEstimate:
    """Estimate a range that holds the users, when nobody knows the unit.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of lists, a file
    (CSV, Excel, Parquet), or a data set. With a `seed` the reports are simulated: the same law, repeatable bits, no
    privacy. See `Range` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes one-round; one-round asks everybody once, for the bin that they are in
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    of
        what the range is to hold: users' averages, or their observations
    smallest
        sizes below this count as zero; rounded down to a power of two
    largest
        sizes up to this are told apart; rounded up to a power of two
    confidence
        level of the interval, 0 to 1
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
    \
    >>> import numpy as np, sottovoce as sv
    >>> watts = np.random.default_rng(1).lognormal(8, 0.5, size=(2000, 30))
    >>> print(sv.find_range(watts, epsilon=1.0, seed=7))
    1024 … 16384, one-round
    """
    request = Request.of(
        "range",
        data,
        epsilon=epsilon,
        method=method,
        of=of,
        smallest=smallest,
        largest=largest,
        confidence=confidence,
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
    answer: RangeEstimate = rehearse(request).answer
    return answer
