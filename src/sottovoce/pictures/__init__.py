"""One description of a picture, and what renders it: characters, a page, matplotlib."""

from __future__ import annotations

from sottovoce.pictures.characters import aligned, first_and_last, in_characters
from sottovoce.pictures.description import Drawing, Line, Lines, Mark, Marks, Ribbon
from sottovoce.pictures.page import STYLE, figure
from sottovoce.pictures.plots import new_axes, new_figure, on_axes

__all__ = [
    "STYLE",
    "Drawing",
    "Line",
    "Lines",
    "Mark",
    "Marks",
    "Ribbon",
    "aligned",
    "figure",
    "first_and_last",
    "in_characters",
    "new_axes",
    "new_figure",
    "on_axes",
]
