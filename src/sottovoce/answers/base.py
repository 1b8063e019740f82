"""An answer: what was estimated, how sure it is, and what it cost whom."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from sottovoce.answers.collection import Collection
from sottovoce.answers.intervals import part
from sottovoce.answers.plain import to_plain
from sottovoce.answers.rehearsal import Rehearsal
from sottovoce.answers.stated import Stated, outside
from sottovoce.answers.words import by_method, missed, rounded
from sottovoce.messages import InvalidInput, few

UNSEEN = "a survey does not see it"


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
        return f"typically {few(self.total)}{causes([self])}"


def causes(errors: Sequence[StandardError]) -> str:
    """What an error comes from, of one number or of several together; a cause that adds nothing is left out."""
    names = ("sampling", "privacy", "localisation", "clipping")
    parts = {name: math.sqrt(sum(getattr(error, name) ** 2 for error in errors)) for name in names}
    told = [f"{name} {few(part)}" for name, part in parts.items() if part]
    return f": {', '.join(told)} (added up in squares)" if told else ""


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

    @property
    def meaning(self) -> str:
        """The same without the letter; nothing where the number would say nothing."""
        if not 0 < self.epsilon <= 16:
            return ""
        most = f"{float(f'{math.exp(self.epsilon):.3g}'):,.7g}"
        return f"had a user held anything else, no report would be more than {most} times as likely, or as unlikely"


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
    beside: ClassVar[tuple[str, ...]] = ("observations", "seed", "reading", "planned", "survey")
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
    empty_at_most: float = 0.0
    """The share of users without any observation that the intervals allow for."""

    @property
    def truth(self) -> Any:
        """What the answer aims at, in a rehearsal that could look it up, in the shape of `value`; else None."""
        return None if self.rehearsal is None else self.rehearsal.truth

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes."""
        plain: dict[str, Any] = to_plain(self)
        if self.rehearsal is None:  # the answer of a survey is written as it was before there was one
            del plain["rehearsal"]
        if not self.empty_at_most:
            del plain["empty_at_most"]
        return {"kind": self.kind, "version": self.version} | plain

    def to_json(self, *, indent: int | None = None) -> str:
        """Strictly JSON: a number that is not finite is written as a text, "Infinity" for instance."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def details(self) -> dict[str, Any]:
        """Further figures that follow from the answer, for programs; `to_dict` holds none of them."""
        return {}

    def stated(self) -> tuple[Stated, ...]:
        """Every number that has an interval, with it, and with the range in which it must lie."""
        raise NotImplementedError("every kind of answer says what stands in which interval")

    def doubts(self) -> tuple[str, ...]:
        """What is to be said where a number lies outside its own interval, or outside its range."""
        return tuple(doubt for stated in self.stated() for doubt in stated.doubts())

    def picture(self) -> str:
        """The answer in characters."""
        raise NotImplementedError("every kind of answer has a picture")

    def words(self, *, of: str = "") -> str:
        """What it says in plain words, for somebody who knows no statistics; `of` is what was measured, a column."""
        raise NotImplementedError("every kind of answer says in plain words what was found")

    def headline(self) -> list[tuple[str, str]]:
        """The numbers, in lines: a name and a text each."""
        raise NotImplementedError("every kind of answer says what was estimated")

    def model(self) -> str:
        """What holds besides, where a model does; empty where there is no such thing."""
        return ""

    def said_first(self, *, of: str = "") -> list[tuple[str, str]]:
        """What nobody may miss: the answer in plain words, in a rehearsal the truth beside it, and the warnings."""
        warnings = (("warning", warning) for warning in self.warnings)
        return [("answer", self.words(of=of)), *self._truth(), *warnings]

    def _truth(self) -> list[tuple[str, str]]:
        """Of one number, the number; of several, how many of their intervals hold it: they stand beside each."""
        if self.rehearsal is None:
            return []
        if self.truth is None:
            return [("truth", f"not shown: {self.rehearsal.no_truth}")]
        several = isinstance(self.truth, tuple) and len(self.truth) > 1
        truths: tuple[float, ...] = self.truth if isinstance(self.truth, tuple) else (self.truth,)
        intervals: Any = getattr(self, "intervals", None) or (getattr(self, "interval", None),)
        if len(intervals) != len(truths) or None in intervals:
            return []
        places = range(len(truths)) if (own := self._judged()) is None else own
        held = [not outside(truths[at], *intervals[at]) for at in places if truths[at] == truths[at]]  # NaN: nobody
        if not held:
            return []
        if several:
            return [("truth", f"inside the interval for {sum(held):,} of {len(held):,}{self._of_truth()}; {UNSEEN}")]
        where = "inside" if held[0] else "outside"
        return [("truth", f"{rounded(truths[0], intervals[0])}, {where} the interval{self._of_truth()}; {UNSEEN}")]

    def _judged(self) -> Sequence[int] | None:
        """Places of the numbers that have an interval of their own; None where all have."""
        return None

    def _of_truth(self) -> str:
        """What is to be said of the truth besides, in a rehearsal."""
        return ""

    def footing(self) -> list[tuple[str, str]]:
        """What the numbers rely on and what could have moved them: as much of it as this kind of answer knows."""
        names = ("assumes", "detection_limit", "instead", "colluders")
        known: dict[str, Any] = {name: getattr(self, name, None) for name in names}
        limit, shift = known["detection_limit"], getattr(self, "hidden_shift", None)
        moved = f" and move the truth by {few(shift)}" if shift else ""
        hidden = limit and (moved or not hasattr(self, "hidden_shift"))
        told = {
            "assumes": self._assumed(known["assumes"] or ""),
            "model": self.model(),
            "hidden": f"up to {part(min(1.0, limit))} of the users could be elsewhere unseen{moved}" if hidden else "",
            "instead": known["instead"],
            "colluders": known["colluders"] and known["colluders"].words,
        }
        return [(name, text) for name, text in told.items() if text]

    def _assumed(self, assumes: str) -> str:
        """What intervals rely on; a range that may miss users is one thing more."""
        inside = "; but what lies outside the declared range counts as its ends"
        return f"{assumes}{inside}" if assumes.startswith("nothing") and missed(self.warnings) else assumes

    def method_lines(self) -> list[tuple[str, str]]:
        """How it was asked, whom, and what was promised to them."""
        collection = self.collection
        collected = [] if collection is None or collection.complete else [("collection", collection.statement)]
        data = [] if self.rehearsal is None else [("data", self.rehearsal.statement)]
        told = by_method(self.method, self.reason)
        letter = "; Δ is half the width of a bin, in half-ranges" if "Δ" in told else ""
        return [
            *data,
            *self._emptied(),
            ("method", f"{told}{letter}"),
            ("users", " + ".join(f"{users:,}" for users in self.users_per_round)),
            *collected,
            ("privacy", self.privacy.statement),
            *([("that is", self.privacy.meaning)] if self.privacy.meaning else []),
        ]

    def lines(self, *, of: str = "") -> list[tuple[str, str]]:
        """All that is to be said: plain words, warnings, numbers, method. A line without a name goes on the last."""
        return [*self.said_first(of=of), *self.headline(), *self.footing(), *self.method_lines()]

    def per_percent_empty(self) -> str:
        """What each percent of the users without observations would move unseen, in words; "" where it is not known."""
        return ""

    def _emptied(self) -> list[tuple[str, str]]:
        """Users without observations: a rehearsal counts them, a survey can only say what they might have done."""
        if self.empty_at_most:
            return [("empty", f"the intervals allow for up to {part(self.empty_at_most)} of the users without data")]
        moved = self.per_percent_empty()
        if self.rehearsal is not None or not moved:
            return []
        text = f"every user is taken to hold an observation; each 1% who hold none would move {moved}, unseen"
        return [("empty", f"{text}: empty_at_most allows for them")]

    def summary(self, *, of: str = "") -> str:
        """A few lines for a terminal; `of` is what was measured, such as the name of a column."""
        return "\n".join(f"{name:<12}{text}" for name, text in self.lines(of=of))

    def _repr_html_(self) -> str:
        cells = (
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in self.lines()
        )
        return f"<table>{''.join(cells)}</table>"
