"""The paper's sparse experiment at every dimension, both rules, against the reference figures.

python benchmarks/sparse_reference.py [repetitions]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.law.test_sparse_reference import REFERENCE, compare


def main(repetitions: int) -> int:
    deviations = [
        compare(rule, dimension, max(20, repetitions * 400 // max(400, dimension)))
        for rule in REFERENCE
        for dimension in REFERENCE[rule]
    ]
    print(f"largest deviation: {max(map(abs, deviations)):.1f} standard errors")
    return 0 if max(map(abs, deviations)) <= 3 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
