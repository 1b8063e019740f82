"""Whatever holds the observations (arrays, lists, data frames, files, data sets) becomes users here."""

from sottovoce.data import datasets
from sottovoce.data.categories import labelled
from sottovoce.data.columns import check_columns, value_names
from sottovoce.data.dataset import Dataset
from sottovoce.data.datasets import insteval
from sottovoce.data.files import matching
from sottovoce.data.grouped_by import grouped_by, memberships
from sottovoce.data.users import collections, in_memory, people

__all__ = [
    "Dataset",
    "check_columns",
    "collections",
    "datasets",
    "grouped_by",
    "in_memory",
    "insteval",
    "labelled",
    "matching",
    "memberships",
    "people",
    "value_names",
]
