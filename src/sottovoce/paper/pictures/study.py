"""What the two real-data figures share: rows, claims and panels."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.drawing import ALPHA_STYLE, PALETTE, panels, ribbon
from sottovoce.paper.experiments.study import LINES
from sottovoce.paper.figure import Rows, column, pick, values_of


def draw(rows: Rows, picture: Any, *, one: str, four: str) -> None:
    """One share against T, scaled by α²; four shares against α."""
    left, right = panels(picture, 1, 2)[0]
    left.set_yscale("log")
    left.set_title(f"{one}: error × α²")
    left.set_xlabel("T, observations per user")
    for alpha, (colour, marker) in ALPHA_STYLE.items():
        for scheme, line in LINES.items():
            chosen = sorted(pick(rows, panel="one", alpha=alpha, scheme=scheme), key=lambda row: row["T"])
            ribbon(left, column(chosen, "T"), alpha**2 * column(chosen, "mse"), alpha**2 * column(chosen, "se"),
                   colour=colour, line=line, marker=marker if scheme == "user level" else "")  # fmt: skip
    right.set_yscale("log")
    right.set_xscale("log", base=2)
    right.set_xticks(ALPHAS, [f"{alpha:g}" for alpha in ALPHAS])
    right.set_xlabel("α")
    right.set_title(four)
    for i, (scheme, line) in enumerate(LINES.items()):
        chosen = [pick(rows, panel="four", alpha=alpha, scheme=scheme)[0] for alpha in values_of(rows, "alpha")]
        right.errorbar(ALPHAS, column(chosen, "mse"), 2 * column(chosen, "se"), color=PALETTE[4 + i], linestyle=line,
                       marker="os^D"[i], capsize=3, label=scheme)  # fmt: skip
    right.legend(loc="lower left")
    for alpha, (colour, marker) in ALPHA_STYLE.items():
        left.plot([], [], color=colour, marker=marker, label=f"α = {alpha:g}")
    for scheme, line in LINES.items():
        left.plot([], [], color="0.3", linestyle=line, label=scheme)
    handles, labels = left.get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside lower center", ncols=8)
