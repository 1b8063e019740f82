"""An invitation: one URL, whose survey and token no server sees."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from sottovoce.messages import InvalidInput, Invitation
from sottovoce.messages.invitation import collector_base

SURVEY, TOKEN = "0f" * 32, "A" * 43


@pytest.mark.parametrize("base", ["https://example.org", "https://example.org/surveys-of/us", "http://127.0.0.1:8080"])
@pytest.mark.parametrize("token", [TOKEN, ""])
@pytest.mark.parametrize("more", [(), (("module", "sha256-abc+/="),)])
def test_it_is_read_back(base: str, token: str, more: tuple[tuple[str, str], ...]) -> None:
    made = Invitation(base=base, survey=SURVEY, token=token, more=more)
    assert Invitation.read(made.url) == made
    sent = urlsplit(made.url)._replace(fragment="").geturl()
    assert not token or token not in sent  # a fragment stays on the device
    assert made.url.startswith(f"{base}/surveys/{SURVEY}/participate#{SURVEY}")
    assert TOKEN not in repr(made) and TOKEN not in str(made) and SURVEY[:12] in repr(made)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"http://example.org/surveys/{SURVEY}/participate#{SURVEY}.{TOKEN}", "reached by https only"),
        (f"https://user:word@example.org/#{SURVEY}.{TOKEN}", "no user name"),
        (f"ftp://example.org/#{SURVEY}.{TOKEN}", "begins with https"),
        (f"example.org/#{SURVEY}.{TOKEN}", "begins with https"),
        (f"https://example.org:no/#{SURVEY}.{TOKEN}", "not a URL"),
        ("https://example.org/", "64 hexadecimal digits"),
        (f"https://example.org/#{SURVEY[1:]}.{TOKEN}", "64 hexadecimal digits"),
        (f"https://example.org/#{SURVEY.upper()}.{TOKEN}", "64 hexadecimal digits"),
        (f"https://example.org/#{SURVEY}.short", "22 to 128"),
        (f"https://example.org/#{SURVEY}.{TOKEN}.what", "name=value"),
        (f"https://example.org/#{SURVEY}.{'A' * 200}", "22 to 128"),
        (f"https://exämple.org/#{SURVEY}.{TOKEN}", "punycode"),
        (f"https://example.org/sürveys#{SURVEY}.{TOKEN}", "%XX"),
        (f"https://example.org/a b#{SURVEY}.{TOKEN}", "no blanks"),
        (f"https://exam\nple.org/#{SURVEY}.{TOKEN}", "control characters"),
        (f"https://example.org/\r\nX: y#{SURVEY}.{TOKEN}", "control characters"),
        (f"https://example.org\x7f/#{SURVEY}.{TOKEN}", "control characters"),
        (f"https://exa\\mple.org/#{SURVEY}.{TOKEN}", "a name of letters"),
        (f"https://example..org/#{SURVEY}.{TOKEN}", "a name of letters"),
        (f"https://{'a' * 64}.org/#{SURVEY}.{TOKEN}", "a name of letters"),
    ],
)
def test_what_is_none(url: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as error:
        Invitation.read(url)
    assert TOKEN not in str(error.value)


def test_the_address_of_the_collector_which_on_this_very_machine_may_do_without_encryption() -> None:
    for host in ("127.0.0.1", "localhost", "[::1]", "127.9.9.9"):
        assert Invitation.read(f"http://{host}:1234/#{SURVEY}").base == f"http://{host}:1234"
    for path in ("", "/", f"/surveys/{SURVEY}", f"/surveys/{SURVEY}/", f"/surveys/{SURVEY}/participate"):
        assert collector_base(f"https://example.org/x{path}") == "https://example.org/x"
