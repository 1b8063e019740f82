"""Whatever holds the observations (arrays, lists, data frames, files, data sets) becomes users here."""

from sottovoce.data import datasets
from sottovoce.data.categories import label_texts
from sottovoce.data.cells import date_text, in_days
from sottovoce.data.datasets import Dataset, insteval
from sottovoce.data.look import look
from sottovoce.data.reading_report import Reading, combine_readings, reading_of
from sottovoce.data.records import (
    AS_FOUND,
    READING_OPTIONS,
    ReadingOptions,
    Records,
    check_columns,
    read,
    refusing_reading_options,
    value_names,
)
from sottovoce.data.users import (
    collections,
    collections_by_group,
    in_memory,
    matching_columns,
    memberships,
    people,
)

__all__ = [
    "AS_FOUND",
    "READING_OPTIONS",
    "Dataset",
    "Reading",
    "ReadingOptions",
    "Records",
    "check_columns",
    "collections",
    "collections_by_group",
    "combine_readings",
    "datasets",
    "date_text",
    "in_days",
    "in_memory",
    "insteval",
    "label_texts",
    "look",
    "matching_columns",
    "memberships",
    "people",
    "read",
    "reading_of",
    "refusing_reading_options",
    "value_names",
]
