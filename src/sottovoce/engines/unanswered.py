"""What engines over stored reports say: of a question that nothing answers, and of files that answer another."""

from __future__ import annotations

from collections.abc import Iterable

from sottovoce.messages import InvalidInput, Question, SetAside

OTHER = "other-question"
_SHORT = 20


class SettingAside:
    """What an engine over files has not counted: what it cannot read, and of each question asked what fell out."""

    _unreadable: SetAside
    _asides: dict[str, SetAside]

    @property
    def set_aside(self) -> SetAside:
        return self.aside(self._asides)

    def aside(self, digests: Iterable[str]) -> SetAside:
        """The same for some questions only: what a run has asked."""
        return sum((self._asides[digest] for digest in digests if digest in self._asides), self._unreadable)


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
