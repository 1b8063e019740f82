"""`docs/billion.md`: what a billion users would take, from the rates that were measured."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.scale.crew import ROOT
from benchmarks.scale.figures import Run

PAGE = ROOT / "docs" / "billion.md"
USERS = 10**9
DAY = 86_400.0
SLOT_BYTES = 4
NO_RATE = "not measured"


@dataclass(frozen=True)
class Kind:
    """A kind of report: its payload, and which rates are its own."""

    name: str
    payload: int
    made: str
    added: str
    overhead: str


KINDS = (
    Kind("one bit", 1, "", "columns/1", "columns/1/bytes"),
    Kind("64 bits (unary, k = 64)", 8, "client/64/fast", "tally/64/fast", "columns/1024/bytes"),
    Kind("1,024 bits (unary, k = 1,024)", 128, "client/1024/fast", "columns/1024", "columns/1024/bytes"),
)


def hours(rates: dict[str, float], key: str, users: int = USERS) -> str:
    """CPU hours for all users at this rate."""
    if key not in rates:
        return NO_RATE
    spent = users * rates[key] / 3600
    return f"{spent:,.0f}" if spent >= 100 else f"{spent:.2g}"


def size(count: float) -> str:
    for unit, least in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= least:
            return f"{count / least:.3g} {unit}"
    return f"{count:.0f} bytes"


def cores(rates: dict[str, float], key: str, seconds: float, users: int = USERS) -> str:
    """Cores that are busy all the time until a deadline; at least one."""
    return f"{max(1, -(-users * rates[key] // seconds)):,.0f}" if key in rates else NO_RATE


def markdown(run: Run) -> str:
    rates = run.rates
    said = f"""\
# A billion users

Made by `make bench` from the rates in `benchmarks/scale/figures.json` (commit {run.versions["commit"]},
{run.versions["machine"]}). Not to be edited. Nobody has run a survey of a billion users with this: the figures below are
rates that were measured on fewer reports, multiplied. What each was measured on is said with it.

## Bytes
A report travels as JSON in a request of its own, or a hundred to a batch; it is stored as a row of a table at the
collector and as a row of Parquet once it is exported: {SLOT_BYTES} bytes of slot and the payload, before compression.

| report | payload | sent, one a request | sent, in batches of 100 | Parquet | measured beyond the payload |
|---|---|---|---|---|---|
"""
    for kind in KINDS:
        sent = [
            size(USERS * (rates[key] + 2 * (kind.payload - 1))) if key in rates else NO_RATE
            for key in ("collector/single/bytes", "collector/batch/bytes")
        ]
        beyond = rates.get(kind.overhead)
        parquet = NO_RATE if beyond is None else size(USERS * (kind.payload + beyond))
        told = NO_RATE if beyond is None else f"{beyond:.2f} bytes a report"
        said += f"| {kind.name} | {kind.payload} | {sent[0]} | {sent[1]} | {parquet} | {told} |\n"
    said += """
Sent is the request with its headers, as the benchmark's client writes them, TLS and TCP apart; measured on a report of
one byte, the longer ones by their hexadecimal digits.

## CPU hours
| what | one bit | 64 bits | 1,024 bits | measured on |
|---|---|---|---|---|
"""
    single, batch = (hours(rates, f"collector/{key}") for key in ("single", "batch"))
    measured = {name: f"{count:,.0f}" for name, count in rates.items() if name.endswith("/count")}
    many = measured.get("reports/count", "some")
    client = measured.get("client/count", "some")
    stored = measured.get("columns/count", "some")
    said += "| all devices together, each its own | {} | {} | {} | single reports |\n".format(
        *(hours(rates, key) for key in ("device/mean", "device/unary", "")[:2]), NO_RATE
    )
    said += f"| gateways that answer for many (`device/bulk`) | {NO_RATE} | {hours(rates, KINDS[1].made)} | "
    said += f"{hours(rates, KINDS[2].made)} | {client} users |\n"
    said += f"| collector, one report a request | {single} | about the same | about the same | tens of thousands |\n"
    said += f"| collector, batches of 100 | {batch} | about the same | about the same | hundreds of thousands |\n"
    said += f"| tally of Parquet files (`sotto tally --engine local`) | {hours(rates, 'reports/tally')} | "
    said += f"{NO_RATE} | {hours(rates, 'columns/1024')} | {many}; {stored} |\n"
    said += """
The collector was measured with reports of one byte on SQLite; longer payloads add bytes to read and store, which was not
measured. A device's own time is parsing and the ledger's write apart.

## How many machines
Cores that are busy from the first minute to the last. Twice as many leave room for the evening peak and for a machine
that fails; answers that come all at once need more, and are told to come later (429).

| deadline | collectors, one report a request | collectors, batches | tally, one bit |
|---|---|---|---|
"""
    for words, seconds in (("a minute", 60.0), ("an hour", 3600.0), ("a day", DAY), ("a week", 7 * DAY)):
        row = (cores(rates, key, seconds) for key in ("collector/single", "collector/batch", "reports/tally"))
        said += f"| {words} | {' | '.join(row)} |\n"
    peak = rates.get("reports/megabytes")
    said += f"""
A tally is a sum: files are split over as many cores, on one machine or on [Spark](spark.md), and the parts are added,
to the same bits. {"" if peak is None else f"One process took {peak:,.0f} MB for {many} reports."}

## What breaks first
1. **One store.** A collector's rounds live in one SQLite file or one PostgreSQL. Above, its CPU time is what a survey is
   short of; before that the database's writes are, on one disk. Several collectors, each with its own wave of slots, share
   nothing until their tallies are added; that there are several must be in the invitations.
2. **Who has answered.** That a slot counts once is checked with a bitmap of all slots of a question: {size(USERS / 8)} for a
   billion. It is held by whoever merges, not by each part.
3. **Slots.** In columns a slot is a `uint32`: 2^32 = 4,294,967,296 users a survey at most. Beyond that is another survey,
   or another version of the format.
4. **Sums.** Tallies are 64-bit integers, and Python's own where squares of Laplace reports outgrow them: a billion users
   are far from it.
5. **Deciding.** What happens after the tally does not know how many users there were: milliseconds.

## What was extrapolated
Everything that is multiplied by a billion. The tally was measured up to {many} reports, where its time grew by the power
{_exponent(run)} of their number with memory that stays the same; a billion is ten times further. The client was
measured on {client} users, a collector for seconds, on one machine, with the load on the same machine. Networks,
disks of a cluster, retries and people who never answer are not in it.
"""
    return said


def _exponent(run: Run) -> str:
    found = next((figure for figure in run.figures if figure.key == "reports/exponent/low"), None)
    return NO_RATE if found is None or found.value is None else f"{found.value:.2f}"


def write(run: Run) -> None:
    PAGE.write_text(markdown(run), encoding="utf-8")
