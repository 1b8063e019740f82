"""A mutant: a mistake, and the layer that has to see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sottovoce.audit.targets import Target


def _always() -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A mistake; `layer` is the first one that must catch it, at this `epsilon`."""

    name: str
    mistake: str
    layer: str
    build: Callable[[str, float], Target]
    epsilon: float = 1.0
    unavailable: Callable[[], str | None] = _always
    """Why it cannot be tried here, with what to do about it; None where it can."""

    def target(self) -> Target:
        return self.build(self.name, self.epsilon)


def mutant(
    name: str, mistake: str, layer: str, build: Callable[[str, float], Target], *, epsilon: float = 1.0
) -> Mutant:
    """A line of a catalogue."""
    return Mutant(name=name, mistake=mistake, layer=layer, build=build, epsilon=epsilon)
