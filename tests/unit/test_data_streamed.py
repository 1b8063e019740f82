"""Files of very many rows: what is asked of them is what is asked of rows that are held."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sottovoce as sv
from sottovoce.data import collections, csv_reader, frames, people, user_rows
from sottovoce.data import users as door
from sottovoce.data.user_rows import gather_rows, order_by_user
from sottovoce.data.users import Streamed
from sottovoce.device import Collections, encode, totals
from sottovoce.messages import Average, Basis, Categories, Category, Cosines, InvalidInput, Item, Question
from tests.support import SeededEntropy
from tests.support.asked import every_question

ROWS = 900
IDS = {
    "integers": lambda users: users * 7 - 3,
    "sparse": lambda users: users * 2**53 + 1,
    "text": lambda users: np.array([f"person number {user}" for user in users], dtype=object),
    "floats": lambda users: users / 4,
}


@pytest.fixture(autouse=True)
def nothing_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a long one, in many small blocks."""
    monkeypatch.setattr(door, "HELD", 0)
    monkeypatch.setattr(frames, "BLOCK", 100)
    monkeypatch.setattr(csv_reader, "BLOCK", 64)
    monkeypatch.setattr(csv_reader, "CHUNK", 2000)


def hide(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    for module in (frames, csv_reader):
        monkeypatch.setattr(module, "find_spec", lambda name: None if name in names else find_spec(name))


def rows(kind: str = "integers", columns: int = 2) -> tuple[Any, np.ndarray]:
    """Users in no order, some of whom appear late; missing cells, and one user without any."""
    random = np.random.default_rng(5)
    users = np.sort(random.integers(0, 60, ROWS) // 2) + random.integers(0, 9, ROWS)
    values = np.round(8 * random.normal(size=(ROWS, columns))) / 8  # sums of which are exact
    values[random.random(values.shape) < 0.1] = np.nan
    values[users == 4] = np.nan
    return IDS[kind](users), values


def written(folder: Path, ending: str, users: Any, values: np.ndarray) -> Path:
    names = [f"v{column}" for column in range(values.shape[1])]
    path = folder / f"rows.{ending}"
    if ending == "parquet":
        table = import_module("pyarrow").table({"u": users, **{name: values[:, i] for i, name in enumerate(names)}})
        import_module("pyarrow.parquet").write_table(table, path, row_group_size=170)
        return path
    cells = [["" if np.isnan(cell) else repr(float(cell)) for cell in row] for row in values]
    lines = [["u", *names], *([str(user), *row] for user, row in zip(users, cells, strict=True))]
    text = "\n".join(",".join(line) for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if ending == "csv.gz" else text.encode())
    return path


def in_both(path: Path, value: Any = ("v0", "v1")) -> tuple[Collections, Streamed]:
    held, stream = collections(path, user="u", value=list(value)), people(path, user="u", value=list(value))
    assert isinstance(stream, Streamed)
    assert (stream.users, stream.dimension) == (held.users, held.dimension)
    assert stream.sizes.tolist() == held.sizes.tolist()
    return held, stream


class Words:
    """The same words for both."""

    def words(self, count: int) -> np.ndarray:
        return np.random.default_rng(9).integers(0, 2**64, size=count, dtype=np.uint64)


def same_inputs(question: Question, held: Collections, stream: Streamed) -> None:
    """To the bit where sums are exact, as they are of these values; sums of waves up to rounding."""
    users = np.random.default_rng(3).permutation(held.users)[: question.slots.count]
    slots = np.arange(question.slots.first, question.slots.first + len(users))
    own, found = held.take(users), stream.asked(question, users, slots, Words())
    statistic = question.encoder.statistic
    alone = question.uses == 1 and question.encoder.within is None
    if isinstance(statistic, Item | Category) and alone:  # lots drawn otherwise: see below
        assert (found.sizes == 1).all()
    elif isinstance(getattr(statistic, "vector", statistic), Basis | Cosines):
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(found.values, np.divide(*totals(question, own, slots)), rtol=1e-9, atol=1e-12)
    else:
        assert np.array_equal(encode(question, found, slots, Words()), encode(question, own, slots, Words()))


QUESTIONS = every_question()


@pytest.mark.parametrize(
    "ending, every", [("csv", 1), ("csv.gz", 4), ("parquet", 1), pytest.param("csv.gz", 1, marks=pytest.mark.soak)]
)
def test_every_statistic_is_that_of_rows_that_are_held(ending: str, every: int, tmp_path: Path) -> None:
    held, stream = in_both(written(tmp_path, ending, *rows()))
    for question in QUESTIONS[::every]:
        same_inputs(question, held, stream)
    assert {question.encoder.statistic.needs for question in QUESTIONS} == {"averages", "sums", "rows"}


@pytest.mark.parametrize("hidden", ["", "polars", "pyarrow"])
@pytest.mark.parametrize("kind", IDS)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_users_by_any_id_in_any_order(ending: str, kind: str, hidden: str, tmp_path: Path, monkeypatch: Any) -> None:
    hide(monkeypatch, hidden)
    users, values = rows(kind)
    held, stream = in_both(written(tmp_path, ending, users, values))
    expected: defaultdict[Any, list[Any]] = defaultdict(list)
    for user, row in zip(users.tolist(), values.tolist(), strict=True):
        expected[user].append(row)
    everybody = stream.collections()
    for found in (held, everybody):
        np.testing.assert_array_equal(found.values, np.concatenate([np.array(own) for own in expected.values()]))
        assert found.sizes.tolist() == [len(own) for own in expected.values()]
    average = next(question for question in QUESTIONS if isinstance(question.encoder.statistic, Average))
    averages = stream.asked(average, np.arange(held.users), np.arange(held.users), Words()).values
    with pytest.warns(RuntimeWarning, match="empty"):
        means = np.array([np.nanmean(own, axis=0) for own in expected.values()])
    np.testing.assert_allclose(averages, means, rtol=1e-12)


def test_what_is_drawn_at_random_is_drawn_evenly(tmp_path: Path) -> None:
    """400 times one of 8 observations of three users: chi-squared below its 1 - 1e-6 point, seeded; NaN is never it."""
    users, values = np.tile([5, 3, 9], 10), np.repeat(np.arange(10.0), 3)[:, None]
    values[:6] = np.nan
    _, stream = in_both(written(tmp_path, "parquet", users, values), ("v0",))
    question = next(one for one in QUESTIONS if isinstance(one.encoder.statistic, Item) and one.uses == 1)
    everybody = np.arange(3)

    random = SeededEntropy(17)
    drawn = np.array([stream.asked(question, everybody, everybody, random).values[:, 0] for _ in range(400)])
    counts = np.array([np.bincount(own.astype(int), minlength=10)[2:] for own in drawn.T])
    assert not np.isnan(drawn).any() and counts.sum() == 1200
    assert ((counts - 50) ** 2 / 50).sum(axis=1).max() < 41.0


def test_a_survey_of_a_file_gives_what_one_of_rows_gives(tmp_path: Path) -> None:
    users, values = rows(columns=1)
    path = written(tmp_path, "parquet", users, values)
    held, stream = in_both(path, ("v0",))
    survey = sv.Mean(low=-1, high=1, epsilon=4.0, users=held.users, observations=20, method="one-round")
    found, expected = (sv.run(survey, sv.simulate(one, seed=3)).value for one in (stream, held))
    assert found == expected
    assert np.isfinite(sv.run(survey, sv.local(stream)).value)
    assert np.isfinite(sv.mean(path, user="u", value="v0", low=-1, high=1, epsilon=4.0).value)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_categories_of_a_stream(ending: str, tmp_path: Path) -> None:
    labels, random = ["bus", "tram", "foot"], np.random.default_rng(2)
    cells = random.choice([*labels, "boat", None], ROWS).tolist()
    path = tmp_path / f"rows.{ending}"
    users = random.integers(0, 40, ROWS).tolist()
    if ending == "parquet":
        import_module("polars").DataFrame({"u": users, "v": cells}).write_parquet(path)
    else:
        path.write_text("u,v\n" + "".join(f"{user},{cell or ''}\n" for user, cell in zip(users, cells, strict=True)))
    wanted = {"user": "u", "value": "v", "categories": labels}
    held, stream = collections(path, **wanted, other="foot"), people(path, **wanted, other="foot")
    assert isinstance(stream, Streamed)
    np.testing.assert_array_equal(stream.collections().values, held.values)
    question = next(one for one in QUESTIONS if isinstance(getattr(one.encoder.statistic, "vector", 0), Categories))
    same_inputs(question, held, stream)
    with pytest.raises(InvalidInput) as expected:
        collections(path, **wanted)
    with pytest.raises(InvalidInput) as found:
        people(path, **wanted)
    assert str(found.value) == str(expected.value) and "none of the 3 categories" in str(found.value)


_CELL = st.sampled_from(["1", "0.5", " 2 ", "-inf", "1e3", "", "NA", "true", "x", "1_0", '"3"', '"4,5"', "é", "\t1"])
_ID = st.sampled_from(["a", " a", "a ", "1", "01", '"b"', "", "ü", '"c""d"', '"two\nlines"'])
_END = st.sampled_from(["\n", "\n", "\r\n", "\n\n", ",9\n", "\r"])


@settings(max_examples=150)
@given(lines=st.lists(st.tuples(_ID, _CELL, _END), min_size=1, max_size=12), chunk=st.integers(8, 60))
@example(lines=[*[("", "1", "\n")] * 4, ("a", "x", "\n")], chunk=8)  # numbers of nobody are numbers
def test_fast_and_careful_readers_agree(lines: list[tuple[str, str, str]], chunk: int, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("csv") / "rows.csv"
    path.write_text("u,v\n" + "".join(f"{user},{cell}{end}" for user, cell, end in lines), newline="")

    def outcome() -> tuple[Any, ...]:
        try:
            held = collections(path, user="u", value="v")
        except InvalidInput as error:
            return (str(error),)
        return held.values.tobytes(), held.offsets.tolist()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_reader, "CHUNK", chunk)
        fast = outcome()
        hide(patch, "polars")
        assert fast == outcome()


def test_plain_lines_are_read_fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test above would compare the careful reader with itself."""
    monkeypatch.setattr(csv_reader.CellReader, "numbers", lambda *_: pytest.fail("the careful reader was used"))
    users, values = rows("text")
    assert in_both(written(tmp_path, "csv", users, values))[1].users > 20


def test_two_ids_with_one_hash_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    polars = import_module("polars")

    class Colliding:
        def __init__(self, series: Any) -> None:
            self.series = series

        def __getattr__(self, name: str) -> Any:
            return getattr(self.series, name)

        def hash(self, seed: int) -> Any:
            return polars.Series([len(text) for text in self.series], dtype=polars.UInt64)

    known, blocks = user_rows.UserNumbers(), [["a", "bb", "a"], ["bb", "a"], ["c", "a", "dd", "bb"], ["e", "c"]]
    found = [known.texts(Colliding(polars.Series(block))).tolist() for block in blocks]
    assert found == [[0, 1, 0], [1, 0], [2, 0, 3, 1], [4, 2]]
    assert known.users == 5


_KEY = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9) | st.integers(0, 9).map(lambda key: key << 59)


@given(blocks=st.lists(st.lists(_KEY)))
def test_numbers_of_users_are_those_of_a_dict(blocks: list[list[int]]) -> None:
    known, expected = user_rows.UserNumbers(), {}
    for block in blocks:
        numbers = [expected.setdefault(one, len(expected)) for one in block]
        assert known.numbers(np.array(block, dtype=np.int64)).tolist() == numbers
    assert known.users == len(expected)


def test_very_many_users() -> None:
    keys = np.random.default_rng(1).permutation(300_000) << 13  # the table grows, and slots are contested
    known = user_rows.UserNumbers()
    numbers = np.concatenate([known.numbers(part) for part in np.array_split(keys, 7)])
    assert numbers.tolist() == list(range(len(keys)))
    assert np.array_equal(known.numbers(keys[::-1]), numbers[::-1])


@given(users=st.lists(st.integers(0, 2**18) | st.integers(0, 5), min_size=1, max_size=60), spread=st.booleans())
def test_grouping_is_that_of_a_dict(users: list[int], spread: bool) -> None:
    rows = range(len(users))
    if spread:  # gaps are fine for an order
        order = order_by_user(np.array(users), max(users) + 1)
        assert (list(rows) if order is None else order.tolist()) == sorted(rows, key=users.__getitem__)
        return
    numbers = {user: number for number, user in enumerate(dict.fromkeys(users))}
    expected = [[float(row) for row in rows if users[row] == user] for user in numbers]
    held = gather_rows(np.array([numbers[user] for user in users]), np.arange(len(users), dtype=np.float64))
    assert [own.values[:, 0].tolist() for _, own in held.blocks(1)] == expected


def test_rows_without_a_user_are_counted_over_all_blocks(tmp_path: Path) -> None:
    polars, missing = import_module("polars"), [None, "", *(["a"] * 300), None]
    frame = polars.DataFrame({"u": missing, "v": [1.0] * len(missing)})
    frame.write_parquet(tmp_path / "rows.parquet")
    frame.write_csv(tmp_path / "rows.csv")
    for ending in ("csv", "parquet"):
        with pytest.raises(InvalidInput, match="3 rows have no user in column 'u'"):
            people(tmp_path / f"rows.{ending}", user="u", value="v")


def test_a_file_that_grows_between_two_questions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("u,v\na,1\nb,2\n")
    stream = people(path, user="u", value="v")
    path.write_text("u,v\na,1\nb,2\nc,3\n")
    with pytest.raises(InvalidInput, match=r"'rows.csv' changed while it was read"):
        stream.collections()


def test_short_files_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HELD", 4)
    path = tmp_path / "rows.csv"
    path.write_text("u,v\na,1\nb,2\na,3\n")
    assert isinstance(people(path, user="u", value="v"), Collections)
    path.write_text("u,v\na,1\nb,2\na,3\nc,1\nc,1\n")
    assert repr(people(path, user="u", value="v")) == "<Streamed: 3 users, dimension 1, contents hidden>"


_PEAK = """
import sys
import sottovoce as sv
from sottovoce.data import users
users.HELD = 0
sv.mean(sys.argv[1], user="u", value="v", low=0, high=1, epsilon=1.0, method="one-round")
people = sv.people(sys.argv[1], user="u", value="v")
asked = []
def ask(question):
    asked.append(question.encoder.statistic.needs)
    return sv.local(people)(question)
sv.run(sv.Density(low=0, high=1, epsilon=1.0, users=1000, observations=9, method="one-round"), ask)
assert set(asked) == {"sums"}, asked
(peak,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(peak) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not tell the peak of one process")
@pytest.mark.parametrize("ending", ["csv", pytest.param("parquet", marks=pytest.mark.soak)])
def test_more_rows_take_no_more_memory(ending: str, tmp_path: Path) -> None:
    """Held, the rows of the longer file would take 96 MB more in numbers of users and values alone; limit: half."""
    polars, peaks = import_module("polars"), []
    for count in (500_000, 6_500_000):
        path, place = tmp_path / f"{count}.{ending}", polars.int_range(count, eager=True)
        frame = polars.DataFrame({"u": place % 1000, "v": (place % 7) / 7})
        frame.write_parquet(path, row_group_size=100_000) if ending == "parquet" else frame.write_csv(path)
        ran = subprocess.run([sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        peaks.append(int(ran.stdout))
    assert peaks[1] < peaks[0] + 48, peaks
