"""A clean run of the audit: what is shipped, all layers, no alarm."""

from __future__ import annotations

from collections.abc import Sequence

from sottovoce.audit import EPSILONS, Audit, audit, planned
from tests.support import SeededEntropy


def clean_run(seed: int, names: Sequence[str]) -> Audit:
    """One pass over the named mechanisms at one ε of the six; it has an alarm with probability at most 1e-4."""
    epsilon = EPSILONS[seed % len(EPSILONS)]
    targets = [one.target for name in names for one in planned(name, (epsilon,))]
    return audit(targets, samples=3000, entropy=SeededEntropy(seed))
