"""The phase transition: where more observations stop to help, seen from T, from n and from ε (table, L960).

On one side the polynomial term rules and T helps, on the other the T-free term. The boundary is known up to the
constant in the exponent, `constant` (default 1); logarithmic factors are left out, as in the paper's table. T* is how
many observations the paper's procedures use, and so how far more of them can help.

The regime diagram (L663–L746) sets user-level against nT items, by T and y = nα²/d. Constants and logarithmic factors
are left out of it, so its boundaries are places to look at, not numbers to plan with. They are written as the paper
draws them: all meet at T = 1, y = 1. `plot_regimes` draws both panels (extra ``plot``).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from sottovoce.messages import Fact, InvalidInput, MissingExtra, nearest_exp, nearest_log
from sottovoce.theory import notation
from sottovoce.theory.laws import Floats
from sottovoce.theory.rate import check_positive, exp, log1, strength

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Problem = Literal["mean", "mean-linf", "mean-l2", "sparse", "density", "mixture", "discrete"]
PROOF_CONSTANT = 8535.0
"""K of the proofs at α = 1 (ERRATA 5)."""
LETTERS: dict[Problem, str] = {
    "mean": "1", "mean-linf": "d", "mean-l2": "d", "sparse": "s", "mixture": "m²", "discrete": "N",
}  # fmt: skip
"""The `targets` of each problem as a formula has them; a density has none, its transition is a power."""


@dataclass(frozen=True, kw_only=True)
class ProblemSizes:
    """The sizes that a transition may depend on. A problem looks at its own; a name that no problem has is refused."""

    dimension: float = 1
    sparsity: float = 1
    components: float = 1
    categories: float = 2
    smoothness: float = 1.0

    def __post_init__(self) -> None:
        check_positive(smoothness=self.smoothness)


def targets(problem: Problem, **sizes: float) -> float:
    """By what n·min(α, α²) is divided in the exponent: d, s, m² or N, the targets that share the users.

    The univariate mean has 1 (L442), ℓ∞ and ℓ2 balls d (L457), selected sparse coordinates s (L603), mixtures m²
    (L1190), histograms N (L830). `sizes` are those of `ProblemSizes`.
    """
    size = ProblemSizes(**sizes)
    counts = {"1": 1, "d": size.dimension, "s": size.sparsity, "m²": size.components**2, "N": size.categories}
    if problem not in LETTERS:
        raise InvalidInput(rule=f"problem must be one of {', '.join(LETTERS)}", got=problem)
    count = counts[LETTERS[problem]]
    check_positive(targets=count)
    return float(count)


def t_star(
    *, users: float, observations: int, epsilon: float, targets: float = 1.0, constant: float = PROOF_CONSTANT
) -> int:
    """T* = T ∧ exp(n·min(α, α²)/(K·targets)) (L442, L457, L603, L1190, L1743), rounded down, at least 1.

    For α > 1 the proofs have min(α, α²) also where L1772 and L1799 print n alone (ERRATA 4).
    """
    check_positive(users=users, observations=observations, epsilon=epsilon, targets=targets, constant=constant)
    exponent = strength(users, epsilon) / (constant * targets)
    return observations if exponent >= nearest_log(observations) else max(1, math.floor(nearest_exp(exponent)))


def density_t_zero(*, users: float, epsilon: float, smoothness: float, constant: float = 1.0) -> float:
    """T₀ = (nα²)^{2β+1}/{C_β·log(nα²)}^{2β+2} (L796): beyond it, no more basis functions are estimated."""
    check_positive(users=users, epsilon=epsilon, smoothness=smoothness, constant=constant)
    w = users * epsilon**2
    return float(w ** (2 * smoothness + 1) / (constant * log1(w)) ** (2 * smoothness + 2))


def density_terms(
    *, users: float, observations: float, epsilon: float, smoothness: float, constant: float = 1.0
) -> int:
    """M = {nα²·min(T, T₀)}^{1/(2β+2)} (L796), rounded down, at least 1."""
    used = min(observations, density_t_zero(users=users, epsilon=epsilon, smoothness=smoothness, constant=constant))
    return max(1, math.floor(math.pow(users * epsilon**2 * used, 1 / (2 * smoothness + 2))))


Panel = Literal["l2", "sparse"]
Region = Literal["both impossible", "user-level easier", "user-level harder", "equivalent"]
REGIMES: dict[Region, Fact] = {region: Fact(f"regime-{region.replace(' ', '-')}") for region in get_args(Region)}
"""What each region means for a survey."""
DRAWN_CORNER = 4.0
"""Where the drawn boundary T = (d/nα²)·e^{nα²} meets y = 1; the paper draws y = 4/T."""


@dataclass(frozen=True)
class Boundary:
    """A curve y(T) between two regions, for `first` ≤ T ≤ `last`."""

    formula: str
    curve: Callable[[float], float]
    first: float = 1.0
    last: float = math.inf


def boundaries(panel: Panel, *, corner: float = DRAWN_CORNER) -> tuple[Boundary, ...]:
    """The curves of a panel, lowest first; `corner` is e^{nα²}, held fixed along the sparse panel's last curve."""
    top = Boundary("T = e^{nα²/d}", lambda T: 1 + math.log(T))
    if panel == "l2":
        return Boundary("T = d/(nα²)", lambda T: 1 / T), top
    if panel != "sparse":
        raise InvalidInput(rule="panel must be l2 or sparse", got=panel)
    return (
        Boundary("T = log(d/(nα²))", lambda T: exp(1 - T)),
        Boundary("nα² = d", lambda T: 1.0, last=corner),
        Boundary("T = (d/nα²)·e^{nα²}", lambda T: corner / T, first=corner),
        top,
    )


