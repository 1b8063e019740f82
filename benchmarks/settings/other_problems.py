"""Settings of `plan_accuracy` for all that is not a single mean: vectors, sparse means, densities and so on.

A user's collection is one observation, its average, wherever the protocol looks at averages only; a density and a
distribution look at every observation.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.settings.curves import densities, distributions
from benchmarks.settings.groups import covers, mixtures
from benchmarks.settings.trial import Other
from benchmarks.settings.vectors import sparse, vectors


def settings(repetitions: int) -> Iterator[Other]:
    """All of them."""
    yield from vectors(repetitions)
    yield from sparse(repetitions)
    yield from densities(repetitions)
    yield from mixtures(repetitions)
    yield from covers(repetitions)
    yield from distributions(repetitions)
