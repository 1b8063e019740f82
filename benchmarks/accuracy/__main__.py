"""Run the benchmark, a part of it, or a small sample.

``python -m benchmarks.accuracy`` runs what is missing, writes the result tables and the pages. ``--problem`` runs some
parts only: ``mean`` (the default of the mean beside one round), ``smooth`` and ``round-trip`` (what plans of a mean
say), ``real`` (a mean of real data), ``homogeneous`` (the methods that assert a model: only where it is named, since
they have not changed), ``histogram`` and so on, ``size`` for large problems, ``first-hour``.
With ``--cells`` it runs that many cells of each spread over the grid (of the mean, if no problem is named), prints them
and keeps nothing: of the mean the default beside one round, or with ``--methods`` these one by one.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.accuracy import default, first_hour, promises, real_data, report, round_trip, smooth, table
from benchmarks.accuracy.cells import AGAINST_PAPER, MEASURED, METHODS, cells_against_paper, grid
from benchmarks.accuracy.figures import Figures
from benchmarks.accuracy.problems import carry_out as others
from benchmarks.accuracy.problems import sample
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.sample import paired, sampled, spread_cells
from benchmarks.accuracy.schedule import measure
from benchmarks.accuracy.store import Store
from benchmarks.accuracy.verdicts import Verdict, verdicts

MEAN, ONE_BY_ONE = "mean", "homogeneous"
PLANS = {smooth.NAME: smooth, round_trip.NAME: round_trip}
OF_THE_MEAN = (MEAN, *PLANS, ONE_BY_ONE)
"""What stands on the page of the mean."""
PROBLEMS = (*OF_THE_MEAN, real_data.NAME, *others.NAMES, first_hour.NAME)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("--problem", nargs="+", choices=PROBLEMS, help="which to run; all but homogeneous if left out")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--accept-older", action="store_true", help="keep blocks that earlier code has run")
    parser.add_argument("--report-only", action="store_true", help="write the pages from the committed tables")
    parser.add_argument("--cells", type=int, help="a sample of so many cells; keeps nothing")
    parser.add_argument("--prototype", action="store_true", help="as a sample, the cells that a prototype was run in")
    parser.add_argument("--repetitions", type=int, default=20, help="of a sample")
    parser.add_argument("--methods", nargs="+", choices=(*AGAINST_PAPER, *METHODS), help="of a sample of the mean")
    parser.add_argument("--populations", nargs="+", help="of a sample, by name")
    return parser.parse_args()


def _of_the_mean(given: argparse.Namespace, wanted: list[str]) -> list[Verdict]:
    """Run those parts of it that are wanted, write its page, and say what was promised of these parts."""
    run = [] if given.report_only else wanted
    if MEAN in run:
        store = default.store(accept_older=given.accept_older)
        _left_aside(store)
        default.measure(grid(), store, workers=given.workers)
        table.write(default.rows(grid(), store), default.RESULTS)
    if ONE_BY_ONE in run:
        store = Store(accept_older=given.accept_older)
        _left_aside(store)
        measure(cells_against_paper(), store, workers=given.workers)
        table.write(table.rows(cells_against_paper(), store))
    for name, part in PLANS.items():
        if name in run:
            part.carry_out(workers=given.workers, accept_older=given.accept_older)
    rows, one_by_one, rises, trips = default.read(), table.read(), smooth.read(), round_trip.read()
    report.PAGE.write_text(report.page(rows, one_by_one, rises, trips), encoding="utf-8")
    said = {
        MEAN: promises.verdicts(rows),
        smooth.NAME: smooth.verdicts(rises),
        round_trip.NAME: round_trip.verdicts(trips),
        ONE_BY_ONE: verdicts(Figures(one_by_one)),
    }
    return [verdict for name in wanted for verdict in said[name]]


def _left_aside(store: Store) -> None:
    if store.older:
        print(f"{store.older} blocks were run by other code and are left aside", file=sys.stderr)


def _sample(given: argparse.Namespace) -> None:
    wanted = given.problem or [MEAN]
    if MEAN in wanted:
        cells = [one.cell for one in MEASURED] if given.prototype else spread_cells(given.cells, given.populations)
        lines = (
            paired(cells, given.repetitions)
            if given.methods is None
            else sampled(cells, given.repetitions, given.methods)
        )
        for line in lines:
            print(line, flush=True)
    rest = [name for name in wanted if name in BENCHMARKS and given.cells]
    for line in sample.sampled(rest, given.cells, given.repetitions, given.populations) if rest else ():
        print(line, flush=True)


def main() -> int:
    given = _arguments()
    if given.cells is not None or given.prototype:
        _sample(given)
        return 0
    wanted = given.problem or [name for name in PROBLEMS if name != ONE_BY_ONE]
    of_the_mean = [name for name in OF_THE_MEAN if name in wanted]
    decided = _of_the_mean(given, of_the_mean) if of_the_mean else []
    if real_data.NAME in wanted:
        decided += real_data.carry_out(
            workers=given.workers, accept_older=given.accept_older, report_only=given.report_only
        )
    if first_hour.NAME in wanted:
        first_hour.carry_out(report_only=given.report_only)
    rest = [name for name in wanted if name in others.NAMES]
    if rest:
        if not given.report_only:
            others.carry_out(rest, workers=given.workers, accept_older=given.accept_older)
        decided += others.written()
    for verdict in decided:
        print(f"{verdict.item}. {verdict.words}: {verdict.found} (aim {verdict.aim}): {verdict.said}")
    return 0 if all(verdict.passed is not False for verdict in decided) else 1


if __name__ == "__main__":
    sys.exit(main())