def regime(panel: Panel, *, observations: float, level: float, corner: float = DRAWN_CORNER) -> Region:
    """The region of the point (T, y = nα²/d); on a boundary, the region above it."""
    check_positive(observations=observations, level=level, corner=corner)
    if observations < 1:
        raise InvalidInput(rule="observations must be at least 1", got=observations)
    curves = boundaries(panel, corner=corner)
    heights = [b.curve(observations) for b in curves if b.first <= observations <= b.last]
    if level < heights[0]:
        return "both impossible"
    if level >= heights[-1]:
        return "equivalent"
    if panel == "l2" or level >= heights[1]:
        return "user-level harder"
    return "user-level easier"


def regime_of(panel: Panel, *, users: float, observations: float, epsilon: float, dimension: int) -> Region:
    """The region of a collection: y = n·min(α, α²)/d, and the sparse panel's corner at e^{n·min(α, α²)}."""
    check_positive(users=users, observations=observations, epsilon=epsilon, dimension=dimension)
    w = users * min(epsilon, epsilon**2)
    return regime(panel, observations=observations, level=w / dimension, corner=max(1.0, min(exp(w), 1e300)))


REGION_FILLS: dict[Region, tuple[str, str]] = {
    "both impossible": ("#f4a6a6", "\\\\"),
    "user-level easier": ("#a6e0a6", "xx"),
    "user-level harder": ("#a6b8f4", "++"),
    "equivalent": ("#d0d0d0", "//"),
}
REGION_LABELS: dict[Region, str] = {
    "both impossible": "both impossible",
    "user-level easier": "user-level easier",
    "user-level harder": "user-level harder",
    "equivalent": "nT-item level equivalent\nto user-level",
}
NARROW_LABELS: dict[Panel, dict[Region, str]] = {"l2": {}, "sparse": {"both impossible": "both\nimpossible"}}
"""Of regions that are too narrow for one line."""
LABEL_PLACES: dict[Panel, dict[Region, tuple[float, float]]] = {
    "l2": {"both impossible": (1.75, 0.2), "user-level harder": (3.5, 1.2), "equivalent": (3.5, 3.7)},
    "sparse": {
        "both impossible": (1.38, 0.19),
        "user-level easier": (4.5, 0.42),
        "user-level harder": (3.5, 1.55),
        "equivalent": (3.5, 3.7),
    },
}
FORMULA_PLACES: dict[Panel, tuple[float, ...]] = {"l2": (3.2, 3.9), "sparse": (1.75, 2.4, 4.15, 3.9)}
"""The T at which the formula of each boundary stands, in the order of `boundaries`."""
LARGEST_T, LARGEST_Y = 6.0, 5.0
"""Ends of the axes, as the paper draws them."""
PANEL_TITLES: dict[Panel, str] = {"l2": "Estimation on the ℓ2 ball", "sparse": "Sparse mean estimation (s = 1)"}


