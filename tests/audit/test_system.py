"""The entropy layer: a kernel on a script, and what a source makes of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

import pytest

from laboratory.mutants import sources
from sottovoce.audit.entropy_layer import exactly_the_systems_bytes, scripted_kernel
from sottovoce.device import Entropy, SystemEntropy


def test_the_shipped_source_gives_the_systems_bytes() -> None:
    findings = exactly_the_systems_bytes("shipped", SystemEntropy)
    assert [one.passed for one in findings] == [True, True] and {one.layer for one in findings} == {"entropy"}


def test_the_script_is_for_one_thread_and_ends() -> None:
    real = os.urandom
    elsewhere: list[bytes] = []
    with scripted_kernel(1) as kernel:
        given = SystemEntropy().words(3).tobytes()
        other = threading.Thread(target=lambda: elsewhere.append(os.urandom(8)))
        other.start()
        other.join()
        assert kernel.given == [given] and len(elsewhere[0]) == 8
    with scripted_kernel(1):
        assert SystemEntropy().words(3).tobytes() == given, "the same script again"
    assert os.urandom is real


@pytest.mark.parametrize("make", [sources.Buffered, sources.stretched, sources.short_seed, sources.from_floats])
def test_other_sources_do_not(make: Callable[[], Entropy]) -> None:
    alone, _ = exactly_the_systems_bytes("mutant", make)
    assert not alone.passed and "bytes" in alone.detail
