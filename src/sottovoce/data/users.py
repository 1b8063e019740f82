"""The single door for observations: whatever the caller holds becomes users, whose rows need not fit into memory.

A file is read once for who its users are; a long one then once for each question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data.arrays import Value, frame_or_lists, from_array, is_frame
from sottovoce.data.categories import Coding, FoundLabels, label_texts
from sottovoce.data.datasets import Dataset
from sottovoce.data.input_bytes import TextOrigin, is_parquet, progress_bar, text_origin
from sottovoce.data.reading_report import ReadCollections, ReadingLog, with_values
from sottovoce.data.records import (
    ReadingOptions,
    Records,
    existing_file,
    is_file,
    refusing_reading_options,
    value_names,
)
from sottovoce.data.user_rows import Block, Floats, Integers, WantedColumns, gather_blocks, gather_rows, order_by_user
from sottovoce.device import Collections, Entropy, Means, totals
from sottovoce.messages import Category, InvalidInput, Item, Question, counted, zero_for_missing

if TYPE_CHECKING:
    from sottovoce.engines import People

HELD = 1 << 22
"""Cells of a file that are held: one with fewer is read once, and is a `Collections`."""
_NONE = ("\0none", "\0nobody")
"""Stand for observations in no group; no label holds such letters."""


class Source:
    """The named columns of one file, in blocks of rows, from the beginning as often as it takes.

    Users keep the numbers that they got when they first appeared; only a block is ever held.
    """

    def __init__(self, records: Records, *, value: Value, coding: Coding | None) -> None:
        data, options = records.data, records.options
        user, values = value_names(user=records.user, value=value)
        self._file = existing_file(data) if is_parquet(data) else text_origin(data, options)
        line = self._file.line if isinstance(self._file, TextOrigin) else "row"
        if not isinstance(self._file, TextOrigin) and options.of_a_file:
            raise InvalidInput(f"a Parquet file has no {options.of_a_file[0]}", fix="leave it out")
        log = ReadingLog(self._file.name, line)
        self.wanted = WantedColumns(user=user, values=values, coding=coding, options=options, log=log)

    def blocks(self) -> Iterator[Block]:
        """Numbers of users, and observations ``(m, dimension)``; on a terminal, with a bar."""
        log = self.wanted.log
        self.wanted.log = ReadingLog(log.name, log.line)
        for users, values in self._rows(log.name):
            yield users, values.reshape(len(users), -1)

    def _rows(self, name: str) -> Iterator[Block]:
        file = self._file
        if isinstance(file, TextOrigin):
            from sottovoce.data.csv_reader import csv_blocks
            from sottovoce.data.text_layout import layout_of

            with progress_bar(name, total=file.size, unit="B") as bar:
                yield from csv_blocks(layout_of(file, self.wanted.options), self.wanted, bar)
        else:
            from sottovoce.data.frames import parquet_blocks, parquet_rows

            with progress_bar(name, total=lambda: parquet_rows(file), unit=" rows") as bar:
                yield from parquet_blocks(file, self.wanted, bar)


class Streamed:
    """The users of one file. What is held grows with the number of users, never with that of rows.

    A question about averages needs one walk through the file, whatever the number of rounds: sums of the observations
    that are there, and how many. Shares, categories, thresholds and waves need one walk for each question. What needs
    rows (each observation in turn, the first few, those within a group) holds the rows of the users who are asked; what
    draws one observation at random, only the one that was drawn.

    Sums are added up as rows come, so that an average may differ in its last bit from that of a `Collections`. Users
    keep the order in which they first appear. The ``repr`` shows the shape, never a value.
    """

    def __init__(self, source: Source, sizes: Integers, sums: _Sums) -> None:
        self._source, self.sizes, self.present = source, sizes, sums.present()
        self._wanted, self.reading = source.wanted, source.wanted.log.reading()
        self._averages = sums.means() if source.wanted.coding is None else None  # of categories, once they are known

    @property
    def users(self) -> int:
        """How many there are."""
        return len(self.sizes)

    @property
    def dimension(self) -> int:
        """How many columns an observation has."""
        return len(self._wanted.values)

    def asked(self, question: Question, users: Integers, slots: Integers, entropy: Entropy) -> Collections:
        """What the question needs of these users, who sit in these slots; lots are drawn by words of `entropy`."""
        statistic = question.encoder.statistic
        alone = question.uses == 1 and question.encoder.within is None
        if isinstance(statistic, Item | Category) and alone:
            return self._one_observation_each(statistic.dimension - 1, users, entropy)
        match question.encoder.needs:
            case "averages":
                return self.averages().take(users)
            case "sums":
                return self._summed(question, users, slots)
            case "rows":
                return self._rows(users)

    def averages(self) -> Means:
        """Everybody's own averages; NaN for nobody's. Of numbers they are known without another walk."""
        if self._averages is None:
            sums = _Sums(self.dimension)
            for block in self._blocks():
                sums.add(*block)
            self._averages = sums.means()
        return self._averages

    def collections(self) -> Collections:
        """All rows, held in memory."""
        return self._rows(np.arange(self.users))

    def indexed(self, choose: Callable[[NDArray[Any]], Any]) -> Collections:
        """What the participants' own function says of their collections: see `Collections`. All rows are held."""
        return self.collections().indexed(choose)

    def _blocks(self) -> Iterator[Block]:
        coding = self._wanted.coding
        for numbers, values in self._source.blocks():
            if self._wanted.users.users > self.users:
                raise InvalidInput(f"{self._wanted.log.name!r} changed while it was read")
            yield numbers, values if coding is None else coding.settled(values)

    def _of(self, users: Integers) -> Iterator[Block]:
        """The rows of some users, who are then numbered in this order."""
        places = np.full(self.users, -1)
        places[users] = np.arange(len(users))
        for numbers, values in self._blocks():
            numbers_of = places[numbers]
            there = np.flatnonzero(numbers_of >= 0)
            yield numbers_of[there], values[there]

    def _summed(self, question: Question, users: Integers, slots: Integers) -> Means:
        sums, counts = np.zeros((len(users), 0)), np.zeros((len(users), 1))
        for numbers_of, values in self._of(users):
            present, numbers = np.unique(numbers_of, return_inverse=True)
            with np.errstate(all="ignore"):
                more, present_in = totals(question, gather_rows(numbers, values), slots[present])
            sums = sums if sums.shape[1] else np.zeros((len(users), more.shape[1]))
            sums[present] += more
            counts[present] += present_in
        with np.errstate(all="ignore"):
            return Means(sums / counts)

    def _one_observation_each(self, column: int, users: Integers, entropy: Entropy) -> Collections:
        """One observation of each, all alike likely to be it: which one is drawn first, then it is looked for."""
        left = np.full(len(users), -1.0)
        if column < self.dimension:
            counts_held = self.present[column, users]
            left = np.minimum(np.floor(entropy.words(len(users)) * 2.0**-64 * counts_held), counts_held - 1)
        drawn = np.full((len(users), self.dimension), np.nan)
        for numbers_of, values in self._of(users):
            there = np.flatnonzero(~np.isnan(values[:, column])) if column < self.dimension else np.zeros(0, dtype=int)
            order = order_by_user(numbers_of[there], len(users))
            rows = there if order is None else there[order]
            counts = np.bincount(numbers_of[rows], minlength=len(users))
            rank = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
            chosen = rows[rank == left[numbers_of[rows]]]
            drawn[numbers_of[chosen]] = values[chosen]
            left -= counts
        return Collections(drawn, np.arange(len(users) + 1))

    def _rows(self, users: Integers) -> Collections:
        return gather_blocks(self._of(users), count=len(users))

    def __len__(self) -> int:
        return self.users

    def __repr__(self) -> str:
        return f"<Streamed: {counted(self.users, 'user')}, dimension {self.dimension}, contents hidden>"


