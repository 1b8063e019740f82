"""C_α of the experiments, computed again by the recipe of the paper (L1081) and held against the table.

For every α of the table and two below it: the exact risk of setting 2 at four constants; `theory.recipe` has the rule.
Exits with 1 when the table differs from it, or from the paper's four values (L1077).
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from sottovoce.theory import recipe, tabled

PAPER = {0.5: 0.5, 1.0: 0.5, 2.0: 0.25, 4.0: 0.25}
BELOW = (0.1, 0.25)


def main() -> int:
    table, right, compiled = tabled(), True, find_spec("numba") is not None
    print(f"{'α':>6}  {'C':>6}  risk at C = .25, .5, .75, 1, in parts of the least")
    for alpha in (*BELOW, *table):
        found, risks = recipe(alpha, compiled=compiled)
        agrees = found == table.get(alpha) and (alpha not in PAPER or found == PAPER[alpha])
        right &= agrees
        shown = "none" if found is None else f"{found:g}"
        told = "  ".join(f"{value:6.2f}" for value in risks.values())
        print(f"{alpha:>6g}  {shown:>6}  {told}{'' if agrees else '   the table says otherwise'}", flush=True)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
