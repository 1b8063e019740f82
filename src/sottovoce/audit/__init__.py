"""Is ε what it is said to be? Exact, enumerated, scripted and statistical measurement of mechanisms, ours or anybody's.

`audit` runs all layers over targets: `Subject`s (the questions of a protocol), `BlackBox`es (any callable, see
`callable_box`), timed samplers and encoders, noise, coins for many users, entropy sources and ledgers. `DEVICE` names
what is audited of the device itself, `catalogue` every method and baseline that is shipped.
"""

from __future__ import annotations

from sottovoce.audit.audit_targets import (
    FALSE_ALARMS,
    SAMPLES,
    BrowserSource,
    BulkSource,
    Coins,
    DefaultSource,
    LedgerPromise,
    Noise,
    Refusals,
    Source,
    Target,
    TimedEncoder,
    TimedSampler,
    audit,
)
from sottovoce.audit.channel_derivations import largest_ratio, law
from sottovoce.audit.device_paths import Subject
from sottovoce.audit.findings import LAYERS, Audit, Finding, Series, caught_by
from sottovoce.audit.javascript import FIX as NODE_FIX
from sottovoce.audit.javascript import missing as node_missing
from sottovoce.audit.other_libraries import OTHERS, available, numpy_laplace, our_laplace, support_picture
from sottovoce.audit.questions import every_statistic, large_instances, small_instances
from sottovoce.audit.statistical_layer import batch_box, callable_box, measure, question_box
from sottovoce.audit.subjects import (
    DEVICE,
    EPSILONS,
    PlannedTarget,
    catalogue,
    channel_names,
    device_targets,
    names,
    planned,
)

__all__ = [
    "DEVICE",
    "EPSILONS",
    "FALSE_ALARMS",
    "LAYERS",
    "NODE_FIX",
    "OTHERS",
    "SAMPLES",
    "Audit",
    "BrowserSource",
    "BulkSource",
    "Coins",
    "DefaultSource",
    "Finding",
    "LedgerPromise",
    "Noise",
    "PlannedTarget",
    "Refusals",
    "Series",
    "Source",
    "Subject",
    "Target",
    "TimedEncoder",
    "TimedSampler",
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
    "support_picture",
]
