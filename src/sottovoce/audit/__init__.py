"""Is ε what it is said to be? Exact, enumerated, scripted and statistical measurement of mechanisms, ours or anybody's.

`audit` runs all layers over targets: `Subject`s (the questions of a protocol), `BlackBox`es (any callable, see
`callable_box`), timed samplers and encoders, noise, coins for many users, entropy sources and ledgers. `DEVICE` names
what is audited of the device itself, `catalogue` every method and baseline that is shipped.
"""

from __future__ import annotations

from sottovoce.audit.boxes import batch_box, callable_box, question_box
from sottovoce.audit.catalogue import EPSILONS, Entry, catalogue, channel_names, names, planned, subject
from sottovoce.audit.findings import LAYERS, Audit, Finding, Series, caught_by
from sottovoce.audit.instances import every_statistic, large_instances, small_instances
from sottovoce.audit.javascript import FIX as NODE_FIX
from sottovoce.audit.javascript import missing as node_missing
from sottovoce.audit.law import largest_ratio, law
from sottovoce.audit.others import OTHERS, available, numpy_laplace, our_laplace, support_picture
from sottovoce.audit.path import Path, Subject
from sottovoce.audit.run import FALSE_ALARMS, SAMPLES, audit
from sottovoce.audit.shipped import DEVICE, Planned, device_targets
from sottovoce.audit.statistical import BlackBox, measure
from sottovoce.audit.targets import (
    Accounts,
    BrowserSource,
    Coins,
    Expanded,
    Noise,
    Refusals,
    Source,
    Target,
    Timed,
    TimedEncoder,
    Unaided,
)

__all__ = [
    "DEVICE",
    "EPSILONS",
    "FALSE_ALARMS",
    "LAYERS",
    "NODE_FIX",
    "OTHERS",
    "SAMPLES",
    "Accounts",
    "Audit",
    "BlackBox",
    "BrowserSource",
    "Coins",
    "Entry",
    "Expanded",
    "Finding",
    "Noise",
    "Path",
    "Planned",
    "Refusals",
    "Series",
    "Source",
    "Subject",
    "Target",
    "Timed",
    "TimedEncoder",
    "Unaided",
    "audit",
    "available",
    "batch_box",
    "callable_box",
    "catalogue",
    "caught_by",
    "channel_names",
    "device_targets",
    "every_statistic",
    "large_instances",
    "largest_ratio",
    "law",
    "measure",
    "names",
    "node_missing",
    "numpy_laplace",
    "our_laplace",
    "planned",
    "question_box",
    "small_instances",
    "subject",
    "support_picture",
]
