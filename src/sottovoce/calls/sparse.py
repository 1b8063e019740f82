"""``sv.sparse_mean``. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sottovoce.problems.sparse import SparseEstimate
from sottovoce.rehearsal import Request, rehearse


def sparse_mean(
    data: Any,
    *,
    epsilon: float,
    method: str = "auto",
    observations: int | None = None,
    sparsity: int | None = None,
    low: float = -1.0,
    high: float = 1.0,
    public_seed: int = 0,
    empty_at_most: float = 0.0,
    names: Sequence[str] = (),
    confidence: float = 0.95,
    procedure: Literal["auto", "selection", "threshold"] = "auto",
    refine: Literal["localised", "one-round"] = "localised",
    rank: Literal["votes", "first"] = "votes",
    cut: bool | None = None,
    false_alarm: float | None = None,
    eta_constant: float | None = None,
    threshold_constant: float | None = None,
    shrink_constant: float = 4.0,
    switch_constant: float = 50.0,
    proof_constant: float = 8535.0,
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
) -> SparseEstimate:
    """Estimate the mean of vectors, nearly all of whose coordinates are zero.

    `data` is an ``(n, T, d)`` array (small integers stay small), a ragged list of vectors, a long data frame with
    `user` and several `value` columns, or a file of one. `observations` is the public guess of how many a user holds;
    left out, this rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated:
    the same law, repeatable bits, no privacy. See `SparseMean` for the methods.

    Parameters
    ----------
    data
        see above
    method
        auto takes adaptive or paper, the first unless another's predicted squared error is below 0.5 times its own;
        adaptive votes for columns by directions, then finds the users of each selected one and asks there; paper
        selects or thresholds, with the constants of the paper's experiments; theory selects or thresholds, with the
        constants of the paper's proofs
    epsilon
        privacy budget of one report for the user's whole collection, 1e-6 to 16; lower is more private
    observations
        vectors per user, as the survey declares it
    sparsity
        at most so many means differ from zero; paper and theory need it (left out: not known: those that stand out)
    low
        lowest declared value of every column
    high
        highest; averages beyond are clamped
    public_seed
        makes the public signs of the votes; chosen without looking at data
    empty_at_most
        the largest share of the users that may hold no observation, 0 to 1: the intervals allow for them (left out: 0:
        every user is taken to hold one)
    names
        what to call the columns
    confidence
        level of the interval, 0 to 1
    procedure
        of paper and theory: selection lets half of the users vote for columns first, threshold estimates every column
        and drops the small ones; auto takes threshold when users are very many
    refine
        of paper and theory: how selected columns are estimated: localised votes for a place first, one-round asks once
        on the full range; method auto looks at both
    rank
        which columns are selected: those with the most votes, or the first
    cut
        of paper and theory: select only columns with half a vote or more (left out: by the method)
    false_alarm
        of paper and theory: select only columns with more votes than noise alone gives to any, but for this share of
        surveys: nothing, mostly, where all means are zero (left out: select whatever has the most votes)
    eta_constant
        η²/s, where the sum of votes is clamped at η (left out: by the method)
    threshold_constant
        C of the distance from zero that gets a vote (left out: by the method)
    shrink_constant
        C' of the size below which thresholding sets to zero
    switch_constant
        C̃ of the choice between the two procedures
    proof_constant
        K, a constant of the proofs, for method theory (left out: 8535, as in the proofs)
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
    >>> likes = np.random.default_rng(1).choice([-1, 1], size=(2000, 100, 50)).astype(np.int8)
    >>> likes[:, :, [3, 30]] = 1
    >>> sorted(sv.sparse_mean(likes, epsilon=2.0, sparsity=2, seed=7).support)
    [3, 30]
    """
    request = Request.of(
        "sparse",
        data,
        epsilon=epsilon,
        method=method,
        observations=observations,
        sparsity=sparsity,
        low=low,
        high=high,
        public_seed=public_seed,
        empty_at_most=empty_at_most,
        names=names,
        confidence=confidence,
        procedure=procedure,
        refine=refine,
        rank=rank,
        cut=cut,
        false_alarm=false_alarm,
        eta_constant=eta_constant,
        threshold_constant=threshold_constant,
        shrink_constant=shrink_constant,
        switch_constant=switch_constant,
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
    answer: SparseEstimate = rehearse(request).answer
    return answer
