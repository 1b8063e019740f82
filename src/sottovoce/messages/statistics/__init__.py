"""What a device computes from a collection: the first half of an encoder, and a closed vocabulary.

A statistic turns any collection into one number for each of the question's uses. It is data here: the device computes
what it needs of the raw observations (averages, or a vector), and `of` says what becomes of that. `group` is the fold
that a slot (and use) belongs to: see `Question.groups`. `parts` says for how many groups it has a definition of its
own, `breadth` how many numbers a user it needs at once, `dimension` how many columns of a collection it looks at,
counted from the first. A statistic with `signed` public signs is multiplied by them, and its tally holds one signed sum
for each; `cells` says how many cells a tally has where it is not the channel that says; `draws` whether the device
draws lots to compute it; `needs` whether averages of columns are all that it needs of a collection, or sums of its own
over the observations, or all rows. `fact` is for the owner of a device, and `nothing` what becomes of what was not
observed; a `silent` statistic has no number then, a NaN, which an encoder may place elsewhere. One that is `lone` may
be asked for within a group.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sottovoce.messages.limits import check
from sottovoce.messages.statistics.averages import Hashed, Nearest, Residual, Rotated
from sottovoce.messages.statistics.distances import away, filled, lengths
from sottovoce.messages.statistics.numbers import Average, Basis, Each, Item, Share
from sottovoce.messages.statistics.of_vectors import Category, Coefficient, Direction, Entry, Joint, Norm
from sottovoce.messages.statistics.shape import Needs
from sottovoce.messages.statistics.vectors import Averages, Below, Categories, Cosines, Inside, Large, Vector

Statistic = (
    Average
    | Item
    | Each
    | Share
    | Rotated
    | Basis
    | Hashed
    | Residual
    | Nearest
    | Entry
    | Coefficient
    | Norm
    | Direction
    | Category
    | Joint
)


def on_column(statistic: Statistic, column: int) -> Statistic:
    """The same statistic, looking at the columns from `column` on."""
    if column == 0:
        return statistic
    if isinstance(statistic, Average):
        return replace(statistic, columns=tuple(own + column for own in statistic.columns))
    whole: Any = statistic
    held: Any = getattr(statistic, "vector", statistic)
    check(hasattr(held, "column"), "averages of several columns begin at the first")
    moved = replace(held, column=held.column + column)
    kept: Statistic = moved if held is whole else replace(whole, vector=moved)
    return kept


__all__ = [
    "Average",
    "Averages",
    "Basis",
    "Below",
    "Categories",
    "Category",
    "Coefficient",
    "Cosines",
    "Direction",
    "Each",
    "Entry",
    "Hashed",
    "Inside",
    "Item",
    "Joint",
    "Large",
    "Nearest",
    "Needs",
    "Norm",
    "Residual",
    "Rotated",
    "Share",
    "Statistic",
    "Vector",
    "away",
    "filled",
    "lengths",
    "on_column",
]
