"""Rows of the paper's figures that were altered so that a claim's verdict must change: all of them.

A flip is (figure, claim, side, alter, verdict). `side` is "low" or "high" where the check has two ends and the rows
were pushed over that end, and "other" where the order of two things was turned round or a broken claim was mended.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from sottovoce.paper.figure import Rows, Verdict
from sottovoce.paper.figures.misspecification import RULES
from sottovoce.paper.figures.sparse import users_of_dimension
from sottovoce.theory import experiment_constant
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
RATE = become("mse", lambda row: 1 / users_of_dimension(int(row["d"]), 0.75).observations, rule=USER)
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

# ---- tuning constants, mixtures, diagram, tables, real data ----------------------------------------------------------

ONE = "sensitivity-1"
FLAT = become("mse", 1.0)
SMALL = tuple(round(k / 100, 2) for k in range(1, 20))
LARGE = tuple(round(k / 100, 2) for k in range(80, 101))


def renamed(column: str, names: dict) -> Alter:
    """Give rows each other's names: turns an order round."""
    return lambda rows: [row | {column: names.get(row[column], row[column])} for row in rows]


REVERSED = {0.1: 5.0, 0.5: 3.0, 3.0: 0.5, 5.0: 0.1}
SENSITIVITY_1: list[Flip] = [
    (ONE, "a valley in C", "low", FLAT, DOES_NOT),
    (ONE, "a valley in C", "high", times(1e3, C=1.0), DOES_NOT),
    (ONE, "small C hurts wide distributions", "other", renamed("p", REVERSED), DOES_NOT),
    (ONE, "large C is the same for all", "low", times(0.5, p=0.1, C=LARGE), DOES_NOT),
    (ONE, "large C is the same for all", "high", times(2.0, p=0.1, C=LARGE), DOES_NOT),
    (ONE, "better too large than too small", "other", times(20.0, C=SMALL, alpha=0.5), AGREES),
    (ONE, "better too large than too small", "other", become("mse", power("C", 2)), DOES_NOT),
]  # fmt: skip


def valley(at: float, **where) -> Alter:
    """Curves with their least error at a multiple of C_α, and squares on both sides."""

    def height(row):
        best = at * experiment_constant(row["alpha"])
        return max(row["C"] / best, best / row["C"]) ** 2

    return become("mse", height, **where)


def above_chosen(row):
    return 0.1 if row["C"] > experiment_constant(row["alpha"]) else 1.0


def first_of(name: str) -> list[Flip]:
    """2a and 2b have the same checks and not the same verdicts."""
    claim = "n = T = 100 rises first"
    early = valley(0.2, n=100.0, T=100.0)
    return [
        (name, claim, "other", early, AGREES),
        (name, claim, "other", then(early, valley(1.9, n=100.0, T=100.0, alpha=4.0)), DOES_NOT),
        (name, claim, "other", then(early, valley(0.2, n=500.0, alpha=4.0), valley(0.2, T=500.0, alpha=4.0),
                                    valley(0.7, n=100.0, T=100.0, alpha=4.0)), DOES_NOT),
    ]  # fmt: skip


def sensitivity_2(name: str) -> list[Flip]:
    """Flips of one of the two figures."""
    chosen = "C_α errs on the large side"
    mended = [(name, chosen, "other", valley(0.8), AGREES)] if name.endswith("b") else []
    return [
        (name, "a valley in C", "low", FLAT, DOES_NOT),
        (name, "a valley in C", "high", times(1e4, C=(0.97, 0.98, 0.99, 1.0)), DOES_NOT),
        *first_of(name),
        *mended,
        (name, chosen, "low", then(valley(0.8), times(above_chosen)), DOES_NOT),
        (name, chosen, "high", valley(0.3), DOES_NOT),
    ]


def votes_for_all(rows: Rows) -> Rows:
    """Every rule as good as the ranking by votes."""
    best = {(row["d"], row["alpha"], row["C"]): row for row in rows if row["rule"] == "most votes"}
    return [best[row["d"], row["alpha"], row["C"]] | {"rule": row["rule"]} for row in rows]


def more(amount: float, **where) -> Alter:
    return become("share", lambda row: row["share"] + amount, **where)


def level(up_to: float) -> Alter:
    """Nothing more is found below this C than at it."""

    def alter(rows: Rows) -> Rows:
        at = {(row["d"], row["alpha"], row["rule"]): row for row in rows if row["C"] == up_to}
        return [
            row | {key: at[row["d"], row["alpha"], row["rule"]][key] for key in ("share", "se")}
            if row["C"] < up_to
            else row
            for row in rows
        ]

    return alter


