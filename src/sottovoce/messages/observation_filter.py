"""Only the observations of one group of a column: the others are as if they were missing.

Which group is private wherever it is the device that finds it: a slot is dealt a group before anybody looks at data, or
the device draws one of its own, and says which only through the channel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.array_types import Flags, Floats, Integers, Words
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_GROUPS, MAX_ITEMS, check, check_digest
from sottovoce.messages.public_randomness import uniform_below


@dataclass(frozen=True, kw_only=True)
class Within:
    """Groups 0 … count − 1 of the numbers in `column`; any other number there is in no group.

    `stride` 0, *dealt*: the group is the question's own, slot by slot and use by use. `stride` ≥ 1, *drawn*: one of
    the groups that the user has an observation in, all alike likely, and the statistic is moved up by stride × group.
    `labels` is the digest of the groups' names, which the manifest holds, where they have some.
    """

    column: int
    count: int
    stride: int = 0
    labels: str | None = None

    def __post_init__(self) -> None:
        check(self.column >= 0, "columns count from 0")
        check(1 <= self.count <= MAX_GROUPS, f"within: 1 to {MAX_GROUPS} groups")
        check(
            0 <= self.stride * self.count <= MAX_ITEMS, f"stride: 0, or so that groups fill at most {MAX_ITEMS} places"
        )
        if self.labels is not None:
            check_digest("labels", self.labels)

    @property
    def is_drawn(self) -> bool:
        """Whether the device draws one of its own groups."""
        return self.stride > 0

    def index(self, codes: Floats, numbers: Floats) -> Integers:
        """The group of every observation; `count` for those in none, and where the number looked at is missing."""
        near = np.fmin(np.fmax(codes, -0.5), self.count).astype(np.int64)  # arithmetic, and no branch: time could tell
        outside = (near != codes) | np.isnan(numbers)
        return np.asarray(near + (self.count - near) * outside)

    def draw(self, index: Integers, sizes: Integers, words: Words) -> Integers:
        """One of the groups that a user has an observation in, by uniform words: ``(n, 1)``; with none, no group."""
        width, user = self.count + 1, np.repeat(np.arange(len(sizes)), sizes)
        held = np.bincount(user * width + index, minlength=len(sizes) * width).reshape(-1, width) > 0
        held[:, -1] = False  # whoever has observations in no group only shall not see those
        places = held.cumsum(axis=1)
        return np.asarray((places <= uniform_below(words, places[:, -1])[:, None]).sum(axis=1, keepdims=True))

    @staticmethod
    def keep_only(values: NDArray[np.generic], kept: Flags) -> Floats:
        """The observations that are kept; all bits of the others are set, which is a NaN."""
        gone = kept.astype(np.uint64) - np.uint64(1)
        return np.asarray((values.astype(np.float64).view(np.uint64) | gone[:, None]).view(np.float64))

    @property
    def fact(self) -> Fact:
        """Which observations count, for the owner of a device."""
        return Fact("within-drawn") if self.is_drawn else Fact("within-dealt", groups=self.count)