class _Sums:
    """Sums of the observations of every user that are there, and how many; users may come as they like."""

    def __init__(self, dimension: int) -> None:
        self._sums, self._counts = np.zeros((dimension, 0)), np.zeros((dimension, 0))
        self.users = 0

    def add(self, users: Integers, values: Floats) -> None:
        """Some rows more."""
        self.users = max(self.users, int(users.max(initial=-1)) + 1)
        self._sums, self._counts = (_with_room(held, self.users) for held in (self._sums, self._counts))
        with np.errstate(all="ignore"):
            for column in range(values.shape[1]):
                observed = values[:, column]
                np.add.at(self._sums[column], users, zero_for_missing(observed))
                np.add.at(self._counts[column], users, 1.0 - np.isnan(observed))

    def present(self) -> Floats:
        """How many observations of each column everybody holds, ``(dimension, users)``."""
        return self._counts[:, : self.users]

    def means(self) -> Means:
        """Everybody's averages; NaN for nobody's."""
        with np.errstate(all="ignore"):
            return Means((self._sums / self._counts)[:, : self.users].T)


def _with_room(numbers: NDArray[Any], users: int) -> NDArray[Any]:
    """Room for so many users, and for as many again."""
    if users <= numbers.shape[-1]:
        return numbers
    room = np.zeros((*numbers.shape[:-1], 2 * users), dtype=numbers.dtype)
    room[..., : numbers.shape[-1]] = numbers
    return room


