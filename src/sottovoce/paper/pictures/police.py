"""Traffic stops in Texas (L937–953), from the file a user downloaded: ``sotto paper police --file FILE``."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.figure import Rows
from sottovoce.paper.pictures import study


def draw(rows: Rows, picture: Any) -> None:
    """The paper's two panels."""
    study.draw(rows, picture, one="share of stops that led to a search", four="shares of four races")
