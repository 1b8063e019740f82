"""What every page is wrapped in, in a real browser: its program runs as it was announced, or the plain page stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sottovoce.service import handlers, pages
from sottovoce.service.pages import MEDIA, Asset, assets
from tests.service.web import Web, manifest_of, serving
from tests.support.browser import DESK, Browser, View

PAGE = b"""import { Declined } from "../device/errors.js";
const app = document.getElementById("app");
const tried = (attempt) => {
  try {
    attempt();
    return "done";
  } catch (error) {
    return error.name;
  }
};
const button = document.createElement("button");
button.textContent = `it runs: ${Declined.name}`;
button.addEventListener("click", async () => {
  const outcomes = [
    tried(() => eval("1")),
    tried(() => new Function("1")()),
    tried(() => (app.innerHTML = "<b>x</b>")),
    tried(() => (document.createElement("script").text = "1")),
    await fetch("http://127.0.0.2:9/").then(() => "sent", (error) => error.name),
  ];
  app.dataset.outcomes = outcomes.join(" ");
});
app.append(button);
app.hidden = false;
document.getElementById("plain").hidden = true;
document.documentElement.dataset.ready = "yes";
"""


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """A collector whose pages run one small program each."""
    for name in ("dashboard", "participate"):
        monkeypatch.setitem(assets(), f"{name}/page.js", Asset(f"{name}/page.js", MEDIA[".js"], PAGE))
    made = (pages._page_head, pages.import_map, pages.page_headers)
    for one in made:
        one.cache_clear()
    with serving(tmp_path) as found:
        yield found
    for one in made:
        one.cache_clear()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A collector with the pages as they are."""
    with serving(tmp_path_factory.mktemp("web")) as found:
        yield found


def opened(web: Web, view: View, path: str = "/") -> str:
    view.open(f"{web.running.url}{path}")
    view.page.wait_for_function("document.documentElement.dataset.ready || !document.getElementById('trouble').hidden")
    return str(view.page.inner_text("main"))


def test_the_program_runs_and_may_do_no_more_than_it_needs(browser: Browser, web: Web) -> None:
    for path in ("/", f"/surveys/{web.create(manifest_of())}/participate"):
        with browser.page_at(DESK) as view:
            assert "it runs: Declined" in opened(web, view, path)
            assert (view.errors, view.elsewhere) == ([], [])
            view.page.click("button")
            view.page.wait_for_function("document.getElementById('app').dataset.outcomes")
            outcomes = view.page.get_attribute("#app", "data-outcomes").split()
            assert len(outcomes) == 5 and set(outcomes) <= {"EvalError", "TypeError"}, outcomes
            view.page.locator("#trouble").wait_for()  # the browser reports what it stopped a moment later
            trouble = view.page.inner_text("#trouble")
            assert "your browser stopped it" in trouble and "broke off" not in trouble, "whoever tries is told of"
            assert view.page.is_hidden("#plain"), "and the page goes on"


STAYS = {"participate": "How to answer", "dashboard": "Surveys in a low voice"}


@pytest.mark.parametrize(
    "path, name, error",
    [
        ("device/errors.js", "participate", "integrity"),
        ("dashboard/page.js", "dashboard", "integrity"),
        ("words/en/participate.ftl", "participate", "integrity"),
        ("words/en/pages.ftl", "dashboard", "integrity"),
        ("dashboard/page.js", "dashboard", "404"),
    ],
)
def test_a_file_that_is_not_what_the_page_says_is_not_used(
    browser: Browser, plain: Web, monkeypatch: pytest.MonkeyPatch, path: str, name: str, error: str
) -> None:
    """The real pages: neither a script nor a sentence that was changed on the way; nor does one arrive that is gone."""
    altered, own = dict(assets()), assets()[path]
    comment = b"\n// one line more\n" if path.endswith(".js") else b"\n# one line more\n"
    altered[path] = Asset(path, own.media, own.data + comment)
    if error == "404":
        del altered[path]
    monkeypatch.setattr(handlers, "assets", lambda: altered)
    survey = next(iter(plain.tokens), None) or plain.create(manifest_of())
    with browser.page_at(DESK) as view:
        told = opened(plain, view, f"/surveys/{survey}/participate" if name == "participate" else "/")
        assert "did not start" in told and STAYS[name] in told, "the plain page stays"
        assert view.page.is_hidden("#app") and view.page.locator("#plain").is_visible()
        assert any(error in one for one in view.errors)


def test_without_scripts_the_page_is_plain(browser: Browser, web: Web) -> None:
    context = browser._chromium.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{web.running.url}/surveys/{web.create(manifest_of())}/participate")
        told = page.inner_text("main")
        assert "sotto answer" in told and "did not start" not in told
    finally:
        context.close()