FALLING = become("share", lambda row: 0.5 + row["C"] / 100)
ETA: list[Flip] = [
    ("eta", "smaller C finds more", "other", votes_for_all, AGREES),
    ("eta", "smaller C finds more", "other", FALLING, DOES_NOT),
    ("eta", "up to a limit near C = 1", "other", votes_for_all, AGREES),
    ("eta", "up to a limit near C = 1", "low", then(votes_for_all, more(0.5, C=(0.1, 0.25, 0.5))), DOES_NOT),
    ("eta", "up to a limit near C = 1", "high", then(votes_for_all, more(0.5, C=8.0)), DOES_NOT),
    ("eta", "up to a limit near C = 1", "high", then(votes_for_all, level(8.0)), DOES_NOT),
    ("eta", "up to a limit near C = 1", "high", become("share", 0.5), DOES_NOT),
    ("eta", "smaller C finds more", "other", become("share", 0.5), DOES_NOT),
]


def same_rule(rows: Rows) -> Rows:
    """The cut as good as the ranking by votes; our own series stays as it is."""
    best = {(row["p"], row["alpha"], row["assumed"]): row for row in rows if row["rule"] == "most votes"}
    return [
        best[row["p"], row["alpha"], row["assumed"]] | {"rule": row["rule"]} if row["rule"] in RULES else row
        for row in rows
    ]


MANY = (5.0, 6.0, 7.0, 8.0)
MISSPECIFIED = "misspecification"
SPARSITY: list[Flip] = [
    (MISSPECIFIED, "too small: exactly the missed bias", "other", same_rule, AGREES),
    (MISSPECIFIED, "too small: exactly the missed bias", "low", then(same_rule, times(0.8)), DOES_NOT),
    (MISSPECIFIED, "too small: exactly the missed bias", "high", then(same_rule, times(1.3)), DOES_NOT),
    (MISSPECIFIED, "large α: better too many", "other", times(1e4, assumed=MANY), DOES_NOT),
    (MISSPECIFIED, "large α: better too many", "other", times(1e4, assumed=MANY, rule="half a vote"), DEPENDS),
    (MISSPECIFIED, "small α: the other way round", "other", renamed("alpha", {0.5: 4.0, 4.0: 0.5}), DOES_NOT),
]


def spread(factor: float, vary: str, alpha: float) -> Alter:
    """Other standard deviations at the end."""
    return times(factor, "sd", vary=vary, alpha=alpha, **{vary: 2000.0})


def moved(by: float, vary: str, alpha: float) -> Alter:
    """Other biases at the end."""
    return become("mean", lambda row: row["mean"] + by, vary=vary, alpha=alpha, **{vary: 2000.0})


LIMITED = then(
    become("sd", lambda row: 0.1 if row["T"] == 100 else 0.05, vary="T", alpha=2.0),
    become("sd_se", 0.001, vary="T", alpha=2.0),
    become("mean", lambda row: row["truth"], vary="T", alpha=2.0),
)


def consistent(name: str, claim: str, vary: str, alpha: float) -> list[Flip]:
    """A standard deviation that falls too little or too much, a bias on either side."""
    return [
        (name, claim, "high", spread(50, vary, alpha), DOES_NOT),
        (name, claim, "low", spread(1e-4, vary, alpha), DOES_NOT),
        (name, claim, "high", moved(0.3, vary, alpha), DOES_NOT),
        (name, claim, "low", moved(-0.3, vary, alpha), DOES_NOT),
    ]


IN_T = "α = 2 is consistent in T"
MIXTURES: list[Flip] = [
    *consistent("mixture-1", "α = 4 is consistent", "n", 4.0),
    *consistent("mixture-1", "α = 4 is consistent", "T", 4.0),
    *consistent("mixture-1", "α = 2 improves with n", "n", 2.0),
    ("mixture-1", IN_T, "other", LIMITED, AGREES),
    ("mixture-1", IN_T, "high", then(LIMITED, spread(3, "T", 2.0)), DOES_NOT),
    ("mixture-1", IN_T, "low", then(LIMITED, spread(0.3, "T", 2.0)), DOES_NOT),
    ("mixture-1", IN_T, "other", then(LIMITED, spread(3, "T", 2.0), become("sd_se", 0.05, vary="T")), AGREES),
    ("mixture-1", IN_T, "low", then(LIMITED, moved(-0.3, "T", 2.0)), DOES_NOT),
    *consistent("mixture-2", "α = 4 is consistent", "n", 4.0),
    ("mixture-2", "α = 2 is more delicate", "other", renamed("alpha", {2.0: 4.0, 4.0: 2.0}), DOES_NOT),
]


