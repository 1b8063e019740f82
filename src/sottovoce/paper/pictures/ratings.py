"""The traffic-stop study (L937–953) on data that everyone can install: lecture ratings of students (InstEval)."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.figure import Rows
from sottovoce.paper.pictures import study


def draw(rows: Rows, picture: Any) -> None:
    """As the paper's two panels."""
    study.draw(rows, picture, one="share of ratings of 5", four="shares of 1–2, 3, 4, 5")
