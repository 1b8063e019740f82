"""Commands whose output is frozen, and the files that they read; each runs in this process, in a folder of its own."""

from __future__ import annotations

import io
import json
import lzma
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock
from zipfile import ZipFile

import numpy as np

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.messages import canonical

WRITTEN = Path(__file__).parents[1] / "compat" / "v1"
PAGE = "page.html"
HIDDEN = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)
"""Of a page: how it looks and moves, which is no text."""
SENT = re.compile(r"^  sends .*", re.DOTALL | re.MULTILINE)
"""Of an explanation: a report is new every time."""
ROUNDED = re.compile(r", (equal )?up to rounding|, but for last digits that another machine rounds differently")
"""Of a verdict: whether this processor rounds as the one that wrote the transcript."""
SECONDS = re.compile(r"\d+\.\d$", re.MULTILINE)
"""Of a tally: how long it took."""

RATINGS = "ratings.csv --user student --value rating"
TRIPS = "trips.csv --user card"
WALKS = "walks.csv --user phone"
STARS = "--low 1 --high 5"
DEPARTMENTS = "--by department --groups arts,law,science"
ASKS = '--ask "stay: mean value=minutes low=0 high=60" --ask "fare: mean value=euros low=0 high=20"'
MIXED = '--ask "stay: quantiles value=minutes low=0 high=60 q=0.25,0.75" --ask "how: histogram value=mode categories=bus,train,car"'  # noqa: E501 - one command
ESTIMATES = [
    *(f"mean {RATINGS} {STARS} --epsilon 1 --method {method}" for method in ("auto", "one-round", "adaptive")),
    *(f"mean {RATINGS} {STARS} --epsilon 4 --method {method}" for method in ("homogeneous", "paper", "theory")),
    f"mean {RATINGS} {STARS} --epsilon 2 --empty random --confidence 0.8",
    f"mean {RATINGS} {STARS} --epsilon 2 --empty symbol",
    f"mean {RATINGS} {STARS} --epsilon 2 --empty-at-most 0.1",
    f"mean {RATINGS} --low 2 --high 4 --epsilon 2",
    f"mean {RATINGS} --epsilon 4 --find-range 0.3",
    f"mean {RATINGS} {STARS} --epsilon 4 {DEPARTMENTS}",
    f"mean {RATINGS} {STARS} --epsilon 4 --by department",
    f"mean {TRIPS} --value minutes --low 0 --high 60 --epsilon 0.05",
    f"histogram {TRIPS} --value mode --categories bus,train,car --epsilon 1",
    f"histogram {TRIPS} --value mode --categories bus,train,other --other other --epsilon 4 --method adaptive",
    f"histogram {TRIPS} --value minutes --edges 0,5,10,30,60 --epsilon 2",
    f"histogram {TRIPS} --value minutes --low 0 --high 60 --bins 12 --epsilon 2 --empty-at-most 0.05",
    f"histogram {RATINGS} --edges 1,2,3,4,5 --epsilon 4 {DEPARTMENTS}",
    f"histogram {TRIPS} --value minutes --bins 4 --epsilon 4 --find-range 0.3",
    f"quantiles {TRIPS} --value minutes --low 0 --high 60 --epsilon 2 --q 0.1,0.5,0.9",
    f"quantiles {TRIPS} --value minutes --low 0 --high 60 --epsilon 8 --method adaptive",
    f"quantiles {RATINGS} {STARS} --step 1 --epsilon 1",
    f"quantiles {RATINGS} {STARS} --step 1 --epsilon 4 {DEPARTMENTS}",
    f"quantiles {TRIPS} --value minutes --epsilon 4 --find-range 0.3",
    f"cdf {TRIPS} --value minutes --low 0 --high 60 --epsilon 2 --points 15,30,45",
    f"cdf {TRIPS} --value minutes --low 0 --high 60 --epsilon 4 --count 5 --method adaptive",
    f"cdf {RATINGS} {STARS} --step 1 --epsilon 1",
    f"vector {WALKS} --value x,y,z --ball l2 --radius 2 --epsilon 2",
    f"vector {WALKS} --value x,y --low -1 --high 1,2 --epsilon 4 --method one-round",
    f"vector {WALKS} --value x,y --low -1 --high 1 --epsilon 8 --method paper",
    "sparse likes.csv --user reader --value 'tag_*' --sparsity 2 --epsilon 4",
    "sparse likes.csv --user reader --value 'tag_*' --sparsity 1 --epsilon 4 --method paper",
    f"density {TRIPS} --value hour --low 0 --high 24 --epsilon 2",
    f"density {TRIPS} --value hour --low 0 --high 24 --epsilon 4 --method adaptive --smoothness 2",
    f"density {TRIPS} --value hour --low 0 --high 24 --epsilon 4 --method paper",
    f"mixture {TRIPS} --value euros --components 2 --low 0 --high 20 --epsilon 4 --observations 400",
    f"cover {WALKS} --value x,y --centres stations.csv --epsilon 2",
    f"cover {WALKS} --value x,y --centres stations.csv --metric linf --epsilon 4 --method unary",
    f"range {TRIPS} --value minutes --epsilon 2",
    f"range {TRIPS} --value euros --of observations --epsilon 4",
    f"groups {RATINGS} {DEPARTMENTS} {STARS} --epsilon 2",
    f"groups {RATINGS} {DEPARTMENTS} --of quantiles {STARS} --step 1 --epsilon 4 --memberships 2",
    f"several {TRIPS} --epsilon 4 {ASKS}",
    f"several {TRIPS} --epsilon 4 {ASKS} --split budget",
    f"several {TRIPS} --epsilon 4 {MIXED}",
    f"--plan mean.toml {RATINGS}",
    f"--plan vector.toml {WALKS} --value x,y",
    f"--plan quantiles.toml {TRIPS} --value minutes",
]
PLANS = [
    f"mean {STARS} --epsilon 1 --observations 100 --halfwidth 0.05",
    f"mean {STARS} --epsilon 1 --users 3000 --observations 100",
    f"mean {STARS} --epsilon 1 --users 3000 --halfwidth 0.05",
    f"mean {STARS} --users 3000 --observations 100 --halfwidth 0.05",
    f"mean {STARS} --epsilon 20 --users 3000 --observations 100",
    "mean --low 0 --high 120 --users 20000 --observations 50 --halfwidth 2 --within 15 --spread 8",
    f"mean {STARS} --epsilon 1 --users 3000 --observations 100 --empty-at-most 0.05 --method one-round",
    "histogram --categories bus,train,car,bicycle --epsilon 1 --observations 100 --halfwidth 0.02",
    "histogram --low 0 --high 60 --bins 12 --epsilon 2 --observations 50 --users 20000",
    "quantiles --low 0 --high 120 --epsilon 2 --observations 50 --halfwidth 2",
    "quantiles --low 0 --high 120 --epsilon 2 --observations 50 --users 5000 --q 0.25,0.5,0.75 --within 15 --spread 5",
    "cdf --low 0 --high 120 --epsilon 2 --observations 50 --users 6000 --points 15,30,60",
    "vector --dimension 8 --radius 1 --epsilon 4 --observations 100 --users 6000",
    "vector --dimension 2 --low 0 --high 100,10 --epsilon 2 --users 5000 --observations 30",
    "sparse --dimension 64 --sparsity 4 --epsilon 4 --users 4000 --observations 200",
    "density --low 0 --high 24 --epsilon 2 --users 4000 --observations 50",
    "mixture --components 2 --low 0 --high 1 --epsilon 4 --observations 500 --users 6000",
    "cover --centres stations.csv --epsilon 2 --users 3000",
    "range --users 2000 --epsilon 1",
    "range --epsilon 1 --halfwidth 0.05",
    f"groups --groups arts,law,science --memberships 2 {STARS} --epsilon 2 --observations 10 --halfwidth 0.2",
    'several --users 5000 --epsilon 2 --ask "delay: mean low=0 high=60 observations=20" '
    '--ask "fare: mean low=0 high=20 observations=20"',
]
SIMULATIONS = [
    f"mean --users 300 --observations 5 {STARS} --epsilon 1",
    f"mean --users 200 --observations 20 {STARS} --epsilon 2 --method all --distribution beta:2,5",
    f"mean {RATINGS} {STARS} --epsilon 1",
    "histogram --users 300 --observations 10 --categories bus,train,car --epsilon 2",
    "quantiles --users 300 --observations 10 --low 0 --high 1 --epsilon 2 --q 0.1,0.5,0.9",
    "cdf --users 300 --observations 10 --low 0 --high 1 --epsilon 2 --count 3",
    "vector --users 300 --observations 5 --dimension 3 --radius 1 --epsilon 4",
    "sparse --users 400 --observations 20 --dimension 12 --true-sparsity 2 --sparsity 2 --epsilon 4",
    "density --users 300 --observations 10 --low 0 --high 1 --epsilon 2 --method one-round",
    "mixture --users 600 --observations 500 --components 2 --low 0 --high 1 --epsilon 4",
    "cover --users 300 --centres stations.csv --epsilon 2",
    "range --users 500 --epsilon 1 --shape lognormal --scale 1e5",
    f"groups --users 600 --observations 10 --groups arts,law {STARS} --epsilon 2",
    "--plan mean.toml",
]
COMPARISONS = [
    f"mean --users 200 --observations 20 {STARS} --epsilon 1 4",
    f"mean {RATINGS} {STARS} --epsilon 2 --methods one-round,semi-user",
    "histogram --users 300 --observations 10 --categories bus,train,car --epsilon 2",
    "quantiles --users 300 --observations 10 --low 0 --high 1 --epsilon 2 --methods one-round,tree",
    "vector --users 300 --observations 5 --dimension 3 --radius 1 --epsilon 4 --methods one-round,duchi",
    "density --users 300 --observations 5 --low 0 --high 24 --epsilon 2 --methods one-round,item-density",
]
EXPLAINED = {
    "mean": f"{STARS} --observations 23",
    "histogram": "--categories bus,train,car --observations 10",
    "quantiles": "--low 0 --high 60 --observations 10",
    "cdf": "--low 0 --high 60 --observations 10 --count 3",
    "vector": "--dimension 2 --radius 1 --observations 10",
    "sparse": "--dimension 6 --sparsity 2 --observations 400",
    "density": "--low 0 --high 24 --observations 10",
    "mixture": "--components 2 --low 0 --high 1 --observations 900",
    "cover": "--centres stations.csv",
    "range": "--largest 1000",
    "groups": f"--groups arts,law --memberships 1 {STARS} --observations 10",
}
EXPLANATIONS = [
    *(f"mean {STARS} --epsilon 1 --users 2972 --observations 23 --collection {held}" for held in ("3,4,5", '""')),
    "mean --low 0 --high 1 --epsilon 2 --users 5000 --observations 2000 --method paper --round 1",
    f"mean {STARS} --epsilon 1 --users 2972 --observations 23 --method full-item",
    "vector --dimension 2 --epsilon 1 --users 90 --observations 3 --collection 0.1,0.2;0.3,0.4",
    "histogram --categories a,b --epsilon 1 --users 100 --observations 3 --collection a,a,b",
    f"mean {STARS} --epsilon 1 --users 2972 --observations 23 --collection 3 --cap 0.5",
    f"mean {STARS} --epsilon 1 --users 2972 --observations 23 --method one-round --round 3",
]
LOOKS = [
    "ratings.csv",
    "trips.csv --user card",
    "walks.csv",
    "likes.csv",
    "messy.csv",
    "messy.csv --user who",
    "none.csv",
]
WRONG = [
    "guess",
    "estimate",
    f"estimate mean {RATINGS} {STARS}",
    f"estimate mean {RATINGS} {STARS} --epsilon 40",
    f"estimate mean {RATINGS} {STARS} --epsilon 1 --lwo 1",
    f"estimate mean {RATINGS} --low 5 --high 1 --epsilon 1",
    f"estimate mean {RATINGS} --epsilon 1",
    "estimate mean ratings.csv --user student --value wat --low 1 --high 5 --epsilon 1",
    f"estimate mean none.csv --user student --value rating {STARS} --epsilon 1",
    "estimate mean messy.csv --user who --value what --low 0 --high 10 --epsilon 1",
    f"estimate mean {RATINGS} {STARS} --epsilon 1 --method best",
    f"estimate cdf {RATINGS} {STARS} --epsilon 1 --by department",
    f"estimate histogram {TRIPS} --value mode --categories bus,train --epsilon 1",
    f"estimate vector {WALKS} --value x,y --epsilon 1 --radius -1",
    f"plan mean {STARS} --epsilon 1 --halfwidth 0.1",
    f"plan mean {STARS} --epsilon 1 --users 100 --halfwidth 0.001 --method one-round",
    "plan mixture --low 0 --high 1 --components 2 --users 9000 --epsilon 2 --observations 500 --method one-round",
    "simulate --plan none.toml",
    "simulate --plan vector.toml",
    "verify none.json",
    "tally nowhere",
    "ledger --ledger none.db",
]
TRANSCRIPTS = {
    "done": "collector, done",
    "groups": "collector, done in groups",
    "open": "collector, done, dealt on arrival, open access",
    "running": "collector, running, round 2",
    "few": "collector, abandoned, too few answered",
    "silent": "collector, abandoned, a silent group",
    "unasked": "collector, abandoned, too few to ask",
    "late": "collector, abandoned, no time left",
    "histogram": "histogram adaptive-labels at 4",
    "quantiles": "quantiles adaptive at 4",
    "vector": "vector paper-l2 at 4",
    "density": "density adaptive at 4",
    "mixture": "mixture paper at 4",
    "cover": "cover subset at 4",
}
"""Of ``tests/compat``, by the name of their file here."""
VERIFIED = [
    *(f"verify {name}.json" for name in TRANSCRIPTS),
    "verify changed.json",
    "verify done.json --ledger ledger.db",
    f"verify done.json --survey {'0' * 64}",
]
LEDGERS = ["ledger --ledger ledger.db", "ledger --ledger ledger.db --cap 8"]
TALLIED = ["tally exported", "estimate --from-tally exported", "tally exported/round-1"]
HELP = ["--help", "estimate mean --help", "plan mean --help", "explain --help", "help compare"]


