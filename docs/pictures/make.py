"""Draw the picture of the README: what a survey of real students gives for several budgets.

``python docs/pictures/make.py`` writes ``rehearsal.svg`` beside this file (needs the extras plot and datasets).
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

import sottovoce as sv

BUDGETS = (0.25, 0.5, 1, 2, 4, 8)


def main() -> None:
    """Simulated surveys with a fixed seed, so that the picture can be drawn again."""
    students = sv.datasets.insteval()
    mpl.rcParams["svg.hashsalt"] = "sottovoce"
    figure, axes = plt.subplots(figsize=(6, 2.9), layout="constrained")
    for row, epsilon in enumerate(BUDGETS):
        answer = sv.mean(students, epsilon=epsilon, seed=3)
        low, high = answer.interval
        axes.hlines(row, low, high, color="#0072b2", linewidth=7, alpha=0.35)
        axes.plot([answer.value], [row], "o", color="#0072b2")
    axes.axvline(students.truth, color="#d55e00", linewidth=1.2)
    axes.annotate(
        "what nobody sees: the true average",
        (students.truth, len(BUDGETS) - 0.45),
        xytext=(6, 0),
        textcoords="offset points",
        color="#d55e00",
        fontsize=9,
    )
    axes.set_yticks(range(len(BUDGETS)), [f"ε = {epsilon:g}" for epsilon in BUDGETS])
    axes.set_xlim(students.low, students.high)
    axes.set_ylim(-0.6, len(BUDGETS) - 0.1)
    axes.set_xlabel("average rating of 2,972 students: estimate, 95 % interval")
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    figure.savefig(Path(__file__).with_name("rehearsal.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
