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
from pathlib import Path


class SottovoceError(Exception):
    """Root of the tree above."""


class InvalidInput(SottovoceError, ValueError):  # noqa: N818 - reads better than InvalidInputError where it is caught
    """An argument cannot be used. The text says what was expected, what came, and what to do."""


class Malformed(SottovoceError, ValueError):  # noqa: N818 - a message is malformed
    """Not a valid message: wrong field, wrong size, a law that does not add up."""


class Declined(SottovoceError):  # noqa: N818 - a device declines
    """The device does not answer; its ledger is unchanged.

    `code` is one of ``malformed``, ``wrong-digest``, ``not-announced``, ``not-asked``, ``already-answered``,
    ``over-budget``, ``over-declared``, ``ledger-full``, ``ledger-unavailable``. It is for the device's owner, not for
    the collector.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code, self.detail = code, detail


class MissingExtra(SottovoceError, ImportError):  # noqa: N818 - names what is missing
    """An optional dependency is not installed; the text gives the command that installs it, if an extra brings it."""

    def __init__(self, what: str, *, extra: str | None = None) -> None:
        super().__init__(what if extra is None else f"{what}: {installing(extra)}")


def installing(*extras: str) -> str:
    """The line that adds extras to this very installation: pip takes the one that is there, and adds what is missing.

    An environment that pipx made has no pip of its own, and is reached by its name.
    """
    pip = "pipx runpip sottovoce install" if (Path(sys.prefix) / "pipx_metadata.json").is_file() else "pip install"
    return f'{pip} "sottovoce[{",".join(extras)}]"'
