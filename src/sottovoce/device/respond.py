"""The only composition: question, encode, privatise, report."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from sottovoce.device.encode import encode
from sottovoce.device.entropy import Entropy
from sottovoce.device.ledger import Beside, Ledger
from sottovoce.device.privatise import privatise
from sottovoce.device.user_collections import Collections
from sottovoce.messages import Batch, Declined, Integers, InvalidInput, Malformed, Manifest, Question, canonical, exact

_BLOCK_CELLS = 2**22


def respond(
    question: bytes,
    observations: Collections,
    *,
    slot: int,
    digest: str,
    collector: str,
    source: str,
    ledger: Ledger,
    entropy: Entropy,
    manifest: Manifest | None = None,
    beside: Beside | None = None,
) -> bytes:
    """Answer a public question once; returns the bytes of the report. `beside` is for the ledger.

    Privacy
    -------
    The report is ε-LDP in *all* of `observations` together, where ε is recomputed here from the channel's integers;
    what the question claims, or its `manifest` did not announce, can only make the device decline. `ledger` caps the
    sum over surveys. Whether the device answers depends on question, manifest and ledger, never on the observations.
    A decline is for the device's own eyes: to a collector it must look like any other silence, since its code tells
    what the ledger holds.

    Accuracy
    --------
    None promised here: the protocol that asked knows what the tally is worth.

    Raises
    ------
    Declined
        With a code, never with an observed value; the ledger is then unchanged.
    """
    if observations.users != 1:
        raise InvalidInput(f"a device answers for one user; got the collections of {observations.users}")
    if type(slot) is not int:
        raise InvalidInput(f"slot must be a whole number, not {type(slot).__name__}")
    if canonical.digest(question) != digest:
        raise Declined("wrong-digest", "the question is not the one that was announced")
    try:
        asked = Question.from_bytes(question, digest=digest)
        cost = asked.epsilon_bound()
        asked.check_price(cost)
    except Malformed as error:
        raise Declined("malformed", str(error)) from error
    if manifest is not None and (why := manifest.departure(asked)) is not None:
        raise Declined("not-announced", f"survey {manifest.digest!r} did not announce this question: {why}")
    if slot not in asked.slots:
        raise Declined("not-asked", f"survey {asked.survey!r} round {asked.round} does not ask slot {slot}")
    if cost > exact(asked.epsilon):
        raise Declined("over-declared", f"survey {asked.survey!r} spends {float(cost):.17g}, not {asked.epsilon:g}")

    def make() -> bytes:
        batch = _answers(asked, observations, np.array([slot], dtype=np.int64), entropy)
        return batch.reports()[0].to_bytes()

    answer = partial(ledger.answer, collector=collector, survey=asked.survey, source=source, question=digest)
    return answer(epsilon=cost, make=make, slot=slot, beside=beside)


def respond_many(question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Iterator[Batch]:
    """Answer for many users at once: a rehearsal, in blocks. Same encoder, same thresholds, no ledgers.

    Privacy
    -------
    Each row is ``question.epsilon``-LDP in its user's whole collection, as from `respond`.
    """
    if not question.keeps_declared_epsilon():
        raise Declined("over-declared", f"survey {question.survey!r} declares less than its channel spends")
    channel, breadth = question.channel, question.encoder.breadth
    block = max(1, _BLOCK_CELLS // (question.uses * max(channel.cells, channel.width, breadth, 64)))
    for rows, part in people.blocks(block):
        yield _answers(question, part, slots[rows], entropy)


def _answers(question: Question, people: Collections, slots: Integers, entropy: Entropy) -> Batch:
    inputs = encode(question, people, slots, entropy)
    symbols = privatise(question.channel, inputs.ravel(), entropy)
    shape = (len(slots), question.uses, question.channel.width)
    return Batch(question=question, slots=slots, symbols=symbols.reshape(shape))
