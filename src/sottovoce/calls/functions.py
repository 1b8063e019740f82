"""``sv.mean`` and its like: a function for each problem, made of what the registry says of it; and `several`."""

from __future__ import annotations

import textwrap
from ast import literal_eval
from collections.abc import Callable, Mapping
from dataclasses import MISSING
from inspect import Parameter, Signature
from typing import Any

from sottovoce.answers import Answers
from sottovoce.data import refusing_reading_options
from sottovoce.problems import Described, Problem, described
from sottovoce.rehearsal import Ask, Request, SeveralRequest, ask, rehearse

__all__ = ["Ask", "ask", "make_function", "several"]

_WIDTH = 116
_DATA = {
    False: "`data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of "
    "lists, a file (CSV, Excel, Parquet), what `read` makes of one, or a data set.",
    True: "`data` is an ``(n, T, d)`` array (small integers stay small), a ragged list of vectors, a long data frame "
    "with `user` and several `value` columns, a file of one, or what `read` makes of it.",
}
"""What is asked about: numbers, or vectors."""
_OBSERVATIONS = (
    " `observations` is the public guess of how many a user holds; left out, this rehearsal looks it up in the data, "
    "which a survey cannot do."
)
_SEED = "With a `seed` the reports are simulated: the same law, repeatable bits, no privacy."
_GROUPS = {
    "by": (
        "Any = None",
        "estimate in each group instead: the column of a frame or file that says the group of an observation; for "
        "arrays an array, of the shape of the data or with a label for each user; see `ByGroup`",
    ),
    "groups": (
        "Sequence[Any] | None = None",
        "labels of the groups (left out: those of the data, which a survey cannot look up)",
    ),
    "memberships": (
        "int | None = None",
        "in how many groups a user has something, as the survey declares it (left out: looked up in the data)",
    ),
    "empty": (
        "Literal['middle', 'random', 'symbol'] = 'middle'",
        "what a user without any observation sends: what lies in the middle, something at random, or a symbol of its "
        "own, with which the estimate is among those who have something",
    ),
}
"""What makes an estimate one by group, or among those who have something: type and default as written, and help."""
_FIND_RANGE = (
    "float | None = None",
    "in place of low and high: this share of the users, 0.1 for a tenth, is asked for the range first, and the others "
    "in it; each still sends one report",
)


def make_function(problem: Problem[Any]) -> Callable[..., Any]:
    """Make the function of a problem, with the signature and the docstring that its settings give it."""
    settings = _settings(problem)
    options = _options(problem)
    parameters = [Parameter("data", Parameter.POSITIONAL_OR_KEYWORD, annotation="Any")]
    named = [*map(_parameter, settings), *(_written(name, hint) for name, (hint, _) in options.items())]
    parameters += sorted(named, key=lambda one: one.default is not Parameter.empty)
    answer = problem.answer.__name__ + (" | GroupedEstimate" if problem.by_group else "")
    signature = Signature(parameters, return_annotation=answer)

    def call(*args: Any, **given: Any) -> Any:
        try:
            bound = signature.bind(*args, **given)
        except TypeError as error:
            raise TypeError(f"{problem.function}() {error}") from None
        bound.apply_defaults()
        return rehearse(Request.of(problem, **bound.arguments)).answer

    call.__name__ = call.__qualname__ = problem.function
    call.__module__ = "sottovoce.calls"  # where its name is found, by pickle and Sphinx too
    call.__doc__ = _docstring(problem, settings, {name: text for name, (_, text) in options.items()})
    call.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": answer}
    call.__signature__ = signature  # type: ignore[attr-defined]  # functions may have one: PEP 362
    return refusing_reading_options(call)


def _settings(problem: Problem[Any]) -> list[Described]:
    """What a caller says of the survey: what everybody gives first, the constants of the paper last."""
    elsewhere = {"users", "dimension", "survey", *problem.call.options, *(_GROUPS if problem.by_group else ())}
    taken = [one for one in described(problem.settings) if one.help.group != "hidden" and one.name not in elsewhere]
    return sorted(taken, key=lambda one: (one.help.group == "constants", one.name == "confidence"))


