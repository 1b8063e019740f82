"""A collector of its own for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.house import House, house


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("house")) as made:
        yield made
