"""One shape for what ``--json`` prints, whatever the command and however it ends: see docs/schema/sotto-v2.json."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.cli.failures import Failure

SCHEMA = "2"
"""A field never changes its meaning; a new meaning is a new version. Fields may be added."""
COMMAND: ContextVar[str] = ContextVar("COMMAND", default="")
"""What runs, without ``sotto``: ``estimate mean``."""
_NAMES = ("note", "notes", "warning", "warnings")


def around(result: Any, *, failure: Failure | None = None) -> dict[str, Any]:
    """A result in its envelope; with a failure where the command ends with another exit code than 0."""
    document: dict[str, Any] = {"sotto": SCHEMA, "command": COMMAND.get(), "ok": failure is None}
    if failure is None or result is not None:
        document |= {"result": result, "notes": _notes(result)}
    return document if failure is None else document | {"error": failure.to_dict()}


def _notes(value: Any) -> list[Any]:
    """Every note inside, once, so that nobody has to know where a command puts its own."""
    if isinstance(value, dict):
        own = [note for name in _NAMES for note in _listed(value.get(name))]
        inside = [note for name, item in value.items() if name not in _NAMES for note in _notes(item)]
        return _once([*own, *inside])
    return _once([note for item in value for note in _notes(item)]) if isinstance(value, (list, tuple)) else []


def _listed(value: Any) -> list[Any]:
    """Notes are objects with a code."""
    several = value if isinstance(value, (list, tuple)) else [value]
    return [one for one in several if isinstance(one, dict) and "code" in one]


def _once(notes: list[Any]) -> list[Any]:
    return [note for place, note in enumerate(notes) if note not in notes[:place]]
