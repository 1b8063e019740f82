"""From settings to a manifest, and from a manifest back to a survey that decides.

What a manifest leaves open is not asked: `announce` settles every choice (method, table, constants), and a survey read
back decides from the manifest alone, on any machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sottovoce.answers import Answer, Chosen, ChosenBy, Note, NoteCode
from sottovoce.answers import from_plain as answer_part
from sottovoce.answers import to_plain as to_plain_answer
from sottovoce.messages import (
    Fact,
    InvalidInput,
    Malformed,
    Manifest,
    Question,
    Rules,
    Table,
    Tally,
    from_plain,
    to_plain,
)
from sottovoce.problems.base import AUTO, Settings, choose
from sottovoce.problems.fields import described
from sottovoce.problems.registry import named
from sottovoce.risk import Crowd

FEWEST = 10
"""Of the users of a round, where nobody says otherwise: fewer are not decided upon. Of a round that asks fewer than
twice as many, half: some always stay away, and the survey should not end for them."""
_LEFT_OUT = "survey"
COLLUDING = 0.01


def announce(
    settings: Settings,
    *,
    purpose: str,
    collector: str,
    software: str,
    opens: int,
    closes: int,
    columns: tuple[str, ...] = (),
    enrolment: str = "ahead",
    access: str = "invited",
    minimum: int | None = None,
    round_seconds: int | None = None,
    quota: float = 1.0,
    retention_days: int = 30,
) -> Manifest:
    """The manifest of a survey, every choice settled. Its digest is the survey's name from here on.

    Of several rounds each has its part of the time, unless `round_seconds` says how long: a survey that waited for its
    last user until the end would have no time left for the next round.
    """
    settings, columns = _with_column_names(settings, columns)
    chosen = choose(settings)
    settled = settle(chosen.settings)
    sizes = chosen.method.users_per_round(settled)
    if round_seconds is None and len(sizes) > 1:
        round_seconds = max(1, (closes - opens) // (len(sizes) + 1))
    why = None if chosen.why is None else _to_four_digits(to_plain_answer(chosen.why))
    try:
        rules = chosen.method.rules_as_asked(settled)
    except Malformed as error:
        raise InvalidInput(f"no device would answer this survey: {error}") from None
    made = Manifest(
        problem=settings.problem.name,
        settings=settings_as_plain(settled),
        reason="",
        chosen=why,
        edition=settled.problem.method(settled.method).edition,
        rules=rules,
        labels=labels_of(settled),
        groups=groups_of(settled),
        columns=columns,
        enrolment=enrolment,
        access=access,
        minimum=_usual_minimum(sizes) if minimum is None else minimum,
        opens=opens,
        closes=closes,
        round_seconds=round_seconds,
        quota=quota,
        retention_days=retention_days,
        collector=collector,
        purpose=purpose,
        software=software,
    )
    try:
        return Manifest.from_bytes(made.to_bytes())
    except Malformed as error:
        raise InvalidInput(f"no device would read the manifest of this survey: {error}") from None


def _usual_minimum(users_per_round: tuple[int, ...]) -> int:
    """How many answers each round needs where nobody says."""
    return min(FEWEST, max(1, min(users_per_round) // 2))


def _with_column_names(settings: Settings, columns: tuple[str, ...]) -> tuple[Settings, tuple[str, ...]]:
    """What the columns are called, for devices and in the answer alike: each where only the other was told."""
    if not hasattr(settings, "names"):
        return settings, columns
    dimension = getattr(settings, "dimension", len(columns))
    if columns and len(columns) != dimension:
        raise InvalidInput(f"columns: the survey looks at {dimension:,} of them; {len(columns):,} are named")
    if settings.names:
        return settings, columns or settings.names
    named: dict[str, Any] = {"names": columns}
    return replace(settings, **named), columns


def labels_of(settings: Settings) -> tuple[str, ...]:
    """What categories are called, in their order; none where numbers are asked for, in bins or not."""
    return tuple(getattr(settings, "categories", None) or ())


def groups_of(settings: Settings) -> tuple[str, ...]:
    """What groups are called, in their order, where a survey asks within some."""
    groups = getattr(settings, "groups", None)  # elsewhere, how many users are dealt into
    return groups if isinstance(groups, tuple) else ()


def settle(settings: Settings) -> Settings:
    """With the table written out, where a solver designs it: nothing is solved while deciding."""
    with_table = getattr(settings, "with_table", None)
    settled: Settings = settings if with_table is None else with_table()
    return settled


def settings_as_plain(settings: Settings) -> dict[str, Any]:
    """Settings as plain data; the survey's name is left out, and what came late and is not used."""
    fields = {field.name: field for field in described(type(settings)) if field.name != _LEFT_OUT}
    values = {name: getattr(settings, name) for name in fields if not fields[name].left_out(getattr(settings, name))}
    return {name: _as_plain(value) for name, value in values.items()}


