"""``sv.vector_mean``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sottovoce.answers import VectorEstimate
from sottovoce.rehearsal import Request, rehearse


def vector_mean(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    observations: int | None = None,
    ball: Literal["l2", "linf"] | None = None,
    radius: float | None = None,
    centre: Sequence[float] | None = None,
    low: float | Sequence[float] | None = None,
    high: float | Sequence[float] | None = None,
    spread: float | None = None,
    public_seed: int = 1,
    empty_at_most: float = 0.0,
    names: Sequence[str] = (),
    confidence: float = 0.95,
    proof_constant: float = 8535.0,
    ball_constant: float = 4.0,
    delta: float | None = None,
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
) -> VectorEstimate:
    """Estimate the average over users of the mean of their vectors, declared to lie in a ball or a box.

    `data` is an ``(n, T, d)`` array (small integers stay small), a ragged list of vectors, a long data frame with
    `user` and several `value` columns, or a file of one. `observations` is the public guess of how many a user holds;
    left out, this rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated:
    the same law, repeatable bits, no privacy. See `VectorMean` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes one-round or adaptive, whichever has the lowest predicted error; one-round asks everybody once, one
        coordinate each, on the full range; adaptive finds out where users are, then asks there; paper votes for a place
        in every coordinate first, with the constants of the paper's experiments; theory votes for a place in every
        coordinate first, with the constants of the paper's proofs
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    observations
        vectors per user, as the survey declares it
    ball
        where vectors are declared to lie: l2, a Euclidean ball, or linf, a range for each coordinate (left out: linf
        with low and high, else l2)
    radius
        of the ball; averages beyond are moved into it (left out: 1)
    centre
        of the ball (left out: zero)
    low
        lowest value of all, or of each: L,L,…
    high
        highest value of all, or of each: H,H,…
    spread
        how much users' own means differ in a coordinate (standard deviation), for auto to choose by (left out: not
        known: alike, or by a tenth of the range)
    public_seed
        makes public rotations and directions; chosen without looking at data
    empty_at_most
        the largest share of the users that may hold no observation, 0 to 1: the intervals allow for them (left out: 0:
        every user is taken to hold one)
    names
        what to call the columns
    confidence
        level of the interval, 0 to 1
    proof_constant
        K, a constant of the proofs, for method theory (left out: 8535, as in the proofs)
    ball_constant
        C of the proofs on an l2 ball, for method theory
    delta
        Δ, half the width of a bin of the vote, in half-ranges (left out: by the method)
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
    >>> steps = np.random.default_rng(1).normal(0.1, 0.1, size=(4000, 50, 5))
    >>> answer = sv.vector_mean(steps, epsilon=2.0, ball="l2", radius=1.0, seed=7)
    >>> print(answer.picture())
       -1                                                         1
    x1 ·····························├──▲───┤·······················
    x2 ·····························├──▲───┤·······················
    x3 ·····························├──▲───┤·······················
    x4 ·····························├──▲───┤·······················
    x5 ·····························├──▲───┤·······················
    """
    request = Request.of(
        "vector",
        data,
        epsilon=epsilon,
        method=method,
        observations=observations,
        ball=ball,
        radius=radius,
        centre=centre,
        low=low,
        high=high,
        spread=spread,
        public_seed=public_seed,
        empty_at_most=empty_at_most,
        names=names,
        confidence=confidence,
        proof_constant=proof_constant,
        ball_constant=ball_constant,
        delta=delta,
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
    answer: VectorEstimate = rehearse(request).answer
    return answer
