"""Mechanisms that are broken on purpose, one mistake each: the proof that the audit can fail.

Each is a mistake that was really made somewhere (in the pseudocode of the paper, in published libraries, in
services), put into the place where it would be in this code. ``sotto audit --mutants`` shows them caught, from a clone
of the repository: no wheel holds them. The tables say what each is called, what is wrong with it, which layer has to
see it, and how it is made.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from laboratory.mutants import devices, ledgers, samplers, sources
from laboratory.mutants.javascript import JAVASCRIPT
from laboratory.mutants.mutant import FOUR, UNIT, Build, Mutant, alter, altered, asks, device, of, question, votes
from laboratory.mutants.samplers import LaplaceSampler, ManyVotes, SubsetSampler, TableSampler, repeated
from sottovoce.audit import (
    BulkSource,
    Coins,
    DefaultSource,
    LedgerPromise,
    Noise,
    Source,
    Subject,
    TimedEncoder,
    TimedSampler,
    every_statistic,
    numpy_laplace,
)
from sottovoce.audit.device_paths import Path, RebuiltBulkPath
from sottovoce.audit.timing_layer import window
from sottovoce.design import laplace, one_bit, piecewise, subset, unary
from sottovoce.device import bulk
from sottovoce.messages import Grid, Unary, exact

__all__ = ["MUTANTS", "Mutant"]


class _Understated(Unary):
    """A channel whose own account forgets that two bits differ: the device would believe it."""

    def epsilon_bound(self) -> Fraction:
        return super().epsilon_bound() / 2


def _overspent(percent: int) -> Build:
    """Everything right but the budget."""
    more = 1 + Fraction(percent, 100)
    return asks(lambda epsilon: question(one_bit(more * exact(epsilon)), UNIT, epsilon=epsilon))


def _table(path: Path) -> Build:
    return device(path, lambda epsilon: piecewise(epsilon, nodes=9, window=5))


def _noise(path: Path) -> Build:
    return lambda name, epsilon: Noise(name=name, channel=unary(exact(epsilon), 1000), path=path)


def _about(role: str, path: Path) -> Build:
    """One of the questions about every statistic."""
    return lambda name, epsilon: Subject(
        name=name,
        epsilon=epsilon,
        questions=tuple(one for one in every_statistic(epsilon) if one.role == role),
        path=path,
        sampled=False,
    )


_source = partial(of, Source, started=False)
_ledger = partial(of, LedgerPromise)
_REPLACE = "INSERT OR REPLACE"

_KNOWN = (
    Mutant("α for α/2", "votes kept with ω_α although two bits differ", "exact",
           asks(lambda epsilon: question(unary(2 * exact(epsilon), 4), FOUR, epsilon=epsilon))),
    Mutant("scale width/2", "Laplace noise for half of the range", "exact",
           asks(lambda epsilon: question(laplace(2 * exact(epsilon)), UNIT, epsilon=epsilon))),
    Mutant("missing clip", "averages outside the range are not clamped", "exact",
           device(devices.unclamped(), laplace)),
    Mutant("un-widened bin", "clamped to the widened interval, noise for the bin", "exact",
           device(devices.NOT_WIDENED, laplace)),
    Mutant("edge in two bins", "closed bins share their edges", "tree", votes(devices.lit(devices.edge_twice))),
    Mutant("one bit never flipped", "the first bit of a vote is sent as it is", "tree",
           votes(altered(symbols=devices.one_bit_true))),
    Mutant("both rounds answered", "voters refine as well", "exact",
           asks(lambda epsilon: question(unary(epsilon, 4), FOUR, epsilon=epsilon, role="vote"),
                lambda epsilon: question(laplace(epsilon), UNIT, epsilon=epsilon, role="refine", round=1))),
    Mutant("⌊ε⌋+1 folds", "one fold of budget 1 too many", "exact",  # ERRATA P1
           asks(lambda epsilon: question(one_bit(1.0), UNIT, epsilon=epsilon, groups=4, uses=int(epsilon) + 1)),
           epsilon=1.5),
    Mutant("5 % overspend", "ε · 1.05 spent", "exact", _overspent(5)),
    Mutant("2 % overspend", "ε · 1.02 spent", "exact", _overspent(2)),
    Mutant("three hot bits at ε/2", "votes for three bins at the price of one", "exact",  # six bits differ: ERRATA P2
           asks(lambda epsilon: question(Unary(items=7, reach=1, threshold=unary(epsilon, 7).threshold),
                                         Grid(low=(0.0,), high=(1.0,), count=7), epsilon=epsilon))),
    Mutant("float noise", "floating-point Laplace noise", "statistical",
           lambda name, epsilon: replace(numpy_laplace(epsilon), name=name)),
    Mutant("buffered entropy across fork", "children inherit their parent's buffer", "processes",
           _source(make=sources.Pool)),
    Mutant("overlapping mixture intervals", "a vote for every widened interval", "tree",
           votes(devices.lit(devices.overlapping))),
    Mutant("duplicated bound", "sensitivity zero, so no noise", "tree",
           device(altered(symbols=devices.no_noise), one_bit)),
    Mutant("understated channel", "the channel's own account forgets a bit", "exact",
           asks(lambda epsilon: question(
               _Understated(items=4, reach=0, threshold=unary(2 * exact(epsilon), 4).threshold), FOUR, epsilon=epsilon
           ))),
    Mutant("device lights three bins", "the question says one", "tree", votes(devices.lit(devices.three_lit))),
    Mutant("≤ for <", "one word in 2^64 goes astray", "tree", device(altered(symbols=devices.off_by_one), one_bit)),
    Mutant("seed from the data", "the same collection always says the same", "tree",
           device(altered(symbols=devices.seeded_with_data), one_bit)),
    Mutant("silent on missing data", "the device fails where nothing was observed", "exact",
           device(altered(inputs=devices.fails(
               ZeroDivisionError, lambda people: np.isnan(people.values).any() or (people.sizes == 0).any()
           )), one_bit)),
    Mutant("talkative size", "reports grow with the collection", "exact",
           device(altered(write=devices.talkative), one_bit)),
    Mutant("slow noise", "noise is drawn by counting", "timing",
           lambda name, epsilon: TimedSampler(
               name=name, channel=laplace(epsilon), path=altered(symbols=devices.slow_noise))),
)  # fmt: skip
"""Mistakes that were made before: in the pseudocode of the paper, in published libraries, in services."""

_PEOPLE = (
    Mutant("no noise when T > 10", "larger collections are sent as they are", "tree",
           device(devices.quiet(lambda people, slots: people.sizes > 10), one_bit)),
    Mutant("no noise when T > 500", "the same, for very large ones", "tree",
           device(devices.quiet(lambda people, slots: people.sizes > 500), one_bit)),
    Mutant("no noise at every seventh slot", "some slots are sent as they are", "sampler",
           device(devices.quiet(lambda people, slots: slots % 7 == 5), one_bit)),
    Mutant("no noise at one slot in eleven", "the same, for fewer", "sampler",
           device(devices.quiet(lambda people, slots: slots % 11 == 8), one_bit)),
    Mutant("exception for T > 1000", "the device fails where much was observed", "exact",
           device(altered(inputs=devices.fails(MemoryError, lambda people: (people.sizes > 1000).any())), one_bit)),
    Mutant("no noise when some are missing", "collections with gaps are sent as they are", "sampler",
           device(devices.quiet(devices.partly_missing), one_bit)),
    Mutant("silent on infinities", "a device alone fails on an infinite observation", "exact",
           device(altered(respond=devices.fails(OverflowError, lambda one: np.isinf(one.values).any())), one_bit)),
    Mutant("words shared by users", "the second of two uses the words of the first", "sampler",
           device(altered(batch=devices.shared_by_users), one_bit)),
    Mutant("words shared by uses", "the second answer uses the words of the first", "tree",
           device(altered(symbols=devices.shared_by_uses), one_bit, groups=2, uses=2)),
    Mutant("generator of its own", "the entropy that was handed in is not used", "tree",
           device(altered(symbols=lambda right, channel, inputs, entropy: right(channel, inputs, sources.Generator())),
                  one_bit)),
)  # fmt: skip
"""Devices that are right for some people and wrong for others: by how much they hold, by their slot, by company."""

_SAMPLERS = (
    Mutant("noise repeated after 64 bits", "bits of a vote share their words", "sampler", votes(repeated(64), 129)),
    Mutant("noise repeated after 8 bits", "the same, sooner", "sampler", votes(repeated(8), 65)),
    Mutant("noise repeated after 32 bits", "the same", "sampler", votes(repeated(32), 65)),
    Mutant("noise repeated after 128 bits", "the same, later", "sampler", votes(repeated(128), 1000)),
    Mutant("repeated bits in fresh noise", "the same, with nothing known of the words", "statistical",
           _noise(repeated(128))),
    Mutant("one noise for all", "reports made together share their noise", "statistical",
           _noise(samplers.SAME_FOR_ALL)),
    Mutant("32-bit digits", "laplace digits beyond 32 bits are lost", "sampler",
           device(LaplaceSampler(weigh=lambda ones, place: (ones << place).astype(np.int32).astype(np.int64)), laplace),
           epsilon=1e-4),
    Mutant("highest digits lost", "the two highest laplace digits are never counted", "sampler",
           device(LaplaceSampler(lost=2), laplace)),
    Mutant("upper half of a threshold", "128-bit thresholds compared by 64 bits", "sampler",
           device(LaplaceSampler(below=lambda words, digit: words[0] < np.uint64(digit >> 64)), laplace)),
    Mutant("G₂ = G₁", "the two parts of laplace noise cancel", "sampler", device(LaplaceSampler(twice=False), laplace)),
    Mutant("clamp forgotten", "laplace reports beyond the public bound", "sampler",
           device(LaplaceSampler(clamped=False), laplace)),
    Mutant("fraction ignored", "between two nodes always to the lower", "tree",
           _table(TableSampler(fraction=np.zeros_like))),
    Mutant("half of a fraction", "between two nodes by 16 bits", "tree",
           _table(TableSampler(fraction=lambda fraction: fraction >> 16 << 16))),
    Mutant("one word for two draws", "node and symbol by the same word", "tree", _table(TableSampler(fresh=False))),
    Mutant("signed words", "words compared as signed numbers", "tree",
           _table(TableSampler(above=lambda words, limits: words.view(np.int64) >= limits.view(np.int64)))),
    Mutant("words as floats", "words compared in 53 bits", "tree",
           _table(TableSampler(above=lambda words, limits: words.astype(np.float64) >= limits.astype(np.float64)))),
    Mutant("low bits lost", "the lowest eleven bits of words are zero", "sampler", votes(samplers.LOW_BITS_LOST, 65)),
    Mutant("biased remainder", "indices by a remainder, never drawn again", "sampler",
           votes(SubsetSampler(), 65, subset)),
    Mutant("naive shuffle", "orders that are not equally likely", "sampler",
           votes(SubsetSampler(naive=True), 65, subset)),
)  # fmt: skip

_MANY = (
    Mutant("for many: one bit early", "the lowest bit of a threshold is not looked at", "sampler",
           votes(ManyVotes(toss=samplers.one_bit_early), 65)),
    Mutant("for many: 16 bits of a threshold", "the others are cut off", "sampler",
           votes(ManyVotes(toss=lambda threshold, *more: bulk.coins(threshold >> 48 << 48, 64, *more)), 65)),
    Mutant("for many: lanes shared by users", "the 65th user has the coins of the first", "sampler",
           votes(ManyVotes(shared=samplers.shared_lanes), 129)),
    Mutant("for many: lanes shared by bits", "every byte of a vote has the same coins", "sampler",
           votes(ManyVotes(shared=lambda flips: np.repeat(flips[:, :1], flips.shape[1], axis=1)), 65)),
    Mutant("for many: the next bin", "the window of hot bits is off by one", "sampler", votes(ManyVotes(late=1), 65)),
    Mutant("for many: padding not zero", "the last byte of a vote is sent as it was drawn", "sampler",
           votes(ManyVotes(padded=False), 65)),
    Mutant("for many: half of a digit", "128-bit thresholds compared by 64 bits", "sampler",
           device(alter(RebuiltBulkPath(), block=samplers.upper_half), laplace)),
    Mutant("for many: blocks share words", "a block of users has the noise of the one before", "sampler",
           votes(samplers.shared_words("payloads", "block"), 65)),
    Mutant("for many: batches share words", "the same, for users who are encoded together", "sampler",
           votes(samplers.shared_words("batches", "payloads"), 65)),
    Mutant("for many: the first bits only", "lanes still equal to the threshold count as decided", "tree",
           of(Coins, toss=samplers.head_only)),
    Mutant("for many: keyed before a fork", "child and parent draw the same words", "processes",
           of(BulkSource, make=sources.Generator)),
    Mutant("for many: stretched again", "large requests from a generator of its own", "entropy",
           of(BulkSource, make=sources.stretched_openssl)),
    Mutant("for many: a seed unless told", "where no source is handed in, a generator with a fixed seed", "entropy",
           of(DefaultSource, answers=samplers.seeded_answers)),
    Mutant("in process: a seed unless told", "the same, in the engine", "entropy",
           of(DefaultSource, engine=samplers.seeded_engine)),
    Mutant("for many: fed once", "nothing fresh after a fork, nor ever again", "entropy",
           of(BulkSource, make=sources.fed_once)),
)  # fmt: skip

_SOURCES = (
    Mutant("seed of 32 bits", "a generator seeded anew with 32 bits", "entropy", _source(make=sources.short_seed)),
    Mutant("seed from the clock", "a generator seeded anew with the time", "entropy", _source(make=sources.time_seed)),
    Mutant("entropy by way of floats", "the lowest bits are zero", "entropy", _source(make=sources.from_floats)),
    Mutant("entropy kept for later", "a buffer that a fork does not copy, a restored machine does", "entropy",
           _source(make=sources.Buffered)),
    Mutant("entropy stretched", "large requests from a generator", "entropy", _source(make=sources.stretched)),
)  # fmt: skip

_LEDGERS = (
    Mutant("cap per collector", "every collector has the whole cap", "ledger",
           _ledger(open=partial(ledgers.SmallLedger, counted="source = :source AND collector = :collector"))),
    Mutant("cap per survey", "every survey has the whole cap", "ledger",
           _ledger(open=partial(ledgers.SmallLedger, counted="source = :source AND survey = :survey"))),
    Mutant("one answer too many", "the cap is looked at before it is spent", "ledger",
           _ledger(open=partial(ledgers.SmallLedger, share=0))),
    Mutant("retry draws fresh noise", "asked again, the device says something else", "ledger",
           _ledger(open=partial(ledgers.FreshNoise, insert=_REPLACE))),
    Mutant("second question of a survey", "it replaces the first answer", "ledger",
           _ledger(open=partial(ledgers.SecondQuestion, insert=_REPLACE))),
    Mutant("disk not waited for", "synchronous = OFF", "ledger",
           _ledger(open=partial(ledgers.SmallLedger, synchronous="OFF"))),
    Mutant("ledger in memory", "a restart forgets everything", "ledger",
           _ledger(open=lambda path, cap: ledgers.SmallLedger(":memory:", cap))),
    Mutant("spent after sending", "the row is committed at the next occasion", "ledger",
           _ledger(open=ledgers.SpentAfterSending)),
    Mutant("commit swallowed", "the report is sent though the commit failed", "ledger",
           _ledger(open=ledgers.CommitSwallowed)),
    Mutant("full disk ignored", "the report is sent though nothing could be written", "ledger",
           _ledger(open=ledgers.InsertSwallowed)),
    Mutant("no lock", "looks and spends in two transactions", "ledger",
           _ledger(open=partial(ledgers.NoLock, begin="SELECT 1", insert=_REPLACE))),
    Mutant("lock dropped", "the file is opened and closed beside SQLite", "ledger", _ledger(open=ledgers.reopened)),
    Mutant("cap remembered across a fork", "what others spend is not seen", "ledger",
           _ledger(open=ledgers.Remembered)),
    Mutant("manifest not looked at", "the device answers what was not announced", "ledger",
           _ledger(responds=ledgers.unchecked)),
    Mutant("only ε held against the manifest", "another range, statistic or crowd is answered", "ledger",
           _ledger(responds=ledgers.only_epsilon)),
)  # fmt: skip

_REST = (
    Mutant("fast outside the window", "time tells how many observations lie inside", "timing",
           lambda name, epsilon: TimedEncoder(
               name=name, question=window(), path=altered(inputs=devices.fast_outside))),
    Mutant("word for nothing only", "a word that places nothing is drawn only where there is nothing", "sampler",
           _about("nothing at random", altered(inputs=devices.word_for_nothing))),
    Mutant("word for several groups only", "a group is drawn only by who is in several", "sampler",
           _about("group drawn", altered(inputs=devices.word_for_several))),
    Mutant("silent outside its group", "who has nothing in the group that was dealt does not answer", "exact",
           _about("group dealt, nothing last", altered(inputs=devices.silent_outside_its_group))),
    Mutant("slot by group", "a slot is chosen that is dealt one's own group", "sampler",
           _about("group dealt, nothing last", altered(respond=devices.slot_by_group))),
)  # fmt: skip
"""Encoders: what they take, what they draw, and whether there is an answer at all may tell."""

MUTANTS: tuple[Mutant, ...] = (*_KNOWN, *_PEOPLE, *_SAMPLERS, *_MANY, *_SOURCES, *_LEDGERS, *_REST, *JAVASCRIPT)
