"""Why a survey ends without an answer: the words that a collector publishes, and that anybody can compute again."""

from __future__ import annotations

from sottovoce.messages import Question
from sottovoce.problems.announced import Announced


def too_few(survey: Announced, question: Question, answered: int) -> str | None:
    """Why nothing of a round is looked at; None where enough answered."""
    asked, least = question.slots.count, survey.manifest.minimum
    if answered >= least:
        return None
    return f"{_name(question)}: {answered} of {asked} answered, and at least {least} must before anything is looked at"


def cannot_be_asked(survey: Announced, question: Question, *, now: float) -> str | None:
    """Why a question would be asked in vain: of fewer users than must answer, or when the survey's time is over."""
    asked, least = question.slots.count, survey.manifest.minimum
    if asked < least:
        return f"{_name(question)} would ask {asked} users, and at least {least} must answer"
    return f"no time was left to ask {_name(question)}" if now >= survey.manifest.closes else None


def _name(question: Question) -> str:
    """As people count."""
    return f"round {question.round + 1} ({question.role})"
