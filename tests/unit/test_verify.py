"""A transcript is gone through again: what kept to the manifest is told, and every departure, with the step."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import sottovoce as sv
from sottovoce.design import one_bit, subset
from sottovoce.engines import Verdict
from sottovoce.messages import Encoder, Manifest, Position, Question, Slots, Tally, Transcript, digest
from sottovoce.problems import Announced, problems
from sottovoce.schemes import LATTICE
from tests.support.transcripts import asking, closed, complete, manifest_of, mean, some_of, transcript_of

SETTINGS = mean()
MANIFEST = manifest_of(SETTINGS)
ASK = asking(SETTINGS)
HONEST, ASKED, TALLIES = transcript_of(MANIFEST, ASK)


def again(transcript: Transcript, place: int, **changes: Any) -> Transcript:
    """One round written otherwise."""
    rounds = list(transcript.rounds)
    rounds[place] = replace(rounds[place], **changes)
    return replace(transcript, rounds=tuple(rounds))


def asked_otherwise(place: int, **changes: Any) -> Transcript:
    """A collector that asks something else in one round, and counts what it gets."""
    question = replace(ASKED[place], **changes)
    told = closed(question, TALLIES[place].as_of(question), place)
    return again(HONEST, place, question=told.question, tally=told.tally)


def counted_otherwise(place: int, **changes: Any) -> Transcript:
    given = {"question": ASKED[place].digest, "reports": TALLIES[place].reports, "cells": TALLIES[place].cells}
    return again(HONEST, place, tally=Tally(**given | changes).to_bytes().decode())


def swapped(place: int) -> tuple[tuple[int, ...], ...]:
    """The same counts, each for another symbol."""
    return tuple(tuple(reversed(row)) for row in TALLIES[place].cells)


def answered(change: Callable[[dict[str, Any]], Any]) -> Transcript:
    plain = json.loads(HONEST.answer)
    change(plain)
    return replace(HONEST, answer=json.dumps(plain))


def announced_otherwise(**changes: Any) -> Transcript:
    """A manifest that nobody was shown, and all that follows from it."""
    other = replace(MANIFEST, **changes)
    return replace(HONEST, manifest=other.to_bytes().decode())


def position(low: float, high: float) -> Encoder:
    return replace(ASKED[2].encoder, placement=Position(low=(low,), high=(high,)))


LOW, HIGH = ASKED[2].encoder.placement.low[0], ASKED[2].encoder.placement.high[0]  # type: ignore[union-attr]
WIDER = replace(MANIFEST.rules, ways=tuple(replace(way, high=9.0) for way in MANIFEST.rules.ways))
FEWER = closed(ASKED[2], some_of(ASKED[2], TALLIES[2], 9), 2)

DEVIATIONS: dict[str, tuple[Callable[[], Transcript], str, str]] = {
    "another purpose": (lambda: announced_otherwise(purpose="another one"), "manifest", "expected survey"),
    "fewer users are enough": (lambda: announced_otherwise(minimum=1), "manifest", "expected survey"),
    "a wider range in the rules": (lambda: announced_otherwise(rules=WIDER), "manifest", "expected survey"),
    "no manifest": (lambda: replace(HONEST, manifest=HONEST.manifest[:-1]), "manifest", "expected survey"),
    "a skipped round": (
        lambda: replace(HONEST, rounds=(HONEST.rounds[0], HONEST.rounds[2])),
        "round 2: question",
        "expected round 2, got round 3",
    ),
    "rounds in another order": (
        lambda: replace(HONEST, rounds=(HONEST.rounds[1], HONEST.rounds[0], HONEST.rounds[2])),
        "round 1: question",
        "expected round 1, got round 2",
    ),
    "a round asked twice": (
        lambda: replace(HONEST, rounds=(*HONEST.rounds, HONEST.rounds[2])),
        "round 4: question",
        "expected round 4, got round 3",
    ),
    "another question after the last": (
        lambda: replace(HONEST, rounds=(*HONEST.rounds, closed(replace(ASKED[2], round=3), TALLIES[2], 3))),
        "round 4: question",
        "were asked before",
    ),
    "a wave asked twice": (
        lambda: asked_otherwise(1, slots=ASKED[0].slots),
        "round 2: question",
        "it calls itself round 2; at most 0 were asked before",
    ),
    "part of a wave": (
        lambda: asked_otherwise(2, slots=Slots(first=ASKED[2].slots.first, count=5)),
        "round 3: question",
        "no whole waves",
    ),
    "another role": (
        lambda: asked_otherwise(0, role="mean"),
        "round 1: question",
        "in the role 'mean', which these slots were not announced for",
    ),
    "a larger ε": (lambda: asked_otherwise(2, epsilon=3.0), "round 3: question", "it spends 3; announced: 2"),
    "a smaller ε than was computed": (lambda: asked_otherwise(2, epsilon=1.5), "round 3: question", "expected 2"),
    "a channel that costs more than it says": (
        lambda: asked_otherwise(0, channel=subset(4.0, ASKED[0].channel.items, size=ASKED[0].channel.size)),  # type: ignore[union-attr]
        "round 1: question",
        "its channel costs 4; announced: 2",
    ),
    "another table": (lambda: asked_otherwise(2, channel=one_bit(2.0)), "round 3: question", "its table is none of"),
    "a range beyond the announced one": (
        lambda: asked_otherwise(2, encoder=position(1.0, 6.0)),
        "round 3: question",
        "it asks from 1 to 6; announced: 1 to 5",
    ),
    "a range that does not follow": (
        lambda: asked_otherwise(2, encoder=position(LOW, HIGH - 0.01)),
        "round 3: question",
        "encoder.placement.high[0]: expected",
    ),
    "another survey's question": (
        lambda: asked_otherwise(0, survey="f" * 64),
        "round 1: question",
        "it names another survey",
    ),
    "no question": (lambda: again(HONEST, 1, question="{}"), "round 2: question", "missing or unknown fields"),
    "a question that is not canonical": (
        lambda: again(HONEST, 1, question=f" {HONEST.rounds[1].question}"),
        "round 2: question",
        "",
    ),
    "more reports than users": (
        lambda: counted_otherwise(0, reports=[81]),
        "round 1: tally",
        "group 0 has 81 answers; expected at most 80",
    ),
    "counts that no reports add up to": (
        lambda: counted_otherwise(2, cells=[(10**6, *TALLIES[2].cells[0][1:])]),
        "round 3: tally",
        "",
    ),
    "forged counts in a round before the last": (
        lambda: counted_otherwise(1, cells=swapped(1)),
        "round 3: question",
        "not the one that follows",
    ),
    "forged counts in the last round": (lambda: counted_otherwise(2, cells=swapped(2)), "answer", "expected"),
    "a tally of another question": (
        lambda: again(HONEST, 1, tally=HONEST.rounds[0].tally),
        "round 2: tally",
        "a tally of",
    ),
    "a wrong number of users": (lambda: again(HONEST, 2, answered=894), "round 3: tally", "counts 895 users"),
    "the minimum ignored": (
        lambda: again(HONEST, 2, tally=FEWER.tally, answered=9),
        "round 3: tally",
        "only 9 answered, of at least 10",
    ),
    "a tally withheld": (
        lambda: again(HONEST, 2, tally=""),
        "round 3: tally",
        "missing, although 895 answered and 10 are enough",
    ),
    "asked on after too few answers": (
        lambda: again(HONEST, 1, tally="", answered=9),
        "round 3",
        "asked although only 9 answered round 2",
    ),
    "abandoned with enough users": (
        lambda: replace(HONEST, answer="", abandoned="nobody came"),
        "end",
        "although every round had enough users: nobody came",
    ),
    "not abandoned after too few answers": (
        lambda: replace(again(HONEST, 2, tally="", answered=9), answer=""),
        "end",
        "not abandoned although only 9 answered",
    ),
    "an answer before its time": (
        lambda: replace(HONEST, rounds=HONEST.rounds[:2]),
        "answer",
        "although round 3 (mean) was not asked",
    ),
    "an answer withheld": (lambda: replace(HONEST, answer=""), "answer", "missing, although the last round has closed"),
    "another value": (
        lambda: answered(lambda plain: plain.update(value=plain["value"] + 1e-4)),
        "answer",
        "value: exp",
    ),
    "another interval": (
        lambda: answered(lambda plain: plain["interval"].reverse()),
        "answer",
        "interval[0]: expected",
    ),
    "another reason": (lambda: answered(lambda plain: plain.update(reason="")), "answer", "reason: expected"),
    "more answered than did": (
        lambda: answered(lambda plain: plain["collection"].update(asked=[80, 225, 1895])),
        "answer",
        "collection.asked[2]: expected 895, got 1895",
    ),
    "another field": (lambda: answered(lambda plain: plain.update(trust="me")), "answer", "trust: expected"),
    "no answer at all": (lambda: replace(HONEST, answer="42 or so"), "answer", "no JSON document"),
}


def test_an_honest_survey_is_identical() -> None:
    found = sv.verify(HONEST, survey=MANIFEST.digest, answered=[(MANIFEST.digest, ASKED[1].digest), ("x", "y")])
    assert (
        isinstance(found, Verdict) and found.ok and (found.kind, found.state, found.step) == ("identical", "done", "")
    )
    lines = str(found).splitlines()
    assert lines[1:4] == [
        "round 1 (bins): 80 of 80 answered",
        "round 2 (bins): 225 of 225 answered",
        "round 3 (mean): 895 of 895 answered",
    ]
    assert lines[-2:] == ["device: was asked what everybody was asked", "identical"]
    assert found.to_dict()["ok"] is True and json.dumps(found.to_dict())
    assert sv.verify(Transcript.from_bytes(HONEST.to_bytes())) == sv.verify(HONEST)


@pytest.mark.parametrize("name", DEVIATIONS)
def test_a_dishonest_one_is_shown_with_the_step(name: str) -> None:
    make, step, words = DEVIATIONS[name]
    found = sv.verify(make(), survey=MANIFEST.digest)
    assert (found.kind, found.ok, found.step) == ("different", False, step), str(found)
    assert words in found.why and str(found).splitlines()[-1].startswith(f"different at {step}: ")


def test_without_an_invitation_a_manifest_still_keeps_to_its_own_settings() -> None:
    for made, words in (
        (
            announced_otherwise(rules=WIDER),
            "its rules are not those of its settings: ways[0].high: expected 4.73",
        ),
        (announced_otherwise(settings=MANIFEST.settings | {"epsilon": 4.0}), "waves[0]"),
        (announced_otherwise(settings=MANIFEST.settings | {"method": "auto"}), "not in the form"),
        (announced_otherwise(settings=MANIFEST.settings | {"more": 1}), "unknown 'more'"),
        (announced_otherwise(problem="fortune"), "problem must be one of"),
    ):
        found = sv.verify(made)
        assert (found.kind, found.step) == ("different", "manifest") and words in found.why, str(found)
    other = sv.verify(announced_otherwise(purpose="another one"))  # a valid one; but its questions were never asked
    assert (other.step, other.why) == ("round 1: question", "it leaves what was announced: it names another survey")


def test_a_device_that_was_asked_something_else() -> None:
    found = sv.verify(HONEST, answered=[(MANIFEST.digest, digest(b"a question for one device"))])
    assert (found.kind, found.step) == ("different", "device") and "was asked something else" in found.why


def test_a_survey_that_runs_is_verified_so_far() -> None:
    for rounds in range(3):
        so_far, _, _ = transcript_of(MANIFEST, ASK, rounds=rounds)
        found = sv.verify(so_far, answered=[(MANIFEST.digest, ASKED[rounds].digest)])  # of the round that is open
        assert (found.kind, found.state, found.headline) == ("identical", "running", "identical so far")
        assert f"running: round {rounds + 1} ({ASKED[rounds].role}) has not closed" in found.lines
        assert sv.verify(so_far, answered=[(MANIFEST.digest, ASKED[2].digest)]).ok == (rounds == 2)


def test_a_survey_that_was_abandoned_says_why() -> None:
    few = replace(again(HONEST, 2, tally="", answered=9), answer="", abandoned="too few answered by the deadline")
    found = sv.verify(few)
    assert found.ok and found.headline == "identical, up to where it was abandoned"
    assert found.lines[-1].endswith("(only 9 answered round 3, of at least 10)")
    settings = sv.VectorMean(
        epsilon=4.0, users=200, observations=5, dimension=4, ball="linf", low=0.0, high=1.0, method="one-round"
    )
    manifest = manifest_of(settings)
    made, (asked,), (tally,) = transcript_of(manifest, asking(settings))
    silent = closed(asked, Tally.build(asked, [0, *tally.reports[1:]], [[0] * len(tally.cells[0]), *tally.cells[1:]]))
    over = replace(made, rounds=(silent,), answer="", abandoned="a group without any report")
    assert sv.verify(over).lines[-1].endswith("(nobody answered in a group of round 1)")
    kept = sv.verify(replace(over, answer=made.answer, abandoned=""))
    assert (kept.kind, kept.step) == ("different", "end")


class OtherMachine:
    """Computes the end of the last range a few rounding steps off, as another machine's floats may."""

    def __init__(self, steps: int) -> None:
        self.own, self.steps = Announced(MANIFEST), steps

    def decide(self, tallies: tuple[Tally, ...]) -> Any:
        keyed: tuple[Tally, ...] = ()
        for tally in tallies:
            step = self.own.step(keyed)
            assert isinstance(step, Question)
            keyed += (tally.as_of(step),)
        found = self.own.step(keyed)
        if isinstance(found, Question) and found.round == 2:
            return replace(found, encoder=position(LOW, HIGH - self.steps * 4.0 * LATTICE))
        return found


