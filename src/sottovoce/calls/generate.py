"""Write the calls: ``sv.mean`` and its like, with real signatures and docstrings, from the registry.

``python -m sottovoce.calls.generate`` writes the files of this folder anew; a test fails when they are stale.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from sottovoce.problems import Described, Problem, described, problems

FOLDER = Path(__file__).parent
_WIDTH = 116
_HEAD = '''"""{title}. Written by `calls.generate` from the registry: do not edit."""

from __future__ import annotations

'''
_DATA = {
    False: "`data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a dict of "
    "lists, a file (CSV, Excel, Parquet), or a data set.",
    True: "`data` is an ``(n, T, d)`` array (small integers stay small), a ragged list of vectors, a long data frame "
    "with `user` and several `value` columns, or a file of one.",
}
_READING = {
    "separator": ("str | None = None", "what separates the cells of a file (left out: looked up)"),
    "encoding": ("str | None = None", "of a file (left out: looked up)"),
    "decimal": ("str | None = None", "decimal sign of a file, . or , (left out: looked up)"),
    "dates": ("str | None = None", "dmy or mdy, for dates that leave it open (left out: looked up)"),
    "header": ("int | None = None", "line of a file that holds the names, 0 for none (left out: the first)"),
    "sheet": ("str | None = None", "of an Excel workbook (left out: the first)"),
    "skip_bad": ("bool = False", "count odd cells as missing and leave out rows that cannot be read"),
}
"""How a file is read: what `sottovoce.data` takes."""
_SHARED: dict[str, tuple[str, ...]] = {
    "compare": ("compare",),
    "populations": ("made_up", "observed", "of_users"),
    "several": ("Ask", "ask", "several"),
}
"""What the room offers besides, written by hand."""
_BY = {
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
        'Literal["middle", "random", "symbol"] = "middle"',
        "what a user without any observation sends: what lies in the middle, something at random, or a symbol of its "
        "own, with which the estimate is among those who have something",
    ),
}
"""What makes an estimate one by group, or among those who have something."""
_FINDS = (
    "in place of low and high: this share of the users, 0.1 for a tenth, is asked for the range first, and the others "
    "in it; each still sends one report"
)
_SEED = "With a `seed` the reports are simulated: the same law, repeatable bits, no privacy."


def files() -> dict[str, str]:
    """Names and texts of all files that this makes."""
    made = {f"{_module_name(problem)}.py": _module(problem) for problem in problems()}
    made["__init__.py"] = _face()
    return made


def _module_name(problem: Problem[Any]) -> str:
    return problem.name.replace("-", "_")


def _face() -> str:
    homes = _SHARED | {_module_name(problem): (problem.function,) for problem in problems()}
    imports = "".join(f"from sottovoce.calls.{home} import {', '.join(homes[home])}\n" for home in sorted(homes))
    names = sorted(name for offered in homes.values() for name in offered)
    listed = "".join(f'    "{name}",\n' for name in names)
    title = "One call from data to answer: a rehearsal of a survey"
    return f"{_HEAD.format(title=title)}{imports}\n__all__ = [\n{listed}]\n"


def _module(problem: Problem[Any]) -> str:
    asked = [field for field in described(problem.settings) if field.name not in ("users", "dimension", "survey")]
    asked = [field for field in asked if field.help.group != "hidden" and field.name not in problem.call_options]
    asked = [field for field in asked if not (problem.by_group and field.name in _BY)]
    several = problem.takes_vectors
    lines = ["data: Any", "*", *(_parameter(field) for field in _ordered(asked))]
    lines += [f"{name}: {hint}" for name, (hint, _) in problem.call_options.items()]
    lines += [f"{name}: {hint}" for name, (hint, _) in _BY.items()] if problem.by_group else []
    lines += ["find_range: float | None = None"] if problem.finds_range else []
    lines += ["user: str | None = None", f"value: {'str | Sequence[str]' if several else 'str'} | None = None"]
    lines += [f"{name}: {hint}" for name, (hint, _) in _READING.items()]
    lines += ["seed: int | None = None"]
    lines.sort(key=lambda line: (line != "data: Any", line != "*", "=" in line))
    passed = [line.partition(":")[0] for line in lines if ":" in line and line != "data: Any"]
    sequence = "from collections.abc import Sequence\n" if any("Sequence[" in line for line in lines) else ""
    typing = ""
    literal = ", Literal" if any("Literal[" in line for line in lines) else ""
    result, homes = problem.answer.__name__, {_home(problem.answer): problem.answer.__name__}
    if problem.by_group:
        result, typing = f"{result} | GroupedEstimate", ", overload"
        homes |= {"sottovoce.problems.groups": "GroupedEstimate"}
    imports = "".join(f"from {home} import {kind}\n" for home, kind in sorted(homes.items()))
    parts = [
        _HEAD.format(title=f"``sv.{problem.function}``"),
        f"{sequence}from typing import Any{literal}{typing}\n\n",
        f"{imports}from sottovoce.rehearsal import Request, rehearse\n\n\n",
        *(_overloads(problem, lines) if problem.by_group else ()),
        f"def {problem.function}(\n",
        *(f"    {line},\n" for line in lines),
        f") -> {result}:\n",
        textwrap.indent(_docstring(problem, asked, several), "    "),
        f'\n    request = Request.of(\n        "{problem.name}",\n        data,\n',
        *(f"        {name}={name},\n" for name in passed),
        f"    )\n    answer: {result} = rehearse(request).answer\n    return answer\n",
    ]
    return "".join(parts)


def _home(answer: type[Any]) -> str:
    """Where a kind of answer is imported from: the face of its problem, or of its room."""
    return answer.__module__.rpartition(".")[0]


def _overloads(problem: Problem[Any], lines: list[str]) -> list[str]:
    """Without groups the answer is the problem's own; with them it is one about each group."""
    plain = [line.replace(', "symbol"]', "]") for line in lines]
    kind = f"{problem.answer.__name__} | GroupedEstimate"
    return [
        f"@overload\ndef {problem.function}(\n",
        *(f"    {line},\n" if not line.startswith("by: ") else "    by: None = None,\n" for line in plain),
        f") -> {problem.answer.__name__}: ...\n\n\n",
        f"@overload\ndef {problem.function}(\n",
        *(f"    {line},\n" for line in lines),
        f") -> {kind}: ...\n\n\n",
    ]


