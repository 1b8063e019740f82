"""An answer: what was estimated, how sure it is, and what it cost whom. Facts only; `words` makes the sentences."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sottovoce.answers.collection import Collection, Rehearsal
from sottovoce.answers.interval_statistics import Falls
from sottovoce.answers.method_choice import Assumes, Chosen
from sottovoce.answers.notes import Looks, Note, NoteCode, Severity, StatedNumbers, outside
from sottovoce.answers.plain import to_plain
from sottovoce.messages import Fact, InvalidInput
from sottovoce.pictures import Drawing, in_characters, on_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What an answer says, line by line: a label and a fact each. Printing makes the words.

Line = tuple[Fact | str, Fact | str]
"""A label and what it says; a text of the asker's (a column, a category) stands for itself."""


def line(label: str, fact: Fact | str) -> Line:
    """A line with a label of the catalogue."""
    return Fact(f"label-{label}"), fact


def table(label: str, header: Iterable[Any], rows: Iterable[Iterable[Any]]) -> Line:
    """A line that goes over several: aligned columns under a header, the first one to the left."""
    return line(label, Fact("table", rows=(tuple(header), *map(tuple, rows))))


def key(label: Fact | str) -> str:
    """What a label is, whatever it says: its code, or the asker's text."""
    return label.code.removeprefix("label-") if isinstance(label, Fact) else label


def lines_in_words(lines: Iterable[Line]) -> list[tuple[str, str]]:
    """Lines in words; one that goes over several has an empty label from the second on."""
    return [
        ("" if place else str(label), text) for label, fact in lines for place, text in enumerate(str(fact).split("\n"))
    ]


def fixed(value: float, digits: int) -> Fact:
    """A number with so many decimals."""
    return Fact("fixed", value=value, digits=digits)


def fixed_ends(ends: tuple[float, float], digits: int, *, joined: str = "dots") -> Fact:
    """An interval with so many decimals, its ends joined by dots or by a comma."""
    return Fact(f"fixed-ends-{joined}", low=ends[0], high=ends[1], digits=digits)


# What users who collude could have done to an answer.


@dataclass(frozen=True, kw_only=True)
class Colluders:
    """Users who agree on what to send; nothing in a report tells on them.

    `share` of all users could have moved the answer by its half-width. `shifts` are pairs: a share of the users, and
    how far they could have moved it at most, in units of the observations.
    """

    share: float
    shifts: tuple[tuple[float, float], ...]

    @property
    def words(self) -> Fact:
        """The fact for people."""
        shifts = tuple(Fact("colluders-shift", share=share, shift=shift) for share, shift in self.shifts)
        return Fact("colluders", share=self.share, shifts=shifts)


CAUSES = ("sampling", "privacy", "localisation", "clipping")


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


def causes(errors: Sequence[StandardError]) -> tuple[Fact, ...]:
    """What an error comes from, of one number or of several together; a cause that adds nothing is left out."""
    parts = {name: math.sqrt(sum(getattr(error, name) ** 2 for error in errors)) for name in CAUSES}
    return tuple(Fact("error-part", cause=name, error=part) for name, part in parts.items() if part)


@dataclass(frozen=True, kw_only=True)
class Privacy:
    """What is protected, and how strongly."""

    epsilon: float
    protects: Fact
    users: int
    rounds: int

    @property
    def statement(self) -> Fact:
        """For the participant."""
        return Fact("privacy-statement", users=self.users, epsilon=self.epsilon, protects=self.protects)

    @property
    def meaning(self) -> Fact | None:
        """What ε means without the letter; nothing where the number would say nothing."""
        if not 0 < self.epsilon <= 16:
            return None
        return Fact("privacy-meaning", times=float(f"{math.exp(self.epsilon):.3g}"))


