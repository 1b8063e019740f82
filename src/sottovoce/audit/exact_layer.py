"""The exact layer: ε from the integers of the laws alone, by a second implementation in rational arithmetic.

The derivations are in `channel_derivations`. None of them calls a channel's own `epsilon_bound`: a mistake there must
not hide itself. Where the law can be searched in full (table, subset, unary) the result is its largest likelihood
ratio, rounded up by less than 10^-60. For laplace it is the bound proven in device/PRIVACY.md, evaluated again, and
held against likelihood ratios of the very law at the points where they are largest.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import accumulate

import numpy as np

from sottovoce.audit.channel_derivations import derivation
from sottovoce.audit.device_paths import Subject
from sottovoce.audit.findings import Finding, verdict
from sottovoce.audit.neighbours import SIZES, Neighbour, neighbours, several_slots
from sottovoce.device import Collections, Entropy
from sottovoce.messages import Channel, Declined, Question, exact

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
    problem = next(filter(None, (_refusal(subject, question, one, entropy) for one in alone)), "")
    if not problem and _problem_together(
        subject, question, people, entropy
    ):  # quick; now the first that goes wrong, by name
        problems = ((one.name, _problem_together(subject, question, [one], entropy)) for one in people)
        problem = next((f"{name}: {words}" for name, words in problems if words), "")
        problem = problem or _problem_together(subject, question, people, entropy) or "goes wrong in company only"
    check = f"round {question.round}, {question.role}: every collection"
    return verdict(subject.name, "exact", check, problem, f"{len(people)} hostile collections, one place and one size")


def _refusal(subject: Subject, question: Question, one: Neighbour, entropy: Entropy) -> str:
    """A question that a device with an empty ledger declines is no question: a round of it stays empty."""
    try:
        subject.path.respond(question, one.copies(1), question.slots.first, entropy)
    except Declined as error:
        return f"a device declines this question ({error.code})"
    except Exception as error:  # named by the checks that follow
        return f"{one.name}: {type(error).__name__}, so silence would speak"
    return ""


def _problem_together(subject: Subject, question: Question, people: list[Neighbour], entropy: Entropy) -> str:
    """All of them at once, which is quick; the answer is empty, or a reason to look closer."""
    offsets = np.concatenate(([0], np.cumsum([len(one.values) for one in people])))
    collections = Collections(np.concatenate([one.values for one in people]), offsets)
    slots = several_slots(question, len(people))
    try:
        inputs = subject.path.inputs(question, collections, slots, entropy)
        reports = subject.path.respond_many(question, collections, slots, entropy)
        sizes = {len(report) - len(str(slot)) for report, slot in zip(reports, slots, strict=True)}  # slots are public
    except Exception as error:  # whatever it is, a device that fails has spoken
        return f"{type(error).__name__}, so silence would speak"
    if inputs.min() < 0 or inputs.max() > question.channel.span:
        return "an input outside 0 … span"
    return f"reports of {len(sizes)} different sizes" if len(sizes) > 1 else ""


CLOSE = Fraction(1, 10**50)
"""An account of a cost that is further above it than this is another account."""


def cost(channel: Channel) -> Fraction:
    """A proven upper bound on ε of one use, from the law alone."""
    return derivation(channel).cost()


def least(channel: Channel) -> Fraction:
    """What one use costs, rounded down by less than 10^-100: no account of it may lie below.

    For laplace, whose cost is a bound and no ratio, it is that bound less 10^-50; see `Derivation.attained` as well.
    """
    ratio = derivation(channel).ratio()
    if ratio is None:
        return cost(channel) - CLOSE
    fine = Context(prec=120, rounding=ROUND_FLOOR)
    worst, times = ratio
    quotient = fine.divide(Decimal(worst.numerator), Decimal(worst.denominator))
    return max(Fraction(0), times * (Fraction(fine.ln(quotient)) - Fraction(1, 10**110)))


def question_cost(question: Question) -> Fraction:
    """What a whole report costs: costs of independent symbols add up."""
    return question.uses * cost(question.channel)


def protocol_cost(questions: Sequence[Question]) -> Fraction:
    """The most that any one slot spends over all questions that ask it."""
    changes: dict[int, Fraction] = defaultdict(Fraction)
    for question in questions:
        spent = question_cost(question)
        changes[question.slots.first] += spent
        changes[question.slots.first + question.slots.count] -= spent
    return max(accumulate((changes[slot] for slot in sorted(changes)), initial=Fraction(0)))


def certify(subject: Subject) -> list[Finding]:
    """Every question against what it declares, then the whole protocol against what it promises."""
    findings = [_question_finding(subject, question) for question in subject.questions]
    spent, promised = protocol_cost(subject.questions), exact(subject.epsilon)
    words = f"the most that one user spends over {len(subject.questions)} questions"
    return [*findings, _cost_finding(subject, "whole protocol", spent, promised, words)]


def _question_finding(subject: Subject, question: Question) -> Finding:
    channel = question.channel
    name = f"round {question.round}, {question.role}"
    spent, declared = question_cost(question), exact(question.epsilon)
    detail = f"{channel.kind}, {question.uses} use{'s' if question.uses > 1 else ''}"
    finding = _cost_finding(subject, name, spent, declared, detail)
    claimed = subject.path.claimed_cost(question)
    if claimed < question.uses * least(channel):
        problem = f"the channel claims to cost {float(claimed):.6g}"
    elif claimed > spent + CLOSE:
        problem = f"the device would count {float(claimed):.6g}, and decline what is right"
    elif (ratio := derivation(channel).attained_epsilon()) is not None and ratio > min(spent, claimed) / question.uses:
        problem = "the law itself has a larger ratio than the bound"
    else:
        return finding
    return replace(finding, passed=False, detail=f"{detail}; {problem}")


def _cost_finding(subject: Subject, check: str, spent: Fraction, declared: Fraction, detail: str) -> Finding:
    return Finding(
        subject=subject.name,
        layer="exact",
        check=check,
        passed=spent <= declared,
        detail=detail,
        declared=float(declared),
        measured=float(spent),
        slack=float(declared - spent),
    )
