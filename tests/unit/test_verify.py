"""A transcript is gone through again: what kept to the manifest is told, and every departure, with the step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.design import subset
from sottovoce.engines import Verdict
from sottovoce.messages import (
    Bins,
    ClosedRound,
    Encoder,
    Fact,
    Knots,
    Malformed,
    Manifest,
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


def again(place: int, *, of: Transcript = HONEST, **changes: Any) -> Transcript:
    rounds = list(of.rounds)
    rounds[place] = replace(rounds[place], **changes)
    return replace(of, rounds=tuple(rounds))


def of_rounds(*rounds: ClosedRound, **changes: Any) -> Transcript:
    return replace(HONEST, rounds=rounds, **changes)


def asks(place: int, **changes: Any) -> Transcript:
    """A collector that asks something else in one round, and counts what it gets."""
    question = replace(ASKED[place], **changes)
    told = closed(question, TALLIES[place].as_of(question), place)
    return again(place, question=told.question, tally=told.tally)


def counts(place: int, **changes: Any) -> Transcript:
    given = {"question": ASKED[place].digest, "reports": TALLIES[place].reports, "cells": TALLIES[place].cells}
    return again(place, tally=Tally(**given | changes).to_bytes().decode())


def swapped(place: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(reversed(row)) for row in TALLIES[place].cells)


def answer(text: str) -> Transcript:
    return replace(HONEST, answer=text)


def written(plain: dict[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False)


def answered(part: str = "", /, **changes: Any) -> Transcript:
    plain = json.loads(HONEST.answer)
    (plain[part] if part else plain).update(changes)
    return answer(written(plain))


def rewritten(old: str, new: str) -> Transcript:
    assert old in HONEST.answer
    return answer(HONEST.answer.replace(old, new, 1))


def ended(transcript: Transcript, code: str, **data: Any) -> Transcript:
    """Without an answer, for this reason."""
    return replace(transcript, answer="", ended=Fact(code, **data).to_plain())


def announces(**changes: Any) -> Transcript:
    """A manifest that nobody was shown, and all that follows from it."""
    other = replace(MANIFEST, **changes)
    return replace(HONEST, manifest=other.to_bytes().decode())


def with_knots(**changes: Any) -> Encoder:
    return replace(ASKED[2].encoder, placement=replace(KNOTS, **changes))


def last_knot(by: float) -> tuple[float, ...]:
    *first, last = KNOTS.inner
    return (*first, last + by)


def moved(question: Question, by: float) -> Encoder:
    placement = question.encoder.placement
    assert isinstance(placement, Bins)
    return replace(question.encoder, placement=Bins(edges=tuple(edge + by for edge in placement.edges)))


FIRST, SECOND, THIRD = HONEST.rounds
PLAIN = json.loads(HONEST.answer)
VALUE = str(PLAIN["value"])
KNOTS: Any = ASKED[2].encoder.placement
TABLE: Any = ASKED[2].channel
OTHER_TABLE = replace(TABLE, rows=tuple(row[::-1] for row in TABLE.rows))
LAST = len(KNOTS.inner) - 1
SIZES = tuple(question.slots.count for question in ASKED)
OFTEN, _, USERS = SIZES
WIDER = replace(MANIFEST.rules, ways=tuple(replace(way, high=9.0) for way in MANIFEST.rules.ways))
DUE = SECOND.closed + (MANIFEST.round_seconds or 0)
LATE: dict[str, Any] = {"because": "deadline", "closed": CLOSES}
FEW: dict[str, Any] = {"tally": "", "answered": 9, **LATE}
TOO_FEW = {"round": 3, "role": "mean", "asked": USERS, "least": 10}
TWELVE = closed(ASKED[2], some_of(ASKED[2], TALLIES[2], 12), 2)
NINE = closed(ASKED[2], some_of(ASKED[2], TALLIES[2], 9), 2)
ITEMS, SIZE = ASKED[0].channel.items, ASKED[0].channel.size  # type: ignore[union-attr]

STEPS: dict[str, dict[str, tuple[Transcript, str]]] = {
    "manifest": {
        "another purpose": (announces(purpose="another one"), "expected survey"),
        "fewer users are enough": (announces(minimum=1), "expected survey"),
        "a wider range in the rules": (announces(rules=WIDER), "expected survey"),
        "no manifest": (replace(HONEST, manifest=HONEST.manifest[:-1]), "expected survey"),
    },
    "round 1: question": {
        "rounds in another order": (of_rounds(SECOND, FIRST, THIRD), "expected round 1, got round 2"),
        "another role": (asks(0, role="mean"), "in the role 'mean', which these slots were not announced for"),
        "a channel that costs more than it says": (
            asks(0, channel=subset(4.0, ITEMS, size=SIZE)),
            "its channel costs 4; announced: 2",
        ),
        "a first question one step off": (asks(0, encoder=moved(ASKED[0], 4.0 * LATTICE)), "it asks from"),
        "another survey's question": (asks(0, survey="f" * 64), "it names another survey"),
    },
    "round 2: question": {
        "a skipped round": (of_rounds(FIRST, THIRD), "expected round 2, got round 3"),
        "a wave asked twice": (asks(1, slots=ASKED[0].slots), "it calls itself round 2; at most 0 were asked before"),
        "no question": (again(1, question="{}"), "missing or unknown fields"),
        "a question that is not canonical": (again(1, question=f" {SECOND.question}"), ""),
    },
    "round 3: question": {
        "part of a wave": (asks(2, slots=Slots(first=ASKED[2].slots.first, count=5)), "no whole waves"),
        "a larger ε": (asks(2, epsilon=3.0), "it spends 3; announced: 2"),
        "a smaller ε than was computed": (asks(2, epsilon=1.5), "expected 2"),
        "another table": (asks(2, channel=OTHER_TABLE), "its table is none of"),
        "a range beyond the announced one": (
            asks(2, encoder=with_knots(high=6.0)),
            "it asks from 1 to 6; announced: 1 to 5",
        ),
        "a range that does not follow": (
            asks(2, encoder=with_knots(inner=last_knot(-0.001))),
            f"encoder.placement.inner[{LAST}]: expected",
        ),
        "a range one step off that no rounding explains": (
            asks(2, encoder=with_knots(inner=last_knot(-4.0 * LATTICE))),
            f"encoder.placement.inner[{LAST}]: expected",
        ),
        "forged counts in a round before the last": (counts(1, cells=swapped(1)), "not the one that follows"),
    },
    "round 4: question": {
        "a round asked twice": (of_rounds(FIRST, SECOND, THIRD, THIRD), "expected round 4, got round 3"),
        "another question after the last": (
            of_rounds(FIRST, SECOND, THIRD, closed(replace(ASKED[2], round=3), TALLIES[2], 3)),
            "were asked before",
        ),
    },
    "round 1: tally": {
        "more reports than users": (
            counts(0, reports=[OFTEN + 1]),
            f"group 0 has {OFTEN + 1} answers; expected at most {OFTEN}",
        ),
    },
    "round 2: tally": {"a tally of another question": (again(1, tally=FIRST.tally), "a tally of")},
    "round 3: tally": {
        "counts that no reports add up to": (counts(2, cells=[(10**6, *TALLIES[2].cells[0][1:])]), ""),
        "a wrong number of users": (again(2, answered=USERS - 1), f"counts {USERS:,} users"),
        "the minimum ignored": (again(2, tally=NINE.tally, answered=9), "only 9 answered, of at least 10"),
        "a tally withheld": (again(2, tally=""), f"missing, although {USERS:,} answered and 10 are enough"),
    },
    "round 1: closing": {
        "closed before the survey opened": (again(0, closed=1), "it closed at 1; "),
        "a first round that closed after all": (again(0, closed=CLOSES + 1), f"its time was over at {CLOSES}"),
    },
    "round 2: closing": {
        "closed before the round before": (again(1, closed=FIRST.closed - 1), f"it opened at {FIRST.closed} or later"),
    },
    "round 3: closing": {
        "fewer answers than its quota": (
            again(2, tally=TWELVE.tally, answered=12),
            f"by its quota, which is {USERS:,}; 12 answered",
        ),
        "its quota long after its deadline": (
            again(2, closed=DUE + 1),
            f"by its quota, at {DUE + 1}; its time was over at {DUE}",
        ),
        "closed by hand long after its deadline": (
            again(2, because="hand", closed=CLOSES + 10**8),
            f"by hand, at {CLOSES + 10**8}; its time was over at {DUE}",
        ),
        "a deadline before its time": (again(2, because="deadline", closed=DUE - 1), f"until {DUE} at least"),
        "given up before the deadline": (
            replace(again(2, tally="", answered=9, because="hand"), answer="", abandoned="enough of it"),
            "before its deadline, although only 9 answered",
        ),
    },
    "round 3": {
        "asked after the survey's time": (
            again(2, of=again(1, **LATE), because="deadline", closed=CLOSES + 60),
            "it was asked although no time was left to ask round 3 (mean)",
        ),
        "asked on after too few answers": (again(1, **FEW), "asked although only 9 answered round 2"),
    },
    "end": {
        "not abandoned when its time was over": (
            of_rounds(*again(1, **LATE).rounds[:2], answer=""),
            "not abandoned although no time was left to ask round 3",
        ),
        "abandoned for something else": (
            ended(again(2, **FEW), "ended-too-few", answered=4, **TOO_FEW),
            f"9 of {USERS} answered, and at least 10 must before anything is looked at, and says: "
            f"round 3 (mean): 4 of {USERS}",
        ),
        "abandoned with enough users": (
            replace(HONEST, answer="", abandoned="nobody came"),
            "although every round had enough users: nobody came",
        ),
        "not abandoned after too few answers": (
            replace(again(2, **FEW), answer=""),
            "not abandoned although only 9 answered",
        ),
    },
    "answer": {
        "forged counts in the last round": (counts(2, cells=swapped(2)), "expected"),
        "an answer before its time": (of_rounds(FIRST, SECOND), "although round 3 (mean) was not asked"),
        "an answer withheld": (answer(""), "missing, although the last round has closed"),
        "another value": (answered(value=PLAIN["value"] + 1e-4), "value: exp"),
        "another interval": (answered(interval=PLAIN["interval"][::-1]), "interval[0]: expected"),
        "another reason": (answered(reason=""), "reason: expected"),
        "more answered than did": (
            answered("collection", asked=[*SIZES[:2], USERS + 1000]),
            f"collection.asked[2]: expected {USERS}, got {USERS + 1000}",
        ),
        "another field": (answered(trust="me"), "trust: expected"),
        "no answer at all": (answer("42 or so"), "no JSON document"),
        "a value beside the value": (
            answer('{"value": 4.999, "interval": [4.99, 5.0], ' + HONEST.answer[1:]),
            "holds a name twice",
        ),
        "a promise beside the promise": (
            rewritten('"privacy": {', '"privacy": {"epsilon": 0.1, '),
            "holds a name twice",
        ),
        "a value that is no number": (rewritten(VALUE, "NaN"), "it holds NaN"),
        "a value beyond all numbers": (rewritten(VALUE, "1e999"), "no JSON document"),
        "a value of 400 digits": (rewritten(VALUE, "1" + "0" * 400), "value: expected"),
        "a value of 5000 digits": (rewritten(VALUE, "9" * 5000), "no JSON document"),
        "another form of the same": (rewritten(VALUE, f"{VALUE}0"), "not in the form"),
        "white space": (answer(f"{HONEST.answer} "), "not in the form"),
        "names in another order": (answer(written(dict(reversed(PLAIN.items())))), "order of names"),
        "a nested answer": (answer("[" * 10**5), "no JSON document"),
        "a count with a point": (
            answered("collection", answered=[float(OFTEN), *SIZES[1:]]),
            f"collection.answered[0]: expected {OFTEN}, got {OFTEN}.0",
        ),
        "a yes for a two": (answered(version=True), "version: expected 2"),
        "a little more confidence": (answered(confidence=0.95 + 1e-8), "confidence: expected"),
        "a little less ε": (answered("privacy", epsilon=2.0 - 1e-6), "privacy.epsilon: expected"),
    },
}
DEVIATIONS = {name: (step, *row) for step, rows in STEPS.items() for name, row in rows.items()}
"""How a transcript departs, and the step and the words with which that is told."""


def test_an_honest_survey_is_identical() -> None:
    found = sv.verify(HONEST, survey=MANIFEST.digest, answered=[(MANIFEST.digest, ASKED[1].digest), ("x", "y")])
    assert isinstance(found, Verdict) and found.ok
    assert (found.kind, found.state, found.step) == ("identical", "done", None)
    roles = zip(("bins", "bins", "mean"), SIZES, strict=True)
    lines = str(found).splitlines()
    assert lines[1:4] == [f"round {at} ({role}): {n:,} of {n:,} answered" for at, (role, n) in enumerate(roles, 1)]
    assert lines[-2:] == ["device: was asked what everybody was asked", "identical"]
    assert found.to_dict()["ok"] is True and json.dumps(found.to_dict())
    assert sv.verify(Transcript.from_bytes(HONEST.to_bytes())) == sv.verify(HONEST)


@pytest.mark.parametrize("name", DEVIATIONS)
def test_a_dishonest_one_is_shown_with_the_step(name: str) -> None:
    step, made, words = DEVIATIONS[name]
    found = sv.verify(made, survey=MANIFEST.digest)
    assert (found.kind, found.ok, str(found.step)) == ("different", False, step), str(found)
    assert words in str(found.why) and str(found).splitlines()[-1].startswith(f"different at {step}: ")


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"rules": WIDER}, "its rules are not those of its settings: ways[0].high: expected 4.73"),
        ({"settings": MANIFEST.settings | {"epsilon": 4.0}}, "tables[0]"),
        ({"settings": MANIFEST.settings | {"method": "auto"}}, "not in the form"),
        ({"settings": MANIFEST.settings | {"more": 1}}, "unknown 'more'"),
        ({"problem": "fortune"}, "problem must be one of"),
    ],
)
def test_without_an_invitation_a_manifest_still_keeps_to_its_own_settings(changes: dict[str, Any], words: str) -> None:
    found = sv.verify(announces(**changes))
    assert (found.kind, str(found.step)) == ("different", "manifest") and words in str(found.why), str(found)


def test_questions_of_another_manifest_were_never_asked() -> None:
    other = sv.verify(announces(purpose="another one"))  # a valid one
    assert str(other.step) == "round 1: question"
    assert str(other.why) == "it leaves what was announced: it names another survey"


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
    found = sv.verify(ended(again(2, **FEW), "ended-too-few", answered=9, **TOO_FEW))
    assert found.ok and str(found.headline) == "identical, up to where it was abandoned"
    words = f"round 3 (mean): 9 of {USERS} answered, and at least 10 must before anything is looked at"
    assert str(found.lines[-1]) == f"abandoned: {words}"
    late = ended(of_rounds(*again(1, **LATE).rounds[:2]), "ended-no-time", round=3, role="mean")
    assert str(sv.verify(late).lines[-1]) == "abandoned: no time was left to ask round 3 (mean)"


def test_a_survey_with_a_silent_group_is_abandoned() -> None:
    settings = sv.VectorMean(
        epsilon=4.0, users=200, observations=5, dimension=4, ball="linf", low=0.0, high=1.0, method="one-round"
    )
    manifest = manifest_of(settings)
    made, (asked,), (tally,) = transcript_of(manifest, asking(settings))
    silent = Tally.build(asked, [0, *tally.reports[1:]], [[0] * len(tally.cells[0]), *tally.cells[1:]])
    with pytest.raises(sv.InvalidInput, match="1 of 4 groups have no report"):
        Announced(manifest).decide((silent,))
    over = replace(made, rounds=(replace(closed(asked, silent), **LATE),))
    group = {"round": 1, "role": asked.role, "groups": 4}
    found = sv.verify(ended(over, "ended-silent-groups", silent=1, **group))
    assert found.lines[-1] == Fact("checked-abandoned", why=Fact("ended-silent-groups", silent=1, **group))
    for other in (ended(over, "ended-silent-groups", silent=2, **group), over):
        found = sv.verify(other)
        assert (found.kind, str(found.step)) == ("different", "end")


def test_a_sentence_of_an_earlier_form_is_not_compared_and_that_is_said() -> None:
    few = replace(again(2, **FEW), answer="", abandoned="too few came")
    found = sv.verify(few)
    assert found.ok and found.lines[-1].code == "checked-ending-facts" and "not compared" in str(found.lines[-1])
    with pytest.raises(Malformed, match="in one form"):
        ended(few, "ended-no-time", round=3, role="mean")


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
    digits = answered(value=PLAIN["value"] * (1 + 1e-12))
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
    assert isinstance(placement, Knots)
    return replace(question.encoder, placement=replace(placement, inner=last_knot(by)))


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
        elif placement.kind == "knots":
            other = replace(placement, inner=tuple(knot + 1e-6 * (high - knot) for knot in placement.inner))
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
    by_hand = again(1, because="hand", by="an administrator")
    found = sv.verify(by_hand, survey=MANIFEST.digest)
    lines = list(map(str, found.lines))
    assert found.ok and "round 2 was closed by hand, by an administrator: when was theirs to choose" in lines
    assert "not compared with any invitation: give --survey, the id in yours" not in lines
    assert sv.verify(by_hand).lines[1].code == "checked-no-invitation"


def test_a_round_is_closed_at_its_last_second_whatever_the_reason() -> None:
    """And a survey may come to a collector long after it opened: its first round is then open for longer."""
    for because in ("quota", "hand", "deadline"):
        assert sv.verify(again(2, because=because, closed=DUE), survey=MANIFEST.digest).ok
    seconds = MANIFEST.round_seconds or 0
    late = HONEST
    for place in range(3):
        late = again(place, of=late, closed=late.rounds[place].closed + seconds + 5)
    assert sv.verify(late, survey=MANIFEST.digest).ok


def test_deadlines_follow_from_the_manifest() -> None:
    manifest = manifest_of(SETTINGS, round_seconds=100)
    made, _, _ = transcript_of(manifest, ASK)
    expired = again(1, of=made, because="deadline", closed=made.rounds[0].closed + 100)
    late = again(2, of=expired, closed=expired.rounds[1].closed + 5)
    assert sv.verify(late, survey=manifest.digest).ok
    early = again(1, of=late, because="deadline", closed=made.rounds[0].closed + 99)
    assert str(sv.verify(early, survey=manifest.digest).step) == "round 2: closing"
    last = replace(manifest, round_seconds=None)
    made, _, _ = transcript_of(last, ASK)
    assert sv.verify(again(2, of=made, because="deadline", closed=CLOSES), survey=last.digest).ok
    assert str(sv.verify(again(2, of=made, because="deadline", closed=CLOSES - 1)).step) == "round 3: closing"


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_method_is_verified(problem: Any) -> None:
    """Identical on the machine that made it, however many rounds it took."""
    for example in {one.method: one for one in problem.examples}.values():
        settings = problem.example_survey(example, epsilon=4.0)
        made = complete(settings, minimum=1)
        found = sv.verify(made, survey=made.survey)
        assert found.kind == "identical" and len(found.lines) == 2 + len(made.rounds), str(found)


def test_a_manifest_of_nothing_or_of_nothing_but_brackets_is_refused() -> None:
    assert Manifest.from_bytes(HONEST.manifest.encode()) == MANIFEST
    assert str(sv.verify(Transcript(manifest="", rounds=(), answer="", abandoned="")).step) == "manifest"
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
    verdict = sv.verify(asks(0, slots=Slots(first=0, count=ASKED[0].slots.count - 1)))
    assert verdict.why is not None and verdict.why.code == "differs-announced"
    assert json.loads(json.dumps(verdict.to_dict()))["kind"] == "different"


@pytest.mark.parametrize("ended", [{}, {"x": 1}, {"code": 7, "data": {}}])
def test_why_it_ended_is_a_fact(ended: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        replace(HONEST, answer="", ended=ended)
