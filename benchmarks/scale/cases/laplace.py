"""Laplace noise on many numbers at ε = 1: exact on a grid of 2^16 steps here, as the peers have it there.

NumPy draws floats and is no mechanism. diffprivlib's `Laplace` takes one number a call; OpenDP's `make_laplace` on
integers, with the scale of our grid, takes one, or a list. Of its integers and floats the integers are the faster.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

EPSILON = 1.0


def ours(draws: int) -> Callable[[], Any]:
    from sottovoce import design
    from sottovoce.device import bulk

    channel = design.laplace(EPSILON)
    inputs = np.random.default_rng(1).integers(0, channel.steps + 1, size=draws)
    entropy = bulk.BulkEntropy()
    return lambda: bulk.privatise(channel, inputs, entropy)


def numpy(draws: int) -> Callable[[], Any]:
    generator = np.random.default_rng(1)
    return lambda: generator.laplace(size=draws)


def diffprivlib(draws: int) -> Callable[[], Any]:
    mechanisms: Any = import_module("diffprivlib.mechanisms")
    laplace = mechanisms.Laplace(epsilon=EPSILON, sensitivity=1.0)
    return lambda: [laplace.randomise(0.5) for _ in range(draws)]


def _opendp(vector: bool) -> Any:
    dp: Any = import_module("opendp.prelude")
    dp.enable_features("contrib")
    domain = dp.atom_domain(T=int)
    if vector:
        return dp.m.make_laplace(dp.vector_domain(domain), dp.l1_distance(T=int), scale=2**16 / EPSILON)
    return dp.m.make_laplace(domain, dp.absolute_distance(T=int), scale=2**16 / EPSILON)


def opendp_scalar(draws: int) -> Callable[[], Any]:
    measurement = _opendp(vector=False)
    return lambda: [measurement(2**15) for _ in range(draws)]


def opendp_vector(draws: int) -> Callable[[], Any]:
    measurement, data = _opendp(vector=True), [2**15] * draws
    return lambda: measurement(data)
