"""The paper's five tables of rates and its table of running times, made from the functions they stand for.

The claims hold their cells against the theorems, and against formulas written out here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from numpy.random import Generator

from sottovoce.paper.figure import (
    Cell,
    Claim,
    Figure,
    Judgement,
    Rows,
    Run,
    Verdict,
    all_within,
    joined,
    rows_with,
    verdict_of,
    verdict_over_sides,
)
from sottovoce.paper.plots import panels
from sottovoce.theory import notation

SIZES: dict[str, float] = {"n": 100, "T": 1000, "alpha": 0.5, "d": 10, "s": 3, "beta": 2, "m": 3, "M": 10}
ABOVE: dict[str, float] = SIZES | {"alpha": 4.0}
"""For what is stated for α > 1."""


def cells(run: Run) -> list[Cell]:
    """All at once."""
    return [{"tables": "all"}]


def compute(cell: Cell, stream: Generator) -> Rows:
    """A row an entry: its formula, and its value at `SIZES`, or at `ABOVE` where it is one for α > 1."""
    from sottovoce.theory import COMPLEXITY, RATE_TABLES

    rows: Rows = []
    for table in (*RATE_TABLES, COMPLEXITY):
        for line in table.rows:
            for name, entry in zip(table.columns[1:], line[1:], strict=True):
                value = entry.value(**ABOVE if entry.above_one else SIZES)
                rows.append(
                    {"table": table.label, "line": table.line, "row": line[0].text, "column": name}
                    | {"formula": entry.text, "value": None if value is None else float(value)}
                )
    return rows


MANY = ((10_000, 10, 1.0), (100_000, 100, 0.5), (1_000_000, 1000, 0.5))
"""n, T, α with T before every transition: where the theorems are held against the rate of nT items."""
STRONG = (400.0, 1600.0, 6400.0)
"""n for α = 0.5, d = 10: nα²/d = 10, 40, 160, where a transition is looked for."""


FEW_USERS, MANY_USERS = (9000, 10_000, 60), (15_000, 100, 30)
"""nα², d, s with d ≥ nα² and d ≤ nα²: L551 holds at both, and e^{nα²/s} is a float."""
ROUGHLY = (0.85, 1.15)
"""Times the logarithm of a transition: what logarithms of T may move at these sizes."""


def _value(rows: Rows, table: str, row: str, column: str) -> float:
    return float(rows_with(rows, table=table, row=row, column=column)[0]["value"])


def _cells(rows: Rows, table: str, *names: str) -> list[float]:
    return [_value(rows, table, name, "minimax rate") for name in names]


def _equal_rates(rows: Rows) -> Judgement:
    from sottovoce.theory import density, mean_l2, sparse

    gaps, over, valid = [], [], []
    for users, T, a in MANY:
        w = users * a**2
        pairs = (
            (mean_l2(users=users, observations=T, epsilon=a, dimension=8), 8 / (w * T)),
            (sparse(users=users, observations=T, epsilon=a, dimension=64, sparsity=32), 32 * 64 / (w * T)),
            (density(users=users, observations=T, epsilon=a, smoothness=2.0), (w * T) ** (-4 / 6)),
        )
        for bounds, item in pairs:
            valid.append(bounds.lower.valid)
            gaps.append(bounds.lower.value / item)
            over.append(bounds.upper.value / item / math.log(64 * w * T) ** 2)
    few = sparse(users=9000, observations=1000, epsilon=1.0, dimension=10**6, sparsity=80)
    unlike = few.upper.value / (80 * 10**6 / (9000 * 1000))
    n, length, a, d, s, beta = (SIZES[name] for name in ("n", "T", "alpha", "d", "s", "beta"))
    written = {
        "tab-2": (d / (n * length * a**2), _cells(rows, "tab-2", "local item-level", "local user-level (T small)")),
        "tab-20": (
            s * d / (n * length * a**2),
            _cells(rows, "tab-20", "local item-level", "local user-level (n large)"),
        ),
        "tab-5": (
            (n * length * a**2) ** (-2 * beta / (2 * beta + 2)),
            _cells(rows, "tab-5", "local item-level", "local user-level (T small)"),
        ),
    }
    same = all(math.isclose(cell, formula, rel_tol=1e-5) for formula, cells in written.values() for cell in cells)
    return Judgement(
        verdict=verdict_of(
            same and all(valid) and all_within(gaps, 0.9, 1.1) and all_within(over, 0.0, 1.1) and unlike < 0.5
        ),
        seen="the theorems' lower bounds (L379, L551, L777) are "
        f"{min(gaps):.3f} to {max(gaps):.3f} times the rate of nT items at {len(gaps)} sizes, the upper bounds at most "
        f"{max(over):.2f}·log² times, sparse means at nα² > d among them; with d = 10⁶ > nα² = 9000, s = 80, T = 1000 "
        f"the sparse upper bound (L551) is {unlike:.2f} times it. Item and user level in the tables: "
        + joined("{1[0]:.3g} and {1[1]:.3g}", written.values(), "; "),
        why="as rates, without constants and logarithms: the univariate figure has a factor of 13 there at α ≥ 2",
    )


def crossing(small: Callable[[float], float], large: float) -> float:
    """The T at which a falling small-T rate meets the large-T rate, by bisection of log T."""
    low, high = 0.0, 700.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if small(math.exp(middle)) > large else (low, middle)
    return math.exp(low)


def _exponent(crossing_at: float, formula: float) -> float:
    """Transitions are known up to the constant in an exponent: their logarithms are compared."""
    return math.log(crossing_at) / math.log(formula)


def _mean_transition(rows: Rows) -> Judgement:
    from sottovoce.theory import mean_l2, transition_in_observations

    def bound(n: float, T: float) -> float:
        return mean_l2(users=n, observations=T, epsilon=0.5, dimension=10).lower.value

    ratios, named = [], []
    for n in STRONG:
        flat = bound(n, 1e290)  # what no T improves on
        stops_at = crossing(lambda T, n=n, flat=flat: bound(n, T) - flat * 1e-9, flat)  # type: ignore[misc]
        ratios.append(_exponent(stops_at, math.exp(n * 0.25 / 10)))
        named.append(transition_in_observations("mean-l2", users=n, epsilon=0.5, dimension=10).boundary)
    cell = _value(rows, "tab-3", "phase transition (T = ·)", "d-dim. mean (ℓ2 ball)")
    same = math.isclose(cell, math.exp(SIZES["n"] * SIZES["alpha"] ** 2 / SIZES["d"]), rel_tol=1e-5) and all(
        math.isclose(value, math.exp(n * 0.25 / 10)) for n, value in zip(STRONG, named, strict=True)
    )
    return Judgement(
        verdict=verdict_of(same and all_within(ratios, 0.7, 1.1) and ratios[-1] > ratios[0]),
        seen="log of the T at which the theorem's lower bound (L379) stops falling, over nα²/d = 10, 40, 160: "
        + joined("{:.2f}", ratios)
        + f"; the table's cell at n = 100, α = 0.5, d = 10 is {cell:.3g}",
        why="they differ by nα²/d in T, a logarithm, which the table leaves out",
    )


def _sparse_stops(w: float, d: int, s: int) -> list[float]:
    """Log T at which the lower and the upper bound (L551) are twice what no T improves on."""
    from sottovoce.theory import sparse

    stops = []
    for side in ("lower", "upper"):

        def bound(T: float, side: str = side) -> float:
            return float(getattr(sparse(users=w, observations=T, epsilon=1.0, dimension=d, sparsity=s), side).value)

        stops.append(math.log(crossing(bound, 2 * bound(1e300))))
    return stops


def _sparse_transition(rows: Rows) -> Judgement:
    from sottovoce.theory import sparse_switch

    def switch(T: float) -> float:
        return -sparse_switch(users=MANY_USERS[0], observations=T, epsilon=1.0, dimension=MANY_USERS[1], constant=1.0)

    (w, d, s), (few, _, few_s) = MANY_USERS, FEW_USERS
    stops = [log / (few / few_s) for log in _sparse_stops(*FEW_USERS)]
    later = _sparse_stops(*MANY_USERS)
    takes_over = math.log(crossing(switch, -w))
    sides = [all_within((log / (w / d) for log in logs), *ROUGHLY) for logs in (later, [takes_over])]
    cell = _value(rows, "tab-3", "phase transition (T = ·)", "s-sparse mean")
    strength = SIZES["n"] * SIZES["alpha"] ** 2
    formula = math.exp(strength / (SIZES["s"] if SIZES["d"] >= strength else SIZES["d"]))
    common = math.isclose(cell, formula, rel_tol=1e-5) and all_within(stops, *ROUGHLY)
    return Judgement(
        verdict=verdict_over_sides(*(common and side for side in sides)),
        seen=f"log T at which the bounds of L551, lower and upper, stop falling: at d = {FEW_USERS[1]:,} ≥ nα² = "
        f"{few:,}, s = {few_s} " + joined("{:.2f}", stops, " and ") + f" times nα²/s; at d = {d} ≤ nα² "
        f"= {w:,}, s = {s} "
        + " and ".join(f"{log / (w / d):.2f} times nα²/d ({log / (w / s):.2f} times nα²/s)" for log in later)
        + f". There the selection takes over from thresholding (L595) at {takes_over / (w / d):.2f} times nα²/d; the "
        f"table's cell at the sizes below is {cell:.3g}",
        why="with d ≤ nα² thresholding ends at e^{−nα²/d}, but the selection goes on as s/T down to e^{−nα²/s}, the "
        "table's own large-T rate: the error stops falling at e^{nα²/s} whatever d is",
        choice="what the transition is: where the rate stops falling, or where one procedure takes over from the other",
    )


def _density_transition(rows: Rows) -> Judgement:
    from sottovoce.theory import density, transition_in_observations

    ratios, named = [], []
    for n in STRONG:
        for beta in (1.0, 2.0):

            def bound(T: float, n: float = n, beta: float = beta) -> float:
                return density(users=n, observations=T, epsilon=0.5, smoothness=beta).lower.value

            flat = bound(1e290)
            formula = (n * 0.25) ** (2 * beta + 1)
            ratios.append(_exponent(crossing(lambda T, bound=bound, flat=flat: bound(T) - flat * 1e-9, flat), formula))  # type: ignore[misc]
            named.append(
                transition_in_observations("density", users=n, epsilon=0.5, smoothness=beta).boundary / formula
            )
    cell = _value(rows, "tab-3", "phase transition (T = ·)", "density")
    same = math.isclose(cell, (SIZES["n"] * SIZES["alpha"] ** 2) ** (2 * SIZES["beta"] + 1), rel_tol=1e-5)
    return Judgement(
        verdict=verdict_of(same and all_within([*ratios, *named], 0.99, 1.01)),
        seen="log of the T at which the theorem's lower bound (L777) stops falling over (2β + 1)·log(nα²): "
        + joined("{:.3f}", ratios)
        + f"; the table's cell at the sizes below is {cell:.3g}",
        why="both terms are powers, and no logarithm is left out",
    )


CLAIMS = (
    Claim(
        name="user level equals nT items",
        text="Until T is large the user-level rate equals the item-level rate with nT users for means and densities, "
        "unlike sparse means, where it does only for n large.",
        where="L523, L809, table L655",
        expected=Verdict.AGREES,
        tolerance="the theorems' lower bounds with constants 1 within a tenth of the rate of nT items, written out; "
        "the upper bounds at most the square of a logarithm above, all at sizes where the theorems hold; for sparse "
        "means with few users less than half of it; the cells exactly",
        check=_equal_rates,
    ),
    Claim(
        name="the transition of the mean",
        text="The mean's phase transition is at T of order e^{nα²/d}.",
        where="L960",
        expected=Verdict.AGREES,
        tolerance="the logarithm of the T found by bisection between 0.7 and 1.1 times nα²/d, nearer to 1 as that "
        "grows: constants in exponents and logarithms are left out; the cell exactly",
        check=_mean_transition,
    ),
    Claim(
        name="the transition of the sparse mean",
        text="The sparse mean's phase transition is at T of order e^{nα²/s} while d ≳ nα², e^{nα²/d} while d ≲ nα².",
        where="L960",
        expected=Verdict.DEPENDS,
        tolerance="the logarithm of the T found by bisection between 0.85 and 1.15 times that of the table's, for "
        "logarithms left out, on both bounds where the rate stops falling; the cell exactly",
        check=_sparse_transition,
    ),
    Claim(
        name="the transition of the density",
        text="The density's phase transition is at T of order (nα²)^{2β+1}.",
        where="L960",
        expected=Verdict.AGREES,
        tolerance="the logarithm of the T found by bisection within 1 % of that of the table's; the cell exactly",
        check=_density_transition,
    ),
)


WIDTHS = {2: (0.3, 0.45, 0.25), 3: (0.17, 0.22, 0.38, 0.23)}
"""Of the columns of a table with so many columns beside its names."""
WIDE = (0.17, 0.33, 0.5)
"""Of the running times, whose last formulas are long."""


def draw(rows: Rows, picture: Any) -> None:
    """Six tables on a page."""
    labels = list(dict.fromkeys(row["table"] for row in rows))
    heights = [1.6 + len({row["row"] for row in rows if row["table"] == label}) for label in labels]
    axes = panels(picture, len(labels), 1, height_ratios=heights)[:, 0]
    for place, label in zip(axes, labels, strict=True):
        mine = rows_with(rows, table=label)
        names = list(dict.fromkeys(row["column"] for row in mine))
        lines = list(dict.fromkeys(row["row"] for row in mine))
        cells = [
            [notation.mathtext(line), *(_entry(rows_with(mine, row=line, column=name)[0]) for name in names)]
            for line in lines
        ]
        place.axis("off")
        place.set_title(f"{label} (L{mine[0]['line']})", loc="left")
        widths = WIDE if label == "complexity" else WIDTHS[len(names)]
        drawn = place.table(
            cellText=cells, colLabels=["", *names], cellLoc="left", colLoc="left", colWidths=widths, loc="center",
            edges="horizontal",
        )  # fmt: skip
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(8)
        drawn.scale(1, 1.25)


def _entry(row: dict[str, Any]) -> str:
    formula = notation.mathtext(row["formula"])
    return formula if row["value"] is None else f"{formula}  [{row['value']:.3g}]"


FIGURES = {
    "tables": Figure(
        name="tables",
        title="The tables of rates",
        where="L346, L527, L646, L815, L960, L1866",
        cells=cells,
        compute=compute,
        cost=lambda cell: 0.01,
        keys=("table", "row", "column", "formula"),
        values=(("value", ""),),
        claims=CLAIMS,
        draw=draw,
        notes=(
            "In brackets: the value at n = 100, T = 1000, α = 0.5, d = 10, s = 3, β = 2, constants left out; in the "
            "column of α > 1 at α = 4.",
        ),
        size=(11, 11),
    )
}
