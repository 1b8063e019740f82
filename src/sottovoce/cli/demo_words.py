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
    held = {"users": students.users, "ratings": len(students.values), "low": data.low, "high": data.high}
    return terminal.paragraph(terminal.say("demo-asked", least=students.sizes.min(), most=students.sizes.max(), **held))


def result(answer: Estimate, *, truth: float) -> list[str]:
    """The estimate, its interval, the truth, a picture, and what was promised."""
    from sottovoce.explain import times
    from sottovoce.messages import Fact

    low, high = answer.interval
    made = {"confidence": answer.confidence, "kind": answer.interval_kind}
    asked = [
        ("privacy", answer.privacy.statement),
        ("that is", Fact("demo-meaning", times=times(answer.privacy.epsilon))),
        ("method", answer.chosen.told(answer.method)),
    ]
    return [
        terminal.labelled("estimate", terminal.bold(f"{answer.value:.3f}"), indent=2),
        *terminal.told(
            [
                ("interval", Fact("demo-interval", low=low, high=high, **made)),
                ("truth", Fact("demo-truth", truth=truth, inside=low <= truth <= high)),
            ]
        ),
        "",
        *terminal.picture_lines(answer.picture(truth=truth, width=min(80, terminal.columns() - 4)), indent=4),
        "",
        *terminal.told(asked),
    ]


def warnings(answer: Estimate) -> list[str]:
    """Everything that the answer warns of."""
    return terminal.told(("warning", warning) for warning in answer.warnings)


def at_budgets(data: Dataset, answer: Estimate, *, observations: int) -> dict[float, Estimate]:
    """The answer among those that other budgets give."""
    from sottovoce.calls import mean

    epsilon = answer.privacy.epsilon
    return {
        budget: answer if budget == epsilon else mean(data, epsilon=budget, observations=observations)
        for budget in sorted({*BUDGETS, epsilon})
    }


def budgets(found: Mapping[float, Estimate], *, truth: float) -> list[str]:
    """A table of what a larger or smaller ε gives."""
    rows = [
        (f"{budget:g}", f"{one.value:.3f}", f"{one.halfwidth:.3f}", f"{abs(one.value - truth):.3f}")
        for budget, one in found.items()
    ]
    header = ("ε", "estimate", "± half-width", "|error|")
    return [terminal.heading("demo-budgets"), *terminal.table(header, rows)]


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
