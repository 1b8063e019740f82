"""Directives that write the reference from the code: the public names of a room, and the settings of a problem."""

from __future__ import annotations

import inspect
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import sottovoce
from sottovoce.answers import Answer
from sottovoce.problems import problems
from sottovoce.problems.fields import Described, described


def public(room: str) -> list[str]:
    """Names of ``sottovoce`` that come from a room: functions of problems in their order, other functions, classes."""
    first = [problem.function for problem in problems()]

    def place(name: str) -> tuple[bool, int, str]:
        return inspect.isclass(getattr(sottovoce, name)), (*first, name).index(name), name.lower()

    return sorted((name for name in sottovoce._HOME if _room(name) == room), key=place)


def _room(name: str) -> str:
    """Where a name is shown: kinds of answers, which live with their problems, beside what all answers have."""
    thing = getattr(sottovoce, name)
    kind = inspect.isclass(thing) and issubclass(thing, Answer)
    return "answers" if kind else sottovoce._HOME[name].split(".")[1]


class Room(SphinxDirective):
    """``{room} calls``: every public name of `sottovoce.calls`, from its docstring; with names, only those of them."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        wanted = " ".join(self.content).split() or public(self.arguments[0])
        lines = [line for name in wanted for line in _documented(name)]
        return self.parse_text_to_nodes("\n".join(["````{eval-rst}", *lines, "````"]), allow_section_headings=True)


def _documented(name: str) -> list[str]:
    thing = getattr(sottovoce, name)
    if inspect.ismodule(thing):
        inside = [f"   :members: {', '.join(thing.__all__)}", ""] if hasattr(thing, "__all__") else ["   :members:", ""]
        return [f".. automodule:: {thing.__name__}", *inside]
    if inspect.isclass(thing):
        return [f".. autoclass:: sottovoce.{name}", "   :members:", "   :show-inheritance:", ""]
    if callable(thing):
        return [f".. autofunction:: sottovoce.{name}", ""]
    return [f".. autodata:: sottovoce.{name}", ""]


class SettingsTables(SphinxDirective):
    """``{settings}``: what surveys declare, problem by problem, as commands and calls know it; then the classes."""

    def run(self) -> list[nodes.Node]:
        lines: list[str] = []
        for problem in problems():
            methods, estimates = ", ".join(f"`{name}`" for name in problem.method_names), str(problem.estimates)
            lines += [f"## {problem.name}", "", f"{estimates[:1].upper()}{estimates[1:]}. "]
            lines += [f"{{py:func}}`sv.{problem.function} <sottovoce.{problem.function}>`; methods {methods}.", ""]
            lines += [
                "| setting | what it is | default |",
                "|---|---|---|",
                *map(_row, described(problem.settings)),
                "",
            ]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def _escaped(*told: Any) -> None:
    """Bars of a docstring are absolute values, not substitutions."""
    lines = told[-1]
    lines[:] = [line.replace("|", "\\|") for line in lines]


def _row(own: Described) -> str:
    text = own.help.text + (f": {', '.join(f'`{choice}`' for choice in own.choices)}" if own.choices else "")
    if own.required:
        default = "looked up in a rehearsal" if own.help.group == "data" else "to be given"
    else:
        default = own.help.default or f"`{own.default}`"
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (f"`{own.name}`", text, default)) + " |"


def setup(app: Sphinx) -> dict[str, Any]:
    """Entered by Sphinx."""
    app.add_directive("room", Room)
    app.add_directive("settings", SettingsTables)
    app.connect("autodoc-process-docstring", _escaped)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
