"""What both kinds of ``sotto demo`` say: the estimate next to the truth, and what other budgets give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from sottovoce.answers import Estimate
    from sottovoce.data import Dataset

BUDGETS = (0.5, 1.0, 2.0, 4.0)


def asked(data: Dataset) -> str:
    """Whom, and what the difficulty is."""
    students = data.collections
    return terminal.paragraph(
        f"{students.users:,} students gave {len(students.values):,} ratings from {data.low:g} to {data.high:g}, "
        f"{students.sizes.min()} to {students.sizes.max()} each. What is the average rating, if nobody may see a "
        f"student's ratings, not even the one who asks?"
    )


def result(answer: Estimate, *, truth: float) -> list[str]:
    """The estimate, its interval, the truth, a picture, and what was promised."""
    from sottovoce.explain import times
    from sottovoce.messages import percent

    low, high = answer.interval
    inside = "inside the interval" if low <= truth <= high else "outside the interval, as happens 1 time in 20"
    return [
        terminal.labelled("estimate", terminal.bold(f"{answer.value:.3f}"), indent=2),
        terminal.labelled(
            "interval", f"{low:.3f} … {high:.3f}  ({percent(answer.confidence)}, {answer.interval_kind})", indent=2
        ),
        terminal.labelled("truth", f"{truth:.3f}, which the survey never sees; {inside}", indent=2),
        "",
        *terminal.picture_lines(answer.picture(truth=truth, width=min(80, terminal.columns() - 4)), indent=4),
        "",
        terminal.labelled("privacy", str(answer.privacy.statement), indent=2),
        terminal.labelled(
            "that is",
            f"other ratings would make no report more than {times(answer.privacy.epsilon)} times as likely",
            indent=2,
        ),
        terminal.labelled("method", str(answer.chosen.told(answer.method)), indent=2),
    ]


def warnings(answer: Estimate) -> list[str]:
    """Everything that the answer warns of."""
    return [terminal.labelled("warning", warning, indent=2) for warning in answer.warnings]


def budgets(found: Mapping[float, Estimate], *, truth: float) -> list[str]:
    """A table of what a larger or smaller ε gives."""
    rows = [
        (f"{budget:g}", f"{one.value:.3f}", f"{one.halfwidth:.3f}", f"{abs(one.value - truth):.3f}")
        for budget, one in found.items()
    ]
    header = ("ε", "estimate", "± half-width", "|error|")
    return [terminal.bold("What other budgets give, rehearsed in this process"), *terminal.table(header, rows)]


def document(data: Dataset, answer: Estimate, others: Mapping[float, Estimate]) -> dict[str, Any]:
    """What ``--json`` prints of either kind."""
    return {
        "dataset": {
            "name": data.name,
            "users": data.collections.users,
            "observations": len(data.collections.values),
            "low": data.low,
            "high": data.high,
            "source": data.source,
        },
        "truth": data.truth,
        "estimate": answer.to_dict(),
        "budgets": [
            {
                "epsilon": budget,
                "value": one.value,
                "interval": list(one.interval),
                "halfwidth": one.halfwidth,
                "error": one.value - data.truth,
            }
            for budget, one in others.items()
        ],
    }
