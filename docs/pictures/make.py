"""Draw the picture of the README: what a survey of real students gives for several budgets, for light and dark pages.

``python docs/pictures/make.py`` writes ``rehearsal-light.svg`` and ``rehearsal-dark.svg`` beside this file (needs the
extras plot and datasets).
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from explain import INKS, Ink
from matplotlib.figure import Figure

import sottovoce as sv

BUDGETS = (0.25, 0.5, 1, 2, 4, 8)


def rehearsal(ink: Ink) -> Figure:
    """Simulated surveys with a fixed seed, so that the picture can be drawn again."""
    students = sv.datasets.insteval()
    figure, axes = plt.subplots(figsize=(5.4, 2.9), layout="constrained")
    for row, epsilon in enumerate(BUDGETS):
        answer = sv.mean(students, epsilon=epsilon, seed=3)
        low, high = answer.interval
        axes.hlines(row, low, high, color=ink.own[0], linewidth=7, alpha=0.35)
        axes.plot([answer.value], [row], "o", color=ink.own[0])
    axes.axvline(students.truth, color=ink.own[1], linewidth=1.2)
    axes.annotate(
        "the truth, which nobody sees",
        (students.truth, len(BUDGETS) - 0.45),
        xytext=(6, 0),
        textcoords="offset points",
        color=ink.own[1],
        fontsize=9,
    )
    axes.set_yticks(range(len(BUDGETS)), [f"ε = {epsilon:g}" for epsilon in BUDGETS], color=ink.text)
    axes.set_xlim(students.low, students.high)
    axes.set_ylim(-0.6, len(BUDGETS) - 0.1)
    axes.set_xlabel("average rating of 2,972 students: estimate, 95 % interval", color=ink.text)
    axes.tick_params(colors=ink.text)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(ink.faint)
    return figure


def main() -> None:
    """Two files, transparent: the page shows through."""
    for name, ink in INKS.items():
        with mpl.rc_context({"svg.hashsalt": "sottovoce", "font.size": 10}):
            path = Path(__file__).with_name(f"rehearsal-{name}.svg")
            rehearsal(ink).savefig(path, transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
