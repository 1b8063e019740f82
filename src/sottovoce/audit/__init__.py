"""Is ε what it is said to be? Exact, enumerated, scripted and statistical measurement of mechanisms, ours or anybody's.

`audit` runs all layers over targets: `Subject`s (the questions of a protocol), `BlackBox`es (any callable, see
`callable_box`), timed samplers and encoders, noise, entropy sources and ledgers. `DEVICE` names what is audited of the
device itself; which protocols are shipped is not decided here: ``sotto audit`` passes them in.
"""

from __future__ import annotations

from sottovoce.audit.boxes import batch_box, callable_box, question_box
from sottovoce.audit.findings import LAYERS, Audit, Finding, Series, caught_by
from sottovoce.audit.instances import every_statistic, large_instances, small_instances
from sottovoce.audit.law import largest_ratio, law
from sottovoce.audit.mutants import MUTANTS, Mutant
from sottovoce.audit.others import OTHERS, available, numpy_laplace, our_laplace, support_picture
from sottovoce.audit.path import Path, Subject
from sottovoce.audit.run import FALSE_ALARMS, SAMPLES, audit
from sottovoce.audit.shipped import DEVICE, Planned, device_targets
from sottovoce.audit.statistical import BlackBox, measure
from sottovoce.audit.targets import Accounts, Noise, Source, Target, Timed, TimedEncoder

__all__ = [
    "DEVICE",
    "FALSE_ALARMS",
    "LAYERS",
    "MUTANTS",
    "OTHERS",
    "SAMPLES",
    "Accounts",
    "Audit",
    "BlackBox",
    "Finding",
    "Mutant",
    "Noise",
    "Path",
    "Planned",
    "Series",
    "Source",
    "Subject",
    "Target",
    "Timed",
    "TimedEncoder",
    "audit",
    "available",
    "batch_box",
    "callable_box",
    "caught_by",
    "device_targets",
    "every_statistic",
    "large_instances",
    "largest_ratio",
    "law",
    "measure",
    "numpy_laplace",
    "our_laplace",
    "question_box",
    "small_instances",
    "support_picture",
]
