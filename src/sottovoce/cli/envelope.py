"""One shape for what ``--json`` prints, whatever the command and however it ends: see docs/schema/sotto-v1.json."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.cli.failures import Failure

SCHEMA = "1"
"""A field never changes its meaning; a new meaning is a new version. Fields may be added."""
COMMAND: ContextVar[str] = ContextVar("COMMAND", default="")
"""What runs, without ``sotto``: ``estimate mean``."""


def around(result: Any, *, failure: Failure | None = None) -> dict[str, Any]:
    """A result in its envelope; with a failure where the command ends with another exit code than 0."""
    document: dict[str, Any] = {"sotto": SCHEMA, "command": COMMAND.get(), "ok": failure is None}
    if failure is None or result is not None:
        document |= {"result": result, "warnings": _once(_warnings(result))}
    return document if failure is None else document | {"error": failure.to_dict()}


def _once(warnings: list[Any]) -> list[Any]:
    return [warning for place, warning in enumerate(warnings) if warning not in warnings[:place]]


def _warnings(value: Any) -> list[Any]:
    """Every warning inside, a text or a fact, so that nobody has to know where a command puts its own."""
    if isinstance(value, (list, tuple)):
        return [one for item in value for one in _warnings(item)]
    if not isinstance(value, dict):
        return []
    found: list[Any] = []
    for key, item in value.items():
        if key == "warning" and isinstance(item, str):
            found.append(item)
        elif key == "warnings" and isinstance(item, (list, tuple)):
            found += [one for one in item if isinstance(one, (str, dict))]
        else:
            found += _warnings(item)
    return found
