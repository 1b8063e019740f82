"""Invitations are read by the page as by Python: the same are taken, for the same, and the same are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sottovoce.messages import InvalidInput, Invitation
from tests.support.node import lines
from tests.web.files import WEB

SURVEY, TOKEN = "0f" * 32, "A" * 43
TAIL = f"#{SURVEY}.{TOKEN}"
ADDRESSES = [
    *("https://example.org", "https://example.org/", "HTTPS://Example.org/x", "https://example.org/x/", "http://::1/"),
    *("https://example.org:8443/a", "https://example.org:/a", "https://example.org:65535", "https://example.org:65536"),
    *("https://example.org:no/", "https://example.org:-1/", "https://user:word@example.org/", "https://@example.org/"),
    *("http://example.org/", "ftp://example.org/", "example.org/", "//example.org/", "https:///x", "https:example.org"),
    *("http://127.0.0.1", "http://127.9.9.9:80/x", "http://127.0.0.256/", "http://128.0.0.1/", "http://127.1/"),
    *("http://localhost", "http://LOCALHOST:1/", "http://localhost.example.org", "http://[::1]:99/", "http://[::2]/"),
    *(
        "https://[::1",
        "https://[zz]/",
        "https://exämple.org/",
        "https://example.org/sürveys",
        "https://example.org/a b",
    ),
    *("https://exam\nple.org/", "https://example.org\x7f/", "https://exa\\mple.org/", "https://example..org/"),
    *("https://example.org./", "https://_a-b.example.org", "https://.example.org/", f"https://{'a' * 64}.org/"),
    *(f"https://{'a' * 63}.org/", f"https://{'abcdefg.' * 32}org/", "https://example.org/?q=1", "https://a%41.org/"),
    *(f"https://example.org/x/surveys/{SURVEY}", f"https://example.org/surveys/{SURVEY}/participate/"),
    *(f"https://example.org/surveys/{SURVEY}/x/y", f"https://example.org/surveys/{SURVEY[1:]}/participate", "", " "),
]
FRAGMENTS = [
    *("", "#", f"#{SURVEY}", f"#{SURVEY}.", f"#{SURVEY}.{TOKEN}", f"#{SURVEY[1:]}.{TOKEN}", f"#{SURVEY.upper()}"),
    *(
        f"#{SURVEY}.short",
        f"#{SURVEY}.{'A' * 129}",
        f"#{SURVEY}.{'A' * 128}",
        f"#{SURVEY}.{TOKEN}\n",
        f"#{SURVEY}.{'é' * 30}",
    ),
    *(f"#{SURVEY}.{TOKEN}.what", f"#{SURVEY}.{TOKEN}.device={SURVEY}", f"#{SURVEY}..device=x.module=sha256-abc+/="),
    *(f"#{SURVEY}.{TOKEN}.a==b=", f"#{SURVEY}.{TOKEN}.A=b", f"#{SURVEY}.{TOKEN}.", f"#{SURVEY}#{TOKEN}", f"#.{TOKEN}"),
]
URLS = [address + TAIL for address in ADDRESSES] + [f"https://example.org/x{tail}" for tail in FRAGMENTS]
URLS += [f"  https://example.org/{TAIL}\n"]


def python(url: str) -> Any:
    try:
        read = Invitation.read(url)
    except InvalidInput as error:
        return str(error)
    return {"base": read.base, "survey": read.survey, "token": read.token, "more": [list(one) for one in read.more]}


@pytest.fixture(scope="module")
def said() -> dict[str, Any]:
    found = lines(Path(__file__).with_name("invitation.mjs"), URLS, (WEB / "client" / "invitation.js").as_uri())
    return dict(zip(URLS, found, strict=True))


@pytest.mark.parametrize("url", URLS)
def test_both_read_it_alike(url: str, said: dict[str, Any]) -> None:
    mine, page = python(url), said[url]
    if isinstance(mine, dict):
        assert page == mine
    else:
        assert isinstance(page, str) and TOKEN not in page and page.isprintable()


def test_some_are_taken_and_some_are_not() -> None:
    taken = sum(isinstance(python(url), dict) for url in URLS)
    assert 20 <= taken <= len(URLS) - 20
