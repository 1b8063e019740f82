"""For all tests: one width of the terminal, the same examples, no limit of time, no figure left open.

Collecting looks for no garbage. Of a test that is marked ``thin(7)``, every seventh case is for ``make test``, the
others for ``make soak``; a number that divides no number of parameters meets every value of each. Files with a test
that is marked ``slow`` come first, so that no process waits at the end for one of them.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support.browser import Browser

settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    database=None,
    max_examples=int(os.environ.get("SOTTO_EXAMPLES", "30")),  # ``make soak`` tries more
)
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    """Closed after every test: from the twentieth that is open on, matplotlib warns whoever draws next."""
    yield
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        pyplot.close("all")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for all tests of a module: playwright keeps an event loop while it is there, which other tests forbid."""
    started = Browser()
    yield started
    started.close()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests are objects that stay: looking for garbage among them took a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    cases: Counter[str] = Counter()
    for item in items:
        if (mark := item.get_closest_marker("thin")) is not None:
            test = item.nodeid.split("[")[0]
            if cases[test] % mark.args[0]:
                item.add_marker("soak")
            cases[test] += 1
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: item.path not in slow)
