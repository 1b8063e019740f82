"""The regime diagram (L666–746): where user level is easier, equal, harder, or hopeless, by T and nα²/d."""

from __future__ import annotations

from typing import Any

from sottovoce.paper.drawing import is_narrow, panels
from sottovoce.paper.figure import Rows


def draw(rows: Rows, picture: Any) -> None:
    """Both panels, as the paper draws them."""
    from sottovoce.theory import plot_regime

    left, right = panels(picture, 1, 2)[0]
    if is_narrow(picture):
        picture.set_size_inches(4.3, 7.6)
    for axes in (left, right):
        axes.grid(False)
    plot_regime("l2", left)
    plot_regime("sparse", right)
