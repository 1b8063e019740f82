"""A clean run of the audit: what is shipped, all layers, no alarm."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sottovoce.audit import EPSILONS, FALSE_ALARMS, audit, planned
from tests.support import SeededEntropy


def clean_run(seed: int, names: Sequence[str]) -> None:
    """One pass over the named mechanisms at one ε of the six; raises an alarm with probability at most 1e-4."""
    epsilon = EPSILONS[seed % len(EPSILONS)]
    targets = [one.target for name in names for one in planned(name, (epsilon,))]
    result = audit(targets, samples=3000, entropy=SeededEntropy(seed))
    assert result.level * result.tests == pytest.approx(FALSE_ALARMS)
    assert result.certified, [one for one in result.findings if not one.passed]
