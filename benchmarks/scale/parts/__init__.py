"""What is compared with what: each part gives figures, one for every limit of its name."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.scale.crew import Crew
from benchmarks.scale.figures import Figure
from benchmarks.scale.parts import collector, columns, device, growth, laplace, reports, rows, unary
from benchmarks.scale.sizes import Sizes

Rates = dict[str, float]
PARTS: dict[str, Callable[[Crew, Sizes, Rates], list[Figure]]] = {
    "client": unary.client,
    "tally": unary.tally,
    "laplace": laplace.measure,
    "columns": columns.measure,
    "rows": rows.measure,
    "reports": reports.measure,
    "device": device.measure,
    "growth": growth.measure,
    "collector": collector.measure,
}
"""`rates` takes what the projection needs: seconds of CPU, or bytes, for one report."""
