"""What an audit can be pointed at, and the run over all of it, with one false-alarm rate for the whole.

Targets are the questions of a protocol (`Subject`), any callable (`BlackBox`), and those that are defined here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sottovoce.audit.device_paths import SHIPPED, Path, Subject, Toss
from sottovoce.audit.entropy_layer import (
    Answers,
    Engine,
    exactly_the_systems_bytes,
    examine_openssl_source,
    openssls_bytes_by_default,
    words_never_repeat,
)
from sottovoce.audit.exact_layer import certify, every_collection_has_a_place
from sottovoce.audit.findings import Audit, Finding, attempt
from sottovoce.audit.javascript import IN_NODE, JavaScript, declines_alike, exactly_the_browsers_bytes
from sottovoce.audit.ledger_layer import OpenLedger, Respond, keeps_its_promise, shipped_ledger
from sottovoce.audit.sampler_layer import follows_the_script
from sottovoce.audit.statistical_layer import DEPENDENCE_TESTS, TESTS, BlackBox, measure, noise_dependence, question_box
from sottovoce.audit.timing_layer import time_against_noise, time_against_place
from sottovoce.audit.tree_layer import ExploredChannels, enumerate_paths, every_number
from sottovoce.device import Entropy, SystemEntropy, bulk, respond
from sottovoce.engines import local
from sottovoce.messages import Channel, Question, Slots


@dataclass(frozen=True, kw_only=True)
class TimedSampler:
    """A channel whose sampler is timed."""

    name: str
    channel: Channel
    path: Path = SHIPPED


@dataclass(frozen=True, kw_only=True)
class TimedEncoder:
    """A question whose encoder is timed on collections inside and outside of its window."""

    name: str
    question: Question
    path: Path = SHIPPED


@dataclass(frozen=True, kw_only=True)
class Noise:
    """A channel whose fresh noise is tried for dependence: between bits, between reports, in its shares."""

    name: str
    channel: Channel
    path: Path = SHIPPED


@dataclass(frozen=True, kw_only=True)
class Source:
    """An entropy source: across processes, and byte for byte against the operating system's generator.

    `started` asks the shipped source in fresh processes too.
    """

    name: str
    make: Callable[[], Entropy] = SystemEntropy
    started: bool = True


@dataclass(frozen=True, kw_only=True)
class Coins:
    """How coins are tossed for many users: every number that a lane may read, once each."""

    name: str
    toss: Toss = bulk.coins


@dataclass(frozen=True, kw_only=True)
class BulkSource:
    """An entropy source for many users: across processes, and against OpenSSL's generator and what that is fed."""

    name: str
    make: Callable[[], Entropy] = bulk.BulkEntropy


@dataclass(frozen=True, kw_only=True)
class DefaultSource:
    """Many users at once when nobody hands in a source: whose words they get, alone and through the engine."""

    name: str
    answers: Answers = bulk.respond_many
    engine: Engine = local


@dataclass(frozen=True, kw_only=True)
class LedgerPromise:
    """A ledger, and the device that uses it: what they promise, kept through crashes, full disks, forks and races."""

    name: str
    open: OpenLedger = shipped_ledger
    responds: Respond = respond


@dataclass(frozen=True, kw_only=True)
class Refusals:
    """The JavaScript device, and questions that it must decline."""

    name: str
    path: JavaScript = IN_NODE


@dataclass(frozen=True, kw_only=True)
class BrowserSource:
    """The JavaScript device's source of words, byte for byte against the browser's generator."""

    name: str
    path: JavaScript = IN_NODE


Target = (
    Subject
    | BlackBox
    | TimedSampler
    | TimedEncoder
    | Noise
    | Source
    | Coins
    | BulkSource
    | DefaultSource
    | LedgerPromise
    | Refusals
    | BrowserSource
)


FALSE_ALARMS = 1e-4
"""The chance that a whole run over correct mechanisms raises any statistical alarm is at most this."""
SAMPLES = 20_000


Progress = Callable[[str], object]


