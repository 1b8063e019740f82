"""`docs/billion.md`: what a billion users would take, from the rates that were measured."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.scale.crew import ROOT
from benchmarks.scale.figures import Run

PAGE = ROOT / "docs" / "billion.md"
USERS = 10**9
HOUR, DAY = 3600.0, 86_400.0
DEADLINES = {"a minute": 60.0, "an hour": HOUR, "a day": DAY, "a week": 7 * DAY}
UNKNOWN = "not measured"


@dataclass(frozen=True)
class Kind:
    """A kind of report, its payload in bytes, and the names of its own rates."""

    name: str
    payload: int
    device: str
    made: str
    added: str
    beyond: str


KINDS = (
    Kind("one byte", 1, "device/mean", "", "reports/tally", "columns/1/bytes"),
    Kind("64 bits", 8, "device/unary", "client/64/fast", "", "columns/1024/bytes"),
    Kind("1,024 bits", 128, "", "client/1024/fast", "columns/1024", "columns/1024/bytes"),
)


def size(count: float) -> str:
    for unit, least in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= least:
            return f"{count / least:.3g} {unit}"
    return f"{count:.0f} bytes"


def hours(rates: dict[str, float], key: str) -> str:
    """CPU hours for all users at this rate."""
    if key not in rates:
        return UNKNOWN
    spent = USERS * rates[key] / HOUR
    return f"{spent:,.0f}" if spent >= 10 else f"{spent:.2g}"


def cores(rates: dict[str, float], key: str, seconds: float) -> str:
    """Cores that are busy all the time until a deadline, one at least."""
    return f"{max(1, -(-USERS * rates[key] // seconds)):,.0f}" if key in rates else UNKNOWN


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ("---",) * len(head), *rows))


def _bytes(rates: dict[str, float]) -> str:
    rows = []
    for kind in KINDS:
        sent = (
            size(USERS * (rates[key] + 2 * (kind.payload - 1))) if key in rates else UNKNOWN
            for key in ("collector/single/bytes", "collector/batch/bytes")
        )
        beyond = rates.get(kind.beyond)
        kept = UNKNOWN if beyond is None else size(USERS * (kind.payload + beyond))
        told = UNKNOWN if beyond is None else f"{beyond:.2f} bytes"
        rows.append((kind.name, str(kind.payload), *sent, kept, told))
    head = (
        "report",
        "payload, bytes",
        "sent, one a request",
        "sent, batches of 100",
        "kept as Parquet",
        "beyond payload",
    )
    return table(head, rows)


def _hours(rates: dict[str, float], count: dict[str, str]) -> str:
    rows = [
        ("all devices together, each for itself", *(hours(rates, kind.device) for kind in KINDS), "one at a time"),
        ("gateways (`device/bulk`)", *(hours(rates, kind.made) for kind in KINDS), f"{count['client']} users"),
        ("collector, one report a request", hours(rates, "collector/single"), "", "", "some 10,000"),
        ("collector, batches of 100", hours(rates, "collector/batch"), "", "", "some 100,000"),
        (
            "tally of Parquet (`sotto tally`)",
            *(hours(rates, kind.added) for kind in KINDS),
            f"{count['reports']}; {count['columns']}",
        ),
    ]
    return table(("CPU hours", *(kind.name for kind in KINDS), "measured on, reports"), rows)


def _cores(rates: dict[str, float]) -> str:
    keys = ("collector/single", "collector/batch", "reports/tally")
    rows = [(words, *(cores(rates, key, seconds) for key in keys)) for words, seconds in DEADLINES.items()]
    return table(("within", "collector, one report a request", "collector, batches", "tally, one byte"), rows)


def markdown(run: Run) -> str:
    """The whole page."""
    rates = run.rates
    count = {
        name: f"{rates[f'{name}/count']:,.0f}" if f"{name}/count" in rates else "no"
        for name in ("client", "columns", "reports")
    }
    slope = next((one.value for one in run.figures if one.key == "reports/exponent/low"), None)
    memory = rates.get("reports/megabytes")
    grown = "" if slope is None else f", where its time grows by the power {slope:.2f} of their number"
    taken = "" if memory is None else f" One process took {memory:,.0f} MB for {count['reports']} reports."
    return f"""\
# A billion users

Made by `make bench` from the rates in `benchmarks/scale/figures.json` (commit {run.versions["commit"]};
{run.versions["machine"]}). Not to be edited. Nobody has run a survey of a billion users with this: these are rates that
were measured on fewer reports, multiplied. The last section says how far.

## Bytes
{_bytes(rates)}
A report is sent as JSON in a request of its own, or a hundred in one; headers are those of the benchmark's client,
without TLS. They were measured with a payload of one byte, longer ones are counted by their hexadecimal digits. In
Parquet a report is its payload and its slot. A collector that keeps reports until a round is closed needs several times
that in its database.

## CPU hours
{_hours(rates, count)}
A device's time is without parsing the question and without the ledger's write. The collector was measured on SQLite
with payloads of one byte, and has no figure for longer ones: they add bytes to read and to write.

## How many cores
{_cores(rates)}
Busy from the first second to the last: take twice as many for the evening and for a machine that fails. A collector
that is asked more than it can store says so (429), and devices come again later. A tally is a sum: files are divided
among processes, on one machine or on many with Spark, and the parts are added, to the same bits.{taken}

## What breaks first
1. *One store.* A survey's reports go into one SQLite file or one PostgreSQL. That is the first limit, in CPU time above
   and in what a disk can write. Beyond it a survey is divided into several, each with users and a collector of its own,
   whose answers are then averaged; no part of the software does that today.
2. *Who has answered.* That a slot counts once is checked with a bit for each slot: {size(USERS / 8)} for a billion, in
   whoever merges, and in each process that is given all slots.
3. *Slots.* In columns a slot is a `uint32`: 2^32 = {2**32:,} users a survey at most. More need another version of the
   format.
4. *Sums.* Cells are 64-bit integers, and Python's own where squares of Laplace reports outgrow them. A billion users
   are far from it.

What decides after the tally does not know how many users there were.

## What was extrapolated
All of it, to 10⁹. The tally was measured up to {count["reports"]} reports{grown};
gateways on {count["client"]} users, columns of 1,024 bits on {count["columns"]} reports, a collector for some seconds
with the load on the same machine. Networks, disks shared by a cluster, retries, and people who never answer are not in
it.
"""


def write(run: Run) -> None:
    PAGE.write_text(markdown(run), encoding="utf-8")
