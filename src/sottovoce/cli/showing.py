"""An answer on a terminal, and pictures in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sottovoce.cli import terminal

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def document(found: Any, survey: Any, *, seed: int | None) -> dict[str, Any]:
    """The answer for programs, and what it was asked with."""
    held = getattr(survey, "observations", None)
    declared = {} if held is None else {"observations": held}
    plain: dict[str, Any] = found.to_dict() | found.details() | declared | {"seed": seed}
    return plain


def show(found: Any, notes: Sequence[tuple[str, str]], *, seed: int | None) -> None:
    """The answer for people: its summary, notes, its picture."""
    summary = [line for line in found.summary().splitlines() if line.partition(" ")[0] not in found.pictured]
    lines = terminal.summary_lines("\n".join(summary))
    lines += [terminal.labelled(label, text) for label, text in notes]
    if seed is not None:
        text = f"reports simulated with seed {seed}: the same law, repeatable, not private"
        lines.append(terminal.labelled("simulated", text))
    picture = found.picture(width=min(72, terminal.columns() - 28))
    if "▲" in picture and "▲ truth" not in picture:
        picture += "\n▲ truth"
    terminal.show([*lines, "", *terminal.picture_lines(picture)])


def save_plot(draw: Callable[[Axes], object], path: str) -> None:
    """Draw into a file of the kind that its name says."""
    from sottovoce.messages import MissingExtra

    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("plots need matplotlib", extra="plot") from error
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    draw(figure.subplots())
    figure.savefig(path, dpi=150)