def relabelled(panel: str, old: str, new: str, *, after: float = 0.0) -> Alter:
    """All points of a region, from some T on, drawn as another one."""
    change = become("region", new, panel=panel, region=old)
    return lambda rows: [found if row["T"] > after else row for row, found in zip(rows, change(rows), strict=True)]


EASIER, HARDER, EQUAL, HOPELESS = REGIONS = "user-level easier", "user-level harder", "equivalent", "both impossible"
REGIMES: list[Flip] = [
    ("regimes", "ℓ2: never better", "low", relabelled("l2", HARDER, EASIER), DOES_NOT),
    ("regimes", "ℓ2: never better", "high", relabelled("l2", HARDER, EQUAL), DOES_NOT),
    ("regimes", "ℓ2: never better", "high", relabelled("l2", EQUAL, HARDER), DOES_NOT),
    ("regimes", "sparse: better in a regime", "low", relabelled("sparse", EASIER, HARDER), DOES_NOT),
    ("regimes", "sparse: better in a regime", "high", relabelled("sparse", HARDER, EASIER), DOES_NOT),
    ("regimes", "ℓ2: never better", "other", relabelled("l2", EQUAL, HARDER, after=1.0), DOES_NOT),
    *(
        (
            "regimes", "ℓ2: never better" if panel == "l2" else "sparse: better in a regime", "other",
            relabelled(panel, old, new), DOES_NOT,
        )
        for panel in ("l2", "sparse") for old in REGIONS for new in REGIONS
        if old != new and (panel, old) != ("l2", EASIER)
    ),
]  # fmt: skip

CELLS = {
    "user level equals nT items": ("tab-2", "local user-level (T small)", "minimax rate"),
    "the transition of the mean": ("tab-3", "phase transition (T = ·)", "d-dim. mean (ℓ2 ball)"),
    "the transition of the sparse mean": ("tab-3", "phase transition (T = ·)", "s-sparse mean"),
    "the transition of the density": ("tab-3", "phase transition (T = ·)", "density"),
}
TABLES: list[Flip] = [
    ("tables", claim, side, times(factor, "value", table=table, row=row, column=column), DOES_NOT)
    for claim, (table, row, column) in CELLS.items()
    for side, factor in (("low", 0.9), ("high", 1.1))
]


def study(name: str) -> list[Flip]:
    """Both data sets have the same checks and not the same verdicts."""
    improve, best, four = "two improve with T, two do not", "user level wins from α = 1", "four shares from α = 2"
    plain, mapped = "user level, 0/1", "user level"
    both = (plain, mapped)
    flips = [
        (name, improve, "low", times(power("T", -2), scheme="user level"), DOES_NOT),
        (name, improve, "high", times(power("T", 1), scheme="full item"), DOES_NOT),
        (name, improve, "low", times(power("T", -1), scheme="semi user"), DOES_NOT),
        (name, improve, "high", times(power("T", 1), scheme="one item"), DOES_NOT),
        (name, "full item is best", "other", times(1e3, scheme="full item"), DOES_NOT),
    ]
    if name == "police":
        return [
            *flips,
            (name, best, "high", times(0.01, scheme=plain), AGREES),
            (name, best, "low", times(100, scheme=mapped), DOES_NOT),
            (name, four, "low", times(100, scheme=both), DOES_NOT),
            (name, four, "other", times(100, scheme=plain), DEPENDS),
        ]
    return [
        *flips,
        *itertools.chain.from_iterable(
            [
                (name, claim, "high", times(0.01, scheme=both), AGREES),
                (name, claim, "other", times(0.01, scheme=mapped), DEPENDS),
            ]
            for claim in (best, four)
        ),
    ]


FLIPS: list[Flip] = [
    *ACCURACY, *SENSITIVITY_1, *sensitivity_2("sensitivity-2a"), *sensitivity_2("sensitivity-2b"), *ETA, *SPARSITY,
    *MIXTURES, *REGIMES, *TABLES, *study("ratings"), *study("police"),
]  # fmt: skip
