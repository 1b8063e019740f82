"""Observations with the group that each is in: the value in the first column, the number of its group in the second."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.arrays import from_array
from sottovoce.data.categories import Coding, Labels, labelled
from sottovoce.data.reading import with_values
from sottovoce.data.users import collections
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput

_NONE = ("\0none", "\0nobody")
"""Stand for observations in no group; no label holds such letters."""


def grouped_by(
    data: Any,
    *,
    by: Any,
    groups: Sequence[Any] | None = None,
    user: str | None = None,
    value: str | None = None,
    **read: Any,
) -> tuple[Collections, tuple[str, ...]]:
    """Gather each user's observations with the number of the group that each is in, and what the groups are called.

    `by` is the column of a frame or file that says which, or for arrays an array: of the shape of the data, or with
    one label for each user. Without `groups` those that there are count, in order, which a survey could not look up;
    with them, what has another label is in no group. `read` says how values are read: see `collections`.
    """
    held = collections(data, user=user, value=value, **read)
    if held.dimension != 1:
        raise InvalidInput(f"groups are for one value column; the data have {held.dimension}")
    if groups is not None and len(set(labelled(groups))) < len(labelled(groups)):
        raise InvalidInput("groups must differ", fix="leave out the one that is declared twice")
    coding: Coding = Labels() if groups is None else Coding((*labelled(groups), *_NONE), _NONE[0])
    if isinstance(by, str):
        if user is None and not isinstance(data, (str, PathLike)):
            raise InvalidInput("by= names a column of a data frame or a file; for an array, give an array of labels")
        how = {name: given for name, given in read.items() if name not in ("categories", "other")}
        codes = collections(data, user=user, value=by, categories=coding, **how).values[:, 0]
    else:
        codes = _coded(by, held, coding)
    if len(codes) != len(held.values):
        raise InvalidInput(rule="by= must hold a label for each observation, or one for each user")
    labels = coding.labels if isinstance(coding, Labels) else labelled(groups or ())
    if not labels:
        found = "groups= (--groups) names none" if groups is not None else "by= (--by) holds no label, all are missing"
        raise InvalidInput(f"no group to estimate in: {found}", fix="leave it out, or name another")
    return with_values(held, np.column_stack((held.values[:, 0].astype(np.float64), codes))), labels


def _coded(by: Any, held: Collections, coding: Coding) -> NDArray[np.float64]:
    """Labels in an array, or in a list of them, as numbers of groups."""
    flat = np.asarray(by) if not isinstance(by, (list, tuple)) or not any(map(_several, by)) else None
    if flat is not None and flat.ndim == 1:
        if len(flat) != held.users:
            raise InvalidInput(f"by= has {len(flat):,} labels; the data have {held.users:,} users")
        own = coding.settled(coding.read(flat, what="by"))
        return np.repeat(own, held.sizes)
    codes = from_array(by, coding.read)
    if not np.array_equal(codes.offsets, held.offsets):
        raise InvalidInput(
            rule="by= must have the shape of the data: a label for each observation, or one for each user"
        )
    return coding.settled(codes.values[:, 0])


def _several(one: Any) -> bool:
    return not isinstance(one, str) and np.ndim(one) > 0


def memberships(people: Collections, count: int) -> int | None:
    """In how many groups a user has something, of those who have: 1 where nobody has in more than one."""
    values, codes = people.values.T
    here = ~np.isnan(values) & (codes >= 0) & (codes < count)
    user = np.repeat(np.arange(people.users), people.sizes)[here]
    pairs = np.unique(user * count + codes[here].astype(np.int64)) // max(1, count)
    if not len(pairs):
        return None
    each = np.unique(pairs, return_counts=True)[1]
    return 1 if each.max() == 1 else max(2, round(float(each.mean())))
