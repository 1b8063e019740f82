"""What a mutant is, and what most are made of: a question that is right, and a device of which one step is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sottovoce.audit.audit_targets import Target
from sottovoce.audit.device_paths import Path, RebuiltPath, Subject
from sottovoce.audit.questions import single_question
from sottovoce.design import unary
from sottovoce.messages import Average, Channel, Grid, Placement, Position, Question, exact

UNIT = Position(low=(0.0,), high=(1.0,))
FOUR = Grid(low=(0.0,), high=(1.0,), count=4)
Build = Callable[[str, float], Target]
"""From a name and an ε to what is audited."""
Step = Callable[..., Any]
AnyPath = TypeVar("AnyPath", bound=Path)


@dataclass(frozen=True)
class Mutant:
    """A mistake; `layer` is the first one that must catch it, at this `epsilon`."""

    name: str
    mistake: str
    layer: str
    build: Build
    epsilon: float = 1.0
    unavailable: Callable[[], str | None] = lambda: None
    """Why it cannot be tried here, with what to do about it; None where it can."""

    def target(self) -> Target:
        return self.build(self.name, self.epsilon)


def alter(path: AnyPath, **steps: Step) -> AnyPath:
    """The path, with some steps replaced: each new one is handed the right one, and then what that takes."""
    for name, step in steps.items():
        setattr(path, name, partial(step, getattr(path, name)))
    return path


def altered(**steps: Step) -> Path:
    """A device put together from its steps, some of them replaced."""
    return alter(RebuiltPath(), **steps)


def question(channel: Channel, placement: Placement, *, epsilon: float, groups: int = 1, **more: Any) -> Question:
    """A small question to ten users."""
    statistic = Average(columns=tuple(range(groups)))
    names: dict[str, Any] = {"survey": "mutant", "users": 10, "groups": groups, "epsilon": epsilon}
    return single_question(channel, placement, statistic=statistic, **(names | more))


def asks(*makes: Callable[[float], Question]) -> Build:
    """Questions that a device would decline, asked of one that does not recompute what it spends."""
    return lambda name, epsilon: Subject(
        name=name, epsilon=epsilon, questions=tuple(make(epsilon) for make in makes), path=RebuiltPath()
    )


def device(path: Path, channel: Callable[..., Channel], placement: Placement = UNIT, **more: int) -> Build:
    """A question that is right, answered by a device that is not."""

    def build(name: str, epsilon: float) -> Subject:
        asked = question(channel(exact(epsilon) / more.get("uses", 1)), placement, epsilon=epsilon, **more)
        few = asked.channel.cells <= 129  # more of them take long to look at, and say no more
        return Subject(name=name, epsilon=epsilon, questions=(asked,), path=path, sampled=few)

    return build


def votes(path: Path, bins: int = 4, kind: Callable[..., Channel] = unary) -> Build:
    """The same with votes."""
    return device(path, lambda epsilon: kind(epsilon, bins), Grid(low=(0.0,), high=(1.0,), count=bins))


def of(kind: Callable[..., Target], **fields: Any) -> Build:
    """A target of another kind, for which ε does not matter."""
    return lambda name, epsilon: kind(name=name, **fields)
