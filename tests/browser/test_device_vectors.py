"""All shared vectors once more in a real browser: the same bytes, or the same refusal, as in Python."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.browser import DESK, Browser
from tests.vectors.device import FILE
from tests.web.files import WEB
from tests.web.test_vectors import PARTS, VECTORS, told

RUNNER = Path(__file__).parents[1] / "web" / "vectors.js"
ADDRESS = "http://localhost:1"  # where a page has all that one from elsewhere has not; nobody listens there
PAGE = b'<!doctype html><html lang="en"><meta charset="utf-8"><title>Vectors</title><p>Vectors</p></html>'
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'"
SECONDS = 300


def files(route) -> None:
    """The page, the device as it is, the runner and the vectors; nothing else."""
    path = route.request.url.removeprefix(f"{ADDRESS}/")
    own = {"": (PAGE, "text/html"), "vectors.js": (RUNNER.read_bytes(), "text/javascript"),
           "vectors.json": (FILE.read_bytes(), "application/json")}  # fmt: skip
    if path.startswith("device/"):
        own[path] = (WEB / path).read_bytes(), "text/javascript"
    if path not in own:
        route.fulfill(status=404)
        return
    body, media = own[path]
    route.fulfill(body=body, content_type=media, headers={"content-security-policy": POLICY})


def test_every_vector_in_a_browser(browser: Browser) -> None:
    with browser.page_at(DESK) as view:
        view.page.route(f"{ADDRESS}/**", files)
        view.page.set_default_timeout(1000 * SECONDS)
        view.open(f"{ADDRESS}/")
        view.page.evaluate("""() => { window.found = import("/vectors.js").then(async ({ modules, run }) => {
            const vectors = await (await fetch("/vectors.json")).json();
            return JSON.stringify(await run(vectors, await modules("/device"))); }); }""")
        found = json.loads(view.page.evaluate("() => window.found"))
        assert found["wrong"] == [], told(found)
        assert found["cases"] == sum(len(VECTORS[part]) for part in PARTS)
        assert (view.errors, view.elsewhere) == ([], [])
