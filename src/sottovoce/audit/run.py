"""All layers over all subjects, with one false-alarm rate for the whole run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sottovoce.audit.boxes import question_box
from sottovoce.audit.enumerated import enumerate_paths
from sottovoce.audit.exact import certify
from sottovoce.audit.findings import Audit, Finding
from sottovoce.audit.path import SHIPPED, Path, Subject
from sottovoce.audit.places import every_collection_has_a_place
from sottovoce.audit.processes import never_repeats
from sottovoce.audit.statistical import TESTS, BlackBox, measure
from sottovoce.audit.timing import time_against_noise
from sottovoce.device import Entropy, SystemEntropy
from sottovoce.messages import Channel, Question, Slots

FALSE_ALARMS = 1e-4
"""The chance that a whole run over correct mechanisms raises any statistical alarm is at most this."""
SAMPLES = 20_000


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A channel whose sampler is timed."""

    name: str
    channel: Channel
    path: Path = SHIPPED


@dataclass(frozen=True, kw_only=True)
class Source:
    """An entropy source that is tried across processes; `started` asks the shipped source in fresh ones too."""

    name: str
    make: Callable[[], Entropy] = SystemEntropy
    started: bool = True


Target = Subject | BlackBox | Timed | Source
Progress = Callable[[str], None]


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
        case Timed():
            return 1
        case Source():
            return 0  # a chance below 1e-12 is not worth a share


@dataclass(kw_only=True)
class _Run:
    samples: int
    level: float
    entropy: Entropy

    def __post_init__(self) -> None:
        self._seen: dict[object, list[Finding]] = {}

    def findings(self, target: Target) -> list[Finding]:
        match target:
            case Subject():
                return list(self._subject(target))
            case BlackBox():
                return measure(target, samples=target.effort * self.samples, level=self.level)
            case Timed():
                return [time_against_noise(target.name, target.channel, target.path, self.entropy, level=self.level)]
            case Source():
                return [never_repeats(target.name, target.make, started=target.started)]

    def _subject(self, subject: Subject) -> Iterator[Finding]:
        yield from certify(subject)
        for question in subject.questions:
            key = (subject.path, replace(question, survey="-", slots=Slots(first=question.slots.first, count=1)))
            if key not in self._seen:
                self._seen[key] = list(self._measured(subject, question))
            for finding in self._seen[key]:  # the same question again needs no second look
                yield replace(finding, subject=subject.name)

    def _measured(self, subject: Subject, question: Question) -> Iterator[Finding]:
        yield every_collection_has_a_place(subject, question, self.entropy)
        alone = replace(subject, questions=(question,))
        yield from enumerate_paths(alone)
        if not subject.sampled:
            return
        box = question_box(subject.name, question, subject.path, self.entropy)
        try:
            yield from measure(box, samples=self.samples, level=self.level)
        except Exception as error:  # a mechanism that fails on some collections has spoken
            yield Finding(
                subject=subject.name,
                layer="statistical",
                check=box.check,
                passed=False,
                detail=f"no report but a {type(error).__name__}",
                declared=question.epsilon,
                measured=float("inf"),
            )
