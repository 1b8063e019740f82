"""Every benchmark there is. To add one: a file, and a line here."""

from __future__ import annotations

from benchmarks.accuracy.problems.cells import Benchmark
from benchmarks.accuracy.problems.cover import COVER
from benchmarks.accuracy.problems.density import DENSITY
from benchmarks.accuracy.problems.histogram import HISTOGRAM
from benchmarks.accuracy.problems.mixture import MIXTURE
from benchmarks.accuracy.problems.quantiles import CDF, QUANTILES
from benchmarks.accuracy.problems.sparse import SPARSE
from benchmarks.accuracy.problems.vector import VECTOR

BENCHMARKS: dict[str, Benchmark] = {
    made.name: made for made in (HISTOGRAM, QUANTILES, CDF, VECTOR, SPARSE, DENSITY, MIXTURE, COVER)
}
