"""Pure: one file per problem. A protocol says what to ask next, or the answer; it never sees data or noise."""

from __future__ import annotations

from sottovoce.protocols.base import Protocol
from sottovoce.protocols.cover import CoverSelect
from sottovoce.protocols.covers import Cover
from sottovoce.protocols.density import Density
from sottovoce.protocols.dummy import Dummy
from sottovoce.protocols.mean import Mean
from sottovoce.protocols.mixture import MixtureMeans
from sottovoce.protocols.sparse import SparseMean
from sottovoce.protocols.vector import VectorMean

__all__ = ["Cover", "CoverSelect", "Density", "Dummy", "Mean", "MixtureMeans", "Protocol", "SparseMean", "VectorMean"]
