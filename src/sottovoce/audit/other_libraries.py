"""Other people's mechanisms under the same audit: worked examples of `callable_box` and `batch_box`.

Every package is imported when it is asked for; one that is missing or broken is reported, not hidden.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from sottovoce.audit.channel_derivations import Floats
from sottovoce.audit.device_paths import SHIPPED
from sottovoce.audit.findings import Series
from sottovoce.audit.questions import single_question
from sottovoce.audit.statistical_layer import BlackBox, batch_box, callable_box, decoded_reports, lowest_bit
from sottovoce.design import laplace
from sottovoce.device import Collections, SystemEntropy
from sottovoce.messages import Position

ENDS = {"all 0": 0.0, "all 1": 1.0}
"""Two collections of which every observation differs, by their average on [0, 1]."""
ITEMS = {"item 1": 1, "item 2": 2}


def numpy_laplace(epsilon: float) -> BlackBox:
    """``average + rng.laplace(0, 1/ε)``: the textbook, in floats."""
    generator = np.random.default_rng()

    def mechanism(average: float, count: int) -> Floats:
        return average + generator.laplace(0.0, 1 / epsilon, count)

    return batch_box("numpy-laplace", mechanism, epsilon=epsilon, neighbours=ENDS)


def our_laplace(epsilon: float) -> BlackBox:
    """The laplace channel of this package on the same two collections, reports decoded from their bytes."""
    unit = Position(low=(0.0,), high=(1.0,))
    question = single_question(laplace(epsilon), unit, role="laplace", epsilon=epsilon)
    entropy = SystemEntropy()

    def mechanism(average: float, count: int) -> Floats:
        people = Collections(np.full(count, average), np.arange(count + 1))
        slots = np.zeros(count, dtype=np.int64)
        return decoded_reports(question, SHIPPED.respond_many(question, people, slots, entropy))

    return batch_box("our-laplace", mechanism, epsilon=epsilon, neighbours=ENDS)


def diffprivlib_laplace(epsilon: float) -> BlackBox:
    """Diffprivlib's Laplace mechanism."""
    mechanisms: Any = import_module("diffprivlib.mechanisms")
    laplace = mechanisms.Laplace(epsilon=epsilon, sensitivity=1.0)
    return callable_box("diffprivlib-laplace", laplace.randomise, epsilon=epsilon, neighbours=ENDS)


def opendp_laplace(epsilon: float) -> BlackBox:
    """OpenDP's Laplace measurement on floats."""
    dp: Any = import_module("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    laplace = dp.m.make_laplace(*space, scale=1 / epsilon)
    return callable_box("opendp-laplace", laplace, epsilon=epsilon, neighbours=ENDS)


def pure_ldp_direct(epsilon: float) -> BlackBox:
    """pure-ldp's direct encoding of one of eight items."""
    module: Any = import_module("pure_ldp.frequency_oracles.direct_encoding")
    client = module.DEClient(epsilon=epsilon, d=8)
    return callable_box("pure-ldp-direct", client.privatise, epsilon=epsilon, neighbours=ITEMS)


def multi_freq_ldpy_grr(epsilon: float) -> BlackBox:
    """multi-freq-ldpy's generalised randomised response over eight items."""
    module: Any = import_module("multi_freq_ldpy.pure_frequency_oracles.GRR")

    def mechanism(item: int) -> Any:
        return module.GRR_Client(item, 8, epsilon)

    return callable_box("multi-freq-ldpy-grr", mechanism, epsilon=epsilon, neighbours=ITEMS)


OTHERS: dict[str, Callable[[float], BlackBox]] = {
    "numpy-laplace": numpy_laplace,
    "our-laplace": our_laplace,
    "diffprivlib-laplace": diffprivlib_laplace,
    "opendp-laplace": opendp_laplace,
    "pure-ldp-direct": pure_ldp_direct,
    "multi-freq-ldpy-grr": multi_freq_ldpy_grr,
}
EFFORT = 2


def available(name: str, epsilon: float) -> BlackBox | str:
    """The black box, or why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other packages' deprecations are not findings
            box = OTHERS[name](epsilon)
            box.sample(0, 2)
    except Exception as error:  # a broken package may fail in any way
        return f"{type(error).__name__}: {error}".splitlines()[0][:160]
    return replace(box, effort=EFFORT)


def support_picture(box: BlackBox, *, samples: int = 4000) -> Series:
    """Where the lowest set bit of a report lies, for the two collections: apart, and the report betrays its input."""
    places = [lowest_bit(box.sample(place, samples)[:, 0]) for place in (0, 1)]
    whole = all((one >= 0).all() for one in places)
    low, high = (0, 12) if whole else (-60, -44)
    cells = tuple(
        f"≤{low}" if cell == low else f"≥{high}" if cell == high else str(cell) for cell in range(low, high + 1)
    )
    first, second = (
        tuple(float(share) for share in np.bincount(np.clip(one, low, high) - low, minlength=high - low + 1) / samples)
        for one in places
    )
    return Series(
        title=box.name, cells=cells, first=first, second=second, labels=(box.neighbours[0], box.neighbours[1])
    )
