"""Pictures of a plan: in characters, or with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sottovoce.answers import percent
from sottovoce.messages import MissingExtra, few
from sottovoce.planning.advice import Change
from sottovoce.planning.outline import Outline
from sottovoce.planning.solve import changed
from sottovoce.problems import choose

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SYMBOLS = {"users": "n", "observations": "T", "epsilon": "ε"}


def bars(plan: Outline, changes: tuple[Change, ...], *, width: int = 60) -> str:
    """One bar a what-if, as long as its half-width: ``n × 2  ████ 0.031``."""
    rows = [("as planned", plan.halfwidth, plan.method)]
    for change in changes:
        factor = "½" if change.factor == 0.5 else f"{change.factor:g}"
        rows.append((f"{_SYMBOLS[change.quantity]} × {factor}", change.halfwidth, change.method))
    longest = max(value for _, value, _ in rows)
    room = max(4, width - 34)
    return "\n".join(
        f"{label:<11}{'█' * max(1, round(room * value / longest)):<{room}} {few(value, 4):<9} {method}"
        for label, value, method in rows
    )


def curves(plan: Outline, axes: Axes | None = None) -> Axes:
    """Half-width against users, one line for each number of observations; the plan is the point."""
    if axes is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise MissingExtra("plots need matplotlib", extra="plot") from error
        axes = plt.subplots(figsize=(7, 4.5), layout="constrained")[1]
    template, held = plan.template, plan.protocol.observations
    users = sorted({max(2, round(plan.protocol.users * 2.0**power)) for power in range(-4, 5)})
    for observations in sorted({max(1, held // 10), held, held * 10}):
        trial = changed(template, "observations", observations)
        widths = [
            choose(changed(trial, "users", n), plan.crowd).predict(plan.crowd).halfwidth(plan.confidence) for n in users
        ]
        axes.plot(users, widths, label=f"T = {observations:,}", linewidth=2 if observations == held else 1)
    axes.plot([plan.protocol.users], [plan.halfwidth], "o", color="black")
    if plan.target is not None:
        axes.axhline(plan.target, color="0.7", linestyle="--", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("users")
    axes.set_ylabel(f"half-width at {percent(plan.confidence)}")
    axes.set_title(f"{plan.problem.name}, ε = {plan.protocol.epsilon:.3g}, {plan.method}", loc="left")
    axes.legend(frameon=False)
    return axes
