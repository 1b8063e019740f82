"""Whatever holds the observations (arrays, lists, data frames, files, data sets) becomes users here."""

from sottovoce.data import datasets
from sottovoce.data.dataset import Dataset
from sottovoce.data.users import collections

__all__ = ["Dataset", "collections", "datasets"]
