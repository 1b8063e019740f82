"""The paper's tables and its regime diagram, made from code; the least n·Var/s² that ε leaves."""

from __future__ import annotations

import csv
import io
import itertools
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import sottovoce as sv
from sottovoce import theory
from sottovoce.messages import InvalidInput
from sottovoce.paper.figures import tables as experiment
from sottovoce.theory.tables import DENSITY, INFINITE, MEAN, SPARSE, TRANSITIONS

SIZES = {"n": 200.0, "T": 50.0, "alpha": 0.5, "d": 10.0, "s": 3.0, "beta": 2.0}


def test_there_are_five_tables_of_rates_with_the_rows_of_the_paper():
    assert [table.label for table in theory.RATE_TABLES] == ["tab-1", "tab-2", "tab-20", "tab-5", "tab-3"]
    assert [(table.line, len(table.rows)) for table in theory.RATE_TABLES] == [
        *((354, 2), (539, 6), (658, 6), (827, 5), (972, 3))
    ]
    assert len(theory.COMPLEXITY.rows) == 7  # and the univariate procedure, which is in the text (L1825)


@pytest.mark.parametrize("table", [*theory.RATE_TABLES, theory.COMPLEXITY], ids=lambda table: table.label)
def test_markdown_and_csv_hold_every_cell(table):
    lines = table.to_markdown().splitlines()
    assert len(lines) == 2 + len(table.rows)
    assert all(line.count(" | ") == len(table.columns) - 1 for line in lines)
    read = list(csv.reader(io.StringIO(table.to_csv())))
    assert read[0] == list(table.columns)
    assert read[1:] == [[cell.text for cell in row] for row in table.rows]


def test_formulas_that_are_printed_are_the_ones_that_are_computed():
    names = {"α": "alpha", "β": "beta", "−": "-", "²": "**2", "·": "*", "^": "**", "{": "(", "}": ")"}
    checked = 0
    for table in theory.RATE_TABLES:
        for row in table.rows:
            for cell in row:
                if cell.rate is None or " if " in cell.text or "min" in cell.text:
                    continue
                text = cell.text
                for product in ("nTα²", "n²T²α²", "n²Tα²", "nα²", "nTα", "nT", "sd", "ed", "2β"):
                    text = text.replace(product, "·".join(_factors(product)))
                for sign, code in names.items():
                    text = text.replace(sign, code)
                value = eval(text, {"exp": math.exp, "log": math.log, "e": math.e, **SIZES})
                assert cell.value(**SIZES) == pytest.approx(value), cell.text
                checked += 1
    assert checked == 30


def _factors(product: str) -> list[str]:
    factors: list[str] = []
    for letter in product:
        if letter == "²":
            factors[-1] += letter
        else:
            factors.append(letter)
    return factors


def test_cases_and_minima_of_the_transition_table():
    small, _, boundary = TRANSITIONS.evaluated(**SIZES)
    assert small[2] == pytest.approx(min(3 / 50, 30 / 2500))
    assert boundary[2] == pytest.approx(math.exp(50 / 10))  # d = 10 < nα² = 50
    assert TRANSITIONS.evaluated(**SIZES | {"d": 100.0})[2][2] == pytest.approx(math.exp(50 / 3))


def test_formulas_for_alpha_above_one_have_no_value_below():
    """n = 100, T* = 400, d = 4, α = 4: four coordinates a user, 4·100·20 = 8000; at α = ½ the formula stays."""
    size = {"n": 100.0, "T": 400.0, "d": 4.0, "M": 10.0, "m": 5.0}
    assert theory.COMPLEXITY.evaluated(**size, alpha=4.0)[1][1:] == (2000, 8000)
    at_half = theory.COMPLEXITY.evaluated(**size, alpha=0.5)[1]
    assert at_half[1] == 2000
    assert str(at_half[2]).startswith("max{O((d ∧ ⌊α⌋)·T*)")


