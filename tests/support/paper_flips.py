"""Rows of the paper's figures that were altered so that a claim's verdict must change: shared tools, accuracy figures.

A flip is (figure, claim, side, alter, verdict). `side` is "low" or "high" where the check has two ends and the rows
were pushed over that end, and "other" where the order of two things was turned round or a broken claim was mended.
"""

from __future__ import annotations

from collections.abc import Callable

from sottovoce.paper.figure import Rows, Verdict
from sottovoce.paper.figures.sparse import people
from tests.support import paper_rows

AGREES, DOES_NOT, DEPENDS = Verdict.AGREES, Verdict.DOES_NOT, Verdict.DEPENDS
Alter = Callable[[Rows], Rows]
Flip = tuple[str, str, str, Alter, Verdict]


def frozen_rows(name: str, *, quick: bool = True) -> Rows:
    """The frozen rows, as numbers; for the traffic stops made-up ones."""
    return study_rows() if name == "police" else [dict(row) for row in paper_rows.frozen_rows(name, quick=quick)]


def study_rows() -> Rows:
    """Errors of the real-data study by its formulas: 822 users, T = 100 … 300; standard errors of 3 %."""
    rows = []
    for alpha, (one, user) in {0.5: (20, 60), 1.0: (4, 1.6), 2.0: (0.9, 0.11), 4.0: (0.3, 0.04)}.items():
        for T in (100, 200, 300):
            semi = 8 / alpha**2
            errors = {
                "full item": semi / T, "user level": user * 300 / T, "semi user": semi, "one item": one,
                "user level, 0/1": 4 * user * 300 / T, "semi user, 0/1": 4 * semi,
            }  # fmt: skip
            rows += [
                {"panel": panel, "T": T, "alpha": alpha, "scheme": scheme, "mse": error / 822, "se": 0.03 * error / 822}
                for panel in ("one", "four")
                for scheme, error in errors.items()
                if panel == "one" or T == 300
            ]
    return rows


def times(factor, *columns: str, **where) -> Alter:
    """Multiply columns ("mse" unless named; a standard error with it) by a number, or a function of the row."""

    def alter(rows: Rows) -> Rows:
        found = []
        for row in rows:
            if all(row.get(key) in (value if isinstance(value, tuple) else (value,)) for key, value in where.items()):
                by = factor(row) if callable(factor) else factor
                names = [*(columns or ("mse",)), *(f"{name}_se" for name in columns)] + ([] if columns else ["se"])
                row = row | {name: row[name] * by for name in names if row.get(name) is not None}
            found.append(row)
        return found

    return alter


def become(column: str, value, **where) -> Alter:
    """Set a column to a value or a function of the row; errors of 1 % where the column is an error."""

    def alter(rows: Rows) -> Rows:
        found = []
        for row in rows:
            if all(row.get(key) in (v if isinstance(v, tuple) else (v,)) for key, v in where.items()):
                new = value(row) if callable(value) else value
                row = row | {column: new} | ({"se": 0.01 * new} if column == "mse" else {})
            found.append(row)
        return found

    return alter


def then(*steps: Alter) -> Alter:
    """One after the other."""

    def alter(rows: Rows) -> Rows:
        for step in steps:
            rows = step(rows)
        return rows

    return alter


def power(of: str, by: float):
    """A factor of a row: a power of one of its columns."""
    return lambda row: row[of] ** by


STEADY = become("exact_ratio", lambda row: 50.0, alpha=(1.0, 2.0, 4.0), scheme="user level")
NAIVE = "naive schemes lose more with T"
UNIVARIATE: list[Flip] = [
    ("univariate", NAIVE, "low", times(power("T", -0.3), "ratio", scheme="semi user"), DOES_NOT),
    ("univariate", NAIVE, "high", times(power("T", 0.3), "ratio", scheme="split user"), DOES_NOT),
    ("univariate", "user level keeps pace", "other", STEADY, AGREES),
    ("univariate", "user level keeps pace", "low", then(STEADY, times(power("T", -0.1), "exact_ratio")), DOES_NOT),
    ("univariate", "user level keeps pace", "high", then(STEADY, times(power("T", 0.15), "exact_ratio")), DOES_NOT),
    ("univariate", "α = 0.5 is too strict", "low", times(power("T", -0.5), "exact"), DOES_NOT),
    ("univariate", "α = 0.5 is too strict", "high", times(power("T", 0.3), "exact"), DOES_NOT),
    ("univariate", "α = 0.5 is too strict", "low", times(0.1, "misses"), DOES_NOT),
    ("univariate", "full item is a lower bound", "other", times(0.01, "ratio"), DOES_NOT),
]  # fmt: skip

