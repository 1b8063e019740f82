"""The JavaScript device under the same audit, in Node, over pipes."""

from __future__ import annotations

from sottovoce.audit.javascript.bench import DEVICE, Bench, BenchEnded, Change
from sottovoce.audit.javascript.node import FIX, NodeMissing, missing, node
from sottovoce.audit.javascript.path import IN_NODE, FailedInNode, JavaScript
from sottovoce.audit.javascript.refusals import declines_alike
from sottovoce.audit.javascript.source import exactly_the_browsers_bytes

__all__ = [
    "DEVICE",
    "FIX",
    "IN_NODE",
    "Bench",
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