def _explained() -> Iterator[str]:
    """Every method of every problem: its first question."""
    from sottovoce.problems import problems

    for problem in problems():
        for method in problem.method_names:
            more = "--proof-constant 1" if method == "theory" and problem.name != "mixture" else ""
            more = "--delta 0.2" if method == "theory" and problem.name == "mixture" else more
            yield f"{problem.name} {EXPLAINED[problem.name]} --epsilon 2 --users 900 --method {method} {more}".strip()


SEEDED = "--seed 7"
FEW = "--repetitions 3 --seed 7"
LINES: dict[str, list[str]] = {
    "estimate": [f"estimate {words} {SEEDED}" for words in ESTIMATES],
    "plan": [f"plan {words}" for words in PLANS],
    "simulate": [f"simulate {words} {FEW}" for words in SIMULATIONS],
    "compare": [f"compare {words} {FEW}" for words in COMPARISONS],
    "explain": [f"explain {words}" for words in (*_explained(), *EXPLANATIONS)],
    "look": [f"look {words}" for words in LOOKS],
    "verify": VERIFIED,
    "ledger": LEDGERS,
    "tally": TALLIED,
    "wrong": WRONG,
    "help": HELP,
}
PAGES = [
    *(f"{line} --html {PAGE}" for line in LINES["estimate"]),
    *(f"{line} --html {PAGE}" for line in LINES["plan"]),
    *(f"{line} --html {PAGE}" for line in LINES["simulate"][:4]),
    *(f"{line} --html {PAGE}" for line in LINES["compare"][:2]),
    *(f"{line} --html {PAGE}" for line in LINES["verify"][::3]),
]
"""The page is kept, and not what is printed beside it."""
DOCUMENTS = [
    f"{line} --json"
    for what in ("estimate", "plan", "simulate", "compare", "explain", "look", "verify", "ledger", "wrong")
    for line in LINES[what]
    if "--collection" not in line and not line.startswith("guess")
]
"""For reading: nobody compares them, since their format is about to change."""