def _ordered(fields: list[Described]) -> list[Described]:
    """What everybody gives first, the constants of the paper last."""
    return sorted(fields, key=lambda field: (field.help.group == "constants", field.name == "confidence"))


def _parameter(field: Described) -> str:
    if field.name == "method":
        return 'method: str = "auto"'
    if field.name in ("low", "high") and field.required:  # a data set may declare them
        return f"{field.name}: float | None = None"
    if field.name == "observations":
        return "observations: int | None = None"
    fixed = field.choices and field.help.choices is None
    own = "Literal[" + ", ".join(f'"{word}"' for word in field.choices) + "]" if fixed else field.kind.__name__
    hints = ([own] if field.scalar else []) + ([f"Sequence[{own}]"] if field.several else [])
    hints = ["Any"] if field.table else hints
    hint = " | ".join(hints + (["None"] if field.optional and hints != ["Any"] else []))
    if field.required:
        return f"{field.name}: {hint}"
    default = f'"{field.default}"' if isinstance(field.default, str) else repr(field.default)
    return f"{field.name}: {hint} = {default}"


def _docstring(problem: Problem[Any], asked: list[Described], several: bool) -> str:
    settings = problem.settings.__name__
    named = any(field.name == "observations" for field in asked)
    guess = (
        " `observations` is the public guess of how many a user holds; left out, this rehearsal looks it up in the "
        "data, which a survey cannot do."
    )
    parameters = [(field.name, _told(field)) for field in _ordered(asked) if field.name != "method"]
    parameters.insert(0, ("method", problem.method_words()))
    parameters += [(name, text) for name, (_, text) in problem.call_options.items()]
    parameters += [(name, text) for name, (_, text) in _BY.items()] if problem.by_group else []
    parameters += [("find_range", _FINDS)] if problem.finds_range else []
    parameters.insert(0, ("data", "see above"))
    parameters += [
        ("user", "column of a frame or file that says whose observation a row is"),
        ("value", "column with the observed numbers, or several of them" if several else "column with the numbers"),
        *((name, text) for name, (_, text) in _READING.items()),
        ("seed", "simulate the reports; left out, they are real and new every time"),
    ]
    blocks = [
        f'"""Estimate {problem.estimates}.',
        _wrapped(f"{_DATA[several]}{guess if named else ''} {_SEED} See `{settings}` for the methods."),
        "Parameters\n----------\n" + "\n".join(f"{name}\n{_wrapped(text, indent=4)}" for name, text in parameters),
        "Privacy\n-------\n"
        "Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included.",
        "Accuracy\n--------\nIn the answer: intervals at `confidence` and what they assume, and warnings.",
        f"Examples\n--------\n{problem.example.rstrip()}",
    ]
    return "\n\n".join(blocks) + '\n"""'


def _told(field: Described) -> str:
    return f"{field.help.text} (left out: {field.help.default})" if field.help.default else field.help.text


def _wrapped(text: str, *, indent: int = 0) -> str:
    margin = " " * indent
    return textwrap.fill(text, _WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)


def main() -> None:
    """Write the files."""
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
