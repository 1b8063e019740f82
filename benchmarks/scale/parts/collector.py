"""What a collector spends on a report: for the projection, without a limit."""

from __future__ import annotations

from benchmarks.scale.crew import Crew
from benchmarks.scale.figures import Figure
from benchmarks.scale.sizes import Sizes

BATCH_WORDS = {False: "one report a request", True: "batches of 100"}


def measure(crew: Crew, sizes: Sizes, rates: dict[str, float]) -> list[Figure]:
    if not sizes.collector:
        return []
    figures = []
    for batches, words in BATCH_WORDS.items():
        key, what = f"collector/{'batch' if batches else 'single'}", f"a collector's CPU for a report, SQLite, {words}"
        try:
            spent, sent = _spent(crew, batches)
        except Exception as error:  # a missing package, a port, a disk: no limit hangs on it
            figures.append(Figure(key=key, what=what, value=None, unit="µs", note=f"{type(error).__name__}: {error}"))
            continue
        rates[key], rates[f"{key}/bytes"] = spent, sent
        figures.append(Figure(key=key, what=what, value=1e6 * spent, unit="µs", ours=spent))
    return figures


def _spent(crew: Crew, batches: bool) -> tuple[float, float]:
    """Seconds of CPU, and bytes of a request, for each report."""
    from benchmarks.collector_cost import BATCH, measured, served

    with served("projection", f"sqlite:{crew.folder}/{'batch' if batches else 'single'}.db") as server:
        measured(server, batches=batches)  # warm
        blocks = sorted(measured(server, batches=batches)[1] for _ in range(3))
        request = (server.batches(1) if batches else server.single(1))[0]
        return blocks[1], len(request) / (BATCH if batches else 1)