GUARDED = Fact("guarded")
"""How an interval was made that holds whatever the users are, those whom nobody sees included."""
WHOLE_COLLECTION = Fact("whole-collection")
"""What a report protects where nothing else is said."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What every answer holds, whatever was estimated.

    The interval covers with probability `confidence`; `interval_kind` says how it was made, and `assumes` what it
    relies on; `model_assumes` what a narrower interval beside it relies on, where there is one. A group of users below
    the share `detection_limit` may hide from the reports and move the truth by up to `hidden_shift`: intervals that
    assume nothing allow for it, those of a model do not. `instead` is what the other choice of method would have
    promised. `collection` is filled in by whoever ran the survey, `rehearsal` by whoever rehearsed it on data at hand.

    `kind` and `version` head what is written; `problems.read` gives back an equal answer.
    """

    kinds: ClassVar[dict[str, type[Answer]]] = {}
    """Every kind of answer by name, once its problem is loaded; a class that names its kind is one."""
    kind: ClassVar[str]
    version: ClassVar[int] = 2
    beside: ClassVar[tuple[str, ...]] = ("observations", "seed", "reading", "planned", "survey")
    """What a command prints beside an answer; reading passes over it."""
    pictured: ClassVar[tuple[str, ...]] = ()
    """Labels of lines that the picture says better."""
    several: ClassVar[bool] = True
    """Whether there are several intervals."""
    counts_empty_apart: ClassVar[bool] = False
    """Whether users without observations send a symbol of their own."""

    confidence: float
    interval_kind: Fact
    users_per_round: tuple[int, ...]
    privacy: Privacy
    method: str
    chosen: Chosen
    notes: tuple[Note, ...] = ()
    assumes: Assumes | None = None
    model_assumes: Assumes | None = None
    detection_limit: float | None = None
    hidden_shift: float | None = None
    colluders: Colluders | None = None
    instead: Fact | None = None
    collection: Collection | None = None
    rehearsal: Rehearsal | None = None
    empty_at_most: float = 0.0
    """The share of users without any observation that the intervals allow for."""
    written: tuple[tuple[str, str], ...] = ()
    """Sentences of an answer that was written in format 1, by the name of their field: all that is known of them."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        if "kind" in vars(cls):
            Answer.kinds[cls.kind] = cls

    @property
    def truth(self) -> Any:
        """What the answer aims at, in a rehearsal that could look it up, in the shape of `value`; else None."""
        return None if self.rehearsal is None else self.rehearsal.truth

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may mislead whoever does not know it, in words."""
        return tuple(map(str, self.noted(Severity.WARNING)))

    def noted(self, severity: Severity) -> tuple[Note, ...]:
        """The notes that matter so much."""
        return tuple(note for note in self.notes if note.severity == severity)

    @property
    def note_codes(self) -> frozenset[NoteCode]:
        """What a program may react to."""
        return frozenset(NoteCode(note.code) for note in self.notes)

    @property
    def range_misses(self) -> bool:
        """Whether the declared range may miss users: an interval then holds for what is left."""
        return any(code.range_misses for code in self.note_codes)

    @property
    def reason(self) -> str:
        """Why this method, in words."""
        return str(Fact("chosen", method="", parts=(*self.chosen.why(), *self.chosen.details)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what `to_json` writes. No sentence is in it but what the asker wrote."""
        plain: dict[str, Any] = to_plain(self)
        unsaid = [name for name in ("rehearsal", "empty_at_most", "written") if not getattr(self, name)]
        return {"kind": self.kind, "version": self.version} | {
            name: value for name, value in plain.items() if name not in unsaid
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Strictly JSON: a number that is not finite is written as a text, "Infinity" for instance."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def details(self) -> dict[str, Any]:
        """Further figures that follow from the answer, for programs; `to_dict` holds none of them."""
        return {}

    def stated_numbers(self) -> tuple[StatedNumbers, ...]:
        """Every number that has an interval, with it, and with the range in which it must lie."""
        raise NotImplementedError("every kind of answer says what stands in which interval")

    def inconsistencies(self) -> tuple[Note, ...]:
        """Notes where a number lies outside its own interval, or outside its range."""
        return tuple(doubt for stated in self.stated_numbers() for doubt in stated.inconsistencies())

    def picture(self, *, truth: Any = None, width: int | None = None, rows: int | None = None) -> str:
        """The answer in characters, ``▲`` the truth; `width` of them, and at most `rows` lines of many."""
        return in_characters(self.drawing(truth=truth), width=width, rows=rows)

    def words(self, *, of: str = "") -> Fact:
        """What it says to somebody who knows no statistics; `of` is what was measured, a column."""
        raise NotImplementedError("every kind of answer says in plain words what was found")

    def headline(self) -> list[Line]:
        """The numbers, in lines."""
        raise NotImplementedError("every kind of answer says what was estimated")

    def model(self) -> Fact | None:
        """What holds besides, where a model does."""
        return None

    def first_lines(self, *, of: str = "") -> list[Line]:
        """What nobody may miss: the answer in plain words, in a rehearsal the truth beside it, and the warnings."""
        warnings = (line("warning", note) for note in self.noted(Severity.WARNING))
        return [line("answer", self.words(of=of)), *self._truth_lines(), *warnings]

    def interval_condition(self, *, each: bool = False) -> Fact:
        """When an interval holds: not in the unlucky cases, and under what assumption."""
        return Fact("unless", each=each, confidence=self.confidence, assumes=self.assumed(self.assumes, "assumes"))

    def assumed(self, assumes: Assumes | None, field: str) -> Fact | None:
        """What an interval relies on, as a fact with the numbers that belong to it."""
        if assumes is None:
            return None
        if assumes == Assumes.AS_WRITTEN:
            return Fact("as-written", text=dict(self.written).get(field, ""))
        return Fact(f"assumes-{assumes}", kind=self.kind, several=self.several, **self.assumed_numbers())

    def assumed_numbers(self) -> dict[str, Any]:
        """What the sentences about assumptions of this kind of answer need."""
        return {"empty_at_most": self.empty_at_most}

    def _truth_lines(self) -> list[Line]:
        """The truth of one number; of several, how many intervals hold theirs, which stands beside each."""
        if self.rehearsal is None:
            return []
        if self.truth is None:
            return [line("truth", Fact("truth-not-shown", why=self.rehearsal.no_truth))]
        several = isinstance(self.truth, tuple) and len(self.truth) > 1
        truths: tuple[float, ...] = self.truth if isinstance(self.truth, tuple) else (self.truth,)
        intervals: Any = getattr(self, "intervals", None) or (getattr(self, "interval", None),)
        if len(intervals) != len(truths) or None in intervals:
            return []
        places = range(len(truths)) if (own := self._places_with_interval()) is None else own
        held = [not outside(truths[at], *intervals[at]) for at in places if truths[at] == truths[at]]  # NaN: nobody
        if not held:
            return []
        more = self._truth_facts()
        if several:
            return [line("truth", Fact("truth-inside-of", held=sum(held), all=len(held), more=more))]
        return [line("truth", Fact("truth", value=truths[0], interval=tuple(intervals[0]), inside=held[0], more=more))]

    def _places_with_interval(self) -> Sequence[int] | None:
        """Places of the numbers that have an interval of their own; None where all have."""
        return None

    def _truth_facts(self) -> tuple[Fact, ...]:
        """What is to be said of the truth besides, in a rehearsal."""
        return ()

    def basis_lines(self) -> list[Line]:
        """What the numbers rely on and what could have moved them: as much of it as this kind of answer knows."""
        limit, shift = self.detection_limit, self.hidden_shift
        hidden = Fact("hidden-users", share=min(1.0, limit), shift=shift) if limit and shift != 0 else None
        known = {
            "assumes": self._assumed(),
            "model": self.model(),
            "hidden": hidden,
            "instead": self.instead or self._format_1_sentence("instead"),
            "colluders": self.colluders and self.colluders.words,
        }
        return [line(name, fact) for name, fact in known.items() if fact]

    def _format_1_sentence(self, field: str) -> Fact | None:
        """A sentence of format 1."""
        text = dict(self.written).get(field)
        return Fact("as-written", text=text) if text else None

    def _assumed(self) -> Fact | None:
        """What intervals rely on; a range that may miss users is one thing more."""
        assumes = self.assumed(self.assumes, "assumes")
        if assumes is None:
            return None
        return Fact("assumed", assumes=assumes, range_misses=self.assumes == Assumes.NOTHING and self.range_misses)

    def method_lines(self) -> list[Line]:
        """How it was asked, whom, and what was promised to them."""
        collection = self.collection
        collected = [] if collection is None or collection.complete else [line("collection", collection.statement)]
        data = [] if self.rehearsal is None else [line("data", self.rehearsal.statement)]
        delta = any(detail.mentions("delta") for detail in self.chosen.details)
        meaning = self.privacy.meaning
        return [
            *data,
            *self._empty_user_lines(),
            line("method", Fact("method", chosen=self.chosen.method_fact(self.method), delta=delta)),
            line("users", Fact("users-per-round", users=self.users_per_round)),
            *collected,
            line("privacy", self.privacy.statement),
            *([] if meaning is None else [line("meaning", meaning)]),
        ]

    def lines(self, *, of: str = "") -> list[Line]:
        """All that is to be said: plain words, notes, numbers, method."""
        return [*self.first_lines(of=of), *self.headline(), *self.basis_lines(), *self.method_lines()]

    def per_percent_empty(self) -> Fact | None:
        """What each percent of the users without observations would move unseen; None where it is not known."""
        return None

    def empty_counts_for(self, *, random: bool) -> Fact | None:
        """What users without observations count for, where it is no place in the range."""
        return None

    def _empty_user_lines(self) -> list[Line]:
        """Users without observations: a rehearsal counts them, a survey can only say what they might have done."""
        if self.empty_at_most:
            return [line("empty", Fact("empty-allowed-for", share=self.empty_at_most))]
        moved = self.per_percent_empty()
        if self.rehearsal is not None or moved is None:
            return []
        return [line("empty", Fact("empty-would-move", moved=moved))]

    def summary(self, *, of: str = "") -> str:
        """A few lines for a terminal; `of` is what was measured, such as the name of a column."""
        return "\n".join(f"{name:<12}{text}" for name, text in lines_in_words(self.lines(of=of)))

    def _repr_html_(self) -> str:
        cells = (
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
            for name, text in lines_in_words(self.lines())
        )
        return f"<table>{''.join(cells)}</table>"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def _title(self, what: Fact) -> Fact:
        """Above a plot: what it shows, and at what price."""
        return Fact("picture-title", what=what, epsilon=self.privacy.epsilon)

    def _truths(self, truth: Any, count: int, entries: str) -> Any:
        """What is true of each of `count`, as it is given or as a rehearsal knows it; else None of each."""
        truth = self.truth if truth is None else truth
        if truth is not None and len(truth) != count:
            raise InvalidInput(f"truth has {len(truth)} {entries}, the estimate {count}")
        return (None,) * count if truth is None else truth

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the answer, on given axes or on new ones (needs the extra ``plot``)."""
        return on_axes(self.drawing(), axes)

    def range_notes(self, declared: tuple[float, float], looks: Looks) -> list[Note]:
        """Notes where the `declared` range may miss users, from the answer, or from the rounds' `looks` at its ends."""
        return []

    def allowing_for_empty(self, falls: Falls, at_most: float) -> Self:
        """The answer with intervals that allow for up to this share of users without data; see `answers.empty`."""
        raise NotImplementedError("a kind of answer whose settings have empty_at_most says how it is widened")

    def drawing(self, *, truth: Any = None) -> Drawing:
        """What there is to draw; with the truth where it is given, in the shape of `value`, or known by a rehearsal."""
        raise NotImplementedError("every kind of answer says what there is to draw")
