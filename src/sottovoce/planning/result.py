"""A plan: a protocol ready to run, what it is predicted to give, and what would change that."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sottovoce.answers import Line, line, to_plain, told
from sottovoce.messages import Fact, InvalidInput
from sottovoce.pictures import Marks, in_characters, on_axes
from sottovoce.planning import advice as facts
from sottovoce.planning.alternatives import Alternative, alternatives, efficiency, method_lines
from sottovoce.planning.beyond import Beyond, beyond
from sottovoce.planning.outline import Outline
from sottovoce.planning.solve import Solution, Unknown, changed, solve, unreachable
from sottovoce.problems import choose
from sottovoce.risk import CAUSES, Crowd, Prediction

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

_BESIDE_BARS = 34
"""Characters of a line that are no bar."""


@dataclass(frozen=True, kw_only=True)
class Plan(Outline):
    """What to run, and what it will be worth."""

    @cached_property
    def sensitivity(self) -> tuple[facts.Change, ...]:
        """What the half-width would be with twice or half of everything, each method chosen anew."""
        return facts.sensitivity(self)

    @cached_property
    def ways(self) -> tuple[Solution, ...]:
        """For a protocol that is to reach a target: what each quantity alone would have to be."""
        return facts.ways(self)

    @cached_property
    def advice(self) -> tuple[Fact, ...]:
        """What limits the accuracy, and what would help."""
        return facts.advice(self, self.sensitivity)

    @cached_property
    def methods(self) -> tuple[Alternative, ...]:
        """What every method of the problem would give: for users alike and users who differ, where that matters."""
        return alternatives(self)

    @cached_property
    def efficiency(self) -> float | None:
        """How much of what ε allows for users alike the plan uses, where that is known: see `theory.limit`."""
        return efficiency(self)

    @cached_property
    def beyond(self) -> Beyond | None:
        """What a budget above what a device answers could give, where one was asked for; see `planning.beyond`."""
        return beyond(self)

    @property
    def warnings(self) -> tuple[Fact, ...]:
        """What is not as it was asked for."""
        return () if self.beyond is None else self.beyond.words

    def lines(self) -> list[Line]:
        """The labelled lines of the summary."""
        methods = method_lines(self, self.methods)
        found = facts.lines(self, self.advice, self.ways, methods, self.efficiency)
        return [line("answer", facts.answer(self)), *(line("warning", fact) for fact in self.warnings), *found]

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        causes = {cause: getattr(self.prediction, cause) ** 0.5 for cause in CAUSES}
        return {
            "problem": self.problem.name,
            "protocol": json.loads(json.dumps(asdict(self.protocol))),
            "assumed": {"spread": self.crowd.spread, "within": self.crowd.within, "around": self.crowd.around}
            | {"spreads": [users.spread or 0.0 for users in self.assumed]},
            "solved": self.solved,
            "target_halfwidth": self.target,
            "predicted": {"halfwidth": self.halfwidth, "rmse": self.prediction.rmse, "mse": self.prediction.mse}
            | {"guarded_halfwidth": self.guarded}
            | {"standard_error": causes, "dominant": self.prediction.dominant},
            "efficiency": self.efficiency,
            "methods": [method.to_dict() for method in self.methods],
            "users_per_round": list(self.users_per_round),
            "sensitivity": [change.to_dict() for change in self.sensitivity],
            "ways": [
                {"change": way.unknown, "to": way.value, "best_halfwidth": way.best.halfwidth(self.confidence)}
                for way in self.ways
            ],
            "poisoning": {"reach": self.poisoning.reach, "capture_share": self.poisoning.capture}
            | {"share_for_halfwidth": self.poisoning.share_for(self.halfwidth)},
            "regime": self.regime,
            "advice": to_plain(self.advice),
            "warnings": to_plain(self.warnings),
            "beyond": None if self.beyond is None else self.beyond.to_dict(),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def summary(self) -> str:
        """A few lines for a terminal."""
        return "\n".join(f"{name:<12}{text}" for name, text in told(self.lines()))

    def __repr__(self) -> str:
        worth = Fact("plan-in-short", halfwidth=self.halfwidth, confidence=self.confidence)
        return f"<Plan {self.problem.name}, {self.method}: {worth}>"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in told(self.lines())
        )
        return f"<table>{rows}</table>"

    def drawing(self) -> Marks:
        """What there is to draw: the half-width as planned, and with what is changed."""
        from sottovoce.planning.pictures import bars

        return bars(self, self.sensitivity)

    def picture(self, *, width: int = 60) -> str:
        """The sensitivity as bars of characters."""
        return in_characters(self.drawing(), width=max(4, width - _BESIDE_BARS))

    def plot(self, axes: Axes | None = None) -> Axes:
        """Half-width against the number of users, for fewer and more observations (needs the extra ``plot``)."""
        from sottovoce.planning.pictures import curves

        return on_axes(curves(self), axes)

    def to_toml(self) -> str:
        """The plan as a file: see `planning.writing`."""
        from sottovoce.planning.writing import dumps

        return dumps(self)

    def save(self, path: str | Path) -> None:
        """Write `to_toml` to a file."""
        from pathlib import Path

        Path(path).expanduser().write_text(self.to_toml(), encoding="utf-8")


def predicted(
    template: Any, crowd: Crowd, *, solved: str = "halfwidth", target: float | None = None, origin: Any = None
) -> Plan:
    """The plan for a protocol whose numbers are all given."""
    chosen = choose(template, crowd)
    return Plan(
        template=template,
        chosen=chosen,
        crowd=crowd,
        prediction=chosen.predict(crowd),
        solved=solved,
        target=target,
        origin=origin,
    )


def reaching(template: Any, unknown: Unknown, crowd: Crowd, *, mse: float, origin: Any = None) -> Plan:
    """The plan with the smallest `unknown` that brings the mean squared error down to `mse`."""
    confidence = float(template.confidence)
    target = Prediction(sampling=mse, privacy=0.0).halfwidth(confidence)
    scale = template.problem.full_scale(template)
    if not target < scale:
        raise InvalidInput(f"a half-width of {target:g} says nothing: the declared range has a half-width of {scale:g}")
    solution = solve(template, unknown, mse, crowd)
    if solution.value is None:
        raise unreachable(solution, halfwidth=target, confidence=confidence)
    return predicted(changed(template, unknown, solution.value), crowd, solved=unknown, target=target, origin=origin)
