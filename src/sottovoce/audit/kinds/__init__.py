"""The audit's own derivation of every channel: a second implementation, one file a kind.

It reads the integers that a channel is written with, and nothing that the channel or the device makes of them.
`derivation` is the one place of the audit that tells the kinds apart.
"""

from __future__ import annotations

from sottovoce.audit.kinds.kind import Floats, Integers, Kind, Read, Symbol
from sottovoce.audit.kinds.laplace import LaplaceKind
from sottovoce.audit.kinds.subset import SubsetKind
from sottovoce.audit.kinds.table import TableKind
from sottovoce.audit.kinds.unary import UnaryKind
from sottovoce.messages import Channel, Laplace, Subset, Table, Unary

__all__ = ["Floats", "Integers", "Kind", "LaplaceKind", "Read", "Symbol", "derivation"]


def derivation(channel: Channel) -> Kind:
    """A channel as the audit reads it."""
    match channel:
        case Table():
            return TableKind(channel)
        case Subset():
            return SubsetKind(channel)
        case Unary():
            return UnaryKind(channel)
        case Laplace():
            return LaplaceKind(channel)
