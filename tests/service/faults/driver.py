"""A collector's worker without HTTP: a real store, a real writer, and one line for whatever is acknowledged.

``driver.py URL FIRST COUNT [sessions=1] [together=32] [synchronous=FULL] [close=no]`` submits COUNT reports in each
session, slots counted from FIRST, so many at a time, and prints ``+ SLOT`` when the writer says that one is kept,
``- SLOT`` when it says that it is not; that one is tried again three times. A session opens the store anew;
``close=yes`` closes the open round after each and prints ``closed NUMBER ANSWERED TALLY``.

``driver.py -`` reads such arguments from standard input, a JSON list in each line, after the name of a file for what is
printed, and runs each line in a process of its own, which has everything loaded already. It prints that process's
number, and waits.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

from sottovoce.service.store import SqliteStore, Store, Unavailable, open_store
from sottovoce.service.writer import Writer
from tests.support.surveys import NOW, SURVEY, ask_again, begin, rows

TRIES = 4


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def opened(url: str, synchronous: str) -> Store:
    return SqliteStore(url[7:], synchronous=synchronous) if url.startswith("sqlite:") else open_store(url)


async def submit_all(store: Store, slots: range, together: int) -> None:
    writer = Writer(store, rows=together)
    writer.start()
    key = store.rounds(SURVEY)[-1].key
    left = iter(slots)

    async def device() -> None:
        for slot in left:
            for _ in range(TRIES):
                try:
                    await writer.submit(*rows(key, [slot]))
                    say("+", slot)
                    break
                except Unavailable:
                    say("-", slot)
                    await asyncio.sleep(0.005)

    await asyncio.gather(*[device() for _ in range(together)])
    await writer.stop()


def session(url: str, slots: range, told: dict[str, str]) -> None:
    with opened(url, told.get("synchronous", "FULL")) as store:
        if store.survey(SURVEY) is None:
            begin(store)
        asyncio.run(submit_all(store, slots, int(told.get("together", 32))))
        if told.get("close") == "yes":
            number = store.rounds(SURVEY)[-1].number
            row = store.close(SURVEY, number, because="hand", by="driver", now=NOW, settle=ask_again)
            say("closed", number, row.answered, row.tally.hex())


def run(arguments: list[str]) -> None:
    url, first, count = arguments[0], int(arguments[1]), int(arguments[2])
    told = dict(word.split("=", 1) for word in arguments[3:])
    for number in range(int(told.get("sessions", 1))):
        begins = first + number * count
        try:
            session(url, range(begins, begins + count), told)
        except Unavailable:
            say("stopped")  # the store cannot be opened or closed: a worker ends there, and is started again


def run_in_processes() -> None:
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        process = os.fork()
        if process == 0:
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 1)
            run(arguments)
            os._exit(0)
        say(process)
        os.waitpid(process, 0)


if __name__ == "__main__":
    run(sys.argv[1:]) if sys.argv[1] != "-" else run_in_processes()
