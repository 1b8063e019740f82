"""What a browser is given: files of the package only, every one by its hash, under a policy that allows no more."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest

import sottovoce
from sottovoce.messages import Invitation
from sottovoce.service.pages import MEDIA, assets, device_digest
from sottovoce.version import VERSION
from tests.service.web import Web, manifest_of

FOLDER = Path(sottovoce.__file__).parent / "web"
MODULES = [path for path in assets() if path.endswith((".js", ".ftl")) and path != "shared/trouble.js"]


class Tags(HTMLParser):
    """Every tag with its attributes, and what stands inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in self.inside and data.strip():
            self.inside[self._open].append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def hashed(data: bytes) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


def places(web: Web) -> dict[str, str]:
    """Both pages, by name."""
    survey = next(iter(web.tokens), None) or web.create(manifest_of(purpose="pages"))
    return {"dashboard": "/", "participate": f"/surveys/{survey}/participate"}


def test_every_file_of_the_pages_is_served_as_it_is(web: Web) -> None:
    there = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.is_file()}
    there |= {path.relative_to(FOLDER.parent).as_posix(): path for path in FOLDER.parent.glob("words/*/*.ftl")}
    assert there.keys() == assets().keys(), "a file that is not served has no business there"
    for path, file in sorted(there.items()):
        heard = web.ask("GET", f"/web/{path}")
        assert (heard.status, heard.body) == (200, file.read_bytes())
        assert heard.headers["content-type"] == MEDIA[Path(path).suffix]
        assert heard.headers["cache-control"] == "no-cache" and heard.headers["x-content-type-options"] == "nosniff"
        assert heard.headers["cross-origin-resource-policy"] == "same-origin"
        assert heard.headers["etag"] == f'"{hashlib.sha256(heard.body).hexdigest()}"'


def test_a_file_that_did_not_change_is_not_sent_again(web: Web) -> None:
    path = "/web/shared/theme.css"
    first = web.ask("GET", path)
    again = web.ask("GET", path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert web.ask("GET", path, headers={"If-None-Match": '"another"'}).status == 200
    assert web.ask("GET", f"{path}?x/../../y").body == first.body, "a query changes nothing"
    head = web.ask("HEAD", path)
    assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(first.body)))


ELSEWHERE = r"""/ device device/ shared/theme.css/ shared//theme.css shared/theme.css%00 nothing.js ../__init__.py
..%2f__init__.py %2e%2e/__init__.py shared/../../version.py /etc/passwd %2fetc%2fpasswd ..\version.py words/numbers.py
words/en/"""


@pytest.mark.parametrize("path", ["", *ELSEWHERE.split()])
def test_nothing_else_is_served(web: Web, path: str) -> None:
    heard = web.ask("GET", f"/web/{path}")
    assert (heard.status, heard.code) == (404, "not-found")
    assert b"root:" not in heard.body and b"VERSION" not in heard.body
    assert set(heard.plain["error"]) == {"code", "message", "survey", "round", "expected", "got", "do"}


def test_files_take_no_other_method(web: Web) -> None:
    heard = web.ask("POST", "/web/shared/theme.css", "{}")
    assert (heard.status, heard.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("name", ["dashboard", "participate"])
def test_a_page_names_every_file_by_its_hash(web: Web, name: str) -> None:
    place = places(web)[name]
    heard = web.ask("GET", place)
    tags = Tags(heard.body.decode())
    found = [tag for tag in tags.named("script") if "src" in tag] + tags.named("link")
    assert len(found) >= 2
    for tag in found:
        path = urljoin(place, tag.get("src") or tag.get("href") or "")
        assert tag["integrity"] == hashed(web.ask("GET", path).body)
    assert [tag.get("src", "")[-10:] for tag in tags.named("script")][:1] == ["trouble.js"], "before everything else"
    (text,) = tags.inside["script"]
    assert tags.inside["style"] == []
    listed = json.loads(text)["integrity"]
    assert {urljoin(place, path): value for path, value in listed.items()} == {
        f"/web/{path}": hashed(assets()[path].data) for path in MODULES
    }
    if f"{name}/page.js" in assets():
        assert tags.named("script")[-1]["type"] == "module"
        assert urljoin(place, tags.named("script")[-1]["src"] or "") == f"/web/{name}/page.js"


@pytest.mark.parametrize("name", ["dashboard", "participate"])
def test_the_policy_allows_nothing_but_the_page_s_own_files(web: Web, name: str) -> None:
    heard = web.ask("GET", places(web)[name])
    (text,) = Tags(heard.body.decode()).inside["script"]
    rules = dict(part.strip().split(" ", 1) for part in heard.headers["content-security-policy"].split(";"))
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'self' '{hashed(text.encode())}'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "'self' data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert heard.headers["x-frame-options"] == "DENY" and heard.headers["cache-control"] == "no-store"
    assert heard.headers["cross-origin-opener-policy"] == heard.headers["cross-origin-resource-policy"] == "same-origin"
    assert heard.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("name", ["dashboard", "participate"])
def test_a_page_has_its_places_and_only_relative_addresses(web: Web, name: str) -> None:
    place = places(web)[name]
    tags = Tags(web.ask("GET", place).body.decode())
    by_id = {attributes["id"]: attributes for _, attributes in tags.tags if "id" in attributes}
    assert "hidden" in by_id["app"] and "hidden" in by_id["trouble"] and "hidden" not in by_id["plain"]
    assert by_id["trouble"]["role"] == "alert"
    (whole,) = tags.named("html")
    assert (whole["data-page"], whole["data-device"], whole["data-software"]) == (name, device_digest(), VERSION)
    assert whole.get("data-survey") == (place.split("/")[2] if name == "participate" else None)
    for _, attributes in tags.tags:
        for address in (attributes.get("href"), attributes.get("src")):
            assert address is None or re.match(r"(\./|\.\./\.\./)[a-z]", address), address
            assert address is None or web.ask("GET", urljoin(place, address)).status in (200, 425)
        assert not any(key.startswith("on") or key == "style" for key in attributes), "the policy would stop it"


def test_the_device_is_pinned_by_what_sha256sum_prints(web: Web) -> None:
    own = sorted((FOLDER / "device").iterdir(), key=lambda path: path.name.encode())
    assert all(path.suffix == ".js" for path in own), "one folder, so that *.js is all of it"
    lines = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in own)
    assert device_digest() == hashlib.sha256(lines.encode()).hexdigest()


def test_every_invitation_pins_the_device(web: Web) -> None:
    survey = web.create(manifest_of(purpose="pinned"))
    made = web.ask("POST", f"/surveys/{survey}/invitations", '{"count":2}', token=web.admin).plain["invitations"]
    made += web.collector.invite(survey, count=1, base="https://survey.example.org")
    for url in made:
        assert Invitation.read(url).more == (("device", device_digest()),) and url.endswith(
            f".device={device_digest()}"
        )
    for_all = web.create(manifest_of(purpose="pinned for all", access="open"))
    told = web.ask("POST", f"/surveys/{for_all}/invitations", '{"count":1}', token=web.admin).plain["error"]["do"]
    shared = Invitation.read(told.removeprefix("share "))
    assert (shared.survey, shared.token, shared.more) == (for_all, "", (("device", device_digest()),))
