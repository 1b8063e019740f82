"""Empty pages that load the modules of the device, for tests that call them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.browser import DESK, Browser


class Pages:
    """Pages of one origin in one profile of a browser, as tabs are."""

    def __init__(self, context: Any, base: str) -> None:
        self.context, self.base = context, base
        self.errors: list[str] = []
        self.requests: list[Any] = []
        context.on("request", lambda asked: "/web/" not in asked.url and self.requests.append(asked))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def tab(self, script: str = "") -> Any:
        """A new page, after its script has run."""
        page = self.context.new_page()
        page.add_init_script(script)
        page.goto(f"{self.base}/empty")
        return page


@contextmanager
def pages(browser: Browser, base: str) -> Iterator[Pages]:
    """In a profile that remembers nothing of others, with the modules of whoever listens at `base`."""
    with browser.page_at(DESK) as view:
        made = Pages(view.page.context, base)
        yield made
        assert made.errors == []


def run(page: Any, body: str, told: Any = None) -> Any:
    """What an asynchronous function with this body gives, or its code where it declines."""
    return page.evaluate(f"(told) => {_function(body)}", told)


def start(page: Any, body: str, told: Any = None) -> None:
    """Begin it, and do not wait; `result` does."""
    page.evaluate(f"(told) => {{ globalThis.result = {_function(body)}; }}", told)


def result(page: Any) -> Any:
    return page.evaluate("() => globalThis.result")


def _function(body: str) -> str:
    decline = "(error) => { if (error.constructor.name !== 'Declined') throw error; return error.code; }"
    return f"(async () => {{ {body} }})().catch({decline})"