def audit(
    targets: Sequence[Target],
    *,
    samples: int = SAMPLES,
    entropy: Entropy | None = None,
    false_alarms: float = FALSE_ALARMS,
    progress: Progress | None = None,
) -> Audit:
    """Measure everything.

    Privacy
    -------
    Only made-up collections are used. `entropy` is for tests that repeat a verdict; leave it alone.

    Accuracy
    --------
    The number of statistical tests is known before anything is drawn; each is made at the level `false_alarms`
    divided by it, so the sum over the run is at most `false_alarms`, however the tests depend on one another.
    """
    began = time.perf_counter()
    tests = max(1, sum(map(_tests, targets)))
    run = _Run(samples=samples, level=false_alarms / tests, entropy=entropy or SystemEntropy())
    findings: list[Finding] = []
    for target in targets:
        findings += run.findings(target)
        if progress is not None:
            progress(target.name)
    return Audit(findings=tuple(findings), level=run.level, tests=tests, seconds=time.perf_counter() - began)


def _tests(target: Target) -> int:
    match target:
        case Subject():
            return len(TESTS) * len(target.questions) if target.sampled else 0
        case BlackBox():
            return len(TESTS)
        case TimedSampler() | TimedEncoder():
            return 1
        case Noise():
            return len(DEPENDENCE_TESTS)
        case Source() | BulkSource() | DefaultSource() | Coins() | LedgerPromise() | Refusals() | BrowserSource():
            return 0  # no chance in them, or one below 1e-12 that is not worth a share


@dataclass(kw_only=True)
class _Run:
    samples: int
    level: float
    entropy: Entropy

    def __post_init__(self) -> None:
        self._measured_before: dict[object, list[Finding]] = {}
        self._known: ExploredChannels = {}

    def findings(self, target: Target) -> list[Finding]:
        """Everything about one target; an exception on the way is a failed finding that names its layer."""
        name, level, entropy = target.name, self.level, self.entropy
        match target:
            case Subject():
                return list(self._subject(target))
            case BlackBox():
                samples = target.effort * self.samples
                return attempt(name, "statistical", target.check, lambda: measure(target, samples=samples, level=level))
            case TimedSampler():
                return attempt(name, "timing", "time against noise", lambda: [
                    time_against_noise(name, target.channel, target.path, entropy, level=level)
                ])  # fmt: skip
            case TimedEncoder():
                return attempt(name, "timing", "time against place", lambda: [
                    time_against_place(name, target.question, target.path, entropy, level=level)
                ])  # fmt: skip
            case Noise():
                return attempt(name, "statistical", "dependence", lambda: noise_dependence(
                    name, target.channel, target.path, entropy, level=level
                ))  # fmt: skip
            case Source():
                return [
                    *attempt(name, "processes", "entropy across processes", lambda: [
                        words_never_repeat(name, target.make, started=target.started)
                    ]),
                    *exactly_the_systems_bytes(name, target.make),
                ]  # fmt: skip
            case Coins():
                return attempt(name, "tree", "every number", lambda: [every_number(name, target.toss)])
            case BulkSource():
                return [
                    *attempt(name, "processes", "entropy across processes", lambda: [
                        words_never_repeat(name, target.make, started=False)
                    ]),
                    *examine_openssl_source(name, target.make),
                ]  # fmt: skip
            case DefaultSource():
                return openssls_bytes_by_default(name, target.answers, target.engine)
            case LedgerPromise():
                return keeps_its_promise(name, target.open, target.responds)
            case Refusals():
                return attempt(name, "exact", "refusals", lambda: declines_alike(name, target.path))
            case BrowserSource():
                return exactly_the_browsers_bytes(name, target.path)

    def _subject(self, subject: Subject) -> Iterator[Finding]:
        yield from attempt(subject.name, "exact", "whole protocol", lambda: certify(subject))
        for question in subject.questions:
            alike = replace(question, survey="-", slots=Slots(first=question.slots.first, count=1))
            key = (subject.path, subject.sampled, alike)
            if key not in self._measured_before:
                self._measured_before[key] = list(self._measured(subject, question))
            for finding in self._measured_before[key]:  # the same question again needs no second look
                yield replace(finding, subject=subject.name)

    def _measured(self, subject: Subject, question: Question) -> Iterator[Finding]:
        name, check = subject.name, f"round {question.round}, {question.role}"
        alone = replace(subject, questions=(question,))
        yield from attempt(
            name, "exact", check, lambda: [every_collection_has_a_place(subject, question, self.entropy)]
        )
        yield from attempt(name, "tree", check, lambda: enumerate_paths(alone, self._known))
        yield from attempt(name, "sampler", check, lambda: [follows_the_script(subject, question)])
        if subject.sampled:
            yield from attempt(name, "statistical", check, lambda: measure(
                question_box(name, question, subject.path, self.entropy), samples=self.samples, level=self.level
            ))  # fmt: skip
