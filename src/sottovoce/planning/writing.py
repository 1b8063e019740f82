"""A plan as a file: flat TOML that a person can read, change and keep under version control.

``plan = 1`` is the version of the format. Reading is strict: an unknown key is an error, since a misspelt setting
that is silently ignored would run another survey than the one planned. The predicted figures are for the reader;
they are computed again from the rest.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, get_type_hints

from sottovoce.messages import Fact, InvalidInput
from sottovoce.planning.outline import Outline
from sottovoce.problems import Problem, described

VERSION = 1
ASSUMED = {"assumed_spread": "spread", "assumed_within": "within", "assumed_around": "around"}
PREDICTED = ("predicted_halfwidth", "predicted_rmse")
_COMMENTED = ("epsilon", "observations", "delta", *ASSUMED)


def dumps(plan: Outline) -> str:
    """The file's text: always the same for the same plan."""
    if plan.crowd.law is not None:
        raise InvalidInput(
            "a plan for a given law of users has no file form", fix="state spread, within and around instead"
        )
    protocol = plan.protocol
    rows: list[tuple[str, Any]] = [("plan", VERSION), ("problem", plan.problem.name)]
    names = setting_names(plan.problem)
    hints = get_type_hints(plan.problem.settings)
    late = {field.name for field in described(plan.problem.settings) if field.left_out(getattr(protocol, field.name))}
    rows += [(name, _plain(getattr(protocol, name), str(hints[name]))) for name in names if name not in late]
    rows += [(key, _plain(getattr(plan.crowd, name), "float")) for key, name in ASSUMED.items()]
    rows += [("predicted_halfwidth", plan.halfwidth), ("predicted_rmse", plan.prediction.rmse)]
    body = [_line(name, value) for name, value in rows if value is not None]
    estimate = Fact("plan-file-estimate", by=bool(getattr(protocol, "groups", ())))
    commands = [*([Fact("plan-file-simulate")] if plan.problem.assumed else []), estimate]
    return "\n".join([f"# {Fact('plan-file')}", *(f"#   {command}" for command in commands), *body, ""])


def setting_names(problem: Problem[Any]) -> tuple[str, ...]:
    """What a plan's file says of the survey, in this order."""
    first = ("method", *problem.unknowns, "confidence", "survey")
    rest = (field.name for field in dataclasses.fields(problem.settings) if field.name not in first)
    return (*first, *rest)


def _plain(value: Any, hint: str) -> Any:
    """One form for one number, however the caller wrote it."""
    return float(value) if "float" in hint and isinstance(value, int) else value


def _line(name: str, value: Any) -> str:
    text = f"{name} = {_value(name, value)}"
    return f"{text}  # {Fact(f'plan-file-{name}'.replace('_', '-'))}" if name in _COMMENTED else text


def _value(name: str, value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return repr(value)
        case str() if value.isprintable():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case tuple() | list():
            return "[" + ", ".join(_value(name, item) for item in value) + "]"
    raise InvalidInput(f"{name} cannot be written to a plan file")
