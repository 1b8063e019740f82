"""`sotto tally --engine local` over ever more reports of one bit: its growth, and the memory it takes."""

from __future__ import annotations

import shutil

from benchmarks.scale.arithmetic import growth, spread
from benchmarks.scale.crew import Contender, Crew, NotMeasuredError
from benchmarks.scale.figures import Figure
from benchmarks.scale.sizes import Sizes

KEYS = ("reports/exponent/low", "reports/exponent/high", "reports/memory/growth")

FEW = 10


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    most, tenth = sizes.reports[-1], min(count for count in sizes.reports if 10 * count >= sizes.reports[-1])
    names = (
        f"growth of the tally over {sizes.reports[0]:,} … {most:,} reports",
        "the same, from above",
        f"its peak memory for {most:,} reports, as a multiple of that for {tenth:,}",
    )
    try:
        seconds, megabytes = _tallied(crew, sizes, (tenth, most))
    except NotMeasuredError as error:
        return [
            Figure(key=key, what=what, value=None, unit="×" if "memory" in key else "exponent", note=str(error))
            for key, what in zip(KEYS, names, strict=True)
        ]
    fixed = seconds[FEW]
    slope = growth((FEW, *sizes.reports), [seconds[count] for count in (FEW, *sizes.reports)])
    each = (seconds[most] - fixed) / most
    rates |= {"reports/tally": each, "reports/count": most, "reports/megabytes": megabytes[most]}
    note = f"{seconds[sizes.reports[0]]:.3g} … {seconds[most]:.3g} s, of which {fixed:.2g} s for {FEW}"
    told = f"{megabytes[tenth]:,.0f} and {megabytes[most]:,.0f} MB"
    return [
        Figure(key=KEYS[0], what=names[0], value=slope, unit="exponent", ours=each, note=note),
        Figure(key=KEYS[1], what=names[1], value=slope, unit="exponent"),
        Figure(key=KEYS[2], what=names[2], value=megabytes[most] / megabytes[tenth], note=told),
    ]


def _tallied(crew: Crew, sizes: Sizes, weighed: tuple[int, ...]) -> tuple[dict[int, float], dict[int, float]]:
    """Median seconds of CPU of all sizes, which take turns, and megabytes of some, in processes of their own."""
    folders = {count: str(crew.folder / f"reports-{count}") for count in (FEW, *sizes.reports)}
    try:
        for count, folder in folders.items():
            crew.once("stored:write", folder=folder, count=count)
        contenders = {
            str(count): Contender(
                by="fast",
                case="stored:command",
                arguments={"folder": folder, "count": count},
                calls=max(1, min(20, sizes.reports[-1] // (5 * count))),  # all turns are long enough
            )
            for count, folder in folders.items()
        }
        times = crew.turns(contenders, sizes.repetitions)
        for one in times.values():
            if one.why:
                raise NotMeasuredError(one.why)
        peaks = {
            count: crew.alone("stored:command", folder=folders[count], count=count)["megabytes"] for count in weighed
        }
    finally:
        for folder in folders.values():
            shutil.rmtree(folder, ignore_errors=True)
    return {int(count): spread(one.seconds).median for count, one in times.items()}, peaks
