"""Who may do what: random tokens of which only the SHA-256 is kept, and one capability for each slot.

A capability follows from the survey's secret and the slot, so that a report is let in without looking anything up, and
nobody can take a slot that is not theirs.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from sottovoce.messages import InvalidInput
from sottovoce.service.documents import MAX_ORIGIN, ORIGIN
from sottovoce.service.store import Store

TOKEN_BYTES = 32
_DIGITS = 32


def check_origin(origin: str) -> None:
    """Refuse what no browser would send as an origin."""
    if not re.fullmatch(ORIGIN, origin) or len(origin) > MAX_ORIGIN:
        raise InvalidInput("an origin is written like https://survey.example.org, without a path")


def new_administrator(store: Store) -> str:
    """A token that makes surveys over HTTP, in place of any before."""
    token = new_token()
    store.set_admin(token_hash(token))
    return token


def new_token() -> str:
    """256 random bits, as text."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_secret() -> bytes:
    """What a survey's capabilities follow from."""
    return secrets.token_bytes(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def is_stored_token(token: str, stored: bytes | None) -> bool:
    """Whether a token is the one stored, in constant time."""
    return stored is not None and hmac.compare_digest(token_hash(token), stored)


def capability(secret: bytes, slot: int) -> str:
    """What a report of this slot is posted with."""
    return hmac.digest(secret, b"slot %d" % slot, "sha256").hex()[:_DIGITS]


def may_report(secret: bytes, slot: int, given: str) -> bool:
    """Whether this is the slot's capability, in constant time."""
    return hmac.compare_digest(capability(secret, slot).encode(), given.encode(errors="replace"))
