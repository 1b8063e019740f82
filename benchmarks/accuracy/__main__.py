"""Run the benchmark, a part of it, or a small sample.

``python -m benchmarks.accuracy`` runs what is missing, writes the result tables and the pages. ``--problem`` runs some
problems only: ``mean``, ``histogram`` and so on, ``size`` for the large ones, ``insteval`` for real ratings.
With ``--cells`` it runs that many cells of each spread over the grid (of the mean, if no problem is named), prints them
and keeps nothing.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.accuracy import first_hour, insteval, report, table
from benchmarks.accuracy.cells import METHODS, grid
from benchmarks.accuracy.figures import Figures
from benchmarks.accuracy.problems import carry_out as others
from benchmarks.accuracy.problems import sample
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.sample import sampled
from benchmarks.accuracy.schedule import measure
from benchmarks.accuracy.store import Store
from benchmarks.accuracy.verdicts import Verdict, verdicts

MEAN, INSTEVAL = "mean", "insteval"
PROBLEMS = (MEAN, *others.NAMES, INSTEVAL, first_hour.NAME)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("--problem", nargs="+", choices=PROBLEMS, help="which to run; all of them if left out")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--accept-older", action="store_true", help="keep blocks that earlier code has run")
    parser.add_argument("--without", choices=METHODS, help="a method of the mean to leave for later")
    parser.add_argument("--report-only", action="store_true", help="write the pages from the committed tables")
    parser.add_argument("--cells", type=int, help="a sample of so many cells; keeps nothing")
    parser.add_argument("--repetitions", type=int, default=20, help="of a sample")
    parser.add_argument("--methods", nargs="+", choices=METHODS, help="of a sample of the mean")
    parser.add_argument("--populations", nargs="+", help="of a sample, by name")
    return parser.parse_args()


def _mean(given: argparse.Namespace) -> list[Verdict]:
    if not given.report_only:
        store = Store(accept_older=given.accept_older)
        if store.older:
            print(f"{store.older} blocks were run by other code and are left aside", file=sys.stderr)
        measure(grid(), store, workers=given.workers, without=given.without)
        table.write(table.rows(grid(), store))
    found = table.read()
    report.PAGE.write_text(report.page(found), encoding="utf-8")
    return verdicts(Figures(found))


def _sample(given: argparse.Namespace) -> None:
    wanted = given.problem or [MEAN]
    if MEAN in wanted:
        print(sampled(given.cells, given.repetitions, methods=given.methods, populations=given.populations))
    rest = [name for name in wanted if name in BENCHMARKS]
    for line in sample.sampled(rest, given.cells, given.repetitions, given.populations) if rest else ():
        print(line, flush=True)


def main() -> int:
    given = _arguments()
    if given.cells is not None:
        _sample(given)
        return 0
    wanted = given.problem or PROBLEMS
    decided = _mean(given) if MEAN in wanted else []
    if first_hour.NAME in wanted:
        first_hour.carry_out(report_only=given.report_only)
    rest = [name for name in wanted if name not in (MEAN, INSTEVAL, first_hour.NAME)]
    if rest:
        if not given.report_only:
            others.carry_out(rest, workers=given.workers, accept_older=given.accept_older)
        decided += others.written()
    if INSTEVAL in wanted:
        decided += insteval.carry_out(report_only=given.report_only)
    for verdict in decided:
        print(f"{verdict.item}. {verdict.words}: {verdict.found} (aim {verdict.aim}): {verdict.said}")
    return 0 if all(verdict.passed is not False for verdict in decided) else 1


if __name__ == "__main__":
    sys.exit(main())
