"""Draw the pictures of ``docs/explanation``, each for a light and for a dark page: ``python docs/pictures/explain.py``.

Every curve is computed here: from the definition of privacy, or by the planner (needs the extra plot; ten seconds).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

import sottovoce as sv

HERE = Path(__file__).parent
OBSERVATIONS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
SURVEY = {"low": 1, "high": 5, "users": 3000, "epsilon": 0.5}
METHODS = ("one-round", "adaptive", "homogeneous", "paper")


@dataclass(frozen=True, kw_only=True)
class Ink:
    """Colours that can be told apart by everybody on one kind of page."""

    text: str
    faint: str
    own: tuple[str, ...]


INKS = {
    "light": Ink(text="#1f2328", faint="#c3c9d0", own=("#0072b2", "#b34700", "#007a5a", "#8f4a7c")),
    "dark": Ink(text="#e6e8eb", faint="#4d545c", own=("#56b4e9", "#e69f00", "#2fc39a", "#d991bd")),
}


def posterior(prior: float, epsilon: float) -> float:
    """How sure somebody may be after the report, at most, who was sure to `prior` before."""
    odds = prior / (1 - prior) * math.exp(min(epsilon, 700.0))
    return odds / (1 + odds)


def levels(ink: Ink) -> Figure:
    """What may be exchanged without anybody noticing: one observation, or one person's whole collection."""
    figure, panels = plt.subplots(1, 2, figsize=(5.4, 2.1), layout="constrained", sharey=True)
    rng = np.random.default_rng(3)
    values = rng.uniform(0.25, 1, size=(5, 9))
    for axes, title, whole in zip(
        panels, ("event-level: an observation", "user-level: a person"), (False, True), strict=True
    ):
        for row, held in enumerate(values):
            for column, value in enumerate(held):
                hidden = row == 2 and (whole or column == 4)
                colour = ink.own[1] if hidden else ink.own[0]
                axes.scatter(column, -row, s=70 * value, color=colour, alpha=1 if hidden else 0.55, linewidths=0)
        left, width = (-0.55, 9.1) if whole else (3.5, 1.0)
        axes.add_patch(
            FancyBboxPatch(
                (left, -2.42),
                width,
                0.84,
                boxstyle="round,pad=0.02,rounding_size=0.2",
                fill=False,
                ec=ink.own[1],
                lw=1.8,
            )
        )
        axes.set_title(title, color=ink.text, fontsize=11)
        axes.set_xlim(-1, 9.2)
        axes.set_ylim(-4.8, 0.7)
        axes.set_xticks([])
        axes.set_yticks([-row for row in range(5)], [f"person {row + 1}" for row in range(5)], color=ink.text)
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
    return figure


def adding_up(ink: Ink) -> Figure:
    """How sure an observer can become about a person whose observations are protected one by one."""
    figure, axes = _plain(ink, "observations that a person holds", "largest certainty, from an even guess")
    held = np.unique(np.geomspace(1, 300, 120).round())
    for number, epsilon in enumerate((0.1, 0.5, 1.0)):
        axes.plot(
            held,
            [posterior(0.5, epsilon * count) for count in held],
            color=ink.own[number],
            lw=2,
            label=f"ε = {epsilon:g} for each observation",
        )
    axes.axhline(posterior(0.5, 1), color=ink.own[3], lw=2, ls="--", label="ε = 1 for the whole collection")
    axes.set_xscale("log")
    axes.set_ylim(0.48, 1.02)
    axes.set_yticks([0.5, 0.6, 0.7, 0.8, 0.9, 1], ["50 %", "60 %", "70 %", "80 %", "90 %", "100 %"])
    _whole_ticks(axes, (1, 3, 10, 30, 100, 300))
    _legend(axes, ink, loc="lower right")
    return figure


