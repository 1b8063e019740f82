"""The naive schemes that everything is compared with, on the same interface, labelled with what they protect."""

from __future__ import annotations

from sottovoce.baselines.laplace import FullItem, SemiUser, SplitUser
from sottovoce.baselines.one_item import OneItem

__all__ = ["FullItem", "OneItem", "SemiUser", "SplitUser"]
