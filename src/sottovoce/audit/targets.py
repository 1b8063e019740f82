"""What an audit can be pointed at, besides the questions of a protocol (`Subject`) and any callable (`BlackBox`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sottovoce.audit.javascript import IN_NODE, JavaScript
from sottovoce.audit.many import Toss
from sottovoce.audit.path import SHIPPED, Path, Subject
from sottovoce.audit.stage import Open, Responds, shipped_ledger
from sottovoce.audit.statistical import BlackBox
from sottovoce.audit.unaided import Answers, Engine
from sottovoce.device import Entropy, SystemEntropy, bulk, respond
from sottovoce.engines import local
from sottovoce.messages import Channel, Question


@dataclass(frozen=True, kw_only=True)
class Timed:
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
class Expanded:
    """An entropy source for many users: across processes, and against OpenSSL's generator and what that is fed."""

    name: str
    make: Callable[[], Entropy] = bulk.BulkEntropy


@dataclass(frozen=True, kw_only=True)
class Unaided:
    """Many users at once when nobody hands in a source: whose words they get, alone and through the engine."""

    name: str
    answers: Answers = bulk.respond_many
    engine: Engine = local


@dataclass(frozen=True, kw_only=True)
class Accounts:
    """A ledger, and the device that uses it: what they promise, kept through crashes, full disks, forks and races."""

    name: str
    open: Open = shipped_ledger
    responds: Responds = respond


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
    | Timed
    | TimedEncoder
    | Noise
    | Source
    | Coins
    | Expanded
    | Unaided
    | Accounts
    | Refusals
    | BrowserSource
)
