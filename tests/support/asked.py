"""Questions with every statistic of the vocabulary: those of the audit, and how every example of the registry opens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from sottovoce.audit.questions import every_statistic
from sottovoce.messages import Question, Statistic, Vector
from sottovoce.problems import problems


def every_question() -> list[Question]:
    """Fails where a statistic, or a vector, is in none."""
    asked = [*every_statistic(1.0), *_openings()]
    kinds = {type(question.encoder.statistic) for question in asked}
    assert kinds == set(get_args(Statistic))
    vectors = {type(getattr(question.encoder.statistic, "vector", None)) for question in asked}
    assert vectors == {*get_args(Vector), type(None)}
    return asked


def _openings() -> Iterator[Question]:
    for problem in problems():
        for example in problem.examples:
            step = problem.example_survey(example, epsilon=1.0).decide(())
            assert isinstance(step, Question)
            yield step
