"""Whatever holds the observations (arrays, lists, data frames, files, data sets) becomes users here."""

from sottovoce.data import datasets
from sottovoce.data.categories import labelled
from sottovoce.data.columns import check_columns, value_names
from sottovoce.data.dataset import Dataset
from sottovoce.data.datasets import insteval
from sottovoce.data.dates import in_days, written
from sottovoce.data.files import matching
from sottovoce.data.grouped_by import grouped_by, memberships
from sottovoce.data.look import look
from sottovoce.data.looked import Look
from sottovoce.data.reading import Odd, Reading, reading_of, together
from sottovoce.data.stated import NAMES, Stated
from sottovoce.data.users import collections, in_memory, people

__all__ = [
    "NAMES",
    "Dataset",
    "Look",
    "Odd",
    "Reading",
    "Stated",
    "check_columns",
    "collections",
    "datasets",
    "grouped_by",
    "in_days",
    "in_memory",
    "insteval",
    "labelled",
    "look",
    "matching",
    "memberships",
    "people",
    "reading_of",
    "together",
    "value_names",
    "written",
]
