"""``sotto completion``: a script with which a shell completes commands, options and choices."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sottovoce.cli.parser import EXPLAINED, PLANNED

if TYPE_CHECKING:
    from sottovoce.cli.options import Commands

_EPILOG = """\
examples:
  eval "$(sotto completion bash)"                                     # in ~/.bashrc
  eval "$(sotto completion zsh)"                                      # in ~/.zshrc
  sotto completion fish > ~/.config/fish/completions/sotto.fish

The script is made from the commands themselves and needs nothing else; make it again after an
update."""
SHELLS = ("bash", "zsh", "fish")


def register(commands: Commands, *, wanted: str | None) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "completion",
        help="complete commands and options with the Tab key",
        description="Print a script with which bash, zsh or fish completes commands, options and choices.",
        epilog=_EPILOG,
    )
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS), help="which shell")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    from sottovoce.cli.app import build_parser

    print(completion_script(build_parser(), options.shell), end="")


_FILES = re.compile(r"(FILE|DIR|PLAN|CSV|TRANSCRIPT|URL)")
"""What a metavar says where a value is a file, or may be one."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """What may stand after some words: parts of the command, options, and after an option its choices.

    `options` holds for each option its choices; None where its value is a file, and an empty tuple for any other value.
    `flags` take no value.
    """

    path: str
    parts: tuple[str, ...]
    flags: tuple[str, ...] = ()
    options: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    """Of a word that is no option, such as a shell."""


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The whole script."""
    places = [one for one in _places(parser, "") if one.path != " help"]
    places += [Place(path=f" help{one.path}", parts=one.parts) for one in places if one.parts]
    if shell == "fish":
        return _fish(places)
    start = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return start + _bash(places)


def _places(parser: argparse.ArgumentParser, path: str) -> Iterator[Place]:
    parts: dict[str, argparse.ArgumentParser] = {}
    flags: list[str] = []
    options: dict[str, tuple[str, ...] | None] = {}
    choices: tuple[str, ...] = ()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            parts |= action.choices
        elif not action.option_strings:
            choices = tuple(map(str, action.choices or ()))
        elif action.help == argparse.SUPPRESS:
            continue
        elif action.nargs == 0:
            flags += action.option_strings
        else:
            named = str(action.metavar or action.dest.upper())
            values = tuple(map(str, action.choices or ()))
            options |= dict.fromkeys(action.option_strings, None if _FILES.search(named) and not values else values)
    if path == " explain" and EXPLAINED in parts:  # the word that names the problem may be left out
        (own,) = (place for place in _places(parts[EXPLAINED], path) if place.path == path)
        flags, options = list(dict.fromkeys([*flags, *own.flags])), own.options | options
    if PLANNED in parts:  # as may this one, before --plan
        options["--plan"] = None
    yield Place(path=path, parts=tuple(parts), flags=tuple(flags), options=options, choices=choices)
    for name, part in parts.items():
        yield from _places(part, f"{path} {name}")


_BASH = """\
# sotto completion bash: made from the commands, not to be edited
_sotto() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" path="" words="" options="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${{COMP_WORDS[i]}}" in
      {paths}) path="$path ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$path:$prev" in
{values}
  esac
  case "$path" in
{places}
  esac
  if [[ $cur == -* ]]; then words="$options"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o bashdefault -o default -F _sotto sotto
"""


def _bash(places: list[Place]) -> str:
    paths = "|".join(f'"{place.path}"' for place in places if place.path)
    values, bodies = [], []
    for place in places:
        for option, choices in place.options.items():
            if choices is None:
                values.append(f'    "{place.path}:{option}") return ;;')  # to the shell, which knows blanks in names
            elif choices:
                given = " ".join(map(shlex.quote, choices))
                values.append(f'    "{place.path}:{option}") COMPREPLY=($(compgen -W "{given}" -- "$cur")); return ;;')
        free = [option for option, choices in place.options.items() if choices == ()]
        if free:
            asked = "|".join(f'"{place.path}:{option}"' for option in free)
            values.append(f"    {asked}) compopt +o default +o bashdefault 2> /dev/null; return ;;")
        words, options = " ".join((*place.parts, *place.choices)), " ".join((*place.flags, *place.options))
        bodies.append(f'    "{place.path}") words="{words}" options="{options}" ;;')
    return _BASH.format(paths=paths, values="\n".join(values), places="\n".join(bodies))


_FISH = """\
# sotto completion fish: made from the commands, not to be edited
function __sotto_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l named (string match -v -- '-*' $words)
  for i in (seq (count $argv))
    test "$named[$i]" = "$argv[$i]"; or return 1
  end
end
function __sotto_next
  set -l words (commandline -opc)
  test (count (string match -v -- '-*' $words)) -eq (math (count $argv) + 1); and __sotto_at $argv
end
"""


def _fish(places: list[Place]) -> str:
    lines = []
    for place in places:
        words = (*place.parts, *place.choices)
        if words:
            lines.append(f"complete -c sotto -f -n '__sotto_next{place.path}' -a '{' '.join(words)}'")
        for flag in place.flags:
            lines.append(f"complete -c sotto -n '__sotto_at{place.path}' {_fish_option(flag)}")
        for option, choices in place.options.items():
            kind = "-r -F" if choices is None else f"-x -a '{' '.join(choices)}'" if choices else "-x"
            lines.append(f"complete -c sotto -n '__sotto_at{place.path}' {_fish_option(option)} {kind}")
    return _FISH + "\n".join(lines) + "\n"


def _fish_option(option: str) -> str:
    return f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
