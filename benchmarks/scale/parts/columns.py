"""Stored reports as columns beside rows of bytes, as they were read before; and what a report takes on disk."""

from __future__ import annotations

from benchmarks.scale.arithmetic import spread
from benchmarks.scale.crew import Contender, Crew
from benchmarks.scale.figures import Figure
from benchmarks.scale.parts.compared import compared
from benchmarks.scale.sizes import Sizes

KINDS = {1: "one bit", 1024: "1,024 bits"}


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    figures = []
    for bits, words in KINDS.items():
        ours = {"folder": str(crew.folder / f"columns-{bits}"), "count": sizes.users, "bits": bits}
        theirs = {"count": sizes.stored, "bits": bits}
        times = crew.turns(
            {
                "columns": Contender(by="fast", case="stored:columns", arguments=ours, work=sizes.users, tells=True),
                "bytes": Contender(by="before", case="stored:rows", arguments=theirs, work=sizes.stored),
            },
            sizes.repetitions,
        )
        key = f"columns/{bits}"
        what = f"stored reports of {words}, Parquet read, checked and added up, against `stored(bytes)` before"
        note = f"{sizes.users:,} reports, {sizes.stored:,} before"
        figures.append(compared(key, what, times["columns"], times["bytes"], note=note))
        what = f"stored reports of {words}: bytes on disk beyond the payload"
        if times["columns"].why:
            figures.append(Figure(key=f"{key}/bytes", what=what, value=None, unit="bytes", note=times["columns"].why))
            continue
        rates[key], rates["columns/count"] = spread(times["columns"].seconds).median, sizes.users
        rates[f"{key}/bytes"] = times["columns"].said
        figures.append(Figure(key=f"{key}/bytes", what=what, value=times["columns"].said, unit="bytes"))
    return figures
