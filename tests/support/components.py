"""Parts that come from elsewhere: missing, a test is skipped with what to do, or fails where everything is required."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(component: str, *, reason: str, command: str) -> NoReturn:
    text = f"{component} is missing: {reason}. To have it: {command}"
    if os.environ.get("SOTTO_REQUIRE_ALL") == "1":
        pytest.fail(text)
    pytest.skip(text)
