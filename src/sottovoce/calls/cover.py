"""``sv.cover_select``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sottovoce.problems.cover import CoverEstimate
from sottovoce.rehearsal import Request, rehearse


def cover_select(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    centres: Any = None,
    radius: float | None = None,
    diameter: float | None = None,
    confidence: float = 0.95,
    metric: Literal["l2", "linf"] | None = None,
    distance: Any = None,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    skip_bad: bool = False,
    seed: int | None = None,
) -> CoverEstimate:
    """Estimate which of some given places most users' averages are nearest to.

    `data` is an ``(n, T, d)`` array (small integers stay small), a ragged list of vectors, a long data frame with
    `user` and several `value` columns, or a file of one. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy. See `CoverSelect` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes subset; subset sends a few of the centres; unary sends a bit for each centre, as the paper prints it:
        as accurate, and longer for epsilon above 3
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    centres
        the places to choose from, a row each; or a space to cover, such as l2-ball
    radius
        within how far every point has a centre: with it answers may carry the paper's bound
    diameter
        the largest distance between two points, for the bound (left out: from the centres)
    confidence
        level of the interval, 0 to 1
    metric
        how far a user's average is from a centre: l2, or linf, the largest difference (left out: l2, or that of the
        cover)
    distance
        centres may be anything then: distance(observations, centre) is evaluated on the device, where the smallest
        wins, ties to the lower index; a user for whom it fails counts for the middle
    user
        column of a frame or file that says whose observation a row is
    value
        column with the observed numbers, or several of them
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
    >>> x = np.random.default_rng(1).normal([0.4, -0.3], 0.5, size=(2000, 50, 2))
    >>> print(sv.cover_select(x, centres=sv.covers.l2_ball(dimension=2, delta=0.2), epsilon=2.0, seed=7))
    centre 40 of 60 at (0.375, -0.375), share 0.694, 11.6 se ahead
    >>> print(sv.cover_select(x, centres="l2-ball", epsilon=2.0, seed=7).reason)  # doctest: +ELLIPSIS
    one vote a user over 109 centres; Δ = 0.129 is about what averages of T = 50 tell apart (L1077); ...
    """
    request = Request.of(
        "cover",
        data,
        epsilon=epsilon,
        method=method,
        centres=centres,
        radius=radius,
        diameter=diameter,
        confidence=confidence,
        metric=metric,
        distance=distance,
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
    answer: CoverEstimate = rehearse(request).answer
    return answer