def test_another_machine_is_equal_up_to_rounding() -> None:
    near, _, _ = transcript_of(MANIFEST, ASK, survey=OtherMachine(1))
    found = sv.verify(near, survey=MANIFEST.digest)
    assert (found.kind, found.headline) == ("rounding", "equal up to rounding"), str(found)
    assert "round 3 (mean): 895 of 895 answered, equal up to rounding" in found.lines
    far, _, _ = transcript_of(MANIFEST, ASK, survey=OtherMachine(3))
    assert sv.verify(far).step == "round 3: question"
    digits = answered(lambda plain: plain.update(value=plain["value"] * (1 + 1e-12)))
    assert sv.verify(digits).kind == "rounding"


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_method_is_verified(problem: Any) -> None:
    """Identical on the machine that made it, however many rounds it took."""
    for example in {one.method: one for one in problem.examples}.values():
        settings = problem.example_survey(example, epsilon=4.0)
        made = complete(settings, minimum=1)
        found = sv.verify(made, survey=made.survey)
        assert found.kind == "identical" and len(found.lines) == 2 + len(made.rounds), str(found)


def test_a_transcript_of_nothing_that_speaks_of_a_manifest() -> None:
    assert Manifest.from_bytes(HONEST.manifest.encode()) == MANIFEST
    nothing = Transcript(manifest="", rounds=(), answer="", abandoned="")
    assert sv.verify(nothing).step == "manifest"
