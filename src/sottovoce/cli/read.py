"""What an answer says of how its file was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sottovoce.data import Reading


def read_notes(reading: Reading | None, found: Any) -> list[tuple[str, str]]:
    """Labels and texts; nothing where a plain file was read as it is. An estimate of dates is also told as a date."""
    from sottovoce.data import written

    notes = [] if reading is None else [("reading", note) for note in reading.notes()]
    value = getattr(found, "value", None)
    if reading is not None and reading.units and isinstance(value, float) and (day := written(value)):
        notes.append(("date", day))
    return notes
