"""Faults that small instances, first slots and short collections do not show; and ledgers, sources and clocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from laboratory.mutants import bulk, conditional, credulous, devices, ledgers, samplers, sources
from laboratory.mutants.devices import device, votes
from laboratory.mutants.mutant import Mutant, mutant
from sottovoce.audit.device_paths import Path
from sottovoce.audit.targets import Accounts, Coins, Expanded, Noise, Source, Target, TimedEncoder, Unaided
from sottovoce.audit.timing_layer import window
from sottovoce.design import laplace, one_bit, piecewise, subset, unary
from sottovoce.messages import exact

Build = Callable[[str, float], Target]


def _bit(path: Callable[[], Path], **more: int) -> Any:
    return device(path, one_bit, **more)


def _laplace(path: Callable[[], Path]) -> Any:
    return device(path, laplace)


def _table(path: Callable[[], Path]) -> Any:
    return device(path, lambda epsilon: piecewise(epsilon, nodes=9, window=5))


def _noise(path: Path) -> Build:
    return lambda name, epsilon: Noise(name=name, channel=unary(exact(epsilon), 1000), path=path)


def _source(make: Any) -> Build:
    return lambda name, epsilon: Source(name=name, make=make, started=False)


def _ledger(opens: Any) -> Build:
    return lambda name, epsilon: Accounts(name=name, open=opens)


def _device(responds: Any) -> Build:
    return lambda name, epsilon: Accounts(name=name, responds=responds)


def _fast(name: str, epsilon: float) -> Target:
    return TimedEncoder(name=name, question=window(), path=devices.FastOutside())


_PEOPLE = (
    mutant("no noise when T > 10", "larger collections are sent as they are", "tree",
           _bit(partial(conditional.MoreThan, 10))),
    mutant("no noise when T > 500", "the same, for very large ones", "tree", _bit(partial(conditional.MoreThan, 500))),
    mutant("no noise at every seventh slot", "some slots are sent as they are", "sampler",
           _bit(partial(conditional.EverySlot, 7, 5))),
    mutant("no noise at one slot in eleven", "the same, for fewer", "sampler",
           _bit(partial(conditional.EverySlot, 11, 8))),
    mutant("exception for T > 1000", "the device fails where much was observed", "exact",
           _bit(conditional.FailsAbove)),
    mutant("no noise when some are missing", "collections with gaps are sent as they are", "sampler",
           _bit(conditional.PartlyMissing)),
    mutant("silent on infinities", "a device alone fails on an infinite observation", "exact",
           _bit(conditional.SilentOnInfinity)),
    mutant("words shared by users", "the second of two uses the words of the first", "sampler",
           _bit(conditional.SharedByUsers)),
    mutant("words shared by uses", "the second answer uses the words of the first", "tree",
           _bit(conditional.SharedByUses, groups=2, uses=2)),
    mutant("generator of its own", "the entropy that was handed in is not used", "tree",
           _bit(conditional.OwnGenerator)),
)  # fmt: skip

_SAMPLERS = (
    mutant("noise repeated after 64 bits", "bits of a vote share their words", "sampler",
           votes(partial(samplers.Repeated, 64), 129)),
    mutant("noise repeated after 8 bits", "the same, sooner", "sampler", votes(partial(samplers.Repeated, 8), 65)),
    mutant("noise repeated after 32 bits", "the same", "sampler", votes(partial(samplers.Repeated, 32), 65)),
    mutant("noise repeated after 128 bits", "the same, later", "sampler",
           votes(partial(samplers.Repeated, 128), 1000)),
    mutant("repeated bits in fresh noise", "the same, with nothing known of the words", "statistical",
           _noise(samplers.Repeated(128))),
    mutant("one noise for all", "reports made together share their noise", "statistical",
           _noise(samplers.SameForAll())),
    mutant("32-bit digits", "laplace digits beyond 32 bits are lost", "sampler", _laplace(samplers.Narrow),
           epsilon=1e-4),
    mutant("highest digits lost", "the two highest laplace digits are never counted", "sampler",
           _laplace(samplers.LostDigits)),
    mutant("upper half of a threshold", "128-bit thresholds compared by 64 bits", "sampler",
           _laplace(samplers.HighHalf)),
    mutant("G₂ = G₁", "the two parts of laplace noise cancel", "sampler", _laplace(samplers.SameGeometric)),
    mutant("clamp forgotten", "laplace reports beyond the public bound", "sampler", _laplace(samplers.NoClamp)),
    mutant("fraction ignored", "between two nodes always to the lower", "tree", _table(samplers.NoFraction)),
    mutant("half of a fraction", "between two nodes by 16 bits", "tree", _table(samplers.CoarseFraction)),
    mutant("one word for two draws", "node and symbol by the same word", "tree", _table(samplers.OneWord)),
    mutant("signed words", "words compared as signed numbers", "tree", _table(samplers.Signed)),
    mutant("words as floats", "words compared in 53 bits", "tree", _table(samplers.InFloats)),
    mutant("low bits lost", "the lowest eleven bits of words are zero", "sampler",
           votes(samplers.LowBitsLost, 65)),
    mutant("biased remainder", "indices by a remainder, never drawn again", "sampler",
           votes(samplers.Modulo, 65, subset)),
    mutant("naive shuffle", "orders that are not equally likely", "sampler",
           votes(samplers.NaiveShuffle, 65, subset)),
)  # fmt: skip

_SOURCES = (
    mutant("seed of 32 bits", "a generator seeded anew with 32 bits", "entropy", _source(sources.ShortSeed)),
    mutant("seed from the clock", "a generator seeded anew with the time", "entropy", _source(sources.TimeSeed)),
    mutant("entropy by way of floats", "the lowest bits are zero", "entropy", _source(sources.FromFloats)),
    mutant("entropy kept for later", "a buffer that a fork does not copy, a restored machine does", "entropy",
           _source(sources.Buffered)),
    mutant("entropy stretched", "large requests from a generator", "entropy", _source(sources.Stretched)),
)  # fmt: skip

_BULK = (
    mutant("for many: one bit early", "the lowest bit of a threshold is not looked at", "sampler",
           votes(bulk.OneBitEarly, 65)),
    mutant("for many: 16 bits of a threshold", "the others are cut off", "sampler", votes(bulk.SixteenBits, 65)),
    mutant("for many: lanes shared by users", "the 65th user has the coins of the first", "sampler",
           votes(bulk.SharedLanes, 129)),
    mutant("for many: lanes shared by bits", "every byte of a vote has the same coins", "sampler",
           votes(bulk.SharedBytes, 65)),
    mutant("for many: the next bin", "the window of hot bits is off by one", "sampler", votes(bulk.NextBin, 65)),
    mutant("for many: padding not zero", "the last byte of a vote is sent as it was drawn", "sampler",
           votes(bulk.Unpadded, 65)),
    mutant("for many: half of a digit", "128-bit thresholds compared by 64 bits", "sampler", _laplace(bulk.UpperHalf)),
    mutant("for many: blocks share words", "a block of users has the noise of the one before", "sampler",
           votes(bulk.SharedBlocks, 65)),
    mutant("for many: batches share words", "the same, for users who are encoded together", "sampler",
           votes(bulk.SharedBatches, 65)),
    mutant("for many: the first bits only", "lanes still equal to the threshold count as decided", "tree",
           lambda name, epsilon: Coins(name=name, toss=bulk.head_only)),
    mutant("for many: keyed before a fork", "child and parent draw the same words", "processes",
           lambda name, epsilon: Expanded(name=name, make=bulk.Keyed)),
    mutant("for many: stretched again", "large requests from a generator of its own", "entropy",
           lambda name, epsilon: Expanded(name=name, make=bulk.Stretched)),
    mutant("for many: a seed unless told", "where no source is handed in, a generator with a fixed seed", "entropy",
           lambda name, epsilon: Unaided(name=name, answers=bulk.seeded_answers)),
    mutant("in process: a seed unless told", "the same, in the engine", "entropy",
           lambda name, epsilon: Unaided(name=name, engine=bulk.seeded_engine)),
    mutant("for many: fed once", "nothing fresh after a fork, nor ever again", "entropy",
           lambda name, epsilon: Expanded(name=name, make=bulk.FedOnce)),
)  # fmt: skip

_LEDGERS = (
    mutant("cap per collector", "every collector has the whole cap", "ledger", _ledger(ledgers.CapPerCollector)),
    mutant("cap per survey", "every survey has the whole cap", "ledger", _ledger(ledgers.CapPerSurvey)),
    mutant("one answer too many", "the cap is looked at before it is spent", "ledger", _ledger(ledgers.OneMore)),
    mutant("retry draws fresh noise", "asked again, the device says something else", "ledger",
           _ledger(ledgers.FreshNoise)),
    mutant("second question of a survey", "it replaces the first answer", "ledger", _ledger(ledgers.SecondQuestion)),
    mutant("disk not waited for", "synchronous = OFF", "ledger", _ledger(ledgers.NotDurable)),
    mutant("ledger in memory", "a restart forgets everything", "ledger", _ledger(ledgers.InMemory)),
    mutant("spent after sending", "the row is committed at the next occasion", "ledger",
           _ledger(ledgers.SpentAfterSending)),
    mutant("commit swallowed", "the report is sent though the commit failed", "ledger",
           _ledger(ledgers.CommitSwallowed)),
    mutant("full disk ignored", "the report is sent though nothing could be written", "ledger",
           _ledger(ledgers.InsertSwallowed)),
    mutant("no lock", "looks and spends in two transactions", "ledger", _ledger(ledgers.NoLock)),
    mutant("lock dropped", "the file is opened and closed beside SQLite", "ledger", _ledger(ledgers.Reopened)),
    mutant("cap remembered across a fork", "what others spend is not seen", "ledger", _ledger(ledgers.Remembered)),
    mutant("manifest not looked at", "the device answers what was not announced", "ledger",
           _device(credulous.unchecked)),
    mutant("only ε held against the manifest", "another range, statistic or crowd is answered", "ledger",
           _device(credulous.only_epsilon)),
)  # fmt: skip

PLANTED: tuple[Mutant, ...] = (
    *_PEOPLE,
    *_SAMPLERS,
    *_BULK,
    *_SOURCES,
    *_LEDGERS,
    mutant("fast outside the window", "time tells how many observations lie inside", "timing", _fast),
)
