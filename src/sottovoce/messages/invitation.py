"""An invitation: one URL that says which survey, and who may answer it.

Both stand in the fragment, which no browser sends and no server logs: ``…/surveys/ID/participate#ID.TOKEN``. Further
parts ``name=value`` may follow, with dots between them; what a device does not know, it passes over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from sottovoce.messages.errors import InvalidInput

_ID = re.compile(r"[0-9a-f]{64}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,128}")
_MORE = re.compile(r"[a-z]+=[A-Za-z0-9_+/=-]+")
_LETTERS = re.compile(r"[!-~]*")
_HOST = re.compile(r"(?=.{1,253}\Z)(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?")
_PATH = re.compile(r"(.*?)(?:/surveys/[0-9a-f]{64}(?:/[a-z]*)?)?/?")


@dataclass(frozen=True, kw_only=True, repr=False)
class Invitation:
    """Where a collector is, the survey's id, and a token (empty where everybody may come)."""

    base: str
    survey: str
    token: str = ""
    more: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        check_address(self.base)
        if not _ID.fullmatch(self.survey):
            raise InvalidInput("an invitation names a survey by 64 hexadecimal digits after its '#'")
        if self.token and not _TOKEN.fullmatch(self.token):
            raise InvalidInput("an invitation's token has 22 to 128 letters, digits, '-' or '_'")

    @property
    def url(self) -> str:
        """What a participant is sent."""
        more = [f"{name}={value}" for name, value in self.more]
        tail = ".".join([self.survey, self.token, *more] if self.token or more else [self.survey])
        return f"{self.base}/surveys/{self.survey}/participate#{tail}"

    @classmethod
    def read(cls, url: str) -> Invitation:
        """From its URL."""
        address, _, fragment = url.strip().partition("#")
        survey, *rest = fragment.split(".")
        token = rest[0] if rest else ""
        if not all(_MORE.fullmatch(part) for part in rest[1:]):
            raise InvalidInput("an invitation ends with '#' and survey.token; further parts are written name=value")
        more = tuple((name, value) for name, _, value in (part.partition("=") for part in rest[1:]))
        return cls(base=collector_base(address), survey=survey, token=token, more=more)

    def __repr__(self) -> str:
        return f"<Invitation to survey {self.survey[:12]} at {self.base}>"


def collector_base(address: str) -> str:
    """The collector's address: what stands before ``/surveys/…``."""
    check_address(address)
    parts = urlsplit(address)
    match = _PATH.fullmatch(parts.path)
    assert match is not None  # the pattern takes any path
    return f"{parts.scheme}://{parts.netloc}{match.group(1)}"


def check_address(address: str) -> None:
    """Refuse an address that would send a report in the clear, or that programs read in more than one way.

    It is https, or this very machine; it has no letters that a program may leave out or spell otherwise.
    """
    if not _LETTERS.fullmatch(address):
        raise InvalidInput(
            "the collector's address holds no blanks, control characters or letters beyond ASCII",
            fix="write its host in punycode (xn--…) and its path with %XX",
        )
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise InvalidInput("the collector's address is not a URL") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput("the collector's address is a URL that begins with https://")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput("the collector's address holds no user name and no password")
    if not (_HOST.fullmatch(host) or _is_ip(host)):
        raise InvalidInput("the collector's host is a name of letters, digits, '-', '_' and dots, or an IP address")
    if parts.scheme == "http" and not is_loopback(host):
        raise InvalidInput(f"the collector at {host} is reached by https only; http is for this very machine")


def _is_ip(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether a host is this very machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
