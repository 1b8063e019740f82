"""``sotto completion``: a script with which a shell completes commands, options and choices."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sottovoce.cli.quantities import Commands

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
    from sottovoce.cli import completing
    from sottovoce.cli.app import build_parser

    print(completing.script(build_parser(), options.shell), end="")
