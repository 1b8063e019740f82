"""A quick version of ``make bench-accuracy``: a handful of cells, and the harness itself.

Seeds are fixed, so nothing fails from run to run. Over the choice of seeds: an interval that covers exactly as promised
fails in one cell with a chance below 1e-4, so that all of them together raise a false alarm with a chance below 1 %.
Ratios of errors are asked for at a third or less of what the benchmark finds; with 100 repetitions a ratio has a
standard error of 20 to 50 %, and the mean over cells falls below a third of its value with a chance below 1 %.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.accuracy import table
from benchmarks.accuracy.blocks import Block, answer
from benchmarks.accuracy.cells import ASSERTED, METHODS, Cell, cells_against_paper, fixed_cells, grid, methods_of
from benchmarks.accuracy.figures import Figures
from benchmarks.accuracy.pools import Pool, ask
from benchmarks.accuracy.populations import GRID, drawn, pool
from benchmarks.accuracy.reference import ONE_ROUND
from benchmarks.accuracy.sample import cell_rows
from benchmarks.accuracy.schedule import needed
from benchmarks.accuracy.store import Runs, Store
from benchmarks.accuracy.trial import run
from benchmarks.accuracy.verdicts import verdicts
from sottovoce.engines import run as run_survey
from sottovoce.problems import choose

ALIKE = (
    Cell("uniform", 1000, 100, 1.0),
    Cell("Rademacher", 5000, 1000, 1.0),
    Cell("skewed Beta", 1000, 100, 2.0),
)
DIFFERING = (
    Cell("InstEval-like", 1000, 100, 1.0),
    Cell("clusters 80:20", 1000, 100, 2.0),
    Cell("5 % far away", 1000, 20, 4.0),
)
REPETITIONS = 100


def _some(cases: list[tuple[object, ...]]) -> list[object]:
    """In ``make test`` those of one cell with users alike and one with users who differ, in ``make soak`` all."""
    first = {ALIKE[0], DIFFERING[0]}
    return [pytest.param(*case, marks=() if first.issuperset(_cells(case[-1])) else pytest.mark.soak) for case in cases]


def _cells(last: object) -> tuple[object, ...]:
    return last if isinstance(last, tuple) else (last,)


@functools.cache
def _rows(cell: Cell) -> dict[str, table.Row]:
    main = [name for name in METHODS if name != "homogeneous" or cell.of.kind == "alike"]
    return {row.method: row for row in cell_rows(cell, REPETITIONS, main)}


GUARDED = [
    (method, cell)
    for method in (ONE_ROUND, *METHODS)
    for cell in (*ALIKE, *DIFFERING)
    if method not in ASSERTED and method != "auto"
]
ASSERTS = [("homogeneous", cell) for cell in ALIKE]  # where their model holds
GAINS = {  # method, other, cells: error of the other over the method's, at least
    ("homogeneous", "paper", ALIKE): 15.0,
    ("adaptive", ONE_ROUND, ALIKE): 4.0,
    ("adaptive", ONE_ROUND, DIFFERING[:1]): 0.8,
    (ONE_ROUND, "paper", DIFFERING): 2.0,
}


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("method, cell", _some(GUARDED + ASSERTS))
def test_intervals_cover(method: str, cell: Cell) -> None:
    row = _rows(cell)[method]
    promised = 0.93 if method in ASSERTED else 0.94
    assert binom.cdf(round(row.coverage * row.repetitions), row.repetitions, promised) > 1e-4, row


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("method, other, cells", _some(list(GAINS)))
def test_errors_are_lower(method: str, other: str, cells: tuple[Cell, ...]) -> None:
    figures = Figures(row for cell in cells for row in _rows(cell).values())
    assert figures.ratio(other, method, lambda cell: True).mean > GAINS[method, other, cells]


@pytest.mark.parametrize("method", METHODS)
def test_a_script_that_is_run_once_says_what_decide_says(method: str) -> None:
    cell = Cell("uniform", 500, 100, 2.0)
    users = Pool.of(pool(cell.population, cell.observations))
    survey = choose(cell.settings(method))
    streams = [np.random.default_rng(4) for _ in range(2)]
    once = answer(survey, users, streams[0])
    replayed = run_survey(survey.settings, lambda question: ask(question, users, streams[1]))
    assert (once.value, once.interval) == (replayed.value, replayed.interval)


@pytest.mark.thin(2)
@pytest.mark.parametrize("population", GRID, ids=lambda population: population.name)
@pytest.mark.parametrize("observations", [20, 100])
def test_users_stay_in_range(population: Any, observations: int) -> None:
    averages = pool(population.name, observations)
    assert -1 <= averages.min() and averages.max() <= 1  # and so finite


@pytest.mark.parametrize(
    "name, observations, mean, deviation",
    [
        ("uniform", 20, 0.7, np.sqrt(1 / 12 / 20)),
        ("uniform", 1000, 0.7, np.sqrt(1 / 12 / 1000)),
        ("Rademacher", 100, 0.0, 0.1),
        ("skewed Beta", 100, 2 * 0.3 / 3.3 - 1, 2 * np.sqrt(0.3 * 3 / 3.3**2 / 4.3 / 100)),
        ("Bernoulli .03", 100, -0.94, 2 * np.sqrt(0.03 * 0.97 / 100)),
        ("InstEval-like", 100, 0.1085, np.sqrt(0.226**2 + 0.64**2 / 100)),
        ("lognormal T", 1000, 0.3, 0.9 * np.sqrt(np.exp(0.5) / 1000)),
        ("clusters 80:20", 100, -0.14, np.sqrt(0.8 * 0.2 * 0.8**2 + 0.49 / 100)),
        ("ratings", 20, 0.35, np.sqrt(0.3025 / 20)),
        ("U-shaped", 100, 0.0, np.sqrt(0.5 + 0.5 / 100)),
        ("always or never", 20, -0.5, np.sqrt(0.75)),
        ("three camps", 100, -0.09, np.sqrt(0.2259 + 0.25 / 100)),
        ("normal means", 100, 0.1, np.hypot(0.1, 0.05)),
    ],
)
def test_populations_are_what_their_names_say(name: str, observations: int, mean: float, deviation: float) -> None:
    """Five standard errors of the pool's mean, and one per cent of its spread: a false alarm in 10⁵ or fewer."""
    averages = pool(name, observations)
    assert abs(averages.mean() - mean) < 5 * deviation / np.sqrt(len(averages))
    assert averages.std() == pytest.approx(deviation, rel=0.01)


