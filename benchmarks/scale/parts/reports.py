"""`sotto tally --engine local` over ever more reports of one bit: its growth, and the memory it takes."""

from __future__ import annotations

from benchmarks.scale.arithmetic import growth
from benchmarks.scale.crew import Crew, NotMeasuredError
from benchmarks.scale.figures import Figure
from benchmarks.scale.sizes import Sizes

KEYS = ("reports/exponent/low", "reports/exponent/high", "reports/memory/growth")


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    ends = f"{sizes.reports[0]:,} … {sizes.reports[-1]:,} reports"
    names = (
        f"growth of the tally over {ends}",
        "the same from above",
        f"its peak memory over {ends}, largest ÷ smallest",
    )
    try:
        fixed = _tallied(crew, 1)[0]
        found = [_tallied(crew, count) for count in sizes.reports]
    except NotMeasuredError as error:
        return [
            Figure(key=key, what=what, value=None, unit="×" if "memory" in key else "exponent", note=str(error))
            for key, what in zip(KEYS, names, strict=True)
        ]
    seconds, megabytes = [one for one, _ in found], [one for _, one in found]
    slope = growth(sizes.reports, seconds, fixed)
    most = sizes.reports[-1]
    each = (seconds[-1] - fixed) / most
    rates |= {"reports/tally": each, "reports/count": most, "reports/megabytes": megabytes[-1]}
    note = f"{seconds[0]:.3g} … {seconds[-1]:.3g} s, of which {fixed:.2g} s to start"
    return [
        Figure(key=KEYS[0], what=names[0], value=slope, unit="exponent", ours=each, note=note),
        Figure(key=KEYS[1], what=names[1], value=slope, unit="exponent"),
        Figure(
            key=KEYS[2],
            what=names[2],
            value=megabytes[-1] / megabytes[0],
            note=f"{megabytes[0]:,.0f} … {megabytes[-1]:,.0f} MB",
        ),
    ]


def _tallied(crew: Crew, count: int) -> tuple[float, float]:
    """Seconds of CPU and megabytes of the command, on files that are made for it and removed."""
    folder = str(crew.folder / f"reports-{count}")
    crew.alone("stored:write", folder=folder, count=count)
    try:
        told = crew.alone("stored:command", folder=folder, count=count)["said"]
        return float(told["seconds"]), float(told["megabytes"])
    finally:
        crew.alone("stored:remove", folder=folder)