def test_the_figure_evaluates_the_column_of_alpha_above_one_at_four():
    """n = 100, T = 1000, d = 10: 4·100·√1000 = 12,649 on the cube, 4·100·√10,000 = 40,000 on the ball."""
    rows = experiment.compute({}, np.random.default_rng(1))
    found = {row["row"]: row["value"] for row in rows if row["column"] == "α > 1"}
    assert found["ℓ∞-ball procedure"] == pytest.approx(12_649.1, abs=0.1)
    assert found["ℓ2-ball procedure"] == pytest.approx(40_000)
    assert found["density"] is None


def test_tables_agree_with_theorems_and_transitions():
    rate = MEAN.evaluated(**SIZES)[2][1]
    assert theory.mean_l2(users=200, observations=50, epsilon=0.5, dimension=10).lower.value == pytest.approx(
        max(rate, MEAN.evaluated(**SIZES)[3][1])
    )
    assert INFINITE.evaluated(**SIZES)[1][2] == pytest.approx(SPARSE.evaluated(**SIZES)[4][1])
    assert DENSITY.evaluated(**SIZES)[3][1] == pytest.approx(INFINITE.evaluated(**SIZES)[1][3])
    for column, problem in ((1, "mean-l2"), (2, "sparse"), (3, "density")):
        found = theory.transition_in_observations(
            problem, users=200, epsilon=0.5, dimension=10, sparsity=3, smoothness=2.0
        ).boundary
        assert found == pytest.approx(TRANSITIONS.evaluated(**SIZES)[2][column])
    wide = theory.sparse(users=200, observations=50, epsilon=0.5, dimension=10**6, sparsity=80).lower
    assert wide.value <= SPARSE.evaluated(**SIZES | {"s": 80.0})[2][1]


@pytest.mark.parametrize(
    "panel, T, y, region",
    [
        ("l2", 2.0, 0.21, "both impossible"),  # the places of the paper's own labels
        ("l2", 3.0, 1.0, "user-level harder"),
        ("l2", 3.5, 3.5, "equivalent"),
        ("sparse", 1.62, 0.29, "both impossible"),
        ("sparse", 3.5, 0.6, "user-level easier"),
        ("sparse", 3.5, 1.5, "user-level harder"),
        ("sparse", 3.5, 3.5, "equivalent"),
        ("sparse", 5.9, 0.75, "user-level harder"),  # right of the corner
        ("sparse", 5.9, 0.6, "user-level easier"),
        ("l2", 1.0, 1.0, "equivalent"),
    ],
)
def test_the_regime_diagram_has_the_paper_s_regions(panel, T, y, region):
    assert theory.regime(panel, observations=T, level=y) == region
    assert region in theory.REGIMES


def test_crossing_a_boundary_changes_the_region():
    for panel in ("l2", "sparse"):
        for curve in theory.boundaries(panel):
            for T in (1.5, 3.0, 5.0):
                if curve.first <= T <= curve.last:
                    y = curve.curve(T)
                    assert theory.regime(panel, observations=T, level=y * 0.999) != theory.regime(
                        panel, observations=T, level=y * 1.001
                    )


def test_a_collection_is_placed_in_the_diagram():
    assert theory.regime_of("l2", users=10_000, observations=50, epsilon=1, dimension=10) == "equivalent"
    assert theory.regime_of("l2", users=20, observations=10**9, epsilon=1, dimension=10) == "user-level harder"
    assert theory.regime_of("sparse", users=100, observations=50, epsilon=1, dimension=1000) == "user-level easier"
    assert theory.regime_of("sparse", users=2, observations=2, epsilon=0.5, dimension=10**6) == "both impossible"
    with pytest.raises(InvalidInput):
        theory.regime("l1", observations=2, level=1)


def test_both_panels_are_drawn():
    figure = theory.plot_regimes()
    left, right = figure.axes
    assert len(left.lines) == 2 and len(right.lines) == 4
    assert len(left.collections) == 3 and len(right.collections) == 4
    figure.canvas.draw()