def _options(problem: Problem[Any]) -> dict[str, tuple[str, str]]:
    """What a call takes besides settings: type and default as written, and help."""
    several = problem.takes_vectors
    options = problem.call.options | (_GROUPS if problem.by_group else {})
    options |= {"find_range": _FIND_RANGE} if problem.finds_range else {}
    column = "column with the observed numbers, or several of them" if several else "column with the numbers"
    return options | {
        "user": ("str | None = None", "column of a frame or file that says whose observation a row is"),
        "value": (f"{'str | Sequence[str]' if several else 'str'} | None = None", column),
        "seed": ("int | None = None", "simulate the reports; left out, they are real and new every time"),
    }


def _written(name: str, hint: str) -> Parameter:
    """The parameter of a type and a default as they are written."""
    annotation, _, default = hint.partition(" = ")
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=literal_eval(default))


def _parameter(field: Described) -> Parameter:
    """The parameter of a setting; what data may say is optional."""
    looked_up = field.name == "observations" or (field.name in ("low", "high") and field.required)
    fixed = field.choices and field.help.choices is None and field.name != "method"
    kind = f"Literal[{', '.join(map(repr, field.choices))}]" if fixed else field.kind.__name__
    hints = [kind] * field.scalar + [f"Sequence[{kind}]"] * field.several
    hint = "Any" if field.table else " | ".join(hints + ["None"] * (field.optional or looked_up))
    default = None if looked_up else Parameter.empty if field.default is MISSING else field.default
    return Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=hint, default=default)


def _docstring(problem: Problem[Any], settings: list[Described], options: dict[str, str]) -> str:
    observations = any(one.name == "observations" for one in settings)
    texts = {one.name: one.help.text for one in settings}
    texts |= {one.name: f"{texts[one.name]} (left out: {one.help.default})" for one in settings if one.help.default}
    parameters = {"data": "see above", "method": problem.method_words()} | {
        name: text for name, text in (texts | options).items() if name != "method"
    }
    listed = "\n".join(f"{name}\n{_wrapped(text, '    ')}" for name, text in parameters.items())
    blocks = [
        f"Estimate {problem.estimates}.",
        _wrapped(
            f"{_DATA[problem.takes_vectors]}{_OBSERVATIONS if observations else ''} {_SEED} See "
            f"`{problem.settings.__name__}` for the methods."
        ),
        f"Parameters\n----------\n{listed}",
        "Privacy\n-------\n"
        "Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included.",
        "Accuracy\n--------\nIn the answer: intervals at `confidence` and what they assume, and warnings.",
        f"Examples\n--------\n{problem.example.rstrip()}",
    ]
    return "\n\n".join(blocks)


def _wrapped(text: str, margin: str = "") -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)


@refusing_reading_options
def several(
    data: Any,
    asks: Mapping[str, Ask],
    *,
    epsilon: float,
    user: str | None = None,
    split: str = "auto",
    seed: int | None = None,
) -> Answers:
    """Estimate several things at once: mean, histogram and quantiles of a column, or of several columns.

    A user still sends one report. With ``split="users"`` each part asks its own users, with ``"budget"`` everybody
    answers for all parts with an equal part of ε (means only), ``"auto"`` takes what is predicted to be better and
    says why.

    Parameters
    ----------
    data
        an ``(n, T)`` or ``(n, T, d)`` array, a ragged list, a long data frame (with `user`), a CSV or Parquet
        file, or what `read` makes of one
    asks
        what to ask for, by name: see `ask`
    epsilon
        privacy budget of the one report of each user, for the whole collection, all columns included
    user
        column of a frame or file that says whose observation a row is
    split
        auto, users or budget
    seed
        simulate the reports; left out, they are real and new every time

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection: all columns, its length included.

    Accuracy
    --------
    In each answer. The intervals hold one by one, each at its own confidence.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> ratings = np.random.default_rng(1).integers(1, 6, size=(6000, 25))
    >>> asks = {"mean": sv.ask("mean", low=1, high=5), "two": sv.ask("mean", low=1, high=5, method="one-round")}
    >>> answers = sv.several(ratings, asks, epsilon=4.0, seed=7)
    >>> print(f"{answers['mean'].value:.1f}, split by {answers.split}")
    3.0, split by users
    """
    request = SeveralRequest(data=data, asks=asks, epsilon=epsilon, user=user, split=split, seed=seed)
    answers: Answers = rehearse(request).answer
    return answers
