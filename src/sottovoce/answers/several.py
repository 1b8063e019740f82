"""Several answers from one survey, by name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from sottovoce.answers.base import Answer
from sottovoce.answers.lines import Line, line, told
from sottovoce.answers.plain import to_plain
from sottovoce.messages import Fact, InvalidInput


@dataclass(frozen=True, kw_only=True, repr=False)
class Answers(Mapping[str, Answer]):
    """What one survey says about several things: ``answers["delay"]`` is an answer like any other.

    Each interval holds with its own probability; that all of them hold at once is less likely. `split` says what the
    parts share: the users, or the budget of each.
    """

    kind: ClassVar[str] = "several"
    version: ClassVar[int] = 2
    beside: ClassVar[tuple[str, ...]] = Answer.beside

    names: tuple[str, ...]
    answers: tuple[Answer, ...]
    split: str
    chosen: Fact

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
        parts = tuple(Fact("name-and-answer", name=name, answer=str(answer)) for name, answer in self.items())
        return str(Fact("several", answers=parts, split=self.split))

    def __repr__(self) -> str:
        return f"<Answers {self}>"

    @property
    def reason(self) -> str:
        """Why it was split so, in words."""
        return str(self.chosen)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        own = {name: answer.to_dict() for name, answer in self.items()}
        head = {"kind": self.kind, "version": self.version}
        return head | {"split": self.split, "chosen": to_plain(self.chosen), "answers": own}

    def to_json(self, *, indent: int | None = None) -> str:
        """Strictly JSON, as each answer writes itself."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def summary(self) -> str:
        """A few lines for a terminal, one answer after another."""
        parts = [f"{name}\n{answer.summary(of=name)}" for name, answer in self.items()]
        return "\n\n".join([*parts, *(f"{name:<12}{text}" for name, text in told(self.shared_lines()))])

    def shared_lines(self) -> list[Line]:
        """What is to be said of all of them together."""
        return [line("split", self._split())]

    def _split(self) -> Fact:
        return Fact("several-split", split=self.split, why=self.chosen)

    def _repr_html_(self) -> str:
        parts = (f"<h4>{escape(name)}</h4>{answer._repr_html_()}" for name, answer in self.items())
        return f"{''.join(parts)}<p>{escape(str(self._split()))}</p>"