def test_drawn_populations_follow_their_seed() -> None:
    one, again, other = (drawn(1, seed).averages(np.random.default_rng(0), 50, 20).tolist() for seed in (1, 1, 2))
    assert one == again != other


def test_the_grid_is_the_one_that_was_promised() -> None:
    kinds = [population.kind for population in GRID]
    assert [kinds.count(kind) for kind in ("alike", "differing", "groups")] == [8, 5, 12]
    cells = grid()
    assert len(GRID) == 25 and len(set(cells)) == len(cells) == 25 * 48 + 48 + 4 + 4
    assert {cell.observations for cell in cells} == {1, 5, 20, 22, 25, 50, 100, 1000, 10_000}
    assert len(cells_against_paper()) == 15 * 48 + 4
    fixed = fixed_cells(GRID)
    assert len(set(fixed)) == 100
    assert {(cell.observations, cell.epsilon) for cell in fixed} == {
        (observations, epsilon) for observations in (20, 100, 1000) for epsilon in (0.5, 1.0, 2.0, 4.0)
    }


def _block(number: int = 0) -> Block:
    return Block(Cell("point", 300, 20, 4.0), "one-round", "base", number, 5)


def test_blocks_do_not_depend_on_each_other() -> None:
    first, other, again = (run(_block(number)) for number in (0, 1, 0))
    assert again == first and other["errors"] != first["errors"]


