"""Every mutant is caught by the layer that has to, and correct mechanisms raise no alarm.

False alarms: a run raises one with probability at most 1e-4 by construction; draws that can be seeded are.
"""

from __future__ import annotations

import pytest

from sottovoce import design
from sottovoce.audit import FALSE_ALARMS, Source, Timed, audit, catalogue, caught_by, subject
from sottovoce.audit.mutants import MUTANTS, Mutant
from sottovoce.audit.processes import fresh, never_repeats, repeats
from sottovoce.device import SystemEntropy
from tests.support import SeededEntropy


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_caught(mutant: Mutant) -> None:
    findings = audit([mutant.target()], samples=12_000, entropy=SeededEntropy(4)).findings
    layers = caught_by(findings)
    print(f"{mutant.name}: {', '.join(layers)}")
    assert layers and layers[0] == mutant.layer


def test_every_mistake_that_was_listed_is_here() -> None:
    assert len(MUTANTS) >= 15 and len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    assert {mutant.layer for mutant in MUTANTS} == {"exact", "tree", "statistical", "timing", "processes"}


@pytest.mark.slow
def test_twenty_clean_runs_without_an_alarm() -> None:
    """Twenty full passes of all layers over a choice of mechanisms: at most 2e-3 of a false alarm, seeded."""
    names = ("mean-theory", "cover-subset", "one-item")
    chosen = [entry for entry in catalogue() if entry.name in names]
    assert len(chosen) == len(names)
    for seed in range(20):
        epsilon = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)[seed % 6]
        targets = [subject(entry, epsilon, entry.name) for entry in chosen]
        result = audit(targets, samples=3000, entropy=SeededEntropy(seed))
        assert result.level * result.tests == pytest.approx(FALSE_ALARMS)
        assert result.certified, [one for one in result.findings if not one.passed]


@pytest.mark.parametrize("channel", [design.one_bit(1.0), design.subset(1.0, 9), design.unary(1.0, 9)])
def test_time_does_not_tell_noise(channel: object) -> None:
    result = audit([Timed(name="timing", channel=channel)])  # type: ignore[arg-type]
    assert result.certified, result.findings


def test_forked_and_fresh_processes_never_repeat_entropy() -> None:
    finding = never_repeats("entropy")
    print(finding.detail)
    assert finding.passed and "14 streams" in finding.detail and " 0 repeated" in finding.detail
    assert repeats([SystemEntropy().words(1000).tobytes(), *fresh(processes=1)]) == 0


def test_a_source_that_repeats_itself_is_seen() -> None:
    class Stuck:
        def words(self, count: int) -> object:
            return SeededEntropy(1).words(count)

    assert not audit([Source(name="stuck", make=Stuck, started=False)]).certified  # type: ignore[arg-type]
    assert repeats([b"\0" * 16]) == 1
