"""The entropy layer for many users: the words are exactly OpenSSL's bytes, and OpenSSL is fed by the operating system.

OpenSSL's answers are put on a script, as the kernel's are in `system`. What it is given to mix in is looked at: bytes
that the kernel gave a moment before, in every process before it draws for the first time, and again after as many
bytes as the decision says. Where Python has another library in OpenSSL's place, every word must be the operating
system's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np

from sottovoce.audit.faults import CAN_FORK, finish, start
from sottovoce.audit.findings import Finding, examine
from sottovoce.audit.system import AGAIN, COUNTS, Kernel, exactly_the_systems_bytes
from sottovoce.device import Entropy

FRESH_AFTER = 2**26
"""Bytes that may be drawn before the operating system's are mixed in again."""
_ENOUGH = 32
_LARGE = 2**17
_LATE, _STALE = 3, 4
_WORDS = {
    0: "",
    _LATE: "a forked process draws before anything fresh is mixed in",
    _STALE: "nothing fresh is mixed in for too long",
}


def exactly_openssls_bytes(subject: str, make: Callable[[], Entropy]) -> list[Finding]:
    """Two findings: what is drawn, and what was mixed in before."""
    if not genuine():
        return exactly_the_systems_bytes(subject, make)
    drawn, fed = "OpenSSL's bytes, no others", "fed by the operating system"
    calls, forked = f"{len(COUNTS) + AGAIN} calls, all alike", "in a forked process, and again" if CAN_FORK else "again"
    return [
        *examine(subject, "entropy", drawn, lambda: _drawn(make), calls),
        *examine(subject, "entropy", fed, lambda: _fed(make), f"before the first words, {forked}"),
    ]


def genuine() -> bool:
    """Whether Python's `ssl` is OpenSSL from 1.1.1 on; else every word is the operating system's."""
    try:
        import ssl  # an odd build of Python has none
    except ImportError:
        return False
    named = ssl.OPENSSL_VERSION.startswith("OpenSSL ") and "compatible" not in ssl.OPENSSL_VERSION
    return named and ssl.OPENSSL_VERSION_INFO >= (1, 1, 1)


def _drawn(make: Callable[[], Entropy]) -> str:
    import ssl  # an odd build of Python has none

    source, openssl = make(), Kernel(2)
    with mock.patch.object(ssl, "RAND_bytes", openssl):
        for count in (*COUNTS, *(1 + call % 5 for call in range(AGAIN))):
            openssl.forget()
            if np.ascontiguousarray(source.words(count)).tobytes() != b"".join(openssl.given):
                return f"{count} words were asked for, and other bytes came than OpenSSL gave"
    return ""


@contextmanager
def _events() -> Iterator[list[int]]:
    """How many bytes were drawn since OpenSSL was fed with fresh ones: one number for each time it draws."""
    import ssl

    kernel, since, told = Kernel(3), [2**62], list[int]()

    def draw(size: int, /) -> bytes:
        since[0] += size
        told.append(since[0])
        return bytes(size)

    def mix(given: bytes, entropy: float, /) -> None:
        if len(given) >= _ENOUGH and given in kernel.given:
            kernel.forget()
            since[0] = 0

    with (
        mock.patch.object(os, "urandom", kernel),
        mock.patch.object(ssl, "RAND_bytes", draw),
        mock.patch.object(ssl, "RAND_add", mix),
    ):
        yield told


def _fed(make: Callable[[], Entropy]) -> str:
    source = make()
    source.words(1)  # as in a process that has drawn before

    def child() -> None:
        with _events() as told:
            source.words(1)
        os._exit(_LATE if told[0] > 8 else _STALE if _stale(source) else 0)

    if not CAN_FORK:
        return _WORDS[_STALE] if _stale(source) else ""
    return _WORDS.get(finish(start(child))[0], "a forked process could not draw")


def _stale(source: Entropy) -> bool:
    """Whether more is drawn than the decision allows before something fresh is mixed in."""
    with _events() as told:
        for _ in range(3 * FRESH_AFTER // (8 * _LARGE)):
            source.words(_LARGE)
    return max(told[FRESH_AFTER // (8 * _LARGE) + 1 :]) > FRESH_AFTER + 8 * _LARGE
