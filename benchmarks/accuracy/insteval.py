"""InstEval as it is, every student with the ratings they gave: the default answer beside two baselines.

``python -m benchmarks.accuracy --problem insteval`` runs it (about five minutes of one core) and writes
``results_insteval.csv`` and ``docs/accuracy-insteval.md`` with its picture.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from benchmarks.accuracy.report import markdown
from benchmarks.accuracy.verdicts import Verdict
from sottovoce import compare
from sottovoce.data import insteval

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE, PICTURE = DOCS / "accuracy-insteval.md", DOCS / "accuracy-insteval.svg"
TABLE = Path(__file__).with_name("results_insteval.csv")
EPSILONS = (1.0, 2.0, 4.0)
OURS, BASELINES = "auto", ("one-item", "semi-user")
REPETITIONS, SEED = 500, 15
AIM, PROMISE = 0.93, 4


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one method did at one budget; ``_se`` is the standard error of the figure before it."""

    epsilon: float
    method: str
    ran: str
    repetitions: int
    rmse: float
    rmse_se: float
    ratio: float
    """Mean squared error over that of the default answer, on the same seeds."""
    ratio_se: float
    coverage: float
    halfwidth: float
    model_coverage: float | None
    model_halfwidth: float | None


def measured(*, epsilons: Sequence[float] = EPSILONS, repetitions: int = REPETITIONS, seed: int = SEED) -> list[Row]:
    """Every method on all students, with the same seeds."""
    found = compare(
        insteval(), problem="mean", methods=[OURS, *BASELINES], epsilon=epsilons, repetitions=repetitions, seed=seed
    )
    ours = {row.epsilon: np.array(row.squared_errors) for row in found.rows if row.method == OURS}
    rows = []
    for row in found.rows:
        did, errors = row.performance, np.array(row.squared_errors)
        assert did is not None and did.coverage is not None and did.rmse_se is not None
        own = ours[row.epsilon]
        ratio = float(errors.mean() / own.mean())
        off = errors / errors.mean() - own / own.mean()  # the delta method, paired
        rows.append(
            Row(
                epsilon=row.epsilon,
                method=row.method,
                ran=row.ran,
                repetitions=repetitions,
                rmse=did.rmse,
                rmse_se=did.rmse_se,
                ratio=ratio,
                ratio_se=float(ratio * off.std(ddof=1) / np.sqrt(repetitions)),
                coverage=did.coverage,
                halfwidth=did.figures["halfwidth"],
                model_coverage=did.figures.get("model_coverage"),
                model_halfwidth=did.figures.get("model_halfwidth"),
            )
        )
    return rows


def write(rows: Iterable[Row]) -> None:
    """Into the committed table."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        table.writeheader()
        for row in rows:
            plain = asdict(row)
            table.writerow(
                {name: f"{value:.5g}" if isinstance(value, float) else value for name, value in plain.items()}
            )


def read() -> list[Row]:
    """From the committed table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [_row(line) for line in csv.DictReader(file)]


def _row(line: dict[str, str]) -> Row:
    texts = {"method", "ran"}
    read_ = {name: text if name in texts else float(text) if text else None for name, text in line.items()}
    return Row(**read_ | {"repetitions": int(line["repetitions"])})  # type: ignore[arg-type]  # the table is ours


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """What was promised: intervals that cover, and an error below both baselines'."""
    own = [row for row in rows if row.method == OURS]
    lowest = min(own, key=lambda row: row.coverage)
    closest = min((row for row in rows if row.method != OURS), key=lambda row: row.ratio)
    error = np.sqrt(AIM * (1 - AIM) / lowest.repetitions)
    return [
        Verdict(
            item=PROMISE,
            words="InstEval, own numbers of ratings: 95 % intervals of the default answer",
            aim=f"cover ≥ {AIM:g} at each ε",
            found=f"lowest {lowest.coverage:.3f}, at ε = {lowest.epsilon:g}",
            passed=lowest.coverage >= AIM,
            close=abs(lowest.coverage - AIM) < 2 * error,
        ),
        Verdict(
            item=PROMISE,
            words="the same: mean squared error of one-item and semi-user over the default answer's",
            aim="> 1 at each ε",
            found=f"lowest {closest.ratio:.3g} ± {closest.ratio_se:.2g}, {closest.method} at ε = {closest.epsilon:g}",
            passed=closest.ratio > 1,
            close=abs(closest.ratio - 1) < 2 * closest.ratio_se,
        ),
    ]


