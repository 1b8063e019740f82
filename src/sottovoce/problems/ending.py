"""Why a survey ends without an answer: facts that a collector publishes, and that anybody can compute again."""

from __future__ import annotations

from sottovoce.messages import Fact, Question, Tally
from sottovoce.problems.announced import Announced

UNDECIDABLE = Fact("ended-undecidable")
"""A method could not go on; its own tallies say why."""


def too_few(survey: Announced, question: Question, answered: int) -> Fact | None:
    """Why nothing of a round is looked at; None where enough answered."""
    asked, least = question.slots.count, survey.manifest.minimum
    if answered >= least:
        return None
    return Fact("ended-too-few", **_round(question), answered=answered, asked=asked, least=least)


def silent_groups(question: Question, tally: Tally) -> Fact | None:
    """Why nothing can be decided upon: groups in which nobody answered; None where there are none."""
    silent = sum(1 for reports in tally.reports if reports < 1)
    return Fact("ended-silent-groups", **_round(question), silent=silent, groups=len(tally.reports)) if silent else None


def cannot_be_asked(survey: Announced, question: Question, *, now: float) -> Fact | None:
    """Why a question would be asked in vain: of fewer users than must answer, or when the survey's time is over."""
    asked, least = question.slots.count, survey.manifest.minimum
    if asked < least:
        return Fact("ended-too-few-to-ask", **_round(question), asked=asked, least=least)
    return Fact("ended-no-time", **_round(question)) if now >= survey.manifest.closes else None


def other_edition(survey: Announced) -> Fact:
    """Why a survey is given up that only another release could have finished."""
    return Fact("ended-other-edition", edition=survey.manifest.edition)


def _round(question: Question) -> dict[str, int | str]:
    """As people count."""
    return {"round": question.round + 1, "role": question.role}
