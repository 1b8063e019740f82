"""Who makes sentences: put in by the package, called by whatever prints itself. It imports nothing.

Facts lie below `words` and never reach it; without a renderer they print their code and their data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_renderers: list[Callable[[Any], str]] = []


def render_with(renderer: Callable[[Any], str]) -> None:
    """Put in what makes the sentence of a fact; the last one put in is asked."""
    _renderers[:] = [renderer]


def rendered(fact: Any) -> str:
    """The sentence of a fact."""
    return _renderers[0](fact) if _renderers else repr(fact)
