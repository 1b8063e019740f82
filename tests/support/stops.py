"""A made-up file with the schema of TX-Statewide: officers differ in how often they search and whom they stop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

HEADER = (
    "raw_row_number", "date", "time", "location", "lat", "lng", "county_name", "district", "precinct", "region",
    "officer_id_hash", "subject_race", "subject_sex", "type", "violation", "citation_issued", "warning_issued",
    "outcome", "contraband_found", "search_conducted", "search_vehicle", "search_basis", "vehicle_color",
    "vehicle_make", "vehicle_model", "vehicle_type", "vehicle_year", "raw_HA_RACE_SEX",
)  # fmt: skip
RACES = ("white", "black", "hispanic", "asian/pacific islander", "other", "unknown")


def stop_rows(count: int, *, officers: int, seed: int, block: int = 50_000) -> Iterator[list[str]]:
    """Rows: a tenth in another district, some of other years, a few incomplete."""
    rng = np.random.default_rng(seed)
    rate = rng.beta(2, 60, size=officers)
    mix = rng.dirichlet((45, 10, 35, 2, 1, 1), size=officers).cumsum(axis=1)
    names = [f"{value:010x}" for value in rng.integers(0, 2**40, size=officers)]
    for first in range(0, count, block):
        size = min(block, count - first)
        who = rng.integers(0, officers, size=size)
        searched = rng.random(size) < rate[who]
        race = (rng.random(size)[:, None] > mix[who][:, :-1]).sum(axis=1)
        year = rng.choice([2014, 2015, 2016, 2017], p=[0.05, 0.45, 0.45, 0.05], size=size)
        day, month = rng.integers(1, 29, size=size), rng.integers(1, 13, size=size)
        district = rng.choice(["A", "B"], p=[0.9, 0.1], size=size)
        gap = rng.random(size) < 0.01
        for i in range(size):
            yield [
                str(first + i + 1), f"{year[i]}-{month[i]:02d}-{day[i]:02d}", "12:00:00", "US 290, MILE 12", "30.1",
                "-97.5", "Travis County", district[i], "12", "6", "NA" if gap[i] else names[who[i]], RACES[race[i]],
                "male", "vehicular", "Speeding Over Limit (TRC 545.351)", "TRUE", "FALSE", "citation", "NA",
                "TRUE" if searched[i] else "FALSE", "FALSE", "NA", "White", "Ford", "F150", "PK", "2011", "WM",
            ]  # fmt: skip
