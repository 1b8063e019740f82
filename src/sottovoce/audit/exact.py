"""The exact layer: ε from the integers of the laws alone, by a second implementation in rational arithmetic.

Nothing here calls a channel's own `epsilon_bound`: a mistake there must not hide itself. Where the law can be searched
in full (table, subset, unary) the result is its largest likelihood ratio, rounded up by less than 10^-60. For laplace
it is the bound proven in device/PRIVACY.md, evaluated again, and held against likelihood ratios of the very law at
the points where they are largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from sottovoce.audit.findings import Finding
from sottovoce.audit.path import Subject
from sottovoce.messages import Channel, Laplace, Question, Subset, Table, Unary, exact, exp_below, log_above, log_below

_WIDE = 2**128


def cost(channel: Channel) -> Fraction:
    """A proven upper bound on ε of one use, from the law alone."""
    match channel:
        case Table():
            return log_above(max(Fraction(max(column), min(column)) for column in zip(*channel.rows, strict=True)))
        case Subset():
            own, others = Fraction(channel.threshold, 2**64), channel.items - channel.size
            ratio = own * others / ((1 - own) * channel.size)
            return log_above(max(ratio, 1 / ratio))
        case Unary():
            kept = Fraction(channel.threshold, 2**64)
            apart = _most_bits_apart(channel)
            return apart * log_above(max(kept / (1 - kept), (1 - kept) / kept)) if apart else Fraction(0)
        case Laplace():
            return _laplace_cost(channel)


def _most_bits_apart(channel: Unary) -> int:
    """By trying inputs: each against each, the far ones standing for all when there are many."""
    window = 2 * channel.reach + 1
    few = np.arange(channel.items)
    if channel.items > 6 * window:  # beyond that, indices in the middle differ from one another alike
        few = np.concatenate((few[: 3 * window], few[-3 * window :]))
    hot = [channel.hot(np.array([index]))[0] for index in few]
    return max(int((one != other).sum()) for one in hot for other in hot)


def _laplace_cost(channel: Laplace) -> Fraction:
    """ε ≤ M·λ + 4η − ln(1 − 2ρ^R), every logarithm rounded outward."""
    odds = [Fraction(_WIDE - digit, digit) for digit in channel.digits]
    above, below = [log_above(one) for one in odds], [log_below(one) for one in odds]
    eta = Fraction(0)
    for place, (low, high) in enumerate(zip(below, above, strict=True)):
        eta += max(abs(high - 2**place * below[0]), abs(low - 2**place * above[0]))
    room = 2 ** len(channel.digits) - channel.bound - channel.steps
    tail = 2 / exp_below(min(room * below[0], Fraction(2**12)))
    if tail >= 1:
        raise ValueError("the digits end too close to the clamp: no bound can be proven")
    return channel.steps * above[0] + 4 * eta + log_above(1 / (1 - tail))


def noise_chance(channel: Laplace, step: int) -> Fraction:
    """P(G₁ − G₂ = step), exactly: digit by digit from the lowest, with the borrow as the only state."""
    states = {step: 1}
    for digit in channel.digits:  # numerators over 2^128 squared: integers stay integers
        one, zero = digit, _WIDE - digit
        following: dict[int, int] = {}
        for left, chance in states.items():
            for difference, weight in ((1, one * zero), (-1, one * zero), (0, one * one + zero * zero)):
                rest = left - difference
                if rest % 2 == 0:
                    following[rest // 2] = following.get(rest // 2, 0) + chance * weight
        states = following
    return Fraction(states.get(0, 0), _WIDE ** (2 * len(channel.digits)))


def attained(channel: Laplace) -> Fraction:
    """A likelihood ratio that the law really has, as ε rounded down: no valid bound may lie below it."""
    last = channel.steps + channel.bound - 1
    ratios = [
        noise_chance(channel, report - near) / noise_chance(channel, report - far)
        for report, near, far in (
            (0, 0, channel.steps),
            (last, channel.steps, 0),
            (1 - channel.bound, 0, channel.steps),
        )
    ]
    return log_below(max(max(ratio, 1 / ratio) for ratio in ratios))


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
    claimed = question.epsilon_bound()
    if claimed < spent - Fraction(1, 10**50):
        return _failed(finding, f"{detail}; the channel claims to cost {float(claimed):.6g}")
    if isinstance(channel, Laplace) and attained(channel) > min(spent, claimed) / question.uses:
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
