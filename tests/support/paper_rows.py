"""The rows of a figure of the paper without computing them: its frozen numbers, with their types."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

from sottovoce import paper
from sottovoce.paper import Run, frozen, runner
from sottovoce.paper.figure import Figure, Rows

MORE_THAN_FROZEN = ("univariate", "mixture-1", "mixture-2", "tables")
"""Figures whose claims and pictures want columns that are not frozen; a quick look at all four takes three seconds."""


def frozen_rows(figure: Figure, *, quick: bool = True) -> Rows:
    """What `sotto paper NAME --quick --freeze` wrote; columns that are not frozen are not there."""
    with frozen.path_of(figure, quick=quick).open(newline="") as file:
        return [{name: _typed(text) for name, text in row.items()} for row in csv.DictReader(file)]


def _typed(text: str) -> Any:
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def quick_rows(names: Sequence[str]) -> dict[str, Rows]:
    """Rows of a quick look at these figures, frozen or computed, whichever is there sooner."""
    figures = [paper.named(name) for name in names]
    computed = runner.results(
        [figure for figure in figures if figure.name in MORE_THAN_FROZEN], Run(quick=True), folder=None, workers=1
    )
    return {figure.name: computed.get(figure.name) or frozen_rows(figure) for figure in figures}
