"""Several answers from one survey, by name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from sottovoce.answers.base import Answer
from sottovoce.messages import InvalidInput


@dataclass(frozen=True, kw_only=True, repr=False)
class Answers(Mapping[str, Answer]):
    """What one survey says about several things: ``answers["delay"]`` is an answer like any other.

    Each interval holds with its own probability; that all of them hold at once is less likely. `split` says what the
    parts share: the users, or the budget of each.
    """

    kind: ClassVar[str] = "several"
    version: ClassVar[int] = 1
    beside: ClassVar[tuple[str, ...]] = Answer.beside

    names: tuple[str, ...]
    answers: tuple[Answer, ...]
    split: str
    reason: str

    def __post_init__(self) -> None:
        if len(self.names) != len(self.answers):
            raise InvalidInput(f"{len(self.answers)} answers have {len(self.names)} names")

    def __getitem__(self, name: str) -> Answer:
        return dict(zip(self.names, self.answers, strict=True))[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __str__(self) -> str:
        parts = "; ".join(f"{name}: {answer}" for name, answer in self.items())
        return f"{parts}; split by {self.split}"

    def __repr__(self) -> str:
        return f"<Answers {self}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        own = {name: answer.to_dict() for name, answer in self.items()}
        return {"kind": self.kind, "version": self.version, "split": self.split, "reason": self.reason, "answers": own}

    def to_json(self, *, indent: int | None = None) -> str:
        """Strictly JSON, as each answer writes itself."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def summary(self) -> str:
        """A few lines for a terminal, one answer after another."""
        parts = [f"{name}\n{answer.summary(of=name)}" for name, answer in self.items()]
        return "\n\n".join([*parts, f"{'split':<12}{self.split}: {self.reason}"])

    def _repr_html_(self) -> str:
        parts = (f"<h4>{escape(name)}</h4>{answer._repr_html_()}" for name, answer in self.items())
        return f"{''.join(parts)}<p>{escape(self.split)}: {escape(self.reason)}</p>"
