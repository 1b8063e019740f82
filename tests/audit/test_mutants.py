"""Every mutant is caught by the layer that has to, and correct mechanisms raise no alarm.

False alarms: a run raises one with probability at most 1e-4 by construction; draws that can be seeded are.
"""

from __future__ import annotations

from functools import partial

import pytest

from laboratory.mutants import MUTANTS, Mutant, samplers
from laboratory.mutants.javascript import JAVASCRIPT
from laboratory.mutants.mutant import device, votes
from sottovoce import design
from sottovoce.audit import FALSE_ALARMS, LAYERS, Source, Subject, TimedSampler, audit, caught_by, large_instances
from sottovoce.audit.device_paths import RebuiltPath
from sottovoce.audit.entropy_layer import fresh_streams, repeats, words_never_repeat
from sottovoce.device import SystemEntropy
from tests.support import SeededEntropy
from tests.support.clean import clean_run

pytestmark = pytest.mark.slow
BY_OTHERS = [mutant for mutant in MUTANTS if mutant.layer != "ledger" and mutant not in JAVASCRIPT]
"""Ledgers have their own test, in `test_accounts`, and so has the device of a browser, in `test_javascript`."""


def _timed_in_soak(mutant: Mutant) -> object:
    return pytest.param(mutant, marks=pytest.mark.soak if mutant.layer == "timing" else (), id=mutant.name)


@pytest.mark.parametrize("mutant", [*map(_timed_in_soak, BY_OTHERS)])
def test_caught(mutant: Mutant) -> None:
    findings = audit([mutant.target()], samples=12_000, entropy=SeededEntropy(4)).findings
    layers = caught_by(findings)
    print(f"{mutant.name}: {', '.join(layers)}")
    assert layers and layers[0] == mutant.layer


def test_every_mistake_that_was_listed_is_here() -> None:
    assert len(MUTANTS) >= 35 and len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    assert {mutant.layer for mutant in MUTANTS} == set(LAYERS)
    planted = {
        "no noise when T > 10", "no noise at every seventh slot", "noise repeated after 64 bits", "32-bit digits",
        "seed of 32 bits", "cap per collector", "exception for T > 1000",
    }  # fmt: skip
    assert planted <= {mutant.name for mutant in MUTANTS}


@pytest.mark.parametrize(
    "build",
    [
        device(samplers.LaplaceSampler(), design.laplace),
        device(samplers.TableSampler(), partial(design.piecewise, nodes=9, window=5)),
        votes(samplers.repeated(129), 129),
        votes(RebuiltPath(), 65, design.subset),
        votes(samplers.ManyVotes(), 65),
        votes(samplers.ManyVotes(), 1000),
    ],
)
def test_what_the_mutants_are_made_of_is_right(build: object) -> None:
    """So a mutant is caught for its mistake, and not because it was put together by hand."""
    result = audit([build("right", 1.0)], samples=4000, entropy=SeededEntropy(5))  # type: ignore[operator]
    assert result.certified, [one for one in result.findings if not one.passed]


def test_an_exception_is_a_finding_of_its_layer() -> None:
    class Failing(RebuiltPath):
        def symbols(self, channel: object, inputs: object, entropy: object) -> object:  # type: ignore[override]
            raise KeyError("0.25 was observed")

    asked = large_instances(1.0)[6:9]
    result = audit([Subject(name="failing", epsilon=1.0, questions=asked, path=Failing())], samples=1000)
    assert not result.certified and {"exact", "sampler", "statistical"} <= set(caught_by(result.findings))
    assert any("KeyError" in one.detail for one in result.findings)
    assert not any("0.25" in one.detail for one in result.findings), "what it said could be what it was given"
    timed = audit([TimedSampler(name="failing", channel=design.one_bit(1.0), path=Failing())])
    assert caught_by(timed.findings) == ("timing",)


@pytest.mark.thin(2)
@pytest.mark.parametrize("seed", range(2))
def test_clean_runs_without_an_alarm(seed: int) -> None:
    """Of the twenty of ``make soak``, over a choice of mechanisms: at most 1e-4 of a false alarm each, seeded."""
    result = clean_run(seed, ("mean-theory", "cover-subset", "one-item", "dependence", "entropy"))
    assert result.level * result.tests == pytest.approx(FALSE_ALARMS)
    assert result.certified, [finding for finding in result.findings if not finding.passed]


@pytest.mark.soak
@pytest.mark.parametrize("channel", [design.one_bit(1.0), design.subset(1.0, 9), design.unary(1.0, 9)])
def test_time_does_not_tell_noise(channel: object) -> None:
    result = audit([TimedSampler(name="timing", channel=channel)])  # type: ignore[arg-type]
    assert result.certified, result.findings


def test_forked_and_fresh_processes_never_repeat_entropy() -> None:
    finding = words_never_repeat("entropy")
    print(finding.detail)
    assert finding.passed and "14 streams" in finding.detail and " 0 repeated" in finding.detail
    assert repeats([SystemEntropy().words(1000).tobytes(), *fresh_streams(processes=1)]) == 0


def test_a_source_that_repeats_itself_is_seen() -> None:
    class Stuck:
        def words(self, count: int) -> object:
            return SeededEntropy(1).words(count)

    assert not audit([Source(name="stuck", make=Stuck, started=False)]).certified  # type: ignore[arg-type]
    assert repeats([b"\0" * 16]) == 1
