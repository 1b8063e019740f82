"""What engines over stored reports say: of a question that nothing answers, and of files that answer another."""

from __future__ import annotations

from sottovoce.messages import InvalidInput, Question, SetAside

OTHER = "other-question"
_SHORT = 20


def called(question: Question) -> str:
    """A question as people are told of it: rounds are counted from 1, and of a long name the beginning is enough."""
    name = question.survey if len(question.survey) <= _SHORT else f"{question.survey[:12]}…"
    return f"survey {name!r} round {question.round + 1} ({question.role})"


def unanswered(question: Question, aside: SetAside) -> InvalidInput:
    """The error of every engine over stored reports."""
    return InvalidInput(
        f"{called(question)}: none of the stored reports answers this question ({aside}); were they collected with "
        "the same protocol?"
    )
