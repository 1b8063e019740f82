"""The entropy layer for the JavaScript device: its words are exactly the bytes that crypto.getRandomValues gave.

As in `audit.system`, the system's generator is put on a script. The shipped source must give back the same bytes, in
order, as many as were asked for, none kept and none added, and no call may ask for more than a browser gives. Then a
device as a whole, from those bytes to the bytes of the report. Everything else that chance could be taken from
(Math.random, random identifiers, keys, the clocks) throws on the bench, always.
"""

from __future__ import annotations

import numpy as np

from sottovoce.audit.findings import Finding, examine
from sottovoce.audit.javascript.path import JavaScript
from sottovoce.audit.neighbours import SIZES, crowd
from sottovoce.audit.scripted import reports
from sottovoce.audit.scripts import Tape
from sottovoce.audit.system import questions
from sottovoce.device import encode
from sottovoce.messages import Question

COUNTS = (1, 2, 0, 7, 64, 1, 1000, 129, 8191, 8192, 8193, 3 * 8192 + 5)
"""Words asked for, one after another: also more than one call may ask for."""
AGAIN = 300
"""Further calls for a few words each: a source may have gone well for a while."""
QUOTA = 65_536
"""Bytes that one call of crypto.getRandomValues may ask for."""
_PLENTY = 4096
"""Words on the script of one answer; none of these needs so many."""


def exactly_the_browsers_bytes(subject: str, path: JavaScript) -> list[Finding]:
    """Two findings: the source alone, and a device that draws from it."""
    alone, through = "the browser's bytes, no others", "from the browser's bytes to the report"
    calls, answers = len(COUNTS) + AGAIN, len(SIZES) * len(questions())
    return [
        *examine(subject, "entropy", alone, lambda: _alone(path), f"{calls} calls, all alike"),
        *examine(subject, "entropy", through, lambda: _through_a_device(path), f"{answers} answers, all alike"),
    ]


def _alone(path: JavaScript) -> str:
    counts = [*COUNTS, *(1 + call % 5 for call in range(AGAIN))]
    script = np.random.Generator(np.random.PCG64(1)).bytes(8 * sum(counts) + 2 * QUOTA)
    first = 0
    for count, (given, calls) in zip(counts, path.words(counts, script), strict=True):
        taken = sum(calls)
        if taken != 8 * count:
            return f"{count} words were asked for, {taken} bytes were taken from the browser"
        if given != script[first : first + taken]:
            return f"{count} words were asked for, and other bytes came than the browser gave"
        if max(calls, default=0) > QUOTA:
            return f"{count} words were asked for, {max(calls)} bytes of them in one call"
        first += taken
    return ""


def _through_a_device(path: JavaScript) -> str:
    for place, question in enumerate(questions()):
        for turn, size in enumerate(SIZES):
            if problem := _answer(path, question, size, seed=len(SIZES) * place + turn):
                return problem
    return ""


def _answer(path: JavaScript, question: Question, size: int, *, seed: int) -> str:
    one, slot = crowd(question, [size]), question.slots.first + seed % question.slots.count
    slots = np.array([slot])
    script = np.random.Generator(np.random.PCG64(seed)).bytes(8 * _PLENTY)
    given, taken = path.respond_from(script, question, one, slot)
    tape = Tape(np.frombuffer(script[:taken], dtype="<u8").tolist() if taken % 8 == 0 else [])
    inputs = [int(value) for value in encode(question, one, slots, tape).ravel()]
    same = [given] == reports(question, slots, inputs, tape) and not tape.left
    return "" if same else f"{question.role}: the report is not what the browser's bytes give"
