"""One report on one device, in hashes of 64 kB that took turns with it."""

from __future__ import annotations

from benchmarks.scale.arithmetic import ratio, spread
from benchmarks.scale.crew import Contender, Crew
from benchmarks.scale.figures import Figure
from benchmarks.scale.sizes import Sizes

KINDS = {
    "unary": "64 bins, unary",
    "histogram": "a histogram of 64 bins",
    "mean": "a mean in one round",
}


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    figures = []
    for kind, words in KINDS.items():
        case = Contender(
            by="fast", case="device:report", arguments={"kind": kind, "turns": sizes.device_turns}, tells=True
        )
        told = crew.turns({kind: case}, 1)[kind]
        what = f"one report on one device, {words}, in SHA-256 of 64 kB"
        if told.why:
            figures.append(Figure(key=f"device/{kind}", what=what, value=None, note=told.why))
            continue
        reports, hashes = told.said
        found, seconds = ratio(reports, hashes), spread(reports).median
        rates[f"device/{kind}"] = seconds
        figures.append(
            Figure(
                key=f"device/{kind}",
                what=what,
                value=found.median,
                low=found.low,
                high=found.high,
                ours=seconds,
                theirs=spread(hashes).median,
                note="question parsed, the ledger's write apart",
            )
        )
    return figures