def _to_four_digits(plain: Any) -> Any:
    """Numbers by four digits: predictions differ in later ones from processor to processor, manifests must not."""
    if isinstance(plain, dict):
        return {name: _to_four_digits(value) for name, value in plain.items()}
    if isinstance(plain, list):
        return [_to_four_digits(value) for value in plain]
    return float(f"{plain:.4g}") if isinstance(plain, float) else plain


def _as_plain(value: Any) -> Any:
    if isinstance(value, Table):
        return to_plain(value)
    if isinstance(value, Fact):
        return value.to_plain()
    if isinstance(value, (tuple, list)):
        return [_as_plain(item) for item in value]
    return value


def read_settings(manifest: Manifest) -> Settings:
    """The settings of a manifest, with its digest for a name."""
    problem = named(manifest.problem)
    fields = {field.name: field for field in described(problem.settings) if field.name != _LEFT_OUT}
    late = {name for name, field in fields.items() if field.help.late}
    if manifest.settings.keys() | late != fields.keys():
        wrong = sorted((manifest.settings.keys() | late) ^ fields.keys())
        raise Malformed(f"settings of a {manifest.problem}: missing or unknown {', '.join(map(repr, wrong[:5]))}")
    values = {name: _from_plain(value) for name, value in manifest.settings.items()}
    try:
        made: Settings = problem.settings(**values, survey=manifest.digest)
    except TypeError:
        raise Malformed(f"settings of a {manifest.problem}: one of a wrong type") from None
    if made.method == AUTO or settings_as_plain(made) != manifest.settings:
        raise Malformed(f"settings of a {manifest.problem}: not in the form in which they are announced")
    if manifest.labels != labels_of(made):
        raise Malformed("the manifest's labels are not the categories of its settings, in their order")
    if manifest.groups != groups_of(made):
        raise Malformed("the manifest's groups are not those of its settings, in their order")
    return made.with_method(made.method, manifest.edition)


def _from_plain(plain: Any) -> Any:
    if isinstance(plain, dict):
        return Fact.from_plain(plain) if "code" in plain else from_plain(Table, plain)
    return tuple(map(_from_plain, plain)) if isinstance(plain, list) else plain


