"""One call from data to answer: a rehearsal of a survey. `mean` and its like are made from the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sottovoce.calls.comparison import compare, made_up, observed, of_users
from sottovoce.calls.functions import Ask, ask, make_function, several
from sottovoce.problems import problems

__all__ = ["Ask", "ask", "compare", "made_up", "observed", "of_users", "several"]
__all__ += [problem.function for problem in problems()]


def __getattr__(name: str) -> Callable[..., Any]:
    for problem in problems():
        if problem.function == name:
            globals()[name] = function = make_function(problem)  # the same from then on: pickle asks for that
            return function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
