"""Labels of categories, from a text file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sottovoce.cli.collection import MAX_BYTES


def labels(given: Sequence[str]) -> tuple[str, ...]:
    """As they are given, or from the file that ``@FILE`` names, a label to a line."""
    from sottovoce.messages import InvalidInput

    if len(given) != 1 or not given[0].startswith("@"):
        return tuple(given)
    path = Path(given[0][1:]).expanduser()
    if path.stat().st_size > MAX_BYTES:
        raise InvalidInput(f"{path.name!r} is longer than {MAX_BYTES:,} bytes")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InvalidInput(f"{path.name!r} is not UTF-8 text") from None
    return tuple(line.strip() for line in lines if line.strip())
