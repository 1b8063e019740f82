"""The page that docs/howto/embed.md shows answers a survey, from an origin of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import quote

from tests.docs.page import Page
from tests.docs.walk import Walk
from tests.support.browser import DESK, Browser, hosted

WEB = Path(__file__).parents[2] / "src" / "sottovoce" / "web"


def test_the_page_answers(browser: Browser, tmp_path: Path) -> None:
    (shown,) = Page("howto/embed.md").blocks("html")
    diary, asked = tmp_path / "diary", tmp_path / "asked"
    asked.mkdir()
    for name in ("device", "client"):
        shutil.copytree(WEB / name, diary / name)
    (diary / "index.html").write_text(shown, encoding="utf-8")
    walk = Walk(asked)
    try:
        with hosted(diary) as origin:
            walk.typed("sotto plan mean --low 1 --high 5 --epsilon 2 --users 20 --observations 3 --save plan.toml")
            walk.typed(f"sotto survey create plan.toml --collector us --purpose why --closes 1d --origin {origin}")
            invitation = walk.typed("sotto survey invite ID --base http://127.0.0.1:8000").split()[0]
            assert invitation.startswith("http"), invitation
            walk.typed("sotto serve")
            with browser.page_at(DESK) as view:
                view.open(f"{origin}/?invitation={quote(invitation, safe='')}")
                view.page.wait_for_function("document.querySelector('#told').textContent.includes('us asks: why')")
                view.page.click("#send")
                view.page.wait_for_function("document.querySelector('#told').textContent.startsWith('answered')")
                assert view.errors == []
    finally:
        walk.stop()