def from_source(source: Source, *, whole: bool = False) -> Collections | Streamed:
    """Walk through a file once: a short one is held, of a long one only who its users are and their averages.

    With `whole` all rows are held, however many there are.
    """
    wanted, blocks, cells = source.wanted, list[Block](), 0
    sizes, sums, doubtful = np.zeros(0, dtype=np.int64), _Sums(len(wanted.values)), np.zeros(3, dtype=np.int64)
    for users, values in source.blocks():
        cells += values.size
        if whole or cells <= HELD:
            blocks.append((users, values))
        else:
            blocks.clear()
        if not whole:
            sizes = _with_room(sizes, wanted.users.users)
            np.add.at(sizes, users, 1)
            sums.add(users, values)
        if wanted.coding is not None:
            doubtful += wanted.coding.doubtful(values)
    if wanted.coding is not None:
        wanted.coding.check(doubtful)
    if not blocks:
        return Streamed(source, sizes[: wanted.users.users], sums)
    rows = gather_blocks(blocks)
    values = rows.values if wanted.coding is None else wanted.coding.settled(rows.values)
    return ReadCollections(values, rows.offsets, wanted.log.reading())


def matching_columns(data: str | PathLike[str], *, user: str, value: Sequence[str], **options: Any) -> list[str]:
    """The columns that `value` means: names, or patterns such as ``tag_*`` for all columns like it, in their order.

    A name that the file has is that name, even with a star in it; a pattern never means the column of the user.
    `options` say how the file is read: see `read`.
    """
    if not any(set("*?[") & set(name) for name in value):
        return list(value)
    if is_parquet(data):
        from sottovoce.data.frames import parquet_names

        there = parquet_names(existing_file(data))
    else:
        from sottovoce.data.csv_reader import csv_names
        from sottovoce.data.text_layout import layout_of

        there = csv_names(layout_of(text_origin(data, ReadingOptions(**options)), ReadingOptions(**options)))
    columns: list[str] = []
    for wanted in value:
        like = [name for name in there if name != user and fnmatchcase(name, wanted)]
        columns += [wanted] if wanted in there or not like else like
    return list(dict.fromkeys(columns))


@refusing_reading_options
def collections(
    data: Any,
    *,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    categories: Sequence[Any] | Coding | None = None,
    other: str | None = None,
) -> Collections:
    """Gather each user's observations.

    Users keep the order in which they first appear, and observations the order of their rows. Booleans are 0 and 1,
    dates and times days since 1970-01-01; a missing value is a NaN observation, which devices pass over, so that it
    never decides whether one answers.

    Parameters
    ----------
    data
        One of: an array ``(n, T)`` of numbers or ``(n, T, d)`` of vectors; a list with one sequence per user, of
        any lengths, empty ones too; a dict or a pandas Series from users to such sequences
        (``frame.groupby("u")["v"].apply(list)``); a long data frame (pandas, polars, pyarrow, anything narwhals reads,
        lazy ones too), a list of dicts, a dict of columns; the path of a ``.csv``, ``.tsv``, ``.txt`` (also ``.gz``),
        ``.xlsx`` or ``.parquet`` file, or ``-`` for standard input; what `read` makes of one; a `Dataset`; a
        `Collections`.
    user, value
        The columns of a frame or file that hold the user and the observation. Several value columns make vectors. The
        user may be a level of the index of a pandas frame or Series.
    categories, other
        Labels of declared categories: observations, text above all, become the numbers 0, 1, 2, … of their labels.
        Numbers, as text too, are taken for labels where a label is a number, else for numbers of categories; of two
        categories false is the first and true the second, unless they read as booleans. `other` is the label that
        takes what is in none of them.

    Raises
    ------
    InvalidInput
        With names of columns, counts and numbers of lines; never with an observed value. Also when observations are in
        none of the categories, and no `other` is named.
    MissingExtra
        When Parquet or Excel is given and no package that reads it is installed.
    """
    return in_memory(_people(data, user, value, categories, other, whole=True))


@refusing_reading_options
def people(
    data: Any,
    *,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    categories: Sequence[Any] | Coding | None = None,
    other: str | None = None,
) -> People:
    """Gather users as `collections` does, but of a file with very many rows hold only what a question needs.

    Such a file is walked through once here, and once more for each question that needs more than users' averages; see
    `Streamed`. On a terminal a bar shows how far that is.
    """
    return _people(data, user, value, categories, other)


