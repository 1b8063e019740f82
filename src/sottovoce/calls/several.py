"""``sv.several``: several answers from one survey, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sottovoce.answers import Answers
from sottovoce.rehearsal import Ask, SeveralRequest, ask, rehearse

__all__ = ["Ask", "ask", "several"]


def several(
    data: Any,
    asks: Mapping[str, Ask],
    *,
    epsilon: float,
    user: str | None = None,
    split: str = "auto",
    seed: int | None = None,
    **reading: Any,
) -> Answers:
    """Estimate several things at once: mean, histogram and quantiles of a column, or of several columns.

    A user still sends one report. With ``split="users"`` each part asks its own users, with ``"budget"`` everybody
    answers for all parts with an equal part of ε (means only), ``"auto"`` takes what is predicted to be better and
    says why.

    Parameters
    ----------
    data
        an ``(n, T)`` or ``(n, T, d)`` array, a ragged list, a long data frame (with `user`), a CSV or Parquet file
    asks
        what to ask for, by name: see `ask`
    epsilon
        privacy budget of the one report of each user, for the whole collection, all columns included
    user
        column of a frame or file that says whose observation a row is
    split
        auto, users or budget
    seed
        simulate the reports; left out, they are real and new every time
    reading
        how a file is read: `separator`, `encoding`, `decimal`, `dates`, `header`, `sheet`, `skip_bad`, as in `people`

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection: all columns, its length included.

    Accuracy
    --------
    In each answer. The intervals hold one by one, each at its own confidence.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> ratings = np.random.default_rng(1).integers(1, 6, size=(6000, 25))
    >>> asks = {"mean": sv.ask("mean", low=1, high=5), "two": sv.ask("mean", low=1, high=5, method="one-round")}
    >>> answers = sv.several(ratings, asks, epsilon=4.0, seed=7)
    >>> print(f"{answers['mean'].value:.1f}, split by {answers.split}")
    3.0, split by users
    """
    request = SeveralRequest(data=data, asks=asks, epsilon=epsilon, user=user, split=split, seed=seed, reading=reading)
    answers: Answers = rehearse(request).answer
    return answers
