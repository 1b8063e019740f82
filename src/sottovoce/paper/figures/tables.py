"""The paper's five tables of rates and its table of running times, made from the functions they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.paper.drawing import panels
from sottovoce.paper.figure import Cell, Claim, Figure, Judgement, Rows, Run, Verdict, pick, verdict

SIZES: dict[str, float] = {"n": 100, "T": 1000, "alpha": 0.5, "d": 10, "s": 3, "beta": 2, "m": 3, "M": 10}


def cells(run: Run) -> list[Cell]:
    """All at once."""
    return [{"tables": "all"}]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """A row an entry: its formula, and its value at `SIZES`."""
    from sottovoce.theory import COMPLEXITY, RATE_TABLES

    rows: Rows = []
    for table in (*RATE_TABLES, COMPLEXITY):
        for line in table.rows:
            for name, entry in zip(table.columns[1:], line[1:], strict=True):
                value = entry.value(**SIZES)
                rows.append(
                    {"table": table.label, "line": table.line, "row": line[0].text, "column": name}
                    | {"formula": entry.text, "value": None if value is None else float(value)}
                )
    return rows


def _value(rows: Rows, table: str, row: str, column: str) -> float:
    return float(pick(rows, table=table, row=row, column=column)[0]["value"])


def _equal_rates(rows: Rows) -> Judgement:
    pairs = [
        tuple(_value(rows, table, row, "minimax rate") for row in ("local item-level", f"local user-level ({at})"))
        for table, at in (("tab-2", "T small"), ("tab-5", "T small"), ("tab-20", "n large"))
    ]
    return Judgement(
        verdict=verdict(all(np.isclose(item, user) for item, user in pairs)),
        seen="item level and user level (T small, or n large) at the sizes below: "
        + "; ".join(f"{item:.3g} and {user:.3g}" for item, user in pairs),
        why="as rates, without constants and logarithms: the univariate figure has a factor of 14 there at α ≥ 2",
    )


def _density_transition(rows: Rows) -> Judgement:
    from sottovoce.theory import comparisons

    n, alpha, beta = SIZES["n"], SIZES["alpha"], SIZES["beta"]
    T = _value(rows, "tab-3", "phase transition (T = ·)", "density")
    small = comparisons.item_density(n=n, T=T, alpha=alpha, beta=beta)
    large = comparisons.large_t_density(n=n, alpha=alpha, beta=beta)
    return Judgement(
        verdict=verdict(bool(np.isclose(small, large))),
        seen=f"density: at T = (nα²)^(2β+1) = {T:.3g} the small-T rate is {small:.3g}, the large-T rate {large:.3g}",
    )


def _mean_transition(rows: Rows) -> Judgement:
    from sottovoce.theory import comparisons

    n, alpha, d = SIZES["n"], SIZES["alpha"], SIZES["d"]
    T = _value(rows, "tab-3", "phase transition (T = ·)", "d-dim. mean (ℓ2 ball)")
    small = comparisons.item_mean(n=n, T=T, alpha=alpha, d=d)
    large = comparisons.large_t_mean(n=n, alpha=alpha, d=d)
    gap = n * alpha**2 / d
    return Judgement(
        verdict=verdict(bool(np.isclose(large / small, gap))),
        seen=f"mean: at T = e^(nα²/d) = {T:.3g} the small-T rate is {small:.3g}, the large-T rate {large:.3g}",
        why="they differ by nα²/d, a logarithm of T, which the table leaves out",
    )


def draw(rows: Rows, picture: Any) -> None:
    """Six tables on a page."""
    labels = list(dict.fromkeys(row["table"] for row in rows))
    heights = [1.6 + len({row["row"] for row in rows if row["table"] == label}) for label in labels]
    axes = panels(picture, len(labels), 1, height_ratios=heights)[:, 0]
    for place, label in zip(axes, labels, strict=True):
        mine = pick(rows, table=label)
        names = list(dict.fromkeys(row["column"] for row in mine))
        lines = list(dict.fromkeys(row["row"] for row in mine))
        cells = [[line, *(_entry(pick(mine, row=line, column=name)[0]) for name in names)] for line in lines]
        place.axis("off")
        place.set_title(f"{label} (L{mine[0]['line']})", loc="left")
        widths = {2: (0.3, 0.7), 3: (0.3, 0.45, 0.25), 4: (0.17, 0.22, 0.38, 0.23)}[1 + len(names)]
        drawn = place.table(
            cellText=cells, colLabels=["", *names], cellLoc="left", colLoc="left", colWidths=widths, loc="center",
            edges="horizontal",
        )  # fmt: skip
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(8)
        drawn.scale(1, 1.25)


def _entry(row: dict[str, Any]) -> str:
    return row["formula"] if row["value"] is None else f"{row['formula']}  [{row['value']:.3g}]"


FIGURES = {
    "tables": Figure(
        name="tables",
        title="The tables of rates",
        where="L346, L527, L646, L815, L960, L1866",
        cells=cells,
        compute=compute,
        cost=lambda cell: 0.1,
        keys=("table", "row", "column", "formula"),
        values=(("value", ""),),
        claims=(
            Claim(
                name="user level equals nT items",
                text="While T is small the user-level rate equals the item-level rate with nT users.",
                where="L523, L811",
                expected=Verdict.AGREES,
                check=_equal_rates,
            ),
            Claim(
                name="the transition of the mean",
                text="The mean's phase transition is at T of order e^{nα²/d}.",
                where="L960",
                expected=Verdict.AGREES,
                check=_mean_transition,
            ),
            Claim(
                name="the transition of the density",
                text="The density's phase transition is at T of order (nα²)^{2β+1}.",
                where="L960",
                expected=Verdict.AGREES,
                check=_density_transition,
            ),
        ),
        draw=draw,
        notes=("In brackets: the value at n = 100, T = 1000, α = 0.5, d = 10, s = 3, β = 2, constants left out.",),
        size=(11, 11),
    )
}
