"""By which power of a size the CPU time of a user's call grows, what any size costs taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.scale.arithmetic import growth, spread
from benchmarks.scale.crew import Contender, Crew
from benchmarks.scale.figures import Figure
from benchmarks.scale.sizes import Sizes

EXPECTED = 1.0
"""Every call reads its data once: in proportion to users, observations and coordinates; subsets to bins."""


@dataclass(frozen=True)
class Axis:
    """One size that grows from `first` by tens while the others stay; `tiny` is where only fixed costs are left."""

    call: str
    letter: str
    grows: str
    first: int
    tiny: int
    fixed: dict[str, Any]


AXES = (
    Axis("mean", "n", "users", 1_000, 10, {"observations": 2}),
    Axis("mean", "T", "observations", 10, 1, {"users": 2_000}),
    Axis("histogram", "n", "users", 100, 10, {"observations": 10, "bins": 16}),
    Axis("histogram", "T", "observations", 10, 1, {"users": 1_000, "bins": 16}),
    Axis("histogram", "K", "bins", 10, 2, {"users": 1_000, "observations": 10}),
    Axis("vector", "n", "users", 100, 20, {"observations": 10, "dimension": 4}),
    Axis("vector", "T", "observations", 10, 1, {"users": 1_000, "dimension": 4}),
    Axis("vector", "d", "dimension", 8, 2, {"users": 20_000, "observations": 1}),
)


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    return [_axis(crew, sizes, axis) for axis in AXES]


def _axis(crew: Crew, sizes: Sizes, axis: Axis) -> Figure:
    decades = sizes.decades if axis.letter == "n" else max(1, sizes.decades - 1)
    grown = [axis.first * 10**power for power in range(decades + 1)]
    contenders = {
        str(size): Contender(
            by="fast",
            case=f"calls:{axis.call}",
            arguments=axis.fixed | {axis.grows: size},
            calls=5 if size <= 100 * axis.first else 1,
        )
        for size in (axis.tiny, *grown)
    }
    times = crew.turns(contenders, sizes.repetitions)
    key, what = f"growth/{axis.call}/{axis.letter}", f"growth of {axis.call} with {axis.letter}"
    what += f" = {grown[0]:,} … {grown[-1]:,} (expected: {EXPECTED:g})"
    if why := next((one.why for one in times.values() if one.why), ""):
        return Figure(key=key, what=what, value=None, unit="exponent", note=why)
    seconds = [spread(times[str(size)].seconds).median for size in grown]
    fixed = spread(times[str(axis.tiny)].seconds).median
    ends = f"{1e3 * seconds[0]:.3g} … {1e3 * seconds[-1]:.3g} ms, of which {1e3 * fixed:.3g} ms at any size"
    return Figure(
        key=key,
        what=what,
        value=growth((axis.tiny, *grown), (fixed, *seconds)),
        unit="exponent",
        ours=seconds[-1],
        note=ends,
    )
