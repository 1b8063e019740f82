"""A plan as a file: flat TOML that a person can read, change and keep under version control.

``plan = 1`` is the version of the format. Reading is strict: an unknown key is an error, since a misspelt setting
that is silently ignored would run another survey than the one planned. The predicted figures are for the reader;
they are computed again from the rest.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any, get_type_hints

from sottovoce.messages import InvalidInput
from sottovoce.planning.law import Crowd
from sottovoce.planning.plan import Plan, predicted
from sottovoce.planning.problems import Problem, named

VERSION = 1
MAX_BYTES = 2**20
_ASSUMED = {"assumed_spread": "spread", "assumed_within": "within", "assumed_around": "around"}
_PREDICTED = ("predicted_halfwidth", "predicted_rmse")
_COMMENTS = {
    "epsilon": "α in the paper; one report is private to this degree for a user's whole collection",
    "observations": "about so many per user",
    "delta": "half-width of a bin of the vote, in half-ranges",
    "assumed_spread": "standard deviation of the users' own means; 0: users alike",
    "assumed_within": "standard deviation of one user's observations",
    "assumed_around": "where the users' means lie",
}


def dumps(plan: Plan) -> str:
    """The file's text: always the same for the same plan."""
    if plan.crowd.law is not None:
        raise InvalidInput("a plan for a given law of users has no file form; state spread, within and around instead")
    protocol = plan.protocol
    rows: list[tuple[str, Any]] = [("plan", VERSION), ("problem", plan.problem.name)]
    names = _names(plan.problem)
    hints = get_type_hints(plan.problem.protocol)
    rows += [(name, _plain(getattr(protocol, name), str(hints[name]))) for name in names]
    rows += [(key, _plain(getattr(plan.crowd, name), "float")) for key, name in _ASSUMED.items()]
    rows += [("predicted_halfwidth", plan.halfwidth), ("predicted_rmse", plan.prediction.rmse)]
    body = [_line(name, value) for name, value in rows if value is not None]
    return "\n".join(
        [
            "# A plan made by Sottovoce: what is asked, of whom, and what is assumed about them.",
            "#   sotto simulate --plan THIS                                rehearse it with made-up users",
            "#   sotto estimate --plan THIS DATA --user COL --value COL    rehearse it on data",
            *body,
            "",
        ]
    )


def _names(problem: Problem) -> tuple[str, ...]:
    method = ("method",) if problem.methods else ()
    return (*method, *problem.unknowns, "confidence", "survey", *problem.settings)


def _plain(value: Any, hint: str) -> Any:
    """One form for one number, however the caller wrote it."""
    return float(value) if "float" in hint and isinstance(value, int) else value


def _line(name: str, value: Any) -> str:
    text = f"{name} = {_value(name, value)}"
    return f"{text}  # {_COMMENTS[name]}" if name in _COMMENTS else text


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


def loads(text: str) -> Plan:
    """The plan in a file's text, with its prediction computed again."""
    try:
        held = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"not a plan file: {error}") from None
    version = held.pop("plan", None)
    if version != VERSION or isinstance(version, bool):
        raise InvalidInput(f"a plan file starts with plan = {VERSION}, the version this software reads")
    name = held.pop("problem", None)
    if not isinstance(name, str):
        raise InvalidInput('a plan file names its problem, such as problem = "mean"')
    problem = named(name)
    for figure in _PREDICTED:
        held.pop(figure, None)
    known = _names(problem)
    strange = sorted(set(held) - set(known) - set(_ASSUMED))
    if strange:
        raise InvalidInput(
            f"a plan of a {name} has no {', '.join(strange)}; it may have {', '.join((*known, *_ASSUMED))}"
        )
    assumed = {name: _number(key, held.pop(key)) for key, name in _ASSUMED.items() if key in held}
    crowd = Crowd(**assumed)  # type: ignore[arg-type]  # only numbers, and `law` is not among the names
    hints = get_type_hints(problem.protocol)
    settings = {key: _typed(key, value, str(hints[key])) for key, value in held.items()}
    try:
        template = problem.protocol(**settings)
    except TypeError:
        raise InvalidInput(f"the plan file lacks a setting that a {name} needs, or has one of a wrong type") from None
    return predicted(template, crowd)


def load(path: str | Path) -> Plan:
    """Read a plan from a file."""
    data = Path(path).expanduser().read_bytes()
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"a plan file has at most {MAX_BYTES:,} bytes; this one has {len(data):,}")
    try:
        return loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidInput("a plan file is UTF-8 text") from None


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidInput(f"{name} must be a number in a plan file; got {type(value).__name__}")
    return float(value)


def _typed(name: str, value: Any, hint: str) -> Any:
    """TOML writes 1 where a number like 1.0 is meant, and knows lists but no tuples."""
    if isinstance(value, list):
        return tuple(_typed(name, item, hint) for item in value)
    if "float" in hint:
        return _number(name, value)
    expected = {"str": str, "int": int, "bool": bool}.get(hint.removeprefix("<class '").removesuffix("'>"))
    if expected is not None and (not isinstance(value, expected) or (expected is int and isinstance(value, bool))):
        raise InvalidInput(f"{name} must be of type {expected.__name__} in a plan file; got {type(value).__name__}")
    return value
