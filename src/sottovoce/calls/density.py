"""``sv.density``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from typing import Any

from sottovoce.problems.density import DensityEstimate
from sottovoce.rehearsal import Request, rehearse


def density(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    low: float | None = None,
    high: float | None = None,
    observations: int | None = None,
    smoothness: float | None = None,
    coefficients: int | None = None,
    confidence: float = 0.95,
    c_beta: float = 1.0,
    radius: float = 6.0,
    proof_constant: float = 8535.0,
    delta: float | None = None,
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
) -> DensityEstimate:
    """Estimate the average over users of the density of their own observations.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of lists, a file
    (CSV, Excel, Parquet), or a data set. `observations` is the public guess of how many a user holds; left out, this
    rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy. See `Density` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes one-round or adaptive, the first unless another's predicted squared error is below 0.75 times its
        own; one-round asks everybody once on the full range; adaptive asks on the full range first, then from nearer
        by; paper votes for places first, with the constants of the paper's experiments; theory votes for places first,
        with the constants of the paper's proofs
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    low
        lowest declared value, in units of the observations
    high
        highest declared value; observations beyond count at the ends
    observations
        observations per user, as the survey declares it
    smoothness
        β, how many derivatives the density is trusted to have (left out: not known; 2 for methods paper and theory)
    coefficients
        how many coefficients, 2 or more (left out: by the method)
    confidence
        level of the interval, 0 to 1
    c_beta
        C_β of the paper's rule for M
    radius
        how far densities may be from uniform, for predictions
    proof_constant
        K, a constant of the proofs, for method theory (left out: 8535, as in the proofs)
    delta
        Δ, half the width of a bin of the vote, in half-ranges (left out: by the method)
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
    >>> hours = np.random.default_rng(1).beta(4, 4, size=(4000, 30))
    >>> answer = sv.density(hours, low=0, high=1, epsilon=2.0, seed=7)
    >>> print(f"{answer(0.5):.1f} in the middle, {answer.method}")
    2.3 in the middle, adaptive
    """
    request = Request.of(
        "density",
        data,
        epsilon=epsilon,
        method=method,
        low=low,
        high=high,
        observations=observations,
        smoothness=smoothness,
        coefficients=coefficients,
        confidence=confidence,
        c_beta=c_beta,
        radius=radius,
        proof_constant=proof_constant,
        delta=delta,
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
    answer: DensityEstimate = rehearse(request).answer
    return answer
