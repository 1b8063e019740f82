"""The JavaScript device under the same audit, in Node, over pipes."""

from __future__ import annotations

from sottovoce.audit.javascript.bench import FIX, BenchEnded, Change, NodeMissing, missing, node
from sottovoce.audit.javascript.device import IN_NODE, FailedInNode, JavaScript, exactly_the_browsers_bytes
from sottovoce.audit.javascript.refusals import declines_alike

__all__ = [
    "FIX",
    "IN_NODE",
    "BenchEnded",
    "Change",
    "FailedInNode",
    "JavaScript",
    "NodeMissing",
    "declines_alike",
    "exactly_the_browsers_bytes",
    "missing",
    "node",
]
