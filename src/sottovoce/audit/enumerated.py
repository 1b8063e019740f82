"""The tree layer's findings: the law of a report, question bytes in and report bytes out, against the declared law."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from sottovoce.audit.corners import recovered
from sottovoce.audit.findings import Finding
from sottovoce.audit.kinds import Symbol, derivation
from sottovoce.audit.law import largest_ratio, report_law
from sottovoce.audit.neighbours import Neighbour, neighbours, several_slots
from sottovoce.audit.path import Path, Subject
from sottovoce.audit.tree import Script, Tree, explore
from sottovoce.device import SystemEntropy, encode
from sottovoce.messages import Batch, Channel, Question, Report, SottovoceError, exact, log_above

PATHS = 1300
"""Questions with more paths than this are left to their small instances."""
WHOLE = 40
"""Up to so many paths of a short question go through `respond` as a whole, others from the channel's input on."""
HIDDEN = Fraction(1, 2**500)
"""So little may be left unexplored for a law to be told from another."""

Outcome = Symbol | bytes
Explored = tuple[list[dict[Outcome, Fraction]], int, bool]
Known = dict[tuple[Path, Channel, int], Explored]
"""Channels that were explored before, in the same run: the same channel again needs no second look."""


def expected_paths(question: Question) -> int:
    """Roughly how many paths a report of this question takes."""
    return int(derivation(question.channel).paths() ** min(question.uses, 8))


def enumerate_paths(subject: Subject, known: Known | None = None) -> list[Finding]:
    """One finding for each question that is small enough."""
    known = {} if known is None else known
    path = subject.path
    asked = (question for question in subject.questions if path.plays or path.compares(question.channel))
    small = [question for question in asked if expected_paths(question) <= PATHS]
    return [_enumerate(subject, question, known) for question in small]


def _whole(question: Question) -> bool:
    return expected_paths(question) <= WHOLE and len(question.to_bytes()) <= 4096


def _enumerate(subject: Subject, question: Question, known: Known) -> Finding:
    name = f"round {question.round}, {question.role}"
    followed = subject.path.compares(question.channel)
    if question.encoder.draws or not followed or not _whole(question):
        return _channel_only(subject, question, name, known)
    people = neighbours(question)
    people = people if expected_paths(question) <= 16 else people[::2]  # every other one, where each takes long
    laws: list[dict[Outcome, Fraction]] = []
    paths, wrong = 0, []
    for one, slot in zip(people, several_slots(question, len(people)), strict=True):
        try:
            tree = explore(partial(_report, subject.path, question, one, int(slot)), limit=4 * PATHS)
        except Exception as error:  # what cannot be followed, and whatever a device may do instead of answering
            return _finding(subject, question, name, None, f"{one.name}: {type(error).__name__}")
        paths += tree.paths
        laws.append(tree.law)
        inputs = encode(question, one.copies(1), np.array([slot]), SystemEntropy())[0]
        if not _equal(tree, report_law(question.channel, [int(value) for value in inputs])):
            wrong.append(one.name)
    if wrong:
        return _finding(subject, question, name, laws, f"another law than the declared one for: {', '.join(wrong)}")
    detail = f"{paths:,} paths over {len(people)} collections, question to report"
    return _finding(subject, question, name, laws, detail, agrees=True)


def _channel_only(subject: Subject, question: Question, name: str, known: Known) -> Finding:
    """Inputs to symbols: where the tree is large, or the encoder reads words in arithmetic (it cannot raise ε)."""
    key = subject.path, question.channel, question.uses
    if key not in known:
        known[key] = _explored(*key)
    laws, paths, agrees = known[key]
    words = "paths" if subject.path.compares(question.channel) else "scripts at the corners of every path"
    detail = f"{paths:,} {words}, input to symbol" if agrees else "another law than the declared one"
    return _finding(subject, question, name, laws, detail, agrees=agrees)


def _explored(path: Path, channel: Channel, uses: int) -> Explored:
    """The laws for some inputs, their paths (or the scripts that were tried), and whether they are those declared."""
    laws, paths, agrees = list[dict[Outcome, Fraction]](), 0, True
    for value in sorted({0, channel.span // channel.unit // 2 * channel.unit, _uneven(channel), channel.span}):
        inputs = [value] * uses
        tree = _tree(path, channel, inputs)
        paths += tree.paths
        laws.append(tree.law)
        agrees = agrees and _equal(tree, report_law(channel, inputs))
    return laws, paths, agrees


def _tree(path: Path, channel: Channel, inputs: list[int]) -> Tree[Outcome]:
    if path.compares(channel):
        return explore(partial(_symbols, path, channel, inputs), limit=4 * PATHS)
    found, scripts = recovered(path, channel, inputs, limit=4 * PATHS)
    law: dict[Outcome, Fraction] = dict(found.items())
    return Tree(law=law, paths=scripts, missing=1 - sum(law.values(), Fraction(0)))


def _uneven(channel: Channel) -> int:
    """Between two nodes, where there are any: at a fraction whose high and low bits are both set."""
    return min(channel.span, 5 * channel.span // 7 | 1) if channel.unit > 1 else channel.span


def _report(path: Path, question: Question, one: Neighbour, slot: int, script: Script) -> Outcome:
    data = path.respond(question, one.copies(1), slot, script)
    try:
        batch = Batch.of(question, [Report.from_bytes(data)])
    except SottovoceError:
        return data
    return tuple(int(value) for value in batch.symbols.ravel())


def _symbols(path: Path, channel: Channel, inputs: list[int], script: Script) -> Outcome:
    return tuple(int(part) for part in path.symbols(channel, np.array(inputs, dtype=np.int64), script).ravel())


def _equal(tree: Tree[Outcome], declared: dict[Symbol, Fraction]) -> bool:
    """Exactly, but for what was not entered (redraws of redraws): it may be missing from any symbol, and is in none.

    Where the cut-off falls between two levels of redraws that is the same part of every symbol; within a level, not.
    """
    if tree.missing > HIDDEN or set(tree.law) != set(declared):
        return False
    return all(0 <= declared[one] - tree.law[one] <= tree.missing for one in declared)


def _finding(
    subject: Subject,
    question: Question,
    name: str,
    laws: list[dict[Outcome, Fraction]] | None,
    detail: str,
    *,
    agrees: bool = False,
) -> Finding:
    declared = exact(question.epsilon)
    ratio = largest_ratio(laws) if laws else None
    measured = None if ratio is None else log_above(ratio)
    within = measured is not None and measured <= declared
    if agrees and not within:
        detail += "; the law itself costs more than was declared"
    return Finding(
        subject=subject.name,
        layer="tree",
        check=name,
        passed=agrees and within,
        detail=detail,
        declared=float(declared),
        measured=None if laws is None else float("inf") if measured is None else float(measured),
        slack=None if measured is None else float(declared - measured),
    )
