"""What a tuned number is worth: the same surveys with other values of one constant.

``python -m benchmarks.accuracy.tuning sottovoce.problems.mixture.adaptive:FIRST 0.3 0.5 --problem mixture`` runs
cells of `benchmarks.accuracy` with the value that is shipped and with each of the others, with the same seeds. It
prints the squared error and the half-width in parts of what the shipped value gives (geometric means over cells, with
their standard errors, and the worst cell), and how often intervals held the truth. Populations that nothing is tuned
on stay out. A value that changes no answer is told: the constant is not read in these cells, or only at import.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.accuracy import trial as mean_trial
from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.cells import METHODS, cells_against_paper, grid
from benchmarks.accuracy.cells import Cell as MeanCell
from benchmarks.accuracy.problems import trial as problem_trial
from benchmarks.accuracy.problems.cells import Cell, methods_of
from benchmarks.accuracy.problems.registry import BENCHMARKS

MEAN = "mean"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One value of the constant in one cell: mean squared error, mean half-width, share of intervals that held."""

    mse: float
    halfwidth: float
    coverage: float


@contextmanager
def constant_set_to(name: str, value: float) -> Iterator[None]:
    """Give a constant, ``module:NAME``, another value in every module that has imported it; nothing cached stays."""
    module_name, _, constant = name.partition(":")
    shipped = getattr(import_module(module_name), constant)
    if isinstance(shipped, bool) or not isinstance(shipped, int | float):
        raise SystemExit(f"{name} is no number")
    holders = [module for module in _modules() if vars(module).get(constant) is shipped]
    for module in holders:
        setattr(module, constant, type(shipped)(value))
    _forget()
    try:
        yield
    finally:
        for module in holders:
            setattr(module, constant, shipped)
        _forget()


def _modules() -> list[object]:
    return [module for name, module in list(sys.modules.items()) if name.startswith("sottovoce.")]


def _forget() -> None:
    for module in _modules():
        for member in list(vars(module).values()):
            if hasattr(member, "cache_clear"):
                member.cache_clear()


def sample_of_cells(problem: str, method: str, count: int) -> list[MeanCell] | list[Cell]:
    """So many cells in which the method runs, spread over the benchmark with a fixed seed."""
    if problem == MEAN:
        if method == "homogeneous":
            return _spread([cell for cell in cells_against_paper() if cell.of.kind == "alike"], count)
        return _spread([cell for cell in grid() if not cell.of.held_out], count)
    cells = [cell for cell in BENCHMARKS[problem].cells if not cell.of.held_out]
    return _spread([cell for cell in cells if method in methods_of(cell)], count)


def _spread(cells: Sequence[Any], count: int) -> list[Any]:
    return [cells[place] for place in np.sort(np.random.default_rng(1).permutation(len(cells))[:count])]


def outcome(cell: MeanCell | Cell, method: str, repetitions: int) -> Outcome:
    """The method in a cell, always with the same seed."""
    block = Block(cell, method, "tuning", 0, repetitions)
    if isinstance(cell, MeanCell):
        ran = mean_trial.run(block)
        return Outcome(
            mse=float(np.mean(np.square(ran["errors"]))),
            halfwidth=ran["halfwidth"],
            coverage=ran["headline"].count("1") / repetitions,
        )
    ran = problem_trial.run(block)
    intervals = ran["guarded"] if ran["guarded"]["each"] else ran["model"]
    return Outcome(
        mse=float(np.mean(ran["errors"])),
        halfwidth=intervals["halfwidth"],
        coverage=float(np.mean(intervals["each"])) if intervals["each"] else float("nan"),
    )


def ratio_line(value: float, outcomes: Sequence[Outcome], shipped: Sequence[Outcome]) -> str:
    """One line of the table."""
    said = [f"{value:10g}"]
    for quantity in ("mse", "halfwidth"):
        pairs = [(getattr(one, quantity), getattr(two, quantity)) for one, two in zip(outcomes, shipped, strict=True)]
        logs = np.log([one / two for one, two in pairs if one > 0 and two > 0])
        if not len(logs):
            said.append(f"{'-':>24s}")
            continue
        mean, error = float(logs.mean()), float(logs.std(ddof=1) / np.sqrt(len(logs))) if len(logs) > 1 else 0.0
        said.append(f"{np.exp(mean):8.3f} ± {error:5.3f} {np.exp(logs.max()):7.2f}")
    return "  ".join([*said, f"{np.nanmean([one.coverage for one in outcomes]):8.3f}"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy.tuning", description=__doc__)
    parser.add_argument("constant", help="module:NAME")
    parser.add_argument("values", nargs="+", type=float, help="other values than the shipped one")
    parser.add_argument("--problem", default=MEAN, choices=(MEAN, *BENCHMARKS))
    parser.add_argument("--method", help="default: adaptive, or what the problem has in its place")
    parser.add_argument("--cells", type=int, default=24)
    parser.add_argument("--repetitions", type=int, default=100)
    given = parser.parse_args(arguments)
    module, _, name = given.constant.partition(":")
    shipped = getattr(import_module(module), name)
    method = given.method or ("adaptive" if given.problem == MEAN else BENCHMARKS[given.problem].ours)
    if given.problem == MEAN and method not in METHODS:
        parser.error(f"no such method of the mean: {method}")
    cells = sample_of_cells(given.problem, method, given.cells)
    print(f"{name} of {module}, {given.problem} by {method}: {len(cells)} cells, {given.repetitions} repetitions each")
    print(f"{'value':>10s}  {'squared error':>16s} {'worst':>7s}  {'half-width':>16s} {'worst':>7s}  {'covers':>8s}")
    base: list[Outcome] = []
    for value in (shipped, *given.values):
        with constant_set_to(given.constant, value):
            outcomes = [outcome(cell, method, given.repetitions) for cell in cells]
        base = base or outcomes
        unused = "  no answer changed" if value != shipped and outcomes == base else ""
        print(ratio_line(value, outcomes, base) + unused, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
