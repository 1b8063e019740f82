"""Write the tables of the explanations from the code: ``python docs/make_tables.py``.

A table stands between ``<!-- table: NAME -->`` and ``<!-- end -->``; a test compares the pages with what this makes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import sottovoce as sv
from sottovoce.risk import capture_share

DOCS = Path(__file__).parent
_MARKED = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end -->)", flags=re.DOTALL)


def odds() -> list[tuple[str, ...]]:
    """What a report may do to what somebody thinks of one person."""
    rows = [("ε", "odds times at most", "50 % becomes", "10 % becomes", "1 % becomes")]
    for epsilon in (0.1, 0.5, 1.0, 2.0, 4.0, 8.0):
        after = [_percent(_posterior(before, epsilon)) for before in (0.5, 0.1, 0.01)]
        factor = math.exp(epsilon)
        rows.append((f"{epsilon:g}", f"{factor:,.0f}" if factor > 100 else f"{factor:.3g}", *after))
    return rows


def adding_up() -> list[tuple[str, ...]]:
    """What protecting single observations leaves of a person who holds several."""
    rows = [("observations", "ε = 0.1 each", "ε = 0.5 each", "ε = 1 each", "ε = 1 for all of them")]
    for held in (1, 5, 20, 100):
        each = [f"{epsilon * held:g}: {_percent(_posterior(0.5, epsilon * held))}" for epsilon in (0.1, 0.5, 1.0)]
        rows.append((f"{held}", *each, f"1: {_percent(_posterior(0.5, 1))}"))
    return rows


def worth() -> list[tuple[str, ...]]:
    """Half-widths that a plan promises for ratings from 1 to 5, by users and budget."""
    budgets = (0.5, 1.0, 2.0, 4.0)
    rows = [("users", *(f"ε = {epsilon:g}" for epsilon in budgets))]
    for users in (100, 1000, 10_000, 100_000):
        found = [sv.plan(low=1, high=5, users=users, observations=20, epsilon=one).halfwidth for one in budgets]
        rows.append((f"{users:,}", *(f"± {halfwidth:.2g}" for halfwidth in found)))
    return rows


def colluders() -> list[tuple[str, ...]]:
    """What liars can do to one round of 3,000 users with ratings from 1 to 5, and to a vote."""
    rows = [
        ("ε", "half-width", "1 % move it by", "5 % move it by", "as much as the half-width", "decide a vote of bins")
    ]
    for epsilon in (0.5, 1.0, 2.0, 4.0):
        plan = sv.plan(low=1, high=5, users=3000, observations=20, epsilon=epsilon, method="one-round")
        keep = 1 / (1 + math.exp(-epsilon / 2))
        rows.append(
            (
                f"{epsilon:g}",
                f"{plan.halfwidth:.2g}",
                f"{plan.poisoning.shift(0.01):.2g}",
                f"{plan.poisoning.shift(0.05):.2g}",
                _percent(plan.poisoning.share_for(plan.halfwidth)),
                _percent(capture_share(keep, 1.0)),
            )
        )
    return rows


TABLES: dict[str, Callable[[], list[tuple[str, ...]]]] = {
    "odds": odds,
    "adding-up": adding_up,
    "worth": worth,
    "colluders": colluders,
}


def filled(text: str) -> str:
    """The page with its tables as they are computed now."""
    return _MARKED.sub(lambda found: found[1] + _markdown(TABLES[found[2]]()) + found[3], text)


def _markdown(rows: list[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]) + "\n"


def _posterior(prior: float, epsilon: float) -> float:
    odds_after = prior / (1 - prior) * math.exp(min(epsilon, 700.0))
    return odds_after / (1 + odds_after)


def _percent(share: float) -> str:
    if share > 0.9995:
        return "more than 99.9 %"
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.3g} %"


if __name__ == "__main__":
    for page in sorted(DOCS.rglob("*.md")):
        before = page.read_text(encoding="utf-8")
        if (after := filled(before)) != before:
            page.write_text(after, encoding="utf-8")
            print(page.relative_to(DOCS))
