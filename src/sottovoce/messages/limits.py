"""Public limits that every device checks before it reads on.

`MAX_WORK` bounds the numbers a device holds at once for one answer, `MAX_WAVES` how often it walks through its own
observations: no question can exhaust a device, or stretch its working time to measure how much it holds.

What travels is bounded more tightly than what can be built: a question that a simulation may ask can be too large for
any device. `MAX_QUESTION`, `MAX_REPORT` and `check_price` are checked where bytes are read, and by the device.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from sottovoce.messages.errors import InvalidInput, Malformed

MIN_EPSILON = 1e-6
MAX_EPSILON = 1e6
MAX_CHANNEL_EPSILON = 16.0
EIGHT_BYTES_PER_EPSILON = 10**6
MAX_QUESTION_BYTES = 2**20
MAX_REPORT_BYTES = 2**16
MAX_TALLY_BYTES = 2**26
MAX_MANIFEST_BYTES = 2**20
MAX_TRANSCRIPT_BYTES = 2**28
MAX_ROUNDS = 1001
MAX_DEPTH = 32
MAX_RUNS = 2**10
MAX_WAYS = 64
MAX_WORDS = 2**12
MAX_LEDGER_ANSWERS = 2**16
MAX_LEDGER_BYTES = 2**26
MAX_SIMULATED_REPORT_BYTES = 2**20
MAX_SYMBOLS = 256
MAX_TABLE_CELLS = 4096
MAX_ITEMS = 2**16
MAX_GROUPS = 2**16
MAX_KNOTS = 64
MAX_USES = 2**14
MAX_USERS = 2**40
MAX_TEXT = 128
MAX_SEED = 2**53
MAX_FUNCTION = MAX_GROUPS + 1
MAX_VALUE = 1e150
MAX_WORK = 2**22
MAX_WAVES = 64
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Size(NamedTuple):
    """What a message of one kind may hold, counted in its bytes before they are read."""

    letters: int
    marks: int
    """Brackets, braces, colons and quotes: each stands for something that takes up memory."""
    texts: bool = False
    """Its texts are documents of their own: marks are quotes, and every letter outside of texts and names."""


MAX_QUESTION = Size(letters=MAX_QUESTION_BYTES, marks=2 * MAX_ITEMS + 4 * MAX_TABLE_CELLS)
MAX_REPORT = Size(letters=MAX_REPORT_BYTES, marks=18)
MAX_MANIFEST = Size(letters=MAX_MANIFEST_BYTES, marks=2 * MAX_ITEMS + 4 * MAX_TABLE_CELLS)
MAX_TRANSCRIPT = Size(letters=MAX_TRANSCRIPT_BYTES, marks=64 * (MAX_ROUNDS + 1), texts=True)
MAX_TALLY = Size(letters=MAX_TALLY_BYTES, marks=2 * MAX_WORK + 4 * MAX_GROUPS + 64)


def report_bytes(payload: int) -> int:
    """The largest report with a payload of so many bytes: two letters for each, and what stands around them."""
    return 2 * payload + 256


def check_price(*, payload: int, epsilon: Fraction) -> None:
    """Refuse a question whose report would be too large, or cost too little for the room it takes in the ledger."""
    check(report_bytes(payload) <= MAX_REPORT_BYTES, f"a report has at most {MAX_REPORT_BYTES} bytes")
    parts = max(1, -(-payload // 8))
    enough = epsilon.numerator * EIGHT_BYTES_PER_EPSILON >= parts * epsilon.denominator
    check(enough, f"a report of {payload} bytes costs at least {parts / EIGHT_BYTES_PER_EPSILON:g}: room is not free")


def check_epsilon(epsilon: float, *, maximum: float = MAX_CHANNEL_EPSILON) -> float:
    """A usable privacy budget, or a clear error."""
    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float)):
        raise InvalidInput(rule=f"epsilon must be a number, not {type(epsilon).__name__}")
    if not MIN_EPSILON <= epsilon <= maximum:  # also false for NaN
        above = ": no device answers more in one question" if epsilon > maximum == MAX_CHANNEL_EPSILON else ""
        raise InvalidInput(
            rule=f"epsilon must lie between {MIN_EPSILON:g} and {maximum:g}", wrong=f"got {epsilon:g}{above}"
        )
    return float(epsilon)


def check_range(low: float, high: float) -> None:
    """A usable declared range, or a clear error."""
    if not (math.isfinite(low) and math.isfinite(high) and math.isfinite(high - low)):
        raise InvalidInput(rule="low and high must be finite", wrong=f"got low={low:g}, high={high:g}")
    if max(abs(low), abs(high)) > MAX_VALUE:
        raise InvalidInput(rule="low and high must lie within ±1e150", wrong=f"got low={low:g}, high={high:g}")
    if not low < high:
        raise InvalidInput(rule="low must be below high", wrong=f"got low={low:g}, high={high:g}")


def check(condition: bool, problem: str) -> None:
    """Refuse a message with a reason."""
    if not condition:
        raise Malformed(problem)


def check_increasing(name: str, numbers: Sequence[float]) -> None:
    """Refuse numbers that are not finite, or not in strictly increasing order."""
    check(all(map(math.isfinite, numbers)), f"{name} are finite")
    check(all(left < right for left, right in pairwise(numbers)), f"{name} increase strictly")


def check_digest(name: str, text: str) -> None:
    """Refuse a field that holds anything but a SHA-256 digest in hexadecimal."""
    check(_DIGEST.fullmatch(text) is not None, f"{name}: a SHA-256 digest")
