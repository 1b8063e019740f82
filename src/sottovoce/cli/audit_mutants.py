"""``sotto audit --mutants``: the proof that the audit can fail."""

from __future__ import annotations

import sys

from sottovoce.audit import audit, caught_by
from sottovoce.cli import failures, terminal


def show_mutants(*, samples: int, as_json: bool) -> bool:
    """Audit every mutant, print which layers saw it; True when each was seen by the layer that has to."""
    failures.require_laboratory("mutants", command="sotto audit")
    from tqdm import tqdm

    from laboratory.mutants import MUTANTS

    rows = []
    missing = {mutant.name: reason for mutant in MUTANTS if (reason := mutant.unavailable())}
    there = [mutant for mutant in MUTANTS if mutant.name not in missing]
    for mutant in tqdm(there, desc="mutants", leave=False, file=sys.stderr, disable=not sys.stderr.isatty()):
        findings = audit([mutant.target()], samples=samples).findings
        layers = caught_by(findings)
        first = next((one for one in findings if not one.passed), None)
        rows.append((mutant, layers, first))
    all_caught = all(layers[:1] == (mutant.layer,) for mutant, layers, _ in rows)
    if as_json:
        terminal.show_json(
            {
                "all_caught": all_caught,
                "unavailable": [{"mutant": name, "reason": reason} for name, reason in missing.items()],
                "mutants": [
                    {
                        "mutant": mutant.name,
                        "mistake": mutant.mistake,
                        "epsilon": mutant.epsilon,
                        "caught_by": list(layers),
                        "expected": mutant.layer,
                        "finding": None if first is None else first.to_dict(),
                    }
                    for mutant, layers, first in rows
                ],
            },
            failure=failures.check_failed(all_caught, "a mutant was not caught by the layer that has to"),
        )
        return all_caught
    table = [
        (mutant.name, mutant.mistake, f"{mutant.epsilon:g}", ", ".join(layers) or terminal.bold("NOT CAUGHT"))
        for mutant, layers, _ in rows
    ]
    caught = sum(bool(layers) for _, layers, _ in rows)
    lines = terminal.table(("mutant", "what is wrong", "ε", "caught by"), table, left=(0, 1, 3))
    left = [terminal.labelled("unavailable", _left_out(missing))] if missing else []
    terminal.show([*lines, "", f"  {caught} of {len(rows)} caught", *left])
    return all_caught


def _left_out(missing: dict[str, str]) -> str:
    """How many mutants could not be tried, and what it takes."""
    reasons = ", ".join(dict.fromkeys(missing.values()))
    return f"{terminal.count(len(missing), 'mutant')}: {reasons}"
