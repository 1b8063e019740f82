"""Every collection has a place, and a report of one size: the part of the claim that encoders must keep."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.audit.findings import Finding
from sottovoce.audit.neighbours import SIZES, Neighbour, neighbours, several_slots
from sottovoce.audit.path import Subject
from sottovoce.device import Collections, Entropy
from sottovoce.messages import Declined, Question

_HOSTILE = (math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324, -0.0)


def every_collection_has_a_place(subject: Subject, question: Question, entropy: Entropy) -> Finding:
    """Hostile and far collections: an input in 0 … span and a report of one size, never an exception."""
    people = neighbours(question)
    width = people[0].values.shape[1]
    people += [
        Neighbour(name=f"{size} times {value!r}", values=np.full((size, width), value))
        for place, value in enumerate(_HOSTILE)
        for size in (2, SIZES[1 + place % (len(SIZES) - 1)])
    ]
    alone = (people[0], *people[-2 * len(_HOSTILE) :])
    problem = next((found for one in alone if (found := _declined(subject, question, one, entropy))), "")
    if not problem and _together(subject, question, people, entropy):
        problem = _one_by_one(subject, question, people, entropy)
    return Finding(
        subject=subject.name,
        layer="exact",
        check=f"round {question.round}, {question.role}: every collection",
        passed=not problem,
        detail=problem or f"{len(people)} hostile collections, one place and one size",
    )


def _declined(subject: Subject, question: Question, one: Neighbour, entropy: Entropy) -> str:
    """A question that a device with an empty ledger declines is no question: a round of it stays empty."""
    try:
        subject.path.respond(question, one.copies(1), question.slots.first, entropy)
    except Declined as error:
        return f"a device declines this question ({error.code})"
    except Exception as error:  # named by the checks that follow
        return f"{one.name}: {type(error).__name__}, so silence would speak"
    return ""


def _together(subject: Subject, question: Question, people: list[Neighbour], entropy: Entropy) -> str:
    """All of them at once, which is quick; the answer is empty, or a reason to look closer."""
    offsets = np.concatenate(([0], np.cumsum([len(one.values) for one in people])))
    held = Collections(np.concatenate([one.values for one in people]), offsets)
    slots = several_slots(question, len(people))
    try:
        inputs = subject.path.inputs(question, held, slots, entropy)
        reports = subject.path.respond_many(question, held, slots, entropy)
        sizes = {len(report) - len(str(slot)) for report, slot in zip(reports, slots, strict=True)}  # slots are public
    except Exception as error:  # whatever it is, a device that fails has spoken
        return f"{type(error).__name__}, so silence would speak"
    if inputs.min() < 0 or inputs.max() > question.channel.span:
        return "an input outside 0 … span"
    return f"reports of {len(sizes)} different sizes" if len(sizes) > 1 else ""


def _one_by_one(subject: Subject, question: Question, people: list[Neighbour], entropy: Entropy) -> str:
    """The first collection that goes wrong, by name."""
    for one in people:
        if problem := _together(subject, question, [one], entropy):
            return f"{one.name}: {problem}"
    return _together(subject, question, people, entropy) or "goes wrong in company only"
