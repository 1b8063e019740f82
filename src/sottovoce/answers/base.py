"""An answer: what was estimated, how sure it is, and what it cost whom."""

from __future__ import annotations

import json
import math
from collections.abc import Sized
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from sottovoce.answers.collection import Collection
from sottovoce.answers.plain import to_plain
from sottovoce.answers.rehearsal import Rehearsal
from sottovoce.messages import InvalidInput


def decimals(halfwidth: float) -> int:
    """Decimals that make sense beside an interval of this half-width: three digits of it."""
    if not 0 < halfwidth < math.inf:
        return 4
    return max(0, min(12, 2 - math.floor(math.log10(halfwidth))))


def check_lengths(whole: str, entries: str, count: int, *parts: Sized) -> None:
    """Refuse parts of an answer that do not have an entry for each of `count`."""
    if any(len(part) != count for part in parts):
        raise InvalidInput(f"every part of {whole} has an entry for each of {count} {entries}")


@dataclass(frozen=True, kw_only=True)
class StandardError:
    """Where the error comes from. The parts add up in squares."""

    derived: ClassVar[tuple[str, ...]] = ("total",)

    sampling: float
    """Users differ, and each holds finitely many observations."""
    privacy: float
    """The noise of the channel."""
    localisation: float = 0.0
    """The chance that an earlier round chose the wrong place, times the distance."""
    clipping: float = 0.0
    """Users beyond the ends of the interval that was asked about count as if they sat at its ends."""

    @property
    def total(self) -> float:
        return math.hypot(self.sampling, self.privacy, self.localisation, self.clipping)

    @property
    def statement(self) -> str:
        """The total and its parts."""
        parts = [
            f"sampling {self.sampling:.3g}",
            f"privacy {self.privacy:.3g}",
            f"localisation {self.localisation:.3g}",
        ]
        if self.clipping:
            parts.append(f"clipping {self.clipping:.3g}")
        return f"{self.total:.3g} = {' ⊕ '.join(parts)}"


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """What is protected, and how strongly."""

    derived: ClassVar[tuple[str, ...]] = ("statement",)

    epsilon: float
    protects: str
    users: int
    rounds: int

    @property
    def statement(self) -> str:
        """One sentence for the participant."""
        who = f"Each of the {self.users:,} users" if self.users > 1 else "The only user"
        return f"{who} sent at most one report; it is {self.epsilon:g}-locally-private for {self.protects}."


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What every answer says, whatever was estimated.

    The interval covers with probability `confidence`; `interval_kind` says what, and under what assumption. `reason`
    says in words why the method was chosen. `collection` is filled in by whoever ran the survey, `rehearsal` by whoever
    rehearsed it on data at hand.

    `kind` and `version` head what is written; `answers.read` gives back an equal answer.
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    beside: ClassVar[tuple[str, ...]] = ("observations", "seed", "reading")
    """What a command prints beside an answer; reading passes over it."""
    pictured: ClassVar[tuple[str, ...]] = ()
    """Lines of the summary that the picture says better."""

    confidence: float
    interval_kind: str
    users_per_round: tuple[int, ...]
    privacy: Privacy
    method: str
    reason: str
    warnings: tuple[str, ...] = ()
    collection: Collection | None = None
    rehearsal: Rehearsal | None = None

    @property
    def truth(self) -> Any:
        """What the answer aims at, in a rehearsal that could look it up, in the shape of `value`; else None."""
        return None if self.rehearsal is None else self.rehearsal.truth

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        plain: dict[str, Any] = to_plain(self)
        if self.rehearsal is None:  # the answer of a survey is written as it was before there was one
            del plain["rehearsal"]
        return {"kind": self.kind, "version": self.version} | plain

    def to_json(self, *, indent: int | None = None) -> str:
        """Strictly JSON: a number that is not finite is written as a text, "Infinity" for instance."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def details(self) -> dict[str, Any]:
        """Further figures that follow from the answer, for programs; `to_dict` holds none of them."""
        return {}

    def picture(self) -> str:
        """The answer in characters."""
        raise NotImplementedError("every kind of answer has a picture")

    def headline(self) -> list[tuple[str, str]]:
        """The lines of the summary that say what was estimated: a name and a text each."""
        raise NotImplementedError("every kind of answer says what was estimated")

    def lines(self) -> list[tuple[str, str]]:
        """All that is to be said of it: the headline, who was asked, privacy, warnings. No name: the line before."""
        collection = self.collection
        collected = [] if collection is None or collection.complete else [("collection", collection.statement)]
        named = self.reason.startswith(f"auto takes {self.method}")
        return [
            *self.headline(),
            *self._rehearsed(),
            ("method", self.reason if named else f"{self.method}: {self.reason}"),
            ("users", " + ".join(f"{users:,}" for users in self.users_per_round)),
            *collected,
            ("privacy", self.privacy.statement),
            *(("warning", warning) for warning in self.warnings),
        ]

    def _rehearsed(self) -> list[tuple[str, str]]:
        """What only a rehearsal can say; the truth itself stands beside the estimate."""
        if self.rehearsal is None:
            return []
        told = [("truth", f"not shown: {self.rehearsal.no_truth}")] if self.rehearsal.no_truth else []
        return [*told, ("data", self.rehearsal.statement)]

    def summary(self) -> str:
        """A few lines for a terminal."""
        return "\n".join(f"{name:<12}{text}" for name, text in self.lines())

    def _repr_html_(self) -> str:
        rows = (line.partition(" ") for line in self.summary().splitlines())
        cells = (
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(rest.strip())}</td></tr>"
            for name, _, rest in rows
        )
        return f"<table>{''.join(cells)}</table>"