BALL, OTHER = "user ℓ2", "user ℓ2, √C_α"
MULTIVARIATE: list[Flip] = [
    ("multivariate", "ℓ2 wins in high dimension", "low", times(10, scheme=BALL, d=32), DOES_NOT),
    ("multivariate", "ℓ2 wins in high dimension", "high", times(0.1, scheme=OTHER, d=32), AGREES),
    ("multivariate", "full item level is best", "other", times(1e3, scheme="full item"), DOES_NOT),
    ("multivariate", "semi user level is worst", "other", times(0.1, scheme=OTHER), AGREES),
    ("multivariate", "semi user level is worst", "low", times(0.05, scheme="semi user", d=32), DOES_NOT),
    ("multivariate", "semi user level is worst", "high", times(20, scheme="semi user"), DOES_NOT),
]

USER = ("as printed", "as printed, support permuted", "most votes")
RATE = become("mse", lambda row: 1 / people(int(row["d"]), 0.75).observations, rule=USER)
SPARSE: list[Flip] = [
    ("sparse", "item level is stuck", "low", times(power("d", -0.3), rule="item level"), DOES_NOT),
    ("sparse", "item level is stuck", "high", times(power("d", 0.3), rule="item level"), DOES_NOT),
    ("sparse", "user level falls", "other", times(power("d", 3), rule=USER), DOES_NOT),
    ("sparse", "user level falls", "other", times(power("d", 3), rule=USER[1]), DEPENDS),
    ("sparse", "user level can surpass item level", "other", times(100, rule=USER[1]), DEPENDS),
    ("sparse", "user level can surpass item level", "other", times(100, rule=USER), DOES_NOT),
    ("sparse", "user level can surpass item level", "other", times(100, rule=USER, p=0.75), DOES_NOT),
    ("sparse", "approximately linear decay", "other", RATE, AGREES),
    ("sparse", "approximately linear decay", "low", then(RATE, times(power("d", -0.3), rule=USER)), DOES_NOT),
    ("sparse", "approximately linear decay", "high", then(RATE, times(power("d", 0.3), rule=USER)), DOES_NOT),
    ("sparse", "approximately linear decay", "other", then(RATE, times(power("d", -0.3), rule=USER[2])), DEPENDS),
]


def line(by: float, *columns: str, **where) -> Alter:
    """Straight lines on log axes."""
    return then(*(become(name, lambda row: row["T"] ** by, kind="minimum", **where) for name in columns))


EVEN = become("mse", lambda row: row["exact"], kind="minimum")
NO_ISSUE = line(-1, "exact", alpha=2.0)
PHASE: list[Flip] = [
    ("phase-transition", "small α flatten", "low", times(power("T", -0.6), "exact", alpha=1.0), DOES_NOT),
    ("phase-transition", "small α flatten", "high", times(power("T", 0.3), "exact", alpha=1.0), DOES_NOT),
    ("phase-transition", "small α flatten", "other", line(-0.45, "exact", alpha=2.0), DOES_NOT),
    ("phase-transition", "small α flatten", "other", line(-0.15, "exact", alpha=1.0), DOES_NOT),
    ("phase-transition", "α = 4 decays linearly", "other", line(-1, "exact", "finer", alpha=4.0), AGREES),
    ("phase-transition", "α = 4 decays linearly", "other", line(-1, "finer", alpha=4.0), DEPENDS),
    ("phase-transition", "α = 4 decays linearly", "low", line(-1.3, "exact", "finer", alpha=4.0), DOES_NOT),
    ("phase-transition", "α = 4 decays linearly", "high", line(-0.7, "exact", "finer", alpha=4.0), DOES_NOT),
    ("phase-transition", "α = 2, n = 200 linear to 10⁵", "other", line(-1, "exact", alpha=2.0), AGREES),
    ("phase-transition", "α = 2, n = 200 linear to 10⁵", "low", line(-1.3, "exact", alpha=2.0), DOES_NOT),
    ("phase-transition", "α = 2, n = 200 linear to 10⁵", "high", line(-0.7, "exact", alpha=2.0), DOES_NOT),
    ("phase-transition", "the minimum estimates the error", "other", EVEN, AGREES),
    ("phase-transition", "the minimum estimates the error", "low", then(EVEN, times(0.5)), DOES_NOT),
    ("phase-transition", "the minimum estimates the error", "high", then(EVEN, times(2.0)), DOES_NOT),
    ("phase-transition", "no issue in practice", "other", NO_ISSUE, AGREES),
    ("phase-transition", "no issue in practice", "high", then(NO_ISSUE, line(-0.5, "exact", alpha=4.0)), DOES_NOT),
    ("phase-transition", "no issue in practice", "low", then(NO_ISSUE, line(-2, "exact", alpha=4.0)), DOES_NOT),
]

ACCURACY: list[Flip] = [*UNIVARIATE, *MULTIVARIATE, *SPARSE, *PHASE]
