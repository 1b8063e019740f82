"""Every device in this process, many at once: a rehearsal that is private for real."""

from __future__ import annotations

from collections.abc import Callable

from sottovoce.device import Entropy, bulk
from sottovoce.engines.run import Ask
from sottovoce.engines.seats import People, Seats, shuffled
from sottovoce.messages import Batch, Question, Tally


def local(people: People, *, entropy: Entropy | None = None, keep: Callable[[Batch], None] | None = None) -> Ask:
    """An engine over raw collections, or over a file of them.

    `keep` sees every batch of reports, to store them. `entropy` is for tests that script it; whoever wants the
    operating system's words only, and has the time, hands in `SystemEntropy()`.

    Privacy
    -------
    Every report is made by the device's code for many users, with entropy for many (docs/decisions/0010).
    """
    source = bulk.BulkEntropy() if entropy is None else entropy
    seats = Seats(people, shuffled(people.users, source.words(4)))

    def ask(question: Question) -> Tally:
        asked, slots = seats.asked(question, source)
        tally = Tally.empty(question)
        for batch in bulk.respond_many(question, asked, slots, source):
            if keep is not None:
                keep(batch)
            tally += Tally.of(batch)
        return tally

    return ask
