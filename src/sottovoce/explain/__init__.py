"""What a device is asked and what it would send: for the person who owns it."""

from __future__ import annotations

from sottovoce.explain.question_explanation import (
    Explanation,
    computes,
    explained,
    explained_question,
    from_you,
    placed,
    promise,
    report_size,
    send,
    span,
    steps,
    times,
)

__all__ = [
    "Explanation",
    "computes",
    "explained",
    "explained_question",
    "from_you",
    "placed",
    "promise",
    "report_size",
    "send",
    "span",
    "steps",
    "times",
]