def odds(ink: Ink) -> Figure:
    """What somebody thought before, and may think at most after."""
    figure, axes = _plain(ink, "how sure somebody was before", "how sure at most after")
    before = np.linspace(0.001, 0.999, 300)
    axes.plot(before, before, color=ink.faint, lw=1.5)
    for number, epsilon in enumerate((0.5, 1.0, 2.0, 4.0)):
        after = [posterior(prior, epsilon) for prior in before]
        axes.plot(before, after, color=ink.own[number], lw=2, label=f"ε = {epsilon:g}")
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set_xticks(ticks, [f"{100 * tick:.0f} %" for tick in ticks])
    axes.set_yticks(ticks, [f"{100 * tick:.0f} %" for tick in ticks])
    _legend(axes, ink, loc="lower right")
    return figure


def observations(ink: Ink) -> Figure:
    """Half-widths of a plan as users hold more and more: alike, and with own means that differ."""
    figure, panels = plt.subplots(1, 2, figsize=(5.4, 3.4), layout="constrained", sharey=True)
    for axes, spread, title in zip(panels, (0.0, 0.4), ("users alike", "users differ by 0.4"), strict=True):
        _dressed(axes, ink, "observations a user", "half-width of the interval" if spread == 0 else "")
        for number, method in enumerate(METHODS):
            found = [_halfwidth(method, held, spread) for held in OBSERVATIONS]
            axes.plot(OBSERVATIONS, found, color=ink.own[number], lw=2, label=method)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_title(title, color=ink.text, fontsize=11)
        axes.set_xticks([1, 1000, 1_000_000], ["1", "10³", "10⁶"])
        axes.minorticks_off()
        axes.set_yticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    _legend(panels[0], ink, loc="lower left")
    return figure


def colluders(ink: Ink) -> Figure:
    """How far a share of liars can move the mean of ratings from 1 to 5, for several budgets."""
    figure, axes = _plain(ink, "share of users who collude", "the answer moves by at most")
    shares = np.linspace(0, 0.1, 60)
    for number, epsilon in enumerate((0.5, 1.0, 2.0, 4.0)):
        plan = sv.plan(low=1, high=5, users=3000, observations=20, epsilon=epsilon, method="one-round")
        shifts = [plan.poisoning.shift(float(share)) for share in shares]
        axes.plot(shares, shifts, color=ink.own[number], lw=2, label=f"ε = {epsilon:g}")
    axes.plot(shares, 4 * shares, color=ink.faint, lw=2, ls="--", label="no privacy: they just lie")
    axes.set_xticks([0, 0.02, 0.04, 0.06, 0.08, 0.1], ["0 %", "2 %", "4 %", "6 %", "8 %", "10 %"])
    _legend(axes, ink, loc="upper left")
    return figure


PICTURES: dict[str, Callable[[Ink], Figure]] = {
    "levels": levels,
    "adding-up": adding_up,
    "odds": odds,
    "observations": observations,
    "colluders": colluders,
}


def _halfwidth(method: str, held: int, spread: float) -> float:
    return float(sv.plan(**SURVEY, observations=held, method=method, spread=spread).halfwidth)


def _plain(ink: Ink, across: str, up: str) -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(5.4, 3.4), layout="constrained")
    _dressed(axes, ink, across, up)
    return figure, axes


def _dressed(axes: Axes, ink: Ink, across: str, up: str) -> None:
    axes.set_xlabel(across, color=ink.text)
    axes.set_ylabel(up, color=ink.text)
    axes.tick_params(colors=ink.text, which="both")
    axes.grid(color=ink.faint, lw=0.5, alpha=0.6)
    for name, side in axes.spines.items():
        side.set_visible(name in ("left", "bottom"))
        side.set_color(ink.faint)


def _whole_ticks(axes: Axes, ticks: tuple[int, ...]) -> None:
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()


def _legend(axes: Axes, ink: Ink, *, loc: str) -> None:
    axes.legend(loc=loc, frameon=False, labelcolor=ink.text, fontsize=9)


@contextmanager
def _drawing() -> Iterator[None]:
    with mpl.rc_context({"svg.hashsalt": "sottovoce", "font.size": 10}):
        yield
    plt.close("all")


def main() -> None:
    """All of them, the same bytes each time."""
    for name, draw in PICTURES.items():
        for page, ink in INKS.items():
            with _drawing():
                path = HERE / f"{name}-{page}.svg"
                draw(ink).savefig(path, metadata={"Date": None}, transparent=True)


if __name__ == "__main__":
    main()
