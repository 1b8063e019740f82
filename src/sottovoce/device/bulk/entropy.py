"""Words for many users at once, from OpenSSL's generator; what is claimed of them, and why: docs/decisions/0010.

Generators live in OpenSSL, one for each thread, under one for the whole process; OpenSSL itself gives a forked child
states of its own. Not relying on that alone, bytes of the operating system are mixed in before a process draws for the
first time, a forked one included, and again after about `FRESH_AFTER` bytes: into the one above, from which every
thread takes a new seed at its next request. Where Python has no such OpenSSL, every word is the operating system's.
"""

from __future__ import annotations

import os
from functools import cache
from types import ModuleType

import numpy as np

from sottovoce.device.entropy import SystemEntropy
from sottovoce.messages import Words

FRESH_AFTER = 2**26
_CHUNK = 2**20  # bytes: no more than stays in a cache
_NOBODY = -1


@cache
def _openssl() -> ModuleType | None:
    """Python's `ssl`; None where there is none, or one whose generator is another, or not safe across forks."""
    try:
        import ssl  # takes a while, and an odd build of Python has none
    except ImportError:
        return None
    name: str = ssl.OPENSSL_VERSION  # others take its place, say so here, and may not let anything be mixed in
    genuine = name.startswith("OpenSSL ") and "compatible" not in name
    return ssl if genuine and ssl.OPENSSL_VERSION_INFO >= (1, 1, 1) else None


class _Fed:
    """When OpenSSL was fed: by which process, and about how many bytes were drawn since, by all of its threads."""

    process = _NOBODY
    drawn = 0

    @classmethod
    def forget(cls) -> None:
        cls.process = _NOBODY


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Fed.forget)  # beside the process id, which may come again


class BulkEntropy:
    """Words from OpenSSL's generator, AES-256 in counter mode (NIST SP 800-90A), fed by the operating system."""

    def words(self, count: int) -> Words:
        """`count` fresh words."""
        ssl, wanted = _openssl(), 8 * count
        if ssl is None:
            return SystemEntropy().words(count)
        if _Fed.process != os.getpid() or _Fed.drawn >= FRESH_AFTER:
            ssl.RAND_add(os.urandom(48), 48.0)
            _Fed.process, _Fed.drawn = os.getpid(), 0
        _Fed.drawn += wanted
        parts = [ssl.RAND_bytes(min(_CHUNK, wanted - done)) for done in range(0, wanted, _CHUNK)]
        return np.frombuffer(parts[0] if len(parts) == 1 else b"".join(parts), dtype="<u8")
