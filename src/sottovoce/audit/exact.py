"""The exact layer: ε from the integers of the laws alone, by a second implementation in rational arithmetic.

The derivations are in `kinds`. None of them calls a channel's own `epsilon_bound`: a mistake there must not hide
itself. Where the law can be searched in full (table, subset, unary) the result is its largest likelihood ratio, rounded
up by less than 10^-60. For laplace it is the bound proven in device/PRIVACY.md, evaluated again, and held against
likelihood ratios of the very law at the points where they are largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from sottovoce.audit.findings import Finding
from sottovoce.audit.kinds import LaplaceKind, derivation
from sottovoce.audit.path import Subject
from sottovoce.messages import Channel, Laplace, Question, exact

CLOSE = Fraction(1, 10**50)
"""An account of a cost that is further above it than this is another account."""


def cost(channel: Channel) -> Fraction:
    """A proven upper bound on ε of one use, from the law alone."""
    return derivation(channel).cost()


def least(channel: Channel) -> Fraction:
    """What one use costs, rounded down by less than 10^-100: no account of it may lie below.

    For laplace, whose cost is a bound and no ratio, it is that bound less 10^-50; see `attained` as well.
    """
    ratio = derivation(channel).ratio()
    if ratio is None:
        return cost(channel) - CLOSE
    fine = Context(prec=120, rounding=ROUND_FLOOR)
    worst, times = ratio
    quotient = fine.divide(Decimal(worst.numerator), Decimal(worst.denominator))
    return max(Fraction(0), times * (Fraction(fine.ln(quotient)) - Fraction(1, 10**110)))


def attained(channel: Channel) -> Fraction | None:
    """A likelihood ratio that the law really has, as ε rounded down: no valid bound may lie below it.

    None where `cost` is the largest ratio itself.
    """
    return derivation(channel).attained()


def noise_chance(channel: Laplace, step: int) -> Fraction:
    """The chance of this noise before the clamp, exactly."""
    return LaplaceKind(channel).noise_chance(step)


def question_cost(question: Question) -> Fraction:
    """What a whole report costs: costs of independent symbols add up."""
    return question.uses * cost(question.channel)


def whole_cost(questions: Sequence[Question]) -> Fraction:
    """The most that any one slot spends over all questions that ask it."""
    changes: dict[int, Fraction] = {}
    for question in questions:
        spent = question_cost(question)
        end = question.slots.first + question.slots.count
        changes[question.slots.first] = changes.get(question.slots.first, Fraction(0)) + spent
        changes[end] = changes.get(end, Fraction(0)) - spent
    worst = running = Fraction(0)
    for slot in sorted(changes):
        running += changes[slot]
        worst = max(worst, running)
    return worst


def certify(subject: Subject) -> list[Finding]:
    """Every question against what it declares, then the whole protocol against what it promises."""
    findings = [_question(subject, question) for question in subject.questions]
    spent, promised = whole_cost(subject.questions), exact(subject.epsilon)
    words = f"the most that one user spends over {len(subject.questions)} questions"
    return [*findings, _finding(subject, "whole protocol", spent, promised, words)]


def _question(subject: Subject, question: Question) -> Finding:
    channel = question.channel
    name = f"round {question.round}, {question.role}"
    spent, declared = question_cost(question), exact(question.epsilon)
    detail = f"{channel.kind}, {question.uses} use{'s' if question.uses > 1 else ''}"
    finding = _finding(subject, name, spent, declared, detail)
    claimed = subject.path.claims(question)
    if claimed < question.uses * least(channel):
        return _failed(finding, f"{detail}; the channel claims to cost {float(claimed):.6g}")
    if claimed > spent + CLOSE:
        return _failed(finding, f"{detail}; the device would count {float(claimed):.6g}, and decline what is right")
    seen = attained(channel)
    if seen is not None and seen > min(spent, claimed) / question.uses:
        return _failed(finding, f"{detail}; the law itself has a larger ratio than the bound")
    return finding


def _finding(subject: Subject, check: str, spent: Fraction, declared: Fraction, detail: str) -> Finding:
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


def _failed(finding: Finding, detail: str) -> Finding:
    return replace(finding, passed=False, detail=detail)
