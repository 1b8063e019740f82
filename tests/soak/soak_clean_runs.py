"""Twenty clean runs of the audit over everything shipped: at most 2e-3 of a false alarm over all of them, seeded.

``make soak`` runs this; its name keeps it out of ``make test``, which makes two smaller ones.
"""

from __future__ import annotations

import pytest

from sottovoce.audit import FALSE_ALARMS, names
from tests.support.clean import clean_run


@pytest.mark.parametrize("seed", range(20))
def test_clean(seed: int) -> None:
    result = clean_run(seed, names())
    assert result.level * result.tests == pytest.approx(FALSE_ALARMS)
    assert result.certified, [finding for finding in result.findings if not finding.passed]
