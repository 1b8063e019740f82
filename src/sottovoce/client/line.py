"""A line to one collector: requests that are tried again, ever more slowly, until patience ends."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from secrets import SystemRandom
from typing import Any

from sottovoce.client.transport import MAX_REPLY_BYTES, Reply, TooLarge, Transport, Unreachable
from sottovoce.messages import Declined, Fact

_SOON, _LATE = 0.5, 60.0
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""What may go well another time: busy, broken, or not open yet."""
_chance = SystemRandom()
_LONGEST = 181
"""Letters of what a collector says that are passed on."""


class Later(Exception):  # noqa: N818 - a signal inside this room
    """Patience ended first. `at` is when to try again."""

    def __init__(self, code: str, why: Fact, at: float) -> None:
        super().__init__(why)
        self.code, self.why, self.at = code, why, at


class Refusal(Exception):  # noqa: N818 - a signal inside this room
    """The collector's word is final. `code` is its own, or stands for its status."""

    def __init__(self, status: int, code: str, why: Fact) -> None:
        super().__init__(why)
        self.status, self.code, self.why = status, code, why


@dataclass(frozen=True, kw_only=True)
class Line:
    """To the collector at `base`. `end` is when patience ends; whatever is asked, is asked once in any case.

    `until` is when the survey closes, by its manifest: once the device's own clock is there, nothing is asked or sent.
    """

    base: str
    transport: Transport
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    end: float
    until: float = math.inf

    @property
    def open(self) -> bool:
        """Whether the survey is, by the device's own clock; a collector that goes on is left alone."""
        return self.clock() < self.until

    def ask(
        self, method: str, path: str, *, token: str = "", body: bytes | None = None, limit: int = MAX_REPLY_BYTES
    ) -> Reply:
        """A reply of the kind 200, or `Later`, or `Refusal`; the same bytes at every try."""
        tries = 0
        while True:
            if not self.open:
                raise Refusal(410, "expired", Fact("outcome-expired"))
            try:
                left = max(0.0, self.end - self.clock())
                reply = self.transport.request(
                    method, self.base + path, token=token, body=body, limit=limit, patience_seconds=left
                )
            except Unreachable as error:
                code, why, wanted = "unreachable", Fact("outcome-error", message=str(error)), None
            except TooLarge as error:
                raise Declined("malformed", str(error)) from None
            else:
                if reply.status in (200, 201):
                    return reply
                code, why, wanted = *complaint(reply), reply.wait_seconds
                if reply.status not in _AGAIN:
                    raise Refusal(reply.status, code, why)
            self.wait(code, why, tries=tries, wanted=wanted)
            tries += 1

    def wait(self, code: str, why: Fact, *, tries: int, wanted: float | None) -> None:
        """Sleep: twice as long at each try, spread by chance, and never less than the collector wants."""
        delay = min(_LATE, _SOON * 2.0 ** min(tries, 10)) * _chance.uniform(0.5, 1.5)
        self.pause(code, why, max(delay, wanted or 0.0))

    def pause(self, code: str, why: Fact, seconds: float) -> None:
        """Sleep so long, or `Later` where patience ends before; once the survey has closed there is no later."""
        now = self.clock()
        then = now + seconds
        if then > self.end or then >= self.until:
            raise Later(code, why, then if then < self.until else now)
        self.sleep(seconds)


def complaint(reply: Reply) -> tuple[str, Fact]:
    """The code of an error, and what is said of it; nothing from a collector is trusted to be short or printable."""
    found = read_object(reply.body, strict=False).get("error")
    told = found if isinstance(found, dict) else {}
    code, message = told.get("code"), told.get("message")
    plain = isinstance(code, str) and 0 < len(code) <= 32 and code.isascii() and code.replace("-", "").isalpha()
    why = Fact("outcome-collector-answers", status=reply.status)
    if isinstance(message, str) and message.isprintable():
        why = Fact("outcome-collector-says", message=repr(message)[:_LONGEST])
    return str(code) if plain else f"status-{reply.status}", why


def read_object(body: bytes, *, strict: bool = True) -> dict[str, Any]:
    """A small JSON object from a collector; anything else is `Declined` as malformed, or empty where not `strict`."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return found
    if strict:
        raise Declined("malformed", "the collector's reply is not a JSON object")
    return {}
