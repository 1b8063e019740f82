"""The sampler layer: scripted words through the device's own front door, against the law read a second time.

Every question is answered by `respond` for collections of none, one, 11 and 1,001 observations at the first slots one
after another, at some inside and at the last; then by many users side by side, of every size up to 64 and around the
powers of two. The script aims each word at the thresholds of the channel, so that each bit, digit and position is
seen to depend on words of its own, on all 64 bits of them, and on nothing else. The whole report must be, byte for
byte, what these words give, and no word may be left or missing. A path that works in blocks is asked once more, with
blocks so small that many are needed: each must have words of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sottovoce.audit.channel_derivations import Integers, derivation
from sottovoce.audit.device_paths import Path, Subject
from sottovoce.audit.findings import Finding, verdict
from sottovoce.audit.neighbours import SIZES, crowd, several_slots
from sottovoce.audit.word_scripts import AimedWords, Recorder, Tape
from sottovoce.device import Collections, encode
from sottovoce.messages import Batch, Question

ANSWERS = 14
"""Answers of `respond`, each with a ledger of its own."""
_POWERS = (128, 256, 512, 1024, 2048)
SWEEP = (*range(65), *(size + more for size in _POWERS for more in (-1, 0, 1)), *range(5, 25))
"""Sizes of the collections side by side: more users than a laplace channel has digits, twice over."""
_MOST_CELLS = 2**20
IN_BLOCKS = 19
"""Users of whom a block holds a few: two blocks of either kind are of one size, and the last is smaller."""


def follows_the_script(subject: Subject, question: Question) -> Finding:
    """One finding: the answers that were tried, or the first that was another."""
    path, users = subject.path, _user_count(question)
    problem = _one_by_one(path, question) or _side_by_side(path, question, SWEEP[:users], path.at_once)
    done = f"{ANSWERS} answers of a device, {users} side by side"
    if path.block_sizes and not problem:
        with path.in_blocks():
            problem = _side_by_side(path, question, SWEEP[:users][:IN_BLOCKS], path.block_sizes)
        done += f", {min(users, IN_BLOCKS)} in blocks"
    check = f"round {question.round}, {question.role}: scripted words"
    return verdict(subject.name, "sampler", check, problem, f"{done}, each byte as the words say")


def _user_count(question: Question) -> int:
    """So many that one block holds them all."""
    channel = question.channel
    cells_per_user = question.uses * max(channel.cells, channel.width, question.encoder.breadth, 64)
    return max(1, min(len(SWEEP), _MOST_CELLS // cells_per_user))


def _one_by_one(path: Path, question: Question) -> str:
    slots = several_slots(question, ANSWERS)
    sizes = [SIZES[(turn + turn // len(SIZES)) % len(SIZES)] for turn in range(ANSWERS)]  # no size keeps to one slot
    people = crowd(question, sizes)
    for turn, (size, slot) in enumerate(zip(sizes, slots, strict=True)):
        one = people.take(np.array([turn]))
        tape, expected = tape_and_reports(path, question, one, slots[turn : turn + 1], seed=turn, cut=path.at_once)
        where = f"{size} observations, slot {slot - question.slots.first} of those asked"
        try:
            given = path.respond(question, one, int(slot), tape)
        except Exception as error:  # whatever it is, a device that fails has spoken
            return f"{where}: {type(error).__name__}"
        if given != expected[0] or tape.left:
            return f"{where}: {_difference(given, expected[0], tape)}"
    return ""


def _side_by_side(path: Path, question: Question, sizes: Sequence[int], cut: tuple[int, int]) -> str:
    where = "side by side" if cut == path.at_once else "in blocks"
    people = crowd(question, sizes)
    slots = question.slots.first + np.arange(len(sizes)) % question.slots.count
    tape, expected = tape_and_reports(path, question, people, slots, seed=len(sizes), cut=cut)
    try:
        given = path.respond_many(question, people, slots, tape)
    except Exception as error:  # the same
        return f"many {where}: {type(error).__name__}"
    for size, slot, one, other in zip(sizes, slots, given, expected, strict=True):
        if one != other:
            which = f"{size} observations, slot {slot - question.slots.first} of those asked, {where}"
            return f"{which}: {_difference(one, other, tape)}"
    return f"{where}: {tape.left} words were not used" if tape.left else ""


def tape_and_reports(
    path: Path, question: Question, people: Collections, slots: Integers, *, seed: int, cut: tuple[int, int]
) -> tuple[Tape, list[bytes]]:
    """A tape for these users, who are encoded and sampled so many at once, and the reports that it must give.

    What the encoder makes of a collection cannot raise ε, so its answer is taken as it is, and its words as well.
    """
    channel, recorder, aim = question.channel, Recorder(seed), AimedWords(seed)
    kind = derivation(channel)
    drawn, symbols = list[int](), list[tuple[int, ...]]()
    for rows, part in people.blocks(cut[0]):
        recorder.given.clear()
        inputs = [int(value) for value in encode(question, part, slots[rows], recorder).ravel()]
        drawn += recorder.given
        for first in range(0, len(inputs), cut[1]):
            here = inputs[first : first + cut[1]]
            words = kind.aimed_script(here, aim)
            drawn += path.in_reading_order(channel, words, len(here))
            symbols += kind.symbols(here, Tape(words).read)
    return Tape(drawn), _report_bytes(question, slots, symbols)


def expected_reports(question: Question, slots: Integers, inputs: list[int], tape: Tape) -> list[bytes]:
    """What the next words of a tape must give, as it travels."""
    return _report_bytes(question, slots, derivation(question.channel).symbols(inputs, tape.read))


def _report_bytes(question: Question, slots: Integers, symbols: Sequence[tuple[int, ...]]) -> list[bytes]:
    batch = Batch(
        question=question,
        slots=np.zeros(len(slots), dtype=np.int64),
        symbols=np.array(symbols, dtype=np.int64).reshape(len(slots), question.uses, question.channel.width),
    )
    return [replace(one, slot=int(slot)).to_bytes() for one, slot in zip(batch.reports(), slots, strict=True)]


def _difference(given: bytes, expected: bytes, tape: Tape) -> str:
    if given == expected:
        return f"{tape.left} words were not used"
    return "not what the words say" if len(given) == len(expected) else "a report of another size"
