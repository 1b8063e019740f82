"""What a device is asked and what it would send: for the person who owns it."""

from __future__ import annotations

from sottovoce.explain.question_explanation import (
    Explanation,
    statistic_fact,
    explain_survey,
    explain_question,
    consent_fact,
    placement_fact,
    promise,
    report_size,
    report_of_new_device,
    range_fact,
    steps,
    likelier_times,
)

__all__ = [
    "Explanation",
    "statistic_fact",
    "explain_survey",
    "explain_question",
    "consent_fact",
    "placement_fact",
    "promise",
    "report_size",
    "report_of_new_device",
    "range_fact",
    "steps",
    "likelier_times",
]