@dataclass(frozen=True)
class Announced:
    """A survey as its manifest announces it: what collectors run, and what everybody can replay."""

    manifest: Manifest

    @cached_property
    def settings(self) -> Settings:
        return read_settings(self.manifest)

    @property
    def users(self) -> int:
        return self.manifest.users

    @property
    def edition_held(self) -> bool:
        """Whether this release holds the edition of the method that the survey runs by."""
        problem, name = named(self.manifest.problem), str(self.manifest.settings.get("method"))
        held = {(method.name, method.edition) for method in (*problem.methods, *problem.earlier)}
        return name == AUTO or (name, self.manifest.edition) in held  # auto is none, which its settings say

    def promised(self) -> Rules:
        """The rules of its settings and method."""
        return choose(self.settings).method.rules_as_asked(self.settings)

    def check(self) -> None:
        """Refuse a manifest whose rules are not those of its own settings and method."""
        if self.edition_held and self.promised() != self.manifest.rules:
            raise InvalidInput("the manifest's rules are not those of its problem, settings and method")

    def check_edition(self) -> None:
        """Refuse a survey whose method has changed since it was announced: another release goes on with it."""
        if not self.edition_held:
            raise InvalidInput(
                f"the survey runs by edition {self.manifest.edition} of its method, which this release does not hold: "
                f"{self.manifest.software or 'the release that announced it'} finishes it"
            )

    def decide(self, tallies: tuple[Tally, ...]) -> Question | Answer:
        """The next question, which keeps to the manifest, or the answer."""
        self.check_edition()
        step = self.step(tallies)
        if isinstance(step, Question) and (why := self.manifest.departure(step)) is not None:
            raise AssertionError(f"the method left its own rules: {why}")  # a bug of the method
        return step

    def step(self, tallies: tuple[Tally, ...]) -> Question | Answer:
        """What the method asks next, or the answer, with what the way of collecting adds to it."""
        step = self.settings.decide(tallies)
        if isinstance(step, Question):
            return step
        notes = list(step.notes)
        if self.manifest.enrolment == "on-arrival" and len(step.users_per_round) > 1:
            notes.append(Note(NoteCode.SLOTS_BY_ARRIVAL))
        if self.manifest.access == "open":
            notes.append(self._note_on_open_access())
        return replace(step, chosen=self._chosen() or step.chosen, notes=tuple(notes))

    def _chosen(self) -> Chosen | None:
        """Why this method, as the manifest announced it; None where it does not say."""
        if self.manifest.chosen is not None:
            chosen: Chosen = answer_part(Chosen, self.manifest.chosen)
            return chosen
        if not self.manifest.reason:
            return None
        return Chosen(by=ChosenBy.AS_WRITTEN, details=(Fact("as-written", text=self.manifest.reason),))

    def _note_on_open_access(self) -> Note:
        """What colluders could do who are a hundredth of those who answered."""
        settings = self.settings
        poisoning = choose(settings).method.poisoning(settings, Crowd())
        shift = min(poisoning.shift(COLLUDING), 2 * settings.problem.full_scale(settings))
        captured = poisoning.capture is not None and poisoning.capture <= COLLUDING
        return Note(NoteCode.OPEN_TO_ANYBODY, captured=captured, shift=shift)


# Why a survey ends without an answer: facts that a collector publishes, and that anybody can compute again.

UNDECIDABLE = Fact("ended-undecidable")
"""A method could not go on; its own tallies say why."""


def too_few(survey: Announced, question: Question, answered: int) -> Fact | None:
    """Why nothing of a round is looked at; None where enough answered."""
    asked, least = question.slots.count, survey.manifest.minimum
    if answered >= least:
        return None
    return Fact("ended-too-few", **_round(question), answered=answered, asked=asked, least=least)


def silent_groups(question: Question, tally: Tally) -> Fact | None:
    """Why nothing can be decided upon: groups in which nobody answered; None where there are none."""
    silent = question.silent_groups(tally.reports)
    return Fact("ended-silent-groups", **_round(question), silent=silent, groups=len(tally.reports)) if silent else None


def cannot_be_asked(survey: Announced, question: Question, *, now: float) -> Fact | None:
    """Why a question would be asked in vain: of fewer users than must answer, or when the survey's time is over."""
    asked, least = question.slots.count, survey.manifest.minimum
    if asked < least:
        return Fact("ended-too-few-to-ask", **_round(question), asked=asked, least=least)
    return Fact("ended-no-time", **_round(question)) if now >= survey.manifest.closes else None


def other_edition(survey: Announced) -> Fact:
    """Why a survey is given up that only another release could have finished."""
    return Fact("ended-other-edition", edition=survey.manifest.edition)


def _round(question: Question) -> dict[str, int | str]:
    """The number of a round as people count, and its role."""
    return {"round": question.round + 1, "role": question.role}
