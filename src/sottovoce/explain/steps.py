"""What a question asks and costs, as facts for the person whose device is asked."""

from __future__ import annotations

import math

from sottovoce.messages import Category, Direction, Each, Encoder, Fact, Grid, Joint, Nearest, Question


def steps(question: Question) -> list[tuple[str, Fact]]:
    """What a device does, in order: a name and what is done, for each step."""
    encoder = question.encoder
    return [
        ("compute", Fact("step-compute-within" if encoder.within else "step-compute", what=encoder.fact)),
        ("place", Fact("step-place", placed=placed(encoder), nothing=encoder.nothing)),
        ("randomise", question.channel.fact),
        ("send", report_size(question)),
    ]


def placed(encoder: Encoder) -> Fact:
    """Where what is computed falls."""
    placement = encoder.placement
    numbered = isinstance(encoder.statistic, (Nearest, Category, Joint, Direction))
    if numbered and isinstance(placement, Grid) and (*placement.low, *placement.high) == (0.0, placement.count):
        return Fact("placed-number", count=placement.count)
    return placement.fact


def report_size(question: Question) -> Fact:
    """How large a report is, for everybody."""
    each = isinstance(question.encoder.statistic, Each)
    return Fact("report-size", bytes=question.payload_bytes, uses=question.uses, each=each, groups=question.groups)


def promise(question: Question) -> Fact:
    """What the report may tell about a participant, to the participant; the same as odds where that is little.

    Odds: of 100 guesses between two collections, how many are right at most after seeing the report.
    """
    epsilon = float(question.epsilon_bound())
    right = 100 / (1 + math.exp(-epsilon))
    return Fact("promise", **times(epsilon).data, right=None if right > 95 else math.ceil(right))


def times(epsilon: float) -> Fact:
    """``e^ε = 2.72``, or only its left side when the number would say nothing."""
    return Fact("likelier-times", epsilon=epsilon, times=math.exp(epsilon) if epsilon <= 100 else None)
