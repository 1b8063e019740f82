"""What a device is asked and what it would send: for the person who owns it."""

from __future__ import annotations

from sottovoce.explain.explanation import (
    Explanation,
    Sent,
    computes,
    explained,
    explained_question,
    from_you,
    may_compute,
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
    "Sent",
    "computes",
    "explained",
    "explained_question",
    "from_you",
    "may_compute",
    "placed",
    "promise",
    "report_size",
    "send",
    "span",
    "steps",
    "times",
]
