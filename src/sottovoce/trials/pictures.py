"""What there is to draw of a comparison."""

from __future__ import annotations

from sottovoce.messages import Fact
from sottovoce.pictures import Line, Lines
from sottovoce.trials.rows import Found


def curves(found: Found) -> Lines:
    """RMSE against ε, both on logarithmic scales; a line for each method, with standard errors."""
    lines = []
    for method in found.methods:
        rows = [found.row(method, epsilon) for epsilon in sorted(found.epsilons)]
        ran = [(row.epsilon, row.performance) for row in rows if row.performance is not None]
        weaker = not all(row.whole_collection for row in rows)
        if ran:
            line = Line(
                name=Fact("picture-one-item", method=method) if weaker else method,
                x=tuple(epsilon for epsilon, _ in ran),
                y=tuple(seen.rmse for _, seen in ran),
                errors=tuple(seen.rmse_se or 0.0 for _, seen in ran),
                strong=method == found.reference,
                dashed=weaker,
            )
            lines.append(line)
    return Lines(
        lines=tuple(lines),
        ticks=tuple(found.epsilons),
        across="ε",
        up=Fact("picture-axis-rmse", problem=found.problem.name),
        title=Fact("picture-title-comparison", repetitions=found.repetitions),
    )
