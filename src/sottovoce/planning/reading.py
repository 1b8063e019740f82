"""A plan from its file. Reading is strict: a misspelt setting that is silently ignored would run another survey."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, get_type_hints

from sottovoce.messages import InvalidInput
from sottovoce.planning.result import Plan, predicted
from sottovoce.planning.writing import ASSUMED, PREDICTED, VERSION, setting_names
from sottovoce.problems import named
from sottovoce.risk import Crowd

MAX_BYTES = 2**20


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
    for figure in PREDICTED:
        held.pop(figure, None)
    known = setting_names(problem)
    strange = sorted(set(held) - set(known) - set(ASSUMED))
    if strange:
        raise InvalidInput(
            f"a plan of a {name} has no {', '.join(strange)}; it may have {', '.join((*known, *ASSUMED))}",
            code="unknown-setting",
            fields={"setting": strange[0]},
        )
    assumed = {name: _number(key, held.pop(key)) for key, name in ASSUMED.items() if key in held}
    crowd = Crowd(**assumed)  # type: ignore[arg-type]  # only numbers, and `law` is not among the names
    hints = get_type_hints(problem.settings)
    settings = {key: _typed(key, value, str(hints[key])) for key, value in held.items()}
    try:
        template = problem.settings(**settings)
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
        raise InvalidInput(rule=f"{name} must be a number in a plan file", wrong=f"got {type(value).__name__}")
    return float(value)


def _typed(name: str, value: Any, hint: str) -> Any:
    """TOML writes 1 where a number like 1.0 is meant, and knows lists but no tuples."""
    if isinstance(value, list):
        return tuple(_typed(name, item, hint) for item in value)
    if "float" in hint:
        return _number(name, value)
    expected = {"str": str, "int": int, "bool": bool}.get(hint.removeprefix("<class '").removesuffix("'>"))
    if expected is not None and (not isinstance(value, expected) or (expected is int and isinstance(value, bool))):
        raise InvalidInput(
            rule=f"{name} must be of type {expected.__name__} in a plan file", wrong=f"got {type(value).__name__}"
        )
    return value