def _people(
    data: Any, user: str | None, value: Value, categories: Any, other: str | None, *, whole: bool = False
) -> People:
    records = Records.of(data, user=user)
    coding = categories
    if categories is not None and not isinstance(categories, Coding):
        coding = Coding(label_texts(categories), other, skip=records.options.skip_bad)
    if is_file(records.data):
        return from_source(Source(records, value=value, coding=coding), whole=whole)
    records.options.check_in_memory(records.data)
    people = _from_memory(records, value, coding)
    if people.users == 0:
        raise InvalidInput("no users: the data are empty", code="no-users")
    return people if coding is None else with_values(people, coding.settled(people.values))


def _from_memory(records: Records, value: Value, coding: Coding | None) -> Collections:
    """What is in memory already; of categories, before it is known what numbers mean."""
    data, user, value = frame_or_lists(records.data, user=records.user, value=value)
    if is_frame(data):
        from sottovoce.data.frames import from_frame

        user, values = value_names(user=user, value=value)
        log = ReadingLog("the data frame", "row")
        wanted = WantedColumns(user=user, values=values, coding=coding, options=records.options, log=log)
        return from_frame(data, wanted)
    if user is not None or value is not None:
        raise InvalidInput(f"user= and value= name columns of a data frame or a file; a {type(data).__name__} has none")
    observations = data.collections if isinstance(data, Dataset) else data
    if not isinstance(observations, Collections):
        return from_array(observations) if coding is None else from_array(observations, coding.read)
    return (
        observations
        if coding is None
        else Collections(coding.read(observations.values, what="observations"), observations.offsets)
    )


def in_memory(people: People) -> Collections:
    """All rows of some people, held at once."""
    return people if isinstance(people, Collections) else people.collections()


def collections_by_group(
    data: Any,
    *,
    by: Any,
    groups: Sequence[Any] | None = None,
    user: str | None = None,
    value: str | None = None,
    categories: Sequence[Any] | None = None,
    other: str | None = None,
) -> tuple[Collections, tuple[str, ...]]:
    """Gather each user's observations with the number of the group that each is in, and what the groups are called.

    `by` is the column of a frame or file that says which, or for arrays an array: of the shape of the data, or with
    one label for each user. Without `groups` those that there are count, in order, which a survey could not look up;
    with them, what has another label is in no group. `categories` and `other` are those of the values.
    """
    records = Records.of(data, user=user)
    people = collections(records, value=value, categories=categories, other=other)
    if people.dimension != 1:
        raise InvalidInput(f"groups are for one value column; the data have {people.dimension}")
    if groups is not None and len(set(label_texts(groups))) < len(label_texts(groups)):
        raise InvalidInput("groups must differ", fix="leave out the one that is declared twice")
    coding: Coding = FoundLabels() if groups is None else Coding((*label_texts(groups), *_NONE), _NONE[0])
    if isinstance(by, str):
        if records.user is None and not is_file(records.data):
            raise InvalidInput("by= names a column of a data frame or a file; for an array, give an array of labels")
        codes = collections(records, value=by, categories=coding).values[:, 0]
    else:
        codes = _group_codes(by, people, coding)
    if len(codes) != len(people.values):
        raise InvalidInput(rule="by= must hold a label for each observation, or one for each user")
    labels = coding.labels if isinstance(coding, FoundLabels) else label_texts(groups or ())
    if not labels:
        why = "groups= (--groups) names none" if groups is not None else "by= (--by) holds no label, all are missing"
        raise InvalidInput(f"no group to estimate in: {why}", fix="leave it out, or name another")
    return with_values(people, np.column_stack((people.values[:, 0].astype(np.float64), codes))), labels


def _group_codes(by: Any, people: Collections, coding: Coding) -> NDArray[np.float64]:
    """Labels in an array, or in a list of them, as numbers of groups."""
    flat = np.asarray(by) if not isinstance(by, (list, tuple)) or not any(map(_is_nested, by)) else None
    if flat is not None and flat.ndim == 1:
        if len(flat) != people.users:
            raise InvalidInput(f"by= has {len(flat):,} labels; the data have {people.users:,} users")
        own_group = coding.settled(coding.read(flat, what="by"))
        return np.repeat(own_group, people.sizes)
    codes = from_array(by, coding.read)
    if not np.array_equal(codes.offsets, people.offsets):
        raise InvalidInput(
            rule="by= must have the shape of the data: a label for each observation, or one for each user"
        )
    return coding.settled(codes.values[:, 0])


def _is_nested(one: Any) -> bool:
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
