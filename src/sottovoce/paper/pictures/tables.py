"""The paper's five tables of rates and its table of running times, made from the functions they stand for."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import panels
from sottovoce.paper.figure import Rows, pick
from sottovoce.theory import notation

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
        mine = pick(rows, table=label)
        names = list(dict.fromkeys(row["column"] for row in mine))
        lines = list(dict.fromkeys(row["row"] for row in mine))
        cells = [
            [notation.mathtext(line), *(_entry(pick(mine, row=line, column=name)[0]) for name in names)]
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
