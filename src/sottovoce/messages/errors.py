"""Everything Sottovoce raises on purpose.

::

    SottovoceError
    ├── InvalidInput      what the caller passed cannot be used; also a ValueError
    ├── Malformed         bytes or fields that are not a valid message; also a ValueError
    ├── Declined          a device refuses to answer; carries a `code`
    └── MissingExtra      an optional package is needed; also an ImportError

No message of these errors ever contains an observed value.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar


class SottovoceError(Exception):
    """Root of the tree above.

    A raise says once what is wrong, or the `rule` that has to hold and what it `got` instead, and once what to do about
    it, the `fix`; its message is made of these, in this order. A rule is its own fix where there is no other, and where
    nothing is known to do, `fix` is empty. `code` is a word for programs: that of the class, unless the error has a
    narrower one. `fields` are the names and numbers that go with it.
    """

    code = "failed"
    fix = ""
    fields: Mapping[str, object] = {}
    says_fix: ClassVar[bool] = True
    """Whether the message names the fix."""

    def __init__(
        self,
        wrong: str = "",
        *,
        rule: str = "",
        got: object = ...,
        fix: str = "",
        code: str = "",
        fields: Mapping[str, object] | None = None,
    ) -> None:
        """A fix that `wrong` names already, as where it tells another error, is not said twice."""
        message = "; ".join(filter(None, (rule, "" if got is ... else f"got {got!r}", wrong)))
        if fix not in message:
            message += f"{' ' if message.endswith(':') else '; ' * bool(message)}{fix}"
        super().__init__(message)
        self.fix = fix or rule
        self.code = code or self.code
        self.fields = fields or {}


class InvalidInput(SottovoceError, ValueError):  # noqa: N818 - reads better than InvalidInputError where it is caught
    """An argument cannot be used. The text says what was expected, what came, and what to do."""

    code = "invalid-input"


class Malformed(SottovoceError, ValueError):  # noqa: N818 - a message is malformed
    """Not a valid message: wrong field, wrong size, a law that does not add up."""

    code = "malformed"


class Declined(SottovoceError):  # noqa: N818 - a device declines
    """The device does not answer; its ledger is unchanged. `detail` is the message without its code.

    `code` is one of ``malformed``, ``wrong-digest``, ``not-announced``, ``not-asked``, ``already-answered``,
    ``over-budget``, ``over-declared``, ``ledger-full``, ``ledger-unavailable``. It is for the device's owner, not for
    the collector.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}", code=code)
        self.detail = detail


class MissingExtra(SottovoceError, ImportError):  # noqa: N818 - names what is missing
    """An optional dependency is not installed; the fix is the command that installs it, if an extra brings it."""

    code = "missing-extra"

    def __init__(self, what: str, *, extra: str | None = None, fix: str = "") -> None:
        super().__init__(what if extra is None else f"{what}:", fix=fix if extra is None else install_command(extra))


def install_command(*extras: str) -> str:
    """The line that adds extras to this very installation: pip takes the one that is there, and adds what is missing.

    An environment that pipx made has no pip of its own, and is reached by its name.
    """
    pip = "pipx runpip sottovoce install" if (Path(sys.prefix) / "pipx_metadata.json").is_file() else "pip install"
    return f'{pip} "sottovoce[{",".join(extras)}]"'
