"""From what an administrator asks for to a manifest. Strict: a misspelt setting would announce another survey."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sottovoce.messages import InvalidInput, Manifest
from sottovoce.problems import Described, Settings, announce, described, named
from sottovoce.service.messages import NewSurvey
from sottovoce.version import SOFTWARE

_LEFT_OUT = "survey"


def manifest_of(asked: NewSurvey, *, now: float) -> Manifest:
    """Announced as asked, every choice settled. May take seconds: tables are designed here."""
    try:
        return announce(
            settings_of(asked.problem, asked.settings),
            purpose=asked.purpose,
            collector=asked.collector,
            software=SOFTWARE,
            opens=int(now) if asked.opens is None else asked.opens,
            closes=asked.closes,
            columns=asked.columns,
            enrolment=asked.enrolment,
            access=asked.access,
            minimum=asked.minimum,
            round_seconds=asked.round_seconds,
            quota=asked.quota,
            retention_days=asked.retention_days,
        )
    except OverflowError:
        raise InvalidInput(f"settings of a {asked.problem}: a number is too large") from None


def settings_of(problem: str, given: dict[str, Any]) -> Settings:
    """The settings of a problem from plain data."""
    values = values_of(problem, given)
    try:
        made: Settings = named(problem).settings(**values)
    except TypeError:
        raise InvalidInput(f"settings of a {problem}: one of a wrong type") from None
    return made


def values_of(problem: str, given: dict[str, Any], *, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The same before they are one value: each of its type, none missing but what may be `left_out`."""
    found = named(problem)
    fields = {own.name: own for own in described(found.settings) if own.name != _LEFT_OUT}
    strange = sorted(given.keys() - fields.keys())
    if strange:
        known = ", ".join(fields)
        wrong = f"a {problem} has no setting {', '.join(name[:40] for name in strange[:3])}; it has {known}"
        raise InvalidInput(wrong, code="unknown-setting", fields={"setting": strange[0]})
    missing = [name for name, own in fields.items() if own.required and name not in {*given, *left_out}]
    if missing:
        raise InvalidInput(rule=f"a {problem} needs the setting {', '.join(missing)}")
    return {name: _value(fields[name], value) for name, value in given.items()}


def _value(own: Described, value: Any) -> Any:
    if value is None and own.optional:
        return None
    depth = 2 if own.table else 1 if own.several else 0
    if not _fits(own.kind, value, depth):
        kind = own.kind.__name__
        raise InvalidInput(f"{own.name}: {f'a list of {kind}' if depth else kind} was expected")
    return own.plain(value)


def _fits(kind: type, value: Any, depth: int) -> bool:
    if isinstance(value, list):
        return depth > 0 and all(_fits(kind, item, depth - 1) for item in value)
    if kind is float:
        return type(value) in (int, float)
    return type(value) is kind
