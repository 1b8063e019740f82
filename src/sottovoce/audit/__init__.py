"""Is ε what it is said to be? Exact, enumerated and statistical measurement of mechanisms, ours or anybody's.

`audit` runs all layers over `Subject`s (the questions of a protocol), `BlackBox`es (any callable, see `callable_box`),
timed channels and entropy sources. What is "everything shipped" is not decided here: ``sotto audit`` passes it in.
"""

from __future__ import annotations

from sottovoce.audit.boxes import batch_box, callable_box, question_box
from sottovoce.audit.findings import LAYERS, Audit, Finding, caught_by
from sottovoce.audit.instances import small_instances
from sottovoce.audit.path import Path, Subject
from sottovoce.audit.run import FALSE_ALARMS, SAMPLES, audit
from sottovoce.audit.statistical import BlackBox, measure
from sottovoce.audit.targets import Accounts, Noise, Source, Target, Timed, TimedEncoder

__all__ = [
    "FALSE_ALARMS",
    "LAYERS",
    "SAMPLES",
    "Audit",
    "BlackBox",
    "Finding",
    "Path",
    "Source",
    "Subject",
    "Target",
    "Timed",
    "audit",
    "batch_box",
    "callable_box",
    "caught_by",
    "measure",
    "question_box",
    "small_instances",
]
