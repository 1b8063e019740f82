"""Other processors than this one, as far as libraries can be told to do as on those.

OpenBLAS takes the kernels of a processor by name, NumPy leaves wider vector units alone, and glibc functions that need
an instruction. A processor cannot run the kernels of one that has more instructions.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROCESSORS: dict[str, Mapping[str, str]] = {
    "Nehalem": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
    },
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4"},
    "Zen": {"OPENBLAS_CORETYPE": "Zen"},
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "Haswell, narrow": {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3"},
}
_KERNELS = {"Zen": "Haswell"}
"""What wheels of NumPy hold for a processor by another name."""
_TRY = """
import numpy as np
from numpy._core._multiarray_umath import __cpu_features__ as units
a = np.arange(4096.0).reshape(64, 64)
np.linalg.norm(a @ a.T)
print(*(name for name in ("X86_V3", "X86_V4") if units[name]))
"""


def on(processor: str, *words: str, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run Python as if on this processor, in the root of the repository."""
    environment = {**os.environ, **PROCESSORS[processor], "OPENBLAS_VERBOSE": "2"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def need(processor: str) -> None:
    """Skip where this machine cannot do as that processor; fail where it does not as it was told."""
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip(f"kernels for {processor} are those of x86-64; this is {platform.machine()}")
    done = on(processor, "-c", _TRY, seconds=600)
    if done.returncode < 0:  # an instruction that this processor does not have
        pytest.skip(f"this processor cannot run the kernels for {processor}: run this on one with AVX-512")
    assert done.returncode == 0, done.stderr
    disabled = PROCESSORS[processor].get("NPY_DISABLE_CPU_FEATURES", "").split()
    assert not set(done.stdout.split()) & set(disabled), "NumPy leaves these units alone"
    assert f"Core: {_KERNELS.get(processor, PROCESSORS[processor]['OPENBLAS_CORETYPE'])}" in done.stderr, done.stderr
