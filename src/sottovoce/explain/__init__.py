"""What a device is asked and what it would send: for the person who owns it."""

from __future__ import annotations

from sottovoce.explain.question_explanation import (
    Explanation,
    consent_fact,
    explain_question,
    explain_survey,
    likelier_times,
    placement_fact,
    promise,
    range_fact,
    report_of_new_device,
    report_size,
    statistic_fact,
    steps,
)

__all__ = [
    "Explanation",
    "consent_fact",
    "explain_question",
    "explain_survey",
    "likelier_times",
    "placement_fact",
    "promise",
    "range_fact",
    "report_of_new_device",
    "report_size",
    "statistic_fact",
    "steps",
]
