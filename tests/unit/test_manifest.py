"""Manifest and transcript: one form, one digest; from settings to a manifest and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import sottovoce as sv
from sottovoce.answers import Answer, Chosen, ChosenBy, NoteCode, from_plain
from sottovoce.design import designed_table, one_bit
from sottovoce.engines import run
from sottovoce.messages import (
    MAX_MANIFEST_BYTES,
    Average,
    Encoder,
    InvalidInput,
    Malformed,
    Manifest,
    Position,
    Question,
    Transcript,
    Within,
    canonical,
    digest,
    exact,
)
from sottovoce.problems import Announced, choose
from sottovoce.problems.announcement import read_settings, settings_as_plain
from tests.support import reason
from tests.support.transcripts import asking, complete, manifest_of, mean, transcript_of

MANIFEST = manifest_of(mean(), columns=("rating",), round_seconds=3600, quota=0.8)
DATA = MANIFEST.to_bytes()


def test_it_survives_the_wire_and_its_digest_is_its_name() -> None:
    read = Manifest.from_bytes(DATA)
    assert read == MANIFEST and hash(read) == hash(MANIFEST) and read.to_bytes() == DATA
    assert read.digest == MANIFEST.digest == digest(DATA)
    assert (read.users, read.epsilon, read.minimum) == (1200, 2.0, 10)
    assert "survey" not in read.settings and read.settings["epsilon"] == 2.0


@pytest.mark.parametrize(
    ("field", "other"),
    [
        *(("purpose", "something else"), ("collector", "somebody else"), ("minimum", 11), ("retention_days", 31)),
        *(("enrolment", "on-arrival"), ("access", "open"), ("columns", ("salary",)), ("quota", 0.5)),
        *(("closes", MANIFEST.closes + 1), ("settings", MANIFEST.settings | {"low": 0.0})),
    ],
)
def test_every_field_counts(field: str, other: Any) -> None:
    assert replace(MANIFEST, **{field: other}).digest != MANIFEST.digest


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"minimum": 0}, "at least one user, at most all"),
        ({"minimum": 1201}, "at least one user, at most all"),
        ({"opens": MANIFEST.closes}, "opens before it closes"),
        ({"closes": 2**53 + 1}, "opens before it closes"),
        ({"quota": 0.0}, "quota"),
        ({"quota": 1.5}, "quota"),
        ({"round_seconds": 0}, "at least a second"),
        ({"retention_days": -1}, "retention"),
        ({"enrolment": "later"}, "enrolment"),
        ({"access": "all"}, "access"),
        ({"purpose": "two\nlines"}, "purpose"),
        ({"purpose": "x" * 5000}, "purpose"),
        ({"problem": ""}, "problem"),
        ({"labels": ("a", "b", "a")}, "labels differ"),
        ({"labels": ("a", "\x1b[2J")}, "labels: 1 to 200 printable"),
        ({"labels": ("a", "")}, "labels: 1 to 200"),
        ({"labels": ("x" * 201,)}, "labels: 1 to 200"),
        ({"groups": ("a", "b", "a")}, "groups differ"),
        ({"groups": ("a", "")}, "groups: 1 to 200"),
        ({"columns": ("two\nlines",)}, "columns: 1 to 128 printable"),
        ({"columns": ("x" * 129,)}, "columns: 1 to 128"),
        ({"version": 2}, "version 1"),
        ({"edition": 0}, "edition"),
    ],
    ids=lambda part: next(iter(part)) if isinstance(part, dict) else "",
)
def test_what_cannot_be_promised_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        replace(MANIFEST, **changes)
    plain = json.loads(DATA) | changes
    with pytest.raises(Malformed):
        Manifest.from_bytes(json.dumps(plain, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode())


OTHER = {
    "empty": b"",
    "no fields": b"{}",
    "cut": DATA[:-1],
    "after": DATA + b" ",
    "before": b" " + DATA,
    "bytes": b"\xff" + DATA,
    "deep": b"[" * 10_000,
    "large": b'"' + b"x" * MAX_MANIFEST_BYTES + b'"',
    "twice": DATA.replace(b'"access"', b'"access":"open","access"', 1),
    "bool": DATA.replace(b'"minimum":10', b'"minimum":true'),
    "float": DATA.replace(b'"minimum":10', b'"minimum":10.0'),
    "nan": DATA.replace(b'"quota":0.8', b'"quota":NaN'),
}


@pytest.mark.parametrize("name", OTHER)
def test_other_bytes_are_no_manifest(name: str) -> None:
    assert OTHER[name] != DATA
    with pytest.raises(Malformed):
        Manifest.from_bytes(OTHER[name])


def test_questions_are_held_against_it() -> None:
    first = Announced(MANIFEST).decide(())
    assert isinstance(first, Question) and first.survey == MANIFEST.digest
    assert MANIFEST.departure(first) is None
    assert str(MANIFEST.departure(replace(first, survey="another"))) == "it names another survey"
    assert str(replace(MANIFEST, purpose="another one").departure(first)) == "it names another survey"
    assert "it spends 3" in str(MANIFEST.departure(replace(first, epsilon=3.0)))


def test_groups_are_left_out_where_there_are_none_and_hold_questions_to_their_names() -> None:
    assert b'"groups":' not in DATA
    named = replace(MANIFEST, groups=("north", "south"))
    assert Manifest.from_bytes(named.to_bytes()) == named and named.digest != MANIFEST.digest
    plain = json.loads(DATA) | {"groups": []}
    with pytest.raises(Malformed, match=r"Manifest\.groups: left out"):
        Manifest.from_bytes(canonical.dumps(plain))
    first = Announced(MANIFEST).decide(())
    assert isinstance(first, Question)
    first = replace(first, survey=named.digest)
    for labels, told in ((digest(b'["north","south"]'), False), (digest(b'["south","north"]'), True), (None, False)):
        encoder = Encoder(
            statistic=Average(),
            placement=Position(low=(0.0,), high=(1.0,)),
            within=Within(column=1, count=2, labels=labels),
        )
        said = str(named.departure(replace(first, encoder=encoder, groups=2, channel=one_bit(1.0))))
        assert ("numbers other groups than those announced" in said) == told


def test_auto_is_settled_and_its_reason_kept() -> None:
    settings = mean(method="auto", users=5000, observations=100)
    chosen, manifest = choose(settings), manifest_of(settings)
    assert manifest.settings["method"] == chosen.method.name != "auto"
    assert chosen.why is not None and manifest.chosen is not None
    announced = from_plain(Chosen, manifest.chosen)
    assert replace(announced, compared=()) == replace(chosen.why, compared=())
    for told, own in zip(announced.compared, chosen.why.compared, strict=True):
        assert replace(told, error=own.error, halfwidth=own.halfwidth) == own
        assert told.error == pytest.approx(own.error, rel=1e-3)
        assert told.halfwidth == (None if own.halfwidth is None else pytest.approx(own.halfwidth, rel=1e-3))
    answer = run(Announced(manifest), asking(settings))
    assert answer.chosen == announced and answer.reason == reason(chosen)
    assert manifest.reason == "" == manifest_of(mean()).reason and manifest_of(mean()).chosen is None


def test_a_reason_in_words_is_kept_as_it_was_written() -> None:
    """As manifests gave it before they held facts."""
    settings = mean(method="auto", users=5000, observations=100)
    written_so = replace(manifest_of(settings), chosen=None, reason="auto takes it: since")
    answer = run(Announced(Manifest.from_bytes(written_so.to_bytes())), asking(settings))
    assert answer.reason == "auto takes it: since" and answer.chosen.by == ChosenBy.AS_WRITTEN


def test_columns_are_called_the_same_on_devices_and_in_the_answer() -> None:
    pair = sv.VectorMean(epsilon=4.0, users=300, observations=9, dimension=2, low=0.0, high=1.0)
    told = manifest_of(pair, columns=("steps", "hours"))
    assert Announced(told).settings.names == ("steps", "hours") == told.columns
    assert manifest_of(replace(pair, names=("a", "b"))).columns == ("a", "b")
    both = manifest_of(replace(pair, names=("a", "b")), columns=("c", "d"))
    assert (Announced(both).settings.names, both.columns) == (("a", "b"), ("c", "d"))
    assert manifest_of(mean(), columns=("stars",)).columns == ("stars",)
    with pytest.raises(InvalidInput, match="looks at 2 of them; 3 are named"):
        manifest_of(pair, columns=("a", "b", "c"))


def test_the_table_is_carried_and_nothing_is_solved_while_deciding(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [complete(one) for one in (mean(), mean(method="paper", refine="table"), mean(method="homogeneous"))]
    carries = mean(method="paper", refine="table")
    assert manifest_of(carries).rules.tables == (designed_table(exact(2.0)),)
    assert len(manifest_of(mean()).rules.tables) == 13, "a menu, and the table of the full range"

    def refused(*_: Any) -> Any:
        raise AssertionError("solved while deciding")

    monkeypatch.setattr("sottovoce.problems.mean.settings.designed_table", refused)
    with pytest.raises(AssertionError, match="solved"):
        manifest_of(carries)
    for transcript in made:
        assert sv.verify(transcript).kind == "identical"


@pytest.mark.parametrize(
    "settings",
    [
        mean(shrink=True, caution="high"),
        sv.Histogram(epsilon=1.0, users=500, observations=9, categories=("Ärger", "b", "c"), other="c"),
        sv.Quantiles(epsilon=1.0, users=500, observations=9, low=0.0, high=1.0, q=(0.25, 0.5)),
        sv.VectorMean(epsilon=1.0, users=500, observations=9, dimension=2, low=(0.0, 1.0), high=(2.0, 5.0)),
        sv.CoverSelect(epsilon=1.0, users=500, centres=((0.0, 1.0), (1.0, 0.0))),
    ],
    ids=lambda settings: settings.problem.name,
)
def test_settings_are_read_back_equal(settings: Any) -> None:
    manifest = Manifest.from_bytes(manifest_of(settings).to_bytes())
    survey = Announced(manifest)
    survey.check()
    assert survey.settings.survey == manifest.digest and survey.users == settings.users
    assert settings_as_plain(survey.settings) == manifest.settings
    assert manifest.labels == (getattr(settings, "categories", None) or ())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"epsilon": "2"}, "epsilon must be a number"),
        ({"epsilon": 99.0}, "epsilon must lie"),
        ({"users": 0}, "users must be"),
        ({"method": "auto"}, "not in the form"),
        ({"method": "guess"}, "method must be one of"),
        ({"survey": "mine"}, "unknown 'survey'"),
        ({"low": 9.0}, "low must be below high"),
        ({"table": {"kind": "table"}}, "missing or unknown fields"),
        ({"shrink": ...}, "missing or unknown 'shrink'"),
    ],
    ids=str,
)
def test_settings_in_another_form_are_refused(changes: dict[str, Any], words: str) -> None:
    manifest = manifest_of(mean())
    given = {name: value for name, value in (manifest.settings | changes).items() if value is not ...}
    with pytest.raises((Malformed, InvalidInput), match=words):
        read_settings(replace(manifest, settings=given))


CATEGORIES = sv.Histogram(epsilon=1.0, users=500, observations=9, categories=("yes", "no", "maybe"), method="one-round")
BINS = sv.Histogram(epsilon=1.0, users=500, observations=9, edges=(0.0, 1e-9, 2.0), method="one-round")


@pytest.mark.parametrize("labels", [("no", "maybe", "yes"), ("yes", "no"), ("yes", "no", "perhaps"), ()])
def test_labels_are_the_categories_in_their_order(labels: tuple[str, ...]) -> None:
    """A device that numbered other labels, or in another order, would answer a question that nobody meant."""
    manifest = Manifest.from_bytes(replace(manifest_of(CATEGORIES), labels=labels).to_bytes())
    with pytest.raises(Malformed, match="labels are not the categories"):
        Announced(manifest).check()
    made, _, _ = transcript_of(manifest, asking(CATEGORIES), survey=replace(CATEGORIES, survey=manifest.digest))
    found = sv.verify(made, survey=manifest.digest)
    assert found.kind == "different" and "labels" in str(found.why)
    first = replace(CATEGORIES, survey=manifest.digest).decide(())
    assert isinstance(first, Question)
    assert str(manifest.departure(first)) == "it numbers other categories than those announced, or in another order"


def test_bins_have_no_labels_by_which_a_device_would_read_its_file() -> None:
    assert manifest_of(CATEGORIES).labels == ("yes", "no", "maybe") and manifest_of(BINS).labels == ()
    with pytest.raises(Malformed, match="labels are not the categories"):
        Announced(replace(manifest_of(BINS), labels=BINS.labels)).check()


def test_rules_of_other_settings_are_refused() -> None:
    manifest, other = manifest_of(mean()), manifest_of(mean(low=0.0))
    with pytest.raises(InvalidInput, match="rules are not those"):
        Announced(replace(manifest, rules=other.rules)).check()
    narrow = tuple(replace(way, low=3.0) for way in manifest.rules.ways)
    survey = Announced(replace(manifest, rules=replace(manifest.rules, ways=narrow)))
    with pytest.raises(AssertionError, match="left its own rules"):
        survey.decide(())


def test_it_asks_and_answers_as_the_settings_do() -> None:
    """The survey's name is all that differs: questions carry the manifest's digest."""
    settings = mean()
    manifest = manifest_of(settings)
    plain, told = run(settings, asking(settings)), run(Announced(manifest), asking(settings))
    assert isinstance(told, Answer) and told == plain
    first = Announced(manifest).decide(())
    assert isinstance(first, Question) and replace(first, survey=settings.survey) == settings.decide(())


def test_the_way_of_collecting_is_told_with_the_answer() -> None:
    settings = mean()
    arrived = run(Announced(manifest_of(settings, enrolment="on-arrival", access="open")), asking(settings))
    arrival, anybody = arrived.warnings[-2:]
    assert arrival == (
        "slots were dealt as users arrived: those who came early and those who came late were asked different things"
    )
    assert anybody.startswith(
        "anybody could enrol, as often as the rate limit let them; one report in a hundred from colluders "
    )
    assert "could have moved the answer by up to" in anybody
    assert {NoteCode.SLOTS_BY_ARRIVAL, NoteCode.OPEN_TO_ANYBODY} <= arrived.note_codes
    once = mean(method="one-round")
    dealt = run(Announced(manifest_of(once, enrolment="on-arrival")), asking(once))
    assert NoteCode.SLOTS_BY_ARRIVAL not in dealt.note_codes


def test_every_round_has_its_part_of_the_time() -> None:
    several, once = manifest_of(mean()), manifest_of(mean(method="one-round"))
    assert several.round_seconds == (several.closes - several.opens) // 4, "three rounds, and some to spare"
    assert once.round_seconds is None
    assert manifest_of(mean(), round_seconds=60).round_seconds == 60
    assert manifest_of(mean(users=4, method="one-round")).minimum == 2, "few users lower the minimum, to half of them"
    assert manifest_of(mean(), minimum=50).minimum == 50


MADE_TRANSCRIPT = complete()
FIRST_ROUND = MADE_TRANSCRIPT.rounds[0]


def test_it_survives_the_wire_with_every_part_in_its_own_bytes() -> None:
    read = Transcript.from_bytes(MADE_TRANSCRIPT.to_bytes())
    assert read == MADE_TRANSCRIPT and read.survey == MADE_TRANSCRIPT.survey
    assert [one.question for one in read.rounds] == [one.question for one in MADE_TRANSCRIPT.rounds]
    assert f'"survey":"{MADE_TRANSCRIPT.survey}"' in FIRST_ROUND.question


@pytest.mark.parametrize(
    ("of", "changes"),
    [
        (MADE_TRANSCRIPT, {"abandoned": "and yet there is an answer"}),
        (MADE_TRANSCRIPT, {"answer": "", "abandoned": "x" * 5000}),
        (MADE_TRANSCRIPT, {"version": 2}),
        *(
            (FIRST_ROUND, one)
            for one in ({"because": "boredom"}, {"answered": -1}, {"closed": -1}, {"by": "two\nlines"})
        ),
    ],
)
def test_what_it_cannot_say(of: Any, changes: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        replace(of, **changes)


def test_other_bytes_are_no_transcript() -> None:
    data = MADE_TRANSCRIPT.to_bytes()
    for other in (data[:-1], b" " + data, b"{}", b""):
        with pytest.raises(Malformed):
            Transcript.from_bytes(other)


def test_a_round_without_a_tally_has_a_reason() -> None:
    silent = replace(FIRST_ROUND, tally="", answered=3, because="deadline", closed=9)
    over = replace(MADE_TRANSCRIPT, rounds=(silent,), answer="", abandoned="3 answered, 10 are needed")
    assert Transcript.from_bytes(over.to_bytes()) == over
