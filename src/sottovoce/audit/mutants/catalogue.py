"""All mutants, with what is wrong and which layer has to see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sottovoce import design
from sottovoce.audit.boxes import batch_box
from sottovoce.audit.mutants import devices, questions
from sottovoce.audit.run import Source, Target, Timed


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A mistake; `layer` is the first one that must catch it, at this `epsilon`."""

    name: str
    mistake: str
    layer: str
    build: Callable[[str, float], Target]
    epsilon: float = 1.0

    def target(self) -> Target:
        return self.build(self.name, self.epsilon)


def _slow(name: str, epsilon: float) -> Target:
    return Timed(name=name, channel=design.laplace(epsilon), path=devices.SlowNoise())


def _float(name: str, epsilon: float) -> Target:
    return batch_box(name, devices.float_noise(1 / epsilon), epsilon=epsilon, neighbours={"all 0": 0.0, "all 1": 1.0})


def _pool(name: str, epsilon: float) -> Target:
    return Source(name=name, make=devices.Pool, started=False)


def _mutant(
    name: str, mistake: str, layer: str, build: Callable[[str, float], Target], *, epsilon: float = 1.0
) -> Mutant:
    return Mutant(name=name, mistake=mistake, layer=layer, build=build, epsilon=epsilon)


MUTANTS = (
    _mutant("α for α/2", "votes kept with ω_α although two bits differ", "exact", questions.alpha_for_half),
    _mutant("scale width/2", "Laplace noise for half of the range", "exact", questions.half_width),
    _mutant("missing clip", "averages outside the range are not clamped", "exact",
            devices.device(devices.Unclamped, design.laplace)),
    _mutant("un-widened bin", "clamped to the widened interval, noise for the bin", "exact",
            devices.device(devices.NotWidened, design.laplace)),
    _mutant("edge in two bins", "closed bins share their edges", "tree", devices.votes(devices.EdgeTwice)),
    _mutant("one bit never flipped", "the first bit of a vote is sent as it is", "tree",
            devices.votes(devices.OneBitTrue)),
    _mutant("both rounds answered", "voters refine as well", "exact", questions.both_rounds),
    _mutant("⌊ε⌋+1 folds", "one fold of budget 1 too many", "exact", questions.one_fold_too_many, epsilon=1.5),
    _mutant("5 % overspend", "ε · 1.05 spent", "exact", questions.overspent(5)),
    _mutant("2 % overspend", "ε · 1.02 spent", "exact", questions.overspent(2)),
    _mutant("three hot bits at ε/2", "votes for three bins at the price of one", "exact", questions.three_hot_bits),
    _mutant("float noise", "floating-point Laplace noise", "statistical", _float),
    _mutant("buffered entropy across fork", "children inherit their parent's buffer", "processes", _pool),
    _mutant("overlapping mixture intervals", "a vote for every widened interval", "tree",
            devices.votes(devices.Overlapping)),
    _mutant("duplicated bound", "sensitivity zero, so no noise", "tree",
            devices.device(devices.NoNoise, design.one_bit)),
    _mutant("understated channel", "the channel's own account forgets a bit", "exact", questions.understated),
    _mutant("device lights three bins", "the question says one", "tree", devices.votes(devices.ThreeLit)),
    _mutant("≤ for <", "one word in 2^64 goes astray", "tree", devices.device(devices.OffByOne, design.one_bit)),
    _mutant("seed from the data", "the same collection always says the same", "tree",
            devices.device(devices.OnePickForAll, design.one_bit)),
    _mutant("silent on missing data", "the device fails where nothing was observed", "exact",
            devices.device(devices.SilentOnMissing, design.one_bit)),
    _mutant("talkative size", "reports grow with the collection", "exact",
            devices.device(devices.TalkativeSize, design.one_bit)),
    _mutant("slow noise", "noise is drawn by counting", "timing", _slow),
)  # fmt: skip
