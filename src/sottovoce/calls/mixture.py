"""``sv.mixture_means``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from typing import Any, Literal

from sottovoce.problems.mixture import MixtureEstimate
from sottovoce.rehearsal import Request, rehearse


def mixture_means(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    observations: int | None = None,
    components: int | None = None,
    low: float | None = None,
    high: float | None = None,
    smallest_share: float | None = None,
    public_seed: int = 0,
    confidence: float = 0.95,
    membership: Literal["nearest", "bin"] = "nearest",
    proof_constant: float = 8535.0,
    delta: float | None = None,
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
) -> MixtureEstimate:
    """Estimate the mean and the share of each of several kinds of users.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of lists, a file
    (CSV, Excel, Parquet), or a data set. `observations` is the public guess of how many a user holds; left out, this
    rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy. See `MixtureMeans` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes adaptive or paper, the first unless another's predicted squared error is below 0.5 times its own;
        adaptive finds the kinds, then asks who is near which of them, and on which side; paper asks in three rounds,
        with the constants of the paper's experiments; theory asks in three rounds, with the constants of the paper's
        proofs
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    observations
        observations per user, as the survey declares it
    components
        how many kinds of users there are (left out: found out, by adaptive)
    low
        lowest declared value, in units of the observations
    high
        highest declared value; averages beyond are clamped
    smallest_share
        no kind has a smaller share of the users (left out: by the method)
    public_seed
        makes the public signs that kinds get; chosen without looking at data
    confidence
        level of the interval, 0 to 1
    membership
        how users are counted to kinds: nearest, or bin as in the pseudocode
    proof_constant
        K, a constant of the proofs, for method theory (left out: 8535, as in the proofs)
    delta
        Δ, half the width of a bin of the vote, in half-ranges (left out: by the method)
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
    >>> rng = np.random.default_rng(1)
    >>> kinds = rng.choice([0.2, 0.8], size=3000)
    >>> tosses = rng.random((3000, 500)) < kinds[:, None]
    >>> print(sv.mixture_means(tosses, components=2, epsilon=4.0, low=0, high=1, seed=7))
    0.2 (49%), 0.8 (51%), adaptive
    """
    request = Request.of(
        "mixture",
        data,
        epsilon=epsilon,
        method=method,
        observations=observations,
        components=components,
        low=low,
        high=high,
        smallest_share=smallest_share,
        public_seed=public_seed,
        confidence=confidence,
        membership=membership,
        proof_constant=proof_constant,
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
    answer: MixtureEstimate = rehearse(request).answer
    return answer
