"""Every collection has a place, and a report of one size: the part of the claim that encoders must keep."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.audit.findings import Finding
from sottovoce.audit.neighbours import Neighbour, neighbours
from sottovoce.audit.path import Subject
from sottovoce.device import Entropy
from sottovoce.messages import Question

_HOSTILE = (math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324, -0.0)


def every_collection_has_a_place(subject: Subject, question: Question, entropy: Entropy) -> Finding:
    """Hostile and far collections: an input in 0 … span and a report of one size, never an exception."""
    people = neighbours(question)
    width = people[0].values.shape[1]
    people += [Neighbour(name=repr(value), values=np.full((2, width), value)) for value in _HOSTILE]
    slots, sizes, problem = np.array([question.slots.first]), set(), ""
    for one in people:
        try:
            with np.errstate(all="ignore"):
                inputs = subject.path.inputs(question, one.copies(1), slots, entropy)
            sizes |= {len(report) for report in subject.path.respond_many(question, one.copies(1), slots, entropy)}
        except Exception as error:  # whatever it is, a device that fails has spoken
            problem = problem or f"{one.name}: {type(error).__name__}, so silence would speak"
            continue
        if inputs.min() < 0 or inputs.max() > question.channel.span:
            problem = problem or f"{one.name}: an input outside 0 … span"
    if len(sizes) > 1:
        problem = problem or f"reports of {len(sizes)} different sizes"
    return Finding(
        subject=subject.name,
        layer="exact",
        check=f"round {question.round}, {question.role}: every collection",
        passed=not problem,
        detail=problem or f"{len(people)} hostile collections, one place and one size",
    )
