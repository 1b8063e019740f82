"""Why the collector does not do what it was asked: one exception, one JSON shape on every route.

Texts say what was expected, what came and what to do. They never hold a token, an address, a payload or a user's value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from sottovoce.messages import InvalidInput, Malformed, SottovoceError
from sottovoce.service.documents import JSON, Error, Failure

_encode = msgspec.json.Encoder().encode


@dataclass(kw_only=True, eq=False)
class Refused(SottovoceError):  # noqa: N818 - a request is refused
    """A request that is refused: an HTTP status, a short word for programs, and sentences for people."""

    status: int
    code: str
    message: str
    survey: str | None = None
    round: int | None = None
    expected: str = ""
    got: str = ""
    do: str = ""
    retry_after: float | None = None
    hang_up: bool = False
    """Whether the connection ends with it: what is still under way on it is not read."""
    says_fix: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.fix = self.do

    def __str__(self) -> str:
        return self.message

    def body(self) -> bytes:
        """In the one shape."""
        return _encode(Failure(error=msgspec.convert(self, Error, from_attributes=True)))

    def headers(self) -> list[tuple[bytes, bytes]]:
        """What goes with it."""
        headers = [(b"content-type", JSON.encode()), (b"cache-control", b"no-store")]
        if self.retry_after is not None:
            headers.append((b"retry-after", b"%d" % max(1, math.ceil(self.retry_after))))
        if self.status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        if self.hang_up:
            headers.append((b"connection", b"close"))
        return headers


def as_refusal(error: Exception) -> Refused:
    """Any exception as a refusal; of one that nobody foresaw only the log says more.

    Without its traceback: whoever holds the refusal would otherwise hold all that was read, until the next collection
    of garbage.
    """
    if isinstance(error, Refused):
        return error.with_traceback(None)
    if isinstance(error, (Malformed, InvalidInput)):
        return malformed(str(error))
    return Refused(status=500, code="failed", message="the collector failed at this; its log says where", do="tell it")


def malformed(message: str, *, got: str = "", do: str = "send what /openapi.json describes") -> Refused:
    """Not what this route reads."""
    return Refused(status=400, code="malformed", message=message, got=got, do=do)


def unauthorised(message: str, do: str) -> Refused:
    """No token, or not one that is known here."""
    return Refused(status=401, code="unauthorised", message=message, expected="Authorization: Bearer TOKEN", do=do)


def forbidden(message: str, do: str) -> Refused:
    """A token that is for something else."""
    return Refused(status=403, code="forbidden", message=message, do=do)


def overloaded(message: str, *, retry_after: float = 1) -> Refused:
    """More comes in than can be stored: when to come back."""
    return Refused(status=503, code="busy", message=message, do="come back later", retry_after=retry_after)