def page(rows: Sequence[Row]) -> str:
    """The whole page."""
    data = insteval()
    sizes = data.collections.sizes
    lines = [
        "# How accurate a mean of real ratings is",
        "",
        "Made by `make bench-accuracy` (this page alone: `.venv/bin/python -m benchmarks.accuracy --problem insteval`)",
        "from `benchmarks/accuracy/results_insteval.csv`. Not to be edited.",
        "",
        f"InstEval: {data.collections.users:,} students, each with the ratings they gave, from {sizes.min()} to "
        f"{sizes.max()} (half of them at most",
        f"{int(np.median(sizes))}), {len(data.collections.values):,} in all, from {data.low:g} to {data.high:g}. The "
        f"truth is the average over students of their own mean, {data.truth:.4f}.",
        f"{rows[0].repetitions} surveys at each ε, seed {SEED}; every report is {', '.join(f'{e:g}' for e in EPSILONS)}"
        "-locally-private for all ratings of a student.",
        "",
        "- *default*: `sv.mean(…)` with nothing but range and ε; in brackets what it took.",
        "- *one-item*: one rating of each student, drawn at random, through randomised response on one bit.",
        "- *semi-user*: each student's average on the full range with Laplace noise (L869 of the paper).",
        "",
        "![Root mean squared error of the three methods](accuracy-insteval.svg)",
        "",
    ]
    head = ("ε", "method", "RMSE", "MSE over the default's", "intervals cover", "half-width", "model covers", "model ±")
    lines += markdown(head, map(_cells, rows))
    lines += [
        "RMSE and ratios with their standard errors. The interval is the headline of the answer: guarded, which holds "
        "whatever the",
        "students are; the model interval is narrower and assumes one group. Where the default is adaptive, what could",
        "hide from it makes the guarded interval wider than a baseline's, although the error is less than half of it;",
        '`method="one-round"` asks for the narrowest guarded interval instead.',
        "",
    ]
    lines += markdown(("what was promised", "aim", "found", ""), map(_promise, verdicts(rows)))
    return "\n".join(lines).rstrip() + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    ours = row.method == OURS
    return (
        f"{row.epsilon:g}",
        f"default ({row.ran})" if ours else row.method,
        f"{row.rmse:.4f} ± {row.rmse_se:.4f}",
        "1" if ours else f"{row.ratio:.3g} ± {row.ratio_se:.2g}",
        f"{row.coverage:.1%}",
        f"{row.halfwidth:.3f}",
        "–" if row.model_coverage is None else f"{row.model_coverage:.1%}",
        "–" if row.model_halfwidth is None else f"{row.model_halfwidth:.3f}",
    )


def _promise(verdict: Verdict) -> tuple[str, ...]:
    return verdict.words, verdict.aim, verdict.found, verdict.said


def draw(rows: Sequence[Row]) -> None:
    """The errors, as bars."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "insteval", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 3), layout="constrained")
        axes = figure.subplots()
        for place, method in enumerate((OURS, *BASELINES)):
            own = [row for row in rows if row.method == method]
            places = np.arange(len(own)) + 0.27 * (place - 1)
            name = "default" if method == OURS else method
            axes.bar(places, [row.rmse for row in own], 0.25, yerr=[2 * row.rmse_se for row in own], label=name)
        axes.set_xticks(range(len(EPSILONS)), [f"ε = {epsilon:g}" for epsilon in EPSILONS])
        axes.set_ylabel("RMSE, in points of the rating")
        axes.set_title("InstEval, 2,972 students; bars: ± 2 standard errors", loc="left")
        axes.legend(frameon=False)
        for side in ("right", "top"):
            axes.spines[side].set_visible(False)
        figure.savefig(PICTURE, format="svg", metadata={"Date": None})


def carry_out(*, report_only: bool = False) -> list[Verdict]:
    """Measure, write table, picture and page; what was promised."""
    if not report_only:
        write(measured())
    rows = read()
    draw(rows)
    PAGE.write_text(page(rows), encoding="utf-8")
    return verdicts(rows)