def plot_regime(panel: Panel, axes: Axes) -> Axes:
    """One panel on given axes: T from 1 to `LARGEST_T`, y = nα²/d up to `LARGEST_Y`."""
    from matplotlib import rcParams

    grid = np.linspace(1, LARGEST_T, 161)
    curves = boundaries(panel)

    def height(part: tuple[Boundary, ...]) -> Floats:
        return np.array([next(b.curve(T) for b in part if b.first <= T <= b.last) for T in grid.tolist()])

    inner = [curves[1:-1]] if len(curves) > 2 else []
    levels = [
        np.zeros_like(grid),
        *(height(part) for part in (curves[:1], *inner, curves[-1:])),
        np.full(161, LARGEST_Y),
    ]
    for low, high in itertools.pairwise(levels):
        inside = float(low[80] + high[80]) / 2
        colour, hatch = REGION_FILLS[regime(panel, observations=float(grid[80]), level=inside)]
        axes.fill_between(grid, low, high, facecolor="none", edgecolor=colour, hatch=hatch, linewidth=0.0)
    ink, plain = rcParams["text.color"], {"facecolor": rcParams["figure.facecolor"], "edgecolor": "none", "pad": 1.0}
    for boundary, T in zip(curves, FORMULA_PLACES[panel], strict=True):
        part = grid[(grid >= boundary.first) & (grid <= boundary.last)]
        axes.plot(part, [boundary.curve(float(x)) for x in part], color=ink, linewidth=1)
        rises = boundary.curve(T + 0.1) > boundary.curve(T)  # the words stand on the side that the curve leaves free
        axes.annotate(notation.plain(boundary.formula), (T, boundary.curve(T)), textcoords="offset points",
                      xytext=(-4 if rises else 3, 4), fontsize=max(6.0, 0.8 * rcParams["font.size"]),
                      ha="right" if rises else "left", bbox=plain)  # fmt: skip
    for region, (x, y) in LABEL_PLACES[panel].items():
        text = NARROW_LABELS[panel].get(region, REGION_LABELS[region])
        axes.text(x, y, text, ha="center", va="center", fontsize=max(6.0, 0.85 * rcParams["font.size"]), bbox=plain)
    axes.set(
        xlim=(1, LARGEST_T),
        ylim=(0, LARGEST_Y),
        xlabel="T",
        ylabel="nα²/d",
        title=PANEL_TITLES[panel],
        xticks=[1],
        yticks=[1],
    )
    return axes


def plot_regimes() -> Figure:
    """Both panels side by side, as in the paper's figure (L663–L746)."""
    try:
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise MissingExtra("drawing needs matplotlib", extra="plot") from missing
    figure = Figure(figsize=(10, 4.8), layout="constrained")
    for panel, axes in zip(get_args(Panel), figure.subplots(1, 2), strict=True):
        plot_regime(panel, axes)
    return figure


@dataclass(frozen=True)
class Transition:
    """`boundary` (observations, users or ε), the formula, and the line of the paper."""

    boundary: float
    formula: str
    line: int = 960


def transition_in_observations(
    problem: Problem,
    *,
    users: float,
    epsilon: float,
    constant: float = 1.0,
    **sizes: float,
) -> Transition:
    """The T beyond which more observations no longer help, e.g. e^{nα²/d}; infinite where a float cannot hold it."""
    check_positive(users=users, epsilon=epsilon, constant=constant)
    w, size = strength(users, epsilon), ProblemSizes(**sizes)
    if problem == "density":
        return Transition(constant * w ** (2 * size.smoothness + 1), "T = (n·min(α, α²))^{2β+1}")
    if problem == "sparse" and w > size.dimension:
        return Transition(exp(constant * w / size.dimension), "T = exp(c·n·min(α, α²)/d), as d < nα²")
    return Transition(exp(constant * w / targets(problem, **sizes)), f"T = exp(c·n·min(α, α²)/{LETTERS[problem]})")


def transition_in_users(
    problem: Problem,
    *,
    observations: float,
    epsilon: float,
    constant: float = 1.0,
    **sizes: float,
) -> Transition:
    """The n from which on all T observations help, e.g. d·log(T)/min(α, α²)."""
    check_positive(observations=observations, epsilon=epsilon, constant=constant)
    w, formula = _needed_strength(problem, observations, constant, sizes)
    return Transition(w / min(epsilon, epsilon**2), f"n = {formula}/min(α, α²)")


def transition_in_epsilon(
    problem: Problem,
    *,
    users: float,
    observations: float,
    constant: float = 1.0,
    **sizes: float,
) -> Transition:
    """The ε from which on all T observations help: min(ε, ε²) = d·log(T)/n."""
    check_positive(users=users, observations=observations, constant=constant)
    w, formula = _needed_strength(problem, observations, constant, sizes)
    each = w / users
    return Transition(math.sqrt(each) if each <= 1 else each, f"min(ε, ε²) = {formula}/n")


def observations_help(problem: Problem, *, users: float, observations: float, epsilon: float, **sizes: float) -> bool:
    """Whether T lies before the transition: more observations still lower the rate."""
    return observations < transition_in_observations(problem, users=users, epsilon=epsilon, **sizes).boundary


def _needed_strength(
    problem: Problem, observations: float, constant: float, sizes: dict[str, float]
) -> tuple[float, str]:
    """The least n·min(α, α²) with T at or before the boundary, and its formula."""
    size = ProblemSizes(**sizes)
    if problem == "density":
        return (observations / constant) ** (1 / (2 * size.smoothness + 1)), "T^{1/(2β+1)}"
    needed = targets(problem, **sizes) * math.log(observations) / constant
    d = float(size.dimension)
    if problem == "sparse" and needed > d:  # past nα² = d the boundary is the one of d coordinates
        return max(d, d * math.log(observations) / constant), "d·log(T)/c"
    return needed, f"{LETTERS[problem]}·log(T)/c"