def test_a_run_goes_on_where_it_was_cut_off(tmp_path) -> None:
    store = Store(tmp_path)
    lines = [run(_block(number)) for number in (1, 0)]
    for line in lines:
        store.add(line)
    file = tmp_path / "blocks.jsonl"
    file.write_text(file.read_text()[:-10])  # the second block was being written
    again = Store(tmp_path)
    assert _block(1) in again and _block(0) not in again
    again.add(lines[1])
    found = Store(tmp_path).runs(_block().cell, "one-round")
    assert found.errors.tolist() == lines[1]["errors"] + lines[0]["errors"]
    assert found.covered("headline") == (sum(line["headline"].count("1") for line in lines), 10)
    assert Store(tmp_path, source_of=lambda key: "other code").older == 2
    assert _block(0) in Store(tmp_path, source_of=lambda key: "other code", accept_older=True)


@pytest.mark.parametrize(
    "covered, stages", [([100], [2, 0, 0]), ([97], [2, 8, 0]), ([100, 300], [2, 0, 0]), ([90, 270], [2, 8, 40])]
)
def test_cells_are_run_as_often_as_their_coverage_asks(tmp_path, covered: list[int], stages: list[int]) -> None:
    """Blocks of 50: two at first, eight where coverage at 100 is below .98, forty fresh ones where it is below .93."""
    fixed = fixed_cells([population for population in GRID if population.against_paper])
    cell = next(cell for cell in cells_against_paper() if cell not in fixed and cell.of.kind == "alike" and cell.strong)
    assert "homogeneous" in methods_of(cell)
    store = Store(tmp_path)
    for number, (count, inside) in enumerate(zip((100, 300), covered, strict=False)):
        flags = "1" * inside + "0" * (count - inside)
        block = Block(cell, "homogeneous", "base", number, count)
        same = {"headline": flags, "halfwidth": 1.0, "model": flags, "model_halfwidth": 1.0}
        store.add({"block": list(block.key), "errors": [0.1] * count, **same})
    found = [[block for block in needed([cell], store, stage) if block.method == "homogeneous"] for stage in range(3)]
    assert [len(blocks) for blocks in found] == stages
    assert len({block.seed for blocks in found[1:] for block in blocks}) == sum(stages[1:])


def _made_up(cell: Cell, covered: float) -> list[table.Row]:
    """One round and paper with an error of 1, homogeneous with .01 and a coverage."""
    flags = "1" * round(400 * covered) + "0" * round(400 * (1 - covered))
    errors = np.resize([1.0, -1.0], 400)
    fine = Runs(errors=errors, headline="1" * 400, halfwidth=2.0)
    ours = Runs(errors=errors / 10, headline=flags, halfwidth=3.0, model=flags, model_halfwidth=1.0)
    return table.summarised(cell, {ONE_ROUND: fine, "paper": fine, "homogeneous": ours})


@pytest.mark.parametrize("covered, passed", [(0.95, True), (0.91, True), (0.85, False)])
def test_verdicts_follow_the_figures(covered: float, passed: bool) -> None:
    cells = [cell for cell in grid() if cell.users == 5000 and cell.of.kind == "alike"][:8]
    rows = [row for cell in cells for row in _made_up(cell, covered if cell is cells[3] else 1.0)]
    found = {verdict.words: verdict for verdict in verdicts(Figures(rows))}
    assert found["intervals of homogeneous, users alike, n·min(ε,ε²) ≥ 300"].passed is passed
    assert found["paper / homogeneous, users alike, n·min(ε,ε²) ≥ 300, geometric mean"].found.startswith("100 ±")


def test_the_table_is_read_as_it_was_written(tmp_path) -> None:
    rows = _rows(ALIKE[0])
    table.write(list(rows.values()), tmp_path / "results.csv")
    read = table.read(tmp_path / "results.csv")
    assert [row.method for row in read] == list(rows)
    for row in read:
        assert row.mse == pytest.approx(rows[row.method].mse, rel=1e-4)
        assert row.coverage == rows[row.method].coverage
