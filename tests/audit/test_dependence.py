"""Fresh noise: independent noise passes as often as it says, noise that is used twice does not.

False alarms: tests are made at a level of 1e-7; all draws are seeded, so no verdict changes.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from laboratory.mutants import devices, samplers
from laboratory.mutants.mutant import altered
from sottovoce import design
from sottovoce.audit import DEVICE, Noise, TimedEncoder, device_targets
from sottovoce.audit.device_paths import SHIPPED
from sottovoce.audit.statistical_layer import DEPENDENCE_TESTS, noise_dependence
from sottovoce.audit.timing_layer import collection_of, highest_function, time_against_place, window, window_questions
from sottovoce.device import SystemEntropy
from sottovoce.messages import Basis, Joint, Large, Malformed, Vector
from tests.support import SeededEntropy

LEVEL = 1e-7


def test_fresh_noise_of_everything_shipped() -> None:
    targets = [one.target for one in device_targets("dependence", ())]
    assert len(targets) == 10 and "dependence" in DEVICE
    for seed, target in enumerate(targets):
        assert isinstance(target, Noise)
        found = noise_dependence("shipped", target.channel, SHIPPED, SeededEntropy(seed), level=LEVEL)
        assert [one.passed for one in found] == [True] * len(DEPENDENCE_TESTS), found


@pytest.mark.parametrize(
    ("path", "test"),
    [(samplers.repeated(64), "within"), (samplers.repeated(999), "within"), (samplers.SAME_FOR_ALL, "between")],
)
def test_noise_that_is_used_twice(path: samplers.UnarySampler, test: str) -> None:
    found = noise_dependence("mutant", design.unary(1.0, 1000), path, SeededEntropy(3), level=LEVEL)
    assert any(test in one.check for one in found if not one.passed)


def test_too_little_noise_shows_in_the_shares() -> None:
    class Half(samplers.RebuiltPath):
        def symbols(self, channel: object, inputs: object, entropy: object) -> object:  # type: ignore[override]
            return SHIPPED.symbols(design.unary(8.0, 65), inputs, entropy)  # type: ignore[arg-type]

    found = noise_dependence("mutant", design.unary(1.0, 65), Half(), SeededEntropy(4), level=LEVEL)
    assert [one.passed for one in found if "shares" in one.check] == [False]


def test_the_window_that_is_timed() -> None:
    function = highest_function()
    Basis(low=0.0, high=1.0, functions=(function,))
    with pytest.raises(Malformed):
        Basis(low=0.0, high=1.0, functions=(function + 1,))
    targets = [one.target for one in device_targets("timing", ())]
    timed = [one.question.encoder.statistic for one in targets if isinstance(one, TimedEncoder)]
    looked_at = {type(getattr(one, "vector", one)) for one in timed}
    assert looked_at == {Basis, Joint, *get_args(Vector)} - {Large}, "large columns are averages"
    groups = [one.question.encoder.within for one in targets if isinstance(one, TimedEncoder)]
    assert {one.is_drawn for one in groups if one is not None} == {False, True}


@pytest.mark.soak
def test_an_encoder_that_skips_what_lies_outside() -> None:
    found = time_against_place("mutant", window(), altered(inputs=devices.fast_outside), SystemEntropy(), level=LEVEL)
    assert not found.passed and found.layer == "timing"


@pytest.mark.soak
def test_an_encoder_that_looks_at_everything_alike() -> None:
    """Real times of the same work whatever is held: an alarm only for kinds that differ by more than is tolerated."""

    class Alike(devices.Path):
        def inputs(self, question: object, people: object, slots: object, entropy: object) -> object:  # type: ignore[override]
            return SHIPPED.inputs(question, inside, slots, entropy)  # type: ignore[arg-type]

    inside = collection_of("inside", np.random.default_rng(1))
    found = time_against_place("alike", window(2), Alike(), SystemEntropy(), level=LEVEL)
    assert found.passed, found


@pytest.mark.soak
def test_the_shipped_encoder_looks_at_everything_alike() -> None:
    found = [time_against_place("shipped", asked, SHIPPED, SystemEntropy(), level=1e-4) for asked in window_questions()]
    assert all(one.passed for one in found), found
