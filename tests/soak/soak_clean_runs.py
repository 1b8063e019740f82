"""Twenty clean runs of the audit over everything shipped: at most 2e-3 of a false alarm over all of them, seeded.

``make soak`` runs this; its name keeps it out of ``make test``, which makes two smaller ones.
"""

from __future__ import annotations

import pytest

from sottovoce.audit import names
from tests.support.clean import clean_run


@pytest.mark.parametrize("seed", range(20))
def test_clean(seed: int) -> None:
    clean_run(seed, names())
