"""Why the collector does not do what it was asked: one exception, one JSON shape on every route."""

from __future__ import annotations

from dataclasses import dataclass

from sottovoce.messages import SottovoceError


@dataclass(kw_only=True)
class Refused(SottovoceError):  # noqa: N818 - a request is refused
    """A request that is refused: an HTTP status, a short word for programs, and sentences for people.

    Nothing here ever holds a token, an address or a payload.
    """

    status: int
    code: str
    message: str
    survey: str | None = None
    round: int | None = None
    expected: str = ""
    got: str = ""
    do: str = ""
    retry_after: int | None = None

    def __str__(self) -> str:
        return self.message
