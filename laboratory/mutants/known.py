"""Mistakes that were made before: in the pseudocode of the paper, in published libraries, in services."""

from __future__ import annotations

from laboratory.mutants import devices, questions, sources
from laboratory.mutants.mutant import mutant
from sottovoce.audit.statistical_layer import batch_box
from sottovoce.audit.targets import Source, Target, Timed
from sottovoce.design import laplace, one_bit


def _slow(name: str, epsilon: float) -> Target:
    return Timed(name=name, channel=laplace(epsilon), path=devices.SlowNoise())


def _float(name: str, epsilon: float) -> Target:
    return batch_box(name, devices.float_noise(1 / epsilon), epsilon=epsilon, neighbours={"all 0": 0.0, "all 1": 1.0})


def _pool(name: str, epsilon: float) -> Target:
    return Source(name=name, make=sources.Pool, started=False)


KNOWN = (
    mutant("α for α/2", "votes kept with ω_α although two bits differ", "exact", questions.alpha_for_half),
    mutant("scale width/2", "Laplace noise for half of the range", "exact", questions.half_width),
    mutant("missing clip", "averages outside the range are not clamped", "exact",
           devices.device(devices.Unclamped, laplace)),
    mutant("un-widened bin", "clamped to the widened interval, noise for the bin", "exact",
           devices.device(devices.NotWidened, laplace)),
    mutant("edge in two bins", "closed bins share their edges", "tree", devices.votes(devices.EdgeTwice)),
    mutant("one bit never flipped", "the first bit of a vote is sent as it is", "tree",
           devices.votes(devices.OneBitTrue)),
    mutant("both rounds answered", "voters refine as well", "exact", questions.both_rounds),
    mutant("⌊ε⌋+1 folds", "one fold of budget 1 too many", "exact", questions.one_fold_too_many, epsilon=1.5),
    mutant("5 % overspend", "ε · 1.05 spent", "exact", questions.overspent(5)),
    mutant("2 % overspend", "ε · 1.02 spent", "exact", questions.overspent(2)),
    mutant("three hot bits at ε/2", "votes for three bins at the price of one", "exact", questions.three_hot_bits),
    mutant("float noise", "floating-point Laplace noise", "statistical", _float),
    mutant("buffered entropy across fork", "children inherit their parent's buffer", "processes", _pool),
    mutant("overlapping mixture intervals", "a vote for every widened interval", "tree",
           devices.votes(devices.Overlapping)),
    mutant("duplicated bound", "sensitivity zero, so no noise", "tree",
           devices.device(devices.NoNoise, one_bit)),
    mutant("understated channel", "the channel's own account forgets a bit", "exact", questions.understated),
    mutant("device lights three bins", "the question says one", "tree", devices.votes(devices.ThreeLit)),
    mutant("≤ for <", "one word in 2^64 goes astray", "tree", devices.device(devices.OffByOne, one_bit)),
    mutant("seed from the data", "the same collection always says the same", "tree",
           devices.device(devices.OnePickForAll, one_bit)),
    mutant("silent on missing data", "the device fails where nothing was observed", "exact",
           devices.device(devices.SilentOnMissing, one_bit)),
    mutant("talkative size", "reports grow with the collection", "exact",
           devices.device(devices.TalkativeSize, one_bit)),
    mutant("slow noise", "noise is drawn by counting", "timing", _slow),
)  # fmt: skip
