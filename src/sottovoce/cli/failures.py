"""What goes wrong, as an exit code and one or two lines: what is wrong, and what to do. Never an observed value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sottovoce.repository_clone import laboratory

OK, FAULT, USAGE, DECLINED, MISSING, NOT_REPLAYED, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 3, 4, 5, 130, 141


@dataclass(frozen=True, kw_only=True)
class ErrorCode:
    """What ``error.code`` of ``--json`` may be, and the exit code that goes with it."""

    name: str
    exit: int
    meaning: str


ERROR_CODES = (
    ErrorCode(name="usage", exit=USAGE, meaning="the words of the command line do not fit the command"),
    ErrorCode(name="invalid-input", exit=USAGE, meaning="a setting, or what a file holds, cannot be used"),
    ErrorCode(name="malformed", exit=USAGE, meaning="bytes that are not the message they should be"),
    ErrorCode(name="file", exit=USAGE, meaning="a file or an address cannot be read or written"),
    ErrorCode(name="out-of-memory", exit=USAGE, meaning="there is not enough memory for this"),
    ErrorCode(name="declined", exit=DECLINED, meaning="the device declined, for the reason that `reason` names"),
    ErrorCode(name="not-answered", exit=DECLINED, meaning="a survey was not answered; the result says why"),
    ErrorCode(name="missing-extra", exit=MISSING, meaning="an optional package is not installed"),
    ErrorCode(name="missing-package", exit=MISSING, meaning="a package that sottovoce needs is not installed"),
    ErrorCode(name="check-failed", exit=FAULT, meaning="what was checked does not hold; the result says what"),
    ErrorCode(name="not-replayed", exit=NOT_REPLAYED, meaning="of another edition; the result names the release"),
    ErrorCode(name="fault", exit=FAULT, meaning="a fault of sotto itself"),
    ErrorCode(name="interrupted", exit=INTERRUPTED, meaning="somebody pressed Ctrl-C, or sent SIGINT"),
)
"""Every code, in the order in which the documentation lists them."""
_EXITS = {code.name: code.exit for code in ERROR_CODES}


@dataclass(frozen=True, kw_only=True)
class Failure:
    """What is wrong, and the fix; `reason` is the code with which a device declined.

    `said` tells whether the message names the fix itself; `help` says where to read on then.
    """

    code: str
    message: str
    fix: str = ""
    reason: str | None = None
    said: bool = False
    help: str = ""

    @property
    def exit(self) -> int:
        return _EXITS[self.code]

    @property
    def lines(self) -> list[str]:
        """For standard error. A fix that the message names already is not said twice."""
        more = self.help if self.said else self.fix
        return [f"sotto: {self.message}", *([more] if more else [])]

    def to_dict(self) -> dict[str, str]:
        """For programs."""
        plain = {"code": self.code, "message": self.message, "fix": self.fix}
        return plain if self.reason is None else plain | {"reason": self.reason}


class WrongUsage(Exception):  # noqa: N818 - reads better where it is caught
    """Words that do not fit a command; `fix` says which would."""

    def __init__(self, message: str, *, command: str, fix: str = "") -> None:
        super().__init__(message)
        self.command = command
        self.fix = fix or see(command)


def require_laboratory(what: str, *, command: str) -> Path:
    """The folder ``laboratory/`` of a clone, importable from now on; where the package is installed, wrong usage."""
    folder = laboratory()
    if folder is None:
        fix = f"clone it and run {command} there, as CONTRIBUTING.md says"
        message = f"{what} run from a clone of the repository: no installed package holds them"
        raise WrongUsage(message, command=command, fix=fix)
    return folder


def failure_of(error: BaseException, *, command: str) -> Failure:
    """An error in words; `command` is what the user ran, such as ``sotto demo``."""
    if isinstance(error, KeyboardInterrupt):
        return Failure(code="interrupted", message="interrupted")
    if isinstance(error, WrongUsage):
        return Failure(code="usage", message=str(error), fix=error.fix)
    if type(error).__name__ == "MissingExtra":  # by name: the imports below may be what is missing
        return Failure(code="missing-extra", message=str(error), fix=getattr(error, "fix", ""), said=True)
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("sottovoce"):
        message = f"the package {error.name} is missing"
        return Failure(code="missing-package", message=message, fix="install it, or sottovoce as a whole again")
    if isinstance(error, MemoryError):
        message = "not enough memory for this"
        return Failure(code="out-of-memory", message=message, fix="take fewer users or observations")

    from sottovoce.messages import Declined, Malformed, SottovoceError

    if isinstance(error, Declined):
        message = f"the device declined ({error})"
        return Failure(code="declined", message=message, fix=_remedy(error.code, command), reason=error.code)
    if isinstance(error, SottovoceError):
        code = "malformed" if isinstance(error, Malformed) else "invalid-input"
        fix = error.fix or see(command)
        return Failure(code=code, message=str(error), fix=fix, said=error.says_fix, help=see(command))
    if isinstance(error, OSError):
        what = error.strerror or type(error).__name__
        message = f"{what}: {error.filename}" if error.filename else what
        return Failure(code="file", message=message, fix=_similar_file(error) or see(command))
    # The text of an unexpected error may quote data, so only its kind is shown.
    return Failure(
        code="fault",
        message=f"an unexpected {type(error).__name__}, which is a fault of sotto",
        fix="SOTTO_DEBUG=1 shows where; that output may quote your data, so read it before you share it",
    )


def check_failed(holds: bool, message: str) -> Failure | None:
    """Nothing where what was checked holds."""
    return None if holds else Failure(code="check-failed", message=message)


def see(command: str) -> str:
    """Where the options are explained."""
    return f"see {command} --help"


def and_see(fix: str, command: str) -> str:
    """A fix, and where to read on."""
    return f"{fix}{' ' if fix.endswith('?') else '; '}{see(command)}" if fix else see(command)


def suggestion(word: str, known: list[str], *, command: str, otherwise: str = "") -> str:
    """The fix for a word that is not known: the nearest that is, in whatever letters, or what else to do."""
    from difflib import get_close_matches

    bare, names = word.lstrip("-"), {name.lstrip("-"): name for name in known}  # dashes are alike in all
    near = get_close_matches(bare.lower(), names, n=1, cutoff=0.6) or get_close_matches(bare, names, n=1, cutoff=0.6)
    return and_see(f"did you mean {names[near[0]]}?" if near else otherwise, command)


def _similar_file(error: OSError) -> str:
    """The file of that folder whose name is like the one that is not there."""
    if not isinstance(error, FileNotFoundError) or not isinstance(error.filename, str):
        return ""
    from difflib import get_close_matches

    path = Path(error.filename).expanduser()
    try:
        names = [one.name for one in path.parent.iterdir() if one.name != path.name]  # a link to nothing is there
    except OSError:
        return f"there is no folder {path.parent} either"
    near = get_close_matches(path.name, names, n=1, cutoff=0.6)
    return f"did you mean {path.parent / near[0]}?" if near else ""


def _remedy(code: str, command: str) -> str:
    asked = _ASKED_BY_OTHERS.get(code) if command == "sotto answer" else None
    return asked or _REMEDIES.get(code, "nothing was sent")


_ASKED_BY_OTHERS = {
    "over-budget": "nothing was sent; sotto ledger shows what was spent on what, and a higher --cap allows more",
}
_REMEDIES = {
    "over-budget": "nothing was sent; raise --cap or ask with a smaller --epsilon",
    "not-announced": "nothing was sent; the collector does not keep to its own survey: tell the people who run it",
    "wrong-digest": "nothing was sent; what came is not what was announced: tell those who invited you",
    "already-answered": "nothing was sent; sotto ledger shows what this device has said",
    "ledger-full": "nothing was sent; sotto ledger shows what this device has said",
    "ledger-unavailable": "nothing was sent; see that the file can be read and written, or name another with --ledger",
    "too-late": "nothing was sent; with a smaller --spread there may still be time",
}
