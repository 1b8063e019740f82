"""From settings to a manifest and back: every choice settled, and a survey that decides from the manifest alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import sottovoce as sv
from sottovoce.answers import Answer, Chosen, ChosenBy, NoteCode, from_plain
from sottovoce.design import designed_table
from sottovoce.engines import run
from sottovoce.messages import InvalidInput, Malformed, Manifest, Question, exact
from sottovoce.problems import Announced, choose
from sottovoce.problems.announcement import read_settings, settings_as_plain
from tests.support import reason
from tests.support.transcripts import asking, complete, manifest_of, mean, transcript_of


def test_auto_is_settled_and_its_reason_kept() -> None:
    settings = mean(method="auto", users=5000, observations=100)
    chosen, manifest = choose(settings), manifest_of(settings)
    assert manifest.settings["method"] == chosen.method.name != "auto"
    assert chosen.why is not None and manifest.chosen is not None
    announced = from_plain(Chosen, manifest.chosen)
    assert replace(announced, compared=()) == replace(chosen.why, compared=())
    for told, own in zip(announced.compared, chosen.why.compared, strict=True):
        assert replace(told, error=own.error) == own and told.error == pytest.approx(own.error, rel=1e-5)
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
    assert manifest_of(mean()).rules.tables == (designed_table(exact(2.0)),)

    def refused(*_: Any) -> Any:
        raise AssertionError("solved while deciding")

    monkeypatch.setattr("sottovoce.problems.mean.settings.designed_table", refused)
    with pytest.raises(AssertionError, match="solved"):
        mean().decide(())
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
    ],
    ids=str,
)
def test_settings_in_another_form_are_refused(changes: dict[str, Any], words: str) -> None:
    manifest = manifest_of(mean())
    with pytest.raises((Malformed, InvalidInput), match=words):
        read_settings(replace(manifest, settings=manifest.settings | changes))


def test_a_setting_left_out_is_refused() -> None:
    manifest = manifest_of(mean())
    fewer = {name: value for name, value in manifest.settings.items() if name != "shrink"}
    with pytest.raises(Malformed, match="missing or unknown 'shrink'"):
        read_settings(replace(manifest, settings=fewer))


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


def test_few_users_lower_the_minimum() -> None:
    assert manifest_of(mean(users=4, method="one-round")).minimum == 4
    assert manifest_of(mean(), minimum=50).minimum == 50