KNOWN = {0.5: 26.19, 1: 7.356, 1.5: 3.894, 2: 2.708, 2.5: 2.028, 3: 1.685, 4: 1.331, 6: 1.089, 8: 1.025}
BELL = NormalDist()


@pytest.mark.parametrize("epsilon, known", KNOWN.items())
def test_known_values(epsilon: float, known: float) -> None:
    assert theory.limit(epsilon) == pytest.approx(known, rel=0.001)


def staircase_limit(epsilon: float, cells: int) -> float:
    """The best channel whose columns take two values: each is high on an interval of cells, or on all but one."""
    from scipy.optimize import linprog

    edges = [1.3 * BELL.inv_cdf(place / cells) for place in range(1, cells)]
    mass = np.diff([0.0, *map(BELL.cdf, edges), 1.0])
    slope = np.diff([0.0, *map(BELL.pdf, edges), 0.0])
    inside = np.zeros((cells * (cells + 1) // 2, cells))
    for row, (start, stop) in zip(inside, itertools.combinations(range(cells + 1), 2), strict=True):
        row[start:stop] = 1.0
    columns = 1 + math.expm1(epsilon) * np.vstack((inside, 1 - inside))
    found = linprog(-((columns @ slope) ** 2) / (columns @ mass), A_eq=columns.T, b_eq=np.ones(cells))
    return float(-1 / found.fun)


@pytest.mark.parametrize("epsilon", [0.7, 1.8, 2.2, 3.5, 5.0])
def test_no_staircase_does_better(epsilon: float) -> None:
    """Cells are a little coarse for a limit, so that the programme may end up slightly above."""
    assert theory.limit(epsilon) == pytest.approx(staircase_limit(epsilon, 24), rel=0.004)
    assert theory.limit(epsilon) <= staircase_limit(epsilon, 24) * 1.001


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5, 4.0, 8.0])
def test_the_cuts_reach_the_limit(epsilon: float) -> None:
    """The information in k-ary response on the bins, from finite differences of its law."""
    cuts = theory.central_cuts(epsilon)
    assert cuts == pytest.approx([-cut for cut in reversed(cuts)], abs=1e-9)

    def law(shift: float) -> np.ndarray:
        share = np.diff([0.0, *(BELL.cdf(cut - shift) for cut in cuts), 1.0])
        return (1 + math.expm1(epsilon) * share) / (math.expm1(epsilon) + len(share))

    slope = (law(1e-4) - law(-1e-4)) / 2e-4
    assert 1 / (slope**2 / law(0.0)).sum() == pytest.approx(theory.limit(epsilon), rel=1e-5)


def test_where_the_cuts_lie() -> None:
    assert theory.central_cuts(0.1) == theory.central_cuts(2.0) == (0.0,)
    assert 0.4 < theory.central_cuts(2.5)[1] < 0.5 and len(theory.central_cuts(2.5)) == 2
    assert len(theory.central_cuts(4.0)) == 4 and 0.24 < theory.central_cuts(4.0)[2] < 0.3


def test_it_falls_towards_what_no_privacy_costs() -> None:
    values = [theory.limit(epsilon) for epsilon in np.arange(0.2, 16.2, 0.4)]
    assert all(later < earlier for earlier, later in itertools.pairwise(values))
    assert 1 < theory.limit(16) < 1.001 and 1 < theory.limit(1000) < 1.001
    with pytest.raises(sv.InvalidInput, match="epsilon must lie"):
        theory.limit(0.0)


def test_the_table_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "theory.md").read_text(encoding="utf-8")
    numbers = " | ".join(f"{theory.limit(epsilon):#.4g}" for epsilon in KNOWN)
    bins = " | ".join(str(len(theory.central_cuts(epsilon)) + 1) for epsilon in KNOWN)
    assert f"| `limit` | {numbers} |" in text
    assert f"| bins | {bins} |" in text