@contextmanager
def folder() -> Iterator[Path]:
    """A folder with all the files, where commands run; ends as it began."""
    before = Path.cwd()
    with TemporaryDirectory() as made:
        place = Path(made)
        _write(place)
        home = {"COLUMNS": "100", "TZ": "UTC", "XDG_DATA_HOME": "share", "NO_COLOR": "1"}
        try:
            os.chdir(place)
            with mock.patch.dict(os.environ, home):
                yield place
        finally:
            os.chdir(before)


def said(line: str) -> dict[str, Any]:
    """What a command prints, where `folder` is open, and its exit code; of a page, its text."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(shlex.split(line))
    if f"--html {PAGE}" in line:
        page = Path(PAGE)
        text = _as_if_identical(HIDDEN.sub("", page.read_text(encoding="utf-8"))) if page.exists() else ""
        page.unlink(missing_ok=True)
        return {"exit": code, "page": text}
    printed = SENT.sub("", out.getvalue()) if line.startswith("explain") else out.getvalue()
    printed = SECONDS.sub("_", printed) if line.startswith("tally") else printed
    if line.startswith("verify"):
        printed = _as_if_identical(printed)
    return {"exit": code, "out": printed} | ({"err": err.getvalue()} if code else {})


def _as_if_identical(text: str) -> str:
    """A verdict as if this processor rounded as the one that wrote the transcript."""
    text = ROUNDED.sub("", unwrapped(text))
    return re.sub("^equal up to rounding|(?<=<dd>)equal up to rounding", "identical", text, flags=re.MULTILINE)


def unwrapped(text: str) -> str:
    """The lines of a verdict as if the terminal were wide: where they break depends on what it says of rounding."""
    return re.sub(r"\n  (?=\S)", " ", text)


def _write(place: Path) -> None:
    """Files of some hundred users, the same everywhere."""
    stream = np.random.Generator(np.random.PCG64(20))
    rows = ["student,rating,department"]
    for student in range(600):
        for _ in range(student % 7):
            department = ("arts", "law", "science")[(student + int(stream.integers(0, 2))) % 3]
            rows.append(f"s{student},{1 + int(5 * stream.random() ** 0.7)},{department}")
    _save(place / "ratings.csv", rows)
    rows = ["card,minutes,mode,hour,euros"]
    for card in range(500):
        kind = 4 + 9 * (card % 2)
        for _ in range(8):
            minutes, hour = 60 * stream.random() ** 2, 24 * (0.3 + 0.4 * stream.random())
            mode = ("bus", "train", "car", "train")[int(stream.integers(0, 4))]
            rows.append(f"c{card},{minutes:.1f},{mode},{hour:.2f},{kind + stream.random():.2f}")
    _save(place / "trips.csv", rows)
    rows = ["phone,x,y,z"]
    for phone in range(400):
        own = np.array([0.3, -0.2, 0.1]) + 0.4 * (stream.random((5, 3)) - 0.5)
        rows += [f"p{phone},{x:.4f},{y:.4f},{z:.4f}" for x, y, z in own]
    _save(place / "walks.csv", rows)
    rows = ["reader," + ",".join(f"tag_{tag}" for tag in range(12))]
    for reader in range(400):
        liked = (stream.random((3, 12)) < np.where(np.arange(12) == 4, 0.9, 0.02)).astype(int)
        rows += [f"r{reader}," + ",".join(map(str, row)) for row in liked]
    _save(place / "likes.csv", rows)
    _save(place / "stations.csv", ["name,x,y", "north,0,0.8", "south,0.1,-0.7", "east,0.4,-0.1", "west,-0.6,0"])
    odd = ["1.5", "", "n/a", "lots", "7,5", "9"]
    _save(
        place / "messy.csv",
        ["who,what,when", *(f"u{row % 9},{odd[row % 6]},2024-0{1 + row % 9}-11" for row in range(60))],
    )
    _unpack(place)
    sv.plan(low=1, high=5, epsilon=2.0, users=500, observations=4).save(place / "mean.toml")
    sv.plan(problem="vector", dimension=2, radius=1.0, epsilon=4.0, users=400, observations=5).save(
        place / "vector.toml"
    )
    sv.plan(problem="quantiles", low=0, high=60, epsilon=2.0, users=500, observations=8).save(place / "quantiles.toml")


def _unpack(place: Path) -> None:
    """What a collector and a device wrote, and one survey of it as columns."""
    with ZipFile(WRITTEN / "transcripts.zip") as file:
        for name, member in TRANSCRIPTS.items():
            (place / f"{name}.json").write_bytes(file.read(f"{member}.json"))
    changed = json.loads((place / "done.json").read_bytes())
    changed["answer"] = changed["answer"].replace('"method": "adaptive"', '"method": "paper"')
    (place / "changed.json").write_bytes(canonical.dumps(changed))
    for name in ("store.db", "ledger.db"):
        (place / name).write_bytes(lzma.decompress((WRITTEN / f"{name}.xz").read_bytes()))
    survey = json.loads((WRITTEN / "surveys.json").read_text(encoding="utf-8"))["done"]
    with redirect_stdout(io.StringIO()):
        main(["survey", "export", survey, "--out", str(place / "exported"), "--store", f"sqlite:{place / 'store.db'}"])


def _save(path: Path, rows: list[str]) -> None:
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
