"""A hundred million reports through ``sotto tally --engine local``, and forty million rows through `sv.mean`.

Memory stays what it is for few, and the CPU time of the command grows by the power .95 to 1.05 of how many reports
there are. Sizes of two decades are measured in one run. It takes some minutes and 0.6 GB of disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.scale.crew import Crew, Worker
from benchmarks.scale.figures import lines
from benchmarks.scale.parts import reports, rows
from benchmarks.scale.sizes import FULL


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Crew]:
    worker = Worker()
    yield Crew({"fast": worker}, tmp_path)
    worker.end()


def test_a_hundred_million_reports_are_added_up_in_constant_memory(people: Crew) -> None:
    assert FULL.reports[-1] == 10**8
    figures = reports.measure(people, FULL, {})
    assert all(figure.met for figure in figures), "\n".join(lines(figures))


def test_forty_million_rows_take_no_more_memory_than_ten_million(people: Crew) -> None:
    assert FULL.memory_rows[1:] == (10**7, 4 * 10**7)
    figures = rows.memory(people, FULL)
    assert all(figure.met for figure in figures), "\n".join(lines(figures))
