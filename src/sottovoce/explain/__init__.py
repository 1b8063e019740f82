"""What a device is asked and what it would send, in words: for the person who owns it."""

from __future__ import annotations

from sottovoce.explain.answering import Sent, send
from sottovoce.explain.explanation import Explanation, explained, explained_question
from sottovoce.explain.words import promise, steps, times

__all__ = ["Explanation", "Sent", "explained", "explained_question", "promise", "send", "steps", "times"]
