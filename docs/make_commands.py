"""Write ``docs/commands.md`` from the parsers themselves: ``python docs/make_commands.py``.

A test compares the file with what this makes, so a command or an option that is not documented fails it. The text is
made from the options and not from ``--help``, whose layout differs from one version of Python to the next.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from sottovoce.cli.app import build_parser

PAGE = Path(__file__).with_name("commands.md")
_BAR = "\\|"  # a bar in a cell
_INTRODUCTION = """\
# Commands

Made by `python docs/make_commands.py` from the help of the commands; do not edit. `sotto COMMAND --help` says the same
in a terminal.
"""


def page() -> str:
    """The whole page."""
    parser = build_parser()
    parts = [_INTRODUCTION, _contents(parser)]
    for command in _all(parser):
        parts += [f"## {command.prog}\n", *_command(command)]
    return "\n".join(parts).rstrip() + "\n"


def _all(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for group in _groups(parser):
        for command in dict.fromkeys(group.choices.values()):  # one that has two names is there twice
            yield from _all(command)


def _groups(parser: argparse.ArgumentParser) -> list[argparse._SubParsersAction[argparse.ArgumentParser]]:
    return [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]


def _contents(parser: argparse.ArgumentParser) -> str:
    lines = []
    for depth, command, text in _listed(parser, 0):
        anchor = command.prog.replace(" ", "-")
        lines.append(f"{'  ' * depth}- [`{command.prog}`](#{anchor}): {text}")
    return "\n".join(lines) + "\n"


def _listed(parser: argparse.ArgumentParser, depth: int) -> Iterator[tuple[int, argparse.ArgumentParser, str]]:
    for group in _groups(parser):
        for told in group._choices_actions:
            command = group.choices[told.dest]  # its own name, without its other ones
            yield depth, command, told.help or ""
            yield from _listed(command, depth + 1)


def _command(parser: argparse.ArgumentParser) -> list[str]:
    parts = [f"{' '.join((parser.description or '').split())}\n"]
    tables: dict[str, list[str]] = {}
    for group in parser._action_groups:
        title = "" if group.title in ("options", "positional arguments") else group.title or ""  # argparse's own
        tables.setdefault(title, []).extend(row for action in group._group_actions if (row := _row(action)))
    for title, rows in tables.items():
        if rows:
            parts += [f"{title[:1].upper()}{title[1:]}:\n"] if title else []
            parts += ["| option | meaning |\n|---|---|", *rows, ""]
    if parser.epilog:
        parts += [f"```text\n{parser.epilog}\n```\n"]
    return parts


def _row(action: argparse.Action) -> str:
    if isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
        return ""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    value += f" [{value} …]" if action.nargs == "+" else ""
    name = f"{', '.join(action.option_strings)} {value}".strip()
    needed = " (required)" if action.required and action.option_strings else ""
    text = " ".join((action.help or "").split())
    cells = (f"`{name}`", text + needed)
    return f"| {' | '.join(cell.replace('|', _BAR) for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
