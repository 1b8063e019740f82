"""What ``--json`` printed, out of its envelope."""

from __future__ import annotations

import json
from typing import Any


def result_of(printed: str) -> Any:
    """The result of a command; also one that ended otherwise than well has one."""
    document = json.loads(printed)
    assert document["ok"] is ("error" not in document)
    return document["result"]


def error_of(printed: str) -> dict[str, str]:
    """What went wrong with one that did not end well."""
    document = json.loads(printed)
    assert document["ok"] is False, document
    found: dict[str, str] = document["error"]
    return found
