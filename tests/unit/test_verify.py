"""A transcript is gone through again: what kept to the manifest is told, and every departure, with the step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.design import one_bit, subset
from sottovoce.engines import Verdict
from sottovoce.messages import (
    Bins,
    ClosedRound,
    Encoder,
    Fact,
    Malformed,
    Manifest,
    Position,
    Question,
    Slots,
    Tally,
    Transcript,
    digest,
)
from sottovoce.methods import LATTICE, Tie, replaying
from sottovoce.problems import Announced, problems
from tests.support.transcripts import CLOSES, Ask, asking, closed, complete, manifest_of, mean, some_of, transcript_of

SETTINGS = mean()
MANIFEST = manifest_of(SETTINGS)
ASK = asking(SETTINGS)
HONEST, ASKED, TALLIES = transcript_of(MANIFEST, ASK)


def again(transcript: Transcript, place: int, **changes: Any) -> Transcript:
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
    return tuple(tuple(reversed(row)) for row in TALLIES[place].cells)


def written(plain: dict[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False)


def answered(change: Callable[[dict[str, Any]], Any]) -> Transcript:
    plain = json.loads(HONEST.answer)
    change(plain)
    return replace(HONEST, answer=written(plain))


def rewritten(old: str, new: str) -> Transcript:
    assert old in HONEST.answer
    return replace(HONEST, answer=HONEST.answer.replace(old, new, 1))


def announced_otherwise(**changes: Any) -> Transcript:
    """A manifest that nobody was shown, and all that follows from it."""
    other = replace(MANIFEST, **changes)
    return replace(HONEST, manifest=other.to_bytes().decode())


def position(low: float, high: float) -> Encoder:
    return replace(ASKED[2].encoder, placement=Position(low=(low,), high=(high,)))


def moved(question: Question, by: float) -> Encoder:
    placement = question.encoder.placement
    assert isinstance(placement, Bins)
    return replace(question.encoder, placement=Bins(edges=tuple(edge + by for edge in placement.edges)))


VALUE = str(json.loads(HONEST.answer)["value"])
LOW, HIGH = ASKED[2].encoder.placement.low[0], ASKED[2].encoder.placement.high[0]  # type: ignore[union-attr]
WIDER = replace(MANIFEST.rules, ways=tuple(replace(way, high=9.0) for way in MANIFEST.rules.ways))
DUE = HONEST.rounds[1].closed + (MANIFEST.round_seconds or 0)
EXPIRED: dict[str, Any] = {"because": "deadline", "closed": CLOSES}
TWELVE = closed(ASKED[2], some_of(ASKED[2], TALLIES[2], 12), 2)
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
    "a range one step off that no rounding explains": (
        lambda: asked_otherwise(2, encoder=position(LOW, HIGH - 4.0 * LATTICE)),
        "round 3: question",
        "encoder.placement.high[0]: expected",
    ),
    "a first question one step off": (
        lambda: asked_otherwise(0, encoder=moved(ASKED[0], 4.0 * LATTICE)),
        "round 1: question",
        "it asks from",
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
    "fewer answers than its quota": (
        lambda: again(HONEST, 2, tally=TWELVE.tally, answered=12),
        "round 3: closing",
        "by its quota, which is 895; 12 answered",
    ),
    "closed before the survey opened": (lambda: again(HONEST, 0, closed=1), "round 1: closing", "it closed at 1; "),
    "closed before the round before": (
        lambda: again(HONEST, 1, closed=HONEST.rounds[0].closed - 1),
        "round 2: closing",
        f"it opened at {HONEST.rounds[0].closed} or later",
    ),
    "asked after the survey's time": (
        lambda: again(again(HONEST, 1, **EXPIRED), 2, because="deadline", closed=CLOSES + 60),
        "round 3",
        "it was asked although no time was left to ask round 3 (mean)",
    ),
    "not abandoned when its time was over": (
        lambda: replace(again(HONEST, 1, **EXPIRED), rounds=again(HONEST, 1, **EXPIRED).rounds[:2], answer=""),
        "end",
        "not abandoned although no time was left to ask round 3",
    ),
    "its quota long after its deadline": (
        lambda: again(HONEST, 2, closed=DUE + 1),
        "round 3: closing",
        f"by its quota, at {DUE + 1}; its time was over at {DUE}",
    ),
    "closed by hand long after its deadline": (
        lambda: again(HONEST, 2, because="hand", closed=CLOSES + 10**8),
        "round 3: closing",
        f"by hand, at {CLOSES + 10**8}; its time was over at {DUE}",
    ),
    "a first round that closed after all": (
        lambda: again(HONEST, 0, closed=CLOSES + 1),
        "round 1: closing",
        f"its time was over at {CLOSES}",
    ),
    "abandoned for something else": (
        lambda: replace(
            again(HONEST, 2, tally="", answered=9, **EXPIRED),
            answer="",
            ended=Fact("ended-too-few", round=3, role="mean", answered=4, asked=895, least=10).to_plain(),
        ),
        "end",
        "9 of 895 answered, and at least 10 must before anything is looked at, and says: round 3 (mean): 4 of 895",
    ),
    "a deadline before its time": (
        lambda: again(HONEST, 2, because="deadline", closed=DUE - 1),
        "round 3: closing",
        f"until {DUE} at least",
    ),
    "given up before the deadline": (
        lambda: replace(again(HONEST, 2, tally="", answered=9, because="hand"), answer="", abandoned="enough of it"),
        "round 3: closing",
        "before its deadline, although only 9 answered",
    ),
    "a tally withheld": (
        lambda: again(HONEST, 2, tally=""),
        "round 3: tally",
        "missing, although 895 answered and 10 are enough",
    ),
    "asked on after too few answers": (
        lambda: again(HONEST, 1, tally="", answered=9, **EXPIRED),
        "round 3",
        "asked although only 9 answered round 2",
    ),
    "abandoned with enough users": (
        lambda: replace(HONEST, answer="", abandoned="nobody came"),
        "end",
        "although every round had enough users: nobody came",
    ),
    "not abandoned after too few answers": (
        lambda: replace(again(HONEST, 2, tally="", answered=9, **EXPIRED), answer=""),
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
    "a value beside the value": (
        lambda: replace(HONEST, answer='{"value": 4.999, "interval": [4.99, 5.0], ' + HONEST.answer[1:]),
        "answer",
        "holds a name twice",
    ),
    "a promise beside the promise": (
        lambda: rewritten('"privacy": {', '"privacy": {"epsilon": 0.1, '),
        "answer",
        "holds a name twice",
    ),
    "a value that is no number": (lambda: rewritten(VALUE, "NaN"), "answer", "it holds NaN"),
    "a value beyond all numbers": (lambda: rewritten(VALUE, "1e999"), "answer", "no JSON document"),
    "a value of 400 digits": (lambda: rewritten(VALUE, "1" + "0" * 400), "answer", "value: expected"),
    "a value of 5000 digits": (lambda: rewritten(VALUE, "9" * 5000), "answer", "no JSON document"),
    "another form of the same": (lambda: rewritten(VALUE, f"{VALUE}0"), "answer", "not in the form"),
    "white space": (lambda: replace(HONEST, answer=f"{HONEST.answer} "), "answer", "not in the form"),
    "names in another order": (
        lambda: replace(HONEST, answer=written(dict(reversed(json.loads(HONEST.answer).items())))),
        "answer",
        "order of names",
    ),
    "a nested answer": (lambda: replace(HONEST, answer="[" * 10**5), "answer", "no JSON document"),
    "a count with a point": (
        lambda: answered(lambda plain: plain["collection"].update(answered=[80.0, 225, 895])),
        "answer",
        "collection.answered[0]: expected 80, got 80.0",
    ),
    "a yes for a two": (lambda: answered(lambda plain: plain.update(version=True)), "answer", "version: expected 2"),
    "a little more confidence": (
        lambda: answered(lambda plain: plain.update(confidence=0.95 + 1e-8)),
        "answer",
        "confidence: expected",
    ),
    "a little less ε": (
        lambda: answered(lambda plain: plain["privacy"].update(epsilon=2.0 - 1e-6)),
        "answer",
        "privacy.epsilon: expected",
    ),
}


def test_an_honest_survey_is_identical() -> None:
    found = sv.verify(HONEST, survey=MANIFEST.digest, answered=[(MANIFEST.digest, ASKED[1].digest), ("x", "y")])
    assert (
        isinstance(found, Verdict) and found.ok and (found.kind, found.state, found.step) == ("identical", "done", None)
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
    assert (found.kind, found.ok, str(found.step)) == ("different", False, step), str(found)
    assert words in str(found.why) and str(found).splitlines()[-1].startswith(f"different at {step}: ")


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
        assert (found.kind, str(found.step)) == ("different", "manifest") and words in str(found.why), str(found)
    other = sv.verify(announced_otherwise(purpose="another one"))  # a valid one; but its questions were never asked
    assert (str(other.step), str(other.why)) == (
        "round 1: question",
        "it leaves what was announced: it names another survey",
    )


def test_a_device_that_was_asked_something_else() -> None:
    found = sv.verify(HONEST, answered=[(MANIFEST.digest, digest(b"a question for one device"))])
    assert (found.kind, str(found.step)) == ("different", "device") and "was asked something else" in str(found.why)


def test_a_survey_that_runs_is_verified_so_far() -> None:
    for rounds in range(3):
        so_far, _, _ = transcript_of(MANIFEST, ASK, rounds=rounds)
        found = sv.verify(so_far, answered=[(MANIFEST.digest, ASKED[rounds].digest)])  # of the round that is open
        assert (found.kind, found.state, str(found.headline)) == ("identical", "running", "identical so far")
        assert f"running: round {rounds + 1} ({ASKED[rounds].role}) has not closed" in map(str, found.lines)
        assert sv.verify(so_far, answered=[(MANIFEST.digest, ASKED[2].digest)]).ok == (rounds == 2)


def test_a_survey_that_was_abandoned_says_why() -> None:
    few = again(HONEST, 2, tally="", answered=9, **EXPIRED)
    why = Fact("ended-too-few", round=3, role="mean", answered=9, asked=895, least=10)
    found = sv.verify(replace(few, answer="", ended=why.to_plain()))
    assert found.ok and str(found.headline) == "identical, up to where it was abandoned"
    words = "round 3 (mean): 9 of 895 answered, and at least 10 must before anything is looked at"
    assert str(found.lines[-1]) == f"abandoned: {words}"
    late = again(HONEST, 1, **EXPIRED)
    over = Fact("ended-no-time", round=3, role="mean").to_plain()
    late = replace(late, rounds=late.rounds[:2], answer="", ended=over)
    assert str(sv.verify(late).lines[-1]) == "abandoned: no time was left to ask round 3 (mean)"
    settings = sv.VectorMean(
        epsilon=4.0, users=200, observations=5, dimension=4, ball="linf", low=0.0, high=1.0, method="one-round"
    )
    manifest = manifest_of(settings)
    made, (asked,), (tally,) = transcript_of(manifest, asking(settings))
    silent = closed(asked, Tally.build(asked, [0, *tally.reports[1:]], [[0] * len(tally.cells[0]), *tally.cells[1:]]))
    silent = replace(silent, **EXPIRED)
    with pytest.raises(sv.InvalidInput, match="1 of 4 groups have no report"):
        Announced(manifest).decide((Tally.from_bytes(silent.tally.encode()),))
    group = Fact("ended-silent-groups", round=1, role=asked.role, silent=1, groups=4)
    over = replace(made, rounds=(silent,), answer="", ended=group.to_plain())
    assert sv.verify(over).lines[-1] == Fact("checked-abandoned", why=group)
    other = Fact("ended-silent-groups", round=1, role=asked.role, silent=2, groups=4)
    assert str(sv.verify(replace(over, ended=other.to_plain())).step) == "end"
    kept = sv.verify(replace(over, answer=made.answer, ended=None))
    assert (kept.kind, str(kept.step)) == ("different", "end")


def test_a_sentence_of_an_earlier_form_is_not_compared_and_that_is_said() -> None:
    few = replace(again(HONEST, 2, tally="", answered=9, **EXPIRED), answer="", abandoned="too few came")
    found = sv.verify(few)
    assert found.ok and found.lines[-1].code == "checked-ending-facts" and "not compared" in str(found.lines[-1])
    with pytest.raises(Malformed, match="in one form"):
        replace(few, ended=Fact("ended-no-time", round=3, role="mean").to_plain())


def test_of_another_edition_all_is_checked_that_needs_no_replay() -> None:
    manifest = replace(MANIFEST, edition=7, software="sottovoce 9.1")
    made = replace(HONEST, manifest=manifest.to_bytes().decode(), rounds=tuple(of_survey(manifest)))
    found = sv.verify(made, survey=manifest.digest)
    assert (found.kind, found.ok, found.replayed) == ("not-replayed", True, False)
    assert str(found.headline) == "not replayed: edition 7 of adaptive, needs release sottovoce 9.1"
    first, *rest = made.rounds
    spent = replace(Question.from_bytes(first.question.encode()), epsilon=3.0)
    dearer = replace(made, rounds=(replace(first, question=spent.to_bytes().decode()), *rest))
    assert str(sv.verify(dearer).why) == "it leaves what was announced: it spends 3; announced: 2"
    forged = replace(made, rounds=(replace(first, answered=first.answered - 1), *rest))
    assert str(sv.verify(forged).step) == "round 1: tally"
    with pytest.raises(sv.InvalidInput, match=r"edition 7 of its method.*sottovoce 9\.1 finishes it"):
        Announced(manifest).decide(())


def of_survey(manifest: Manifest) -> Iterator[ClosedRound]:
    """The honest rounds, asked in the name of another manifest."""
    for place, (question, tally) in enumerate(zip(ASKED, TALLIES, strict=True)):
        own = replace(question, survey=manifest.digest)
        yield closed(own, tally.as_of(own), place)


def on_the_edge() -> tuple[Ask, tuple[Tally, ...], Tie]:
    """Answers after which a number of the second or third question lies in the middle between two steps."""
    survey = Announced(MANIFEST)
    for seed in range(500):
        ask, tallies = asking(SETTINGS, seed=seed), ()
        while isinstance(step := survey.step(tallies), Question):
            tallies = (*tallies, ask(step))
            with replaying() as ties:
                after = survey.step(tallies)
            for tie in ties:
                with replaying([tie]):
                    if isinstance(after, Question) and survey.step(tallies) != after:
                        return ask, tallies, tie
    raise AssertionError("no tie in 500 surveys: two roundings in a thousand are one")


class OtherMachine:
    """Rounds one number the other way: its last digit was on the other side of the middle."""

    def __init__(self, tie: Tie) -> None:
        self.own, self.tie = Announced(MANIFEST), tie

    def decide(self, tallies: tuple[Tally, ...]) -> Any:
        with replaying([self.tie]):
            return self.own.step(tallies)


def test_another_machine_is_equal_up_to_rounding() -> None:
    digits = answered(lambda plain: plain.update(value=plain["value"] * (1 + 1e-12)))
    assert sv.verify(digits).kind == "rounding"
    ask, before, tie = on_the_edge()
    here, _, _ = transcript_of(MANIFEST, ask)
    there, asked, _ = transcript_of(MANIFEST, ask, survey=OtherMachine(tie))
    place = len(before)
    assert there.rounds[:place] == here.rounds[:place] and there.rounds[place].question != here.rounds[place].question
    found = sv.verify(there, survey=MANIFEST.digest)
    assert (found.kind, str(found.headline)) == ("rounding", "equal up to rounding"), str(found)
    assert [line["rounded"] for line in found.lines[1 : 1 + len(asked)]].index(True) == place
    assert str(found.lines[-1]) == "answer: follows from the tallies", "of the questions that were really asked"
    forged = json.loads(there.answer)
    forged["value"] += 1e-8
    assert str(sv.verify(replace(there, answer=written(forged))).step) == "answer"
    running = replace(there, rounds=there.rounds[:place], answer="")
    device = (MANIFEST.digest, asked[place].digest)
    assert sv.verify(running, answered=[(*device, asked[place].to_bytes())]).kind == "rounding"
    assert str(sv.verify(running, answered=[device]).step) == "device", "nobody can tell without its bytes"
    further = replace(asked[place], encoder=shifted(asked[place], 2 * 4.0 * LATTICE))
    assert str(sv.verify(running, answered=[(MANIFEST.digest, further.digest, further.to_bytes())]).step) == "device"


def shifted(question: Question, by: float) -> Encoder:
    placement = question.encoder.placement
    if isinstance(placement, Bins):
        return moved(question, by)
    assert isinstance(placement, Position)
    return position(placement.low[0] - by, placement.high[0])


UNEQUAL = sv.VectorMean(
    epsilon=2.0, low=(0.0, 0.0), high=(1.0, 2e6), users=4000, observations=20, dimension=2, method="adaptive"
)
TINY = sv.SparseMean(
    epsilon=4.0, low=-1e-6, high=1e-6, users=4000, observations=50, dimension=64, sparsity=2, method="adaptive"
)


@pytest.mark.parametrize("settings", [UNEQUAL, TINY, mean(low=0.0, high=1e6)], ids=["unequal", "tiny", "large"])
def test_no_unit_makes_room_for_a_forgery(settings: Any) -> None:
    """Columns of very different ranges, or far from one: each number has the room of its own last digits only."""
    manifest = manifest_of(settings)
    made, asked, tallies = transcript_of(manifest, asking(settings))
    assert sv.verify(made, survey=manifest.digest).kind == "identical"
    low, high = min(np.ravel(settings.low)), max(np.ravel(settings.high))
    for number, (question, tally) in enumerate(zip(asked, tallies, strict=True)):
        placement: Any = question.encoder.placement
        if placement.kind == "bins":
            other: Any = replace(placement, edges=tuple(edge * (1 + 1e-6) for edge in placement.edges))
        elif low <= placement.low[0] and max(placement.high) <= high:
            ends = zip(placement.low, placement.high, strict=True)
            other = replace(placement, high=tuple(stop - 1e-6 * (stop - start) for start, stop in ends))
        else:
            continue  # a grid of symbols
        forged = replace(question, encoder=replace(question.encoder, placement=other))
        rounds = list(made.rounds)
        rounds[number] = replace(closed(forged, tally.as_of(forged), number), closed=rounds[number].closed)
        found = sv.verify(replace(made, rounds=tuple(rounds)), survey=manifest.digest)
        assert str(found.step) == f"round {number + 1}: question", str(found)
    plain = json.loads(made.answer)
    first = plain["value"][0] if isinstance(plain["value"], list) else plain["value"]
    forged_text = made.answer.replace(f"{first!r}", f"{first * (1 + 1e-7)!r}")
    assert str(sv.verify(replace(made, answer=forged_text), survey=manifest.digest).step) == "answer"


def test_a_round_closed_by_hand_is_told() -> None:
    by_hand = again(HONEST, 1, because="hand", by="an administrator")
    found = sv.verify(by_hand, survey=MANIFEST.digest)
    lines = list(map(str, found.lines))
    assert found.ok and "round 2 was closed by hand, by an administrator: when was theirs to choose" in lines
    assert "not compared with any invitation: give --survey, the id in yours" not in lines
    assert sv.verify(by_hand).lines[1].code == "checked-no-invitation"


def test_a_round_is_closed_at_its_last_second_whatever_the_reason() -> None:
    """And a survey may come to a collector long after it opened: its first round is then open for longer."""
    for because in ("quota", "hand", "deadline"):
        assert sv.verify(again(HONEST, 2, because=because, closed=DUE), survey=MANIFEST.digest).ok
    seconds = MANIFEST.round_seconds or 0
    late = HONEST
    for place in range(3):
        late = again(late, place, closed=late.rounds[place].closed + seconds + 5)
    assert sv.verify(late, survey=MANIFEST.digest).ok


def test_deadlines_follow_from_the_manifest() -> None:
    manifest = manifest_of(SETTINGS, round_seconds=100)
    made, _, _ = transcript_of(manifest, ASK)
    expired = again(made, 1, because="deadline", closed=made.rounds[0].closed + 100)
    late = again(expired, 2, closed=expired.rounds[1].closed + 5)
    assert sv.verify(late, survey=manifest.digest).ok
    early = again(late, 1, because="deadline", closed=made.rounds[0].closed + 99)
    assert str(sv.verify(early, survey=manifest.digest).step) == "round 2: closing"
    last = replace(manifest, round_seconds=None)
    made, _, _ = transcript_of(last, ASK)
    assert sv.verify(again(made, 2, because="deadline", closed=CLOSES), survey=last.digest).ok
    assert str(sv.verify(again(made, 2, because="deadline", closed=CLOSES - 1)).step) == "round 3: closing"


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
    assert str(sv.verify(nothing).step) == "manifest"


def test_a_manifest_of_nothing_but_brackets_is_refused() -> None:
    deep = "[" * 700 + "]" * 700
    nested = HONEST.manifest.replace('"settings":{', f'"settings":{{"a":{deep},', 1)
    with pytest.raises(Malformed, match="nested deeper than 32"):
        Manifest.from_bytes(nested.encode())
    found = sv.verify(replace(HONEST, manifest=nested))
    assert (str(found.step), "nested deeper" in str(found.why)) == ("manifest", True)


def test_a_transcript_of_nothing_but_brackets_is_refused_before_it_is_read() -> None:
    data = HONEST.to_bytes()
    assert Transcript.from_bytes(data) == HONEST
    for filling in (b"[]," * 30_000, b"1," * 40_000, b'"",' * 30_000, b'"\\\\",' * 30_000):
        with pytest.raises(Malformed, match="brackets, colons and quotes"):
            Transcript.from_bytes(data.replace(b'"rounds":[', b'"rounds":[' + filling, 1))
    with pytest.raises(Malformed, match="printable"):
        replace(HONEST, answer="", abandoned="x\x1b[2J")


def test_what_leaves_the_announcement_is_said_in_json_too() -> None:
    verdict = sv.verify(asked_otherwise(0, slots=Slots(first=0, count=ASKED[0].slots.count - 1)))
    assert verdict.why is not None and verdict.why.code == "differs-announced"
    assert json.loads(json.dumps(verdict.to_dict()))["kind"] == "different"


@pytest.mark.parametrize("ended", [{}, {"x": 1}, {"code": 7, "data": {}}])
def test_why_it_ended_is_a_fact(ended: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        replace(HONEST, answer="", ended=ended)
