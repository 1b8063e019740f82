"""The benchmark of the problems from end to end: run what is missing, write the tables and the page."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.accuracy import table
from benchmarks.accuracy.problems import large, report
from benchmarks.accuracy.problems.figures import Figures
from benchmarks.accuracy.problems.large import CASES, Grown
from benchmarks.accuracy.problems.registry import BENCHMARKS
from benchmarks.accuracy.problems.schedule import measure, source
from benchmarks.accuracy.problems.table import RESULTS, Row, rows
from benchmarks.accuracy.problems.verdicts import sizes, verdicts
from benchmarks.accuracy.store import Store
from benchmarks.accuracy.verdicts import Verdict

SIZE = "size"
NAMES = (*BENCHMARKS, SIZE)


def known_rows() -> list[Row]:
    """The committed table, if there is one."""
    return table.read(RESULTS, Row) if RESULTS.exists() else []


def known_sizes() -> list[Grown]:
    """The committed table of large surveys, if there is one."""
    return table.read(large.RESULTS, Grown) if large.RESULTS.exists() else []


def carry_out(names: Sequence[str], *, workers: int, accept_older: bool) -> None:
    """Run these problems; rows of the others stay as they are in the table."""
    before = known_rows()
    own = [name for name in names if name != SIZE]
    if own:
        store = Store(name="problems.jsonl", source_of=source, accept_older=accept_older)
        if store.older:
            print(f"{store.older} blocks were run by other code and are left aside", file=sys.stderr)
        cells = [cell for name in own for cell in BENCHMARKS[name].cells]
        measure(cells, store, workers=workers, rows=before)
        fresh = {name: rows(BENCHMARKS[name].cells, store) for name in own}
        kept = {name: [row for row in before if row.problem == name] for name in BENCHMARKS}
        table.write([row for name in BENCHMARKS for row in fresh.get(name, kept[name])], RESULTS)
    if SIZE in names:
        found = []
        for case in CASES:
            for size, users in large.shapes(case) if large.known(case) else ():
                found.append(large.measure(case, size, users))
                print(f"  {found[-1]}", file=sys.stderr, flush=True)
        if found:
            table.write(found, large.RESULTS)


def written() -> list[Verdict]:
    """Write the page from the committed tables; what was promised, and what was found."""
    found, grown = known_rows(), known_sizes()
    report.PAGE.write_text(report.page(found, grown), encoding="utf-8")
    return [*verdicts(Figures(found)), *sizes(grown)]
