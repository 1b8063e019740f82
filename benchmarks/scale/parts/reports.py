"""`sotto tally --engine local` over ever more reports of one bit: its growth, and the memory it takes."""

from __future__ import annotations

from benchmarks.scale.arithmetic import growth
from benchmarks.scale.crew import Crew, NotMeasuredError
from benchmarks.scale.figures import Figure
from benchmarks.scale.sizes import Sizes

KEYS = ("reports/exponent/low", "reports/exponent/high", "reports/memory/growth")


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    most, tenth = sizes.reports[-1], min(count for count in sizes.reports if 10 * count >= sizes.reports[-1])
    names = (
        f"growth of the tally over {sizes.reports[0]:,} … {most:,} reports",
        "the same, from above",
        f"its peak memory for {most:,} reports, as a multiple of that for {tenth:,}",
    )
    try:
        fixed = _tallied(crew, 10, sizes.repetitions)[0]
        found = {count: _tallied(crew, count, sizes.repetitions) for count in sizes.reports}
    except NotMeasuredError as error:
        return [
            Figure(key=key, what=what, value=None, unit="×" if "memory" in key else "exponent", note=str(error))
            for key, what in zip(KEYS, names, strict=True)
        ]
    seconds, megabytes = ({count: one[side] for count, one in found.items()} for side in (0, 1))
    slope = growth(sizes.reports, list(seconds.values()), fixed)
    each = (seconds[most] - fixed) / most
    rates |= {"reports/tally": each, "reports/count": most, "reports/megabytes": megabytes[most]}
    note = f"{seconds[sizes.reports[0]]:.3g} … {seconds[most]:.3g} s, of which {fixed:.2g} s for ten"
    told = f"{megabytes[tenth]:,.0f} and {megabytes[most]:,.0f} MB"
    return [
        Figure(key=KEYS[0], what=names[0], value=slope, unit="exponent", ours=each, note=note),
        Figure(key=KEYS[1], what=names[1], value=slope, unit="exponent"),
        Figure(key=KEYS[2], what=names[2], value=megabytes[most] / megabytes[tenth], note=told),
    ]


def _tallied(crew: Crew, count: int, times: int) -> tuple[float, float]:
    """Median seconds of CPU, and megabytes at most, on files that are made for it and removed."""
    folder = str(crew.folder / f"reports-{count}")
    crew.alone("stored:write", folder=folder, count=count)
    try:
        told = crew.alone("stored:command", times=times, folder=folder, count=count)
    finally:
        crew.alone("stored:remove", folder=folder)
    return float(told["cpu"]), float(told["megabytes"])
