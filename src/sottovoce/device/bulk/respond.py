"""Question, encode, privatise, reports: for many users at once."""

from __future__ import annotations

from collections.abc import Iterator

from sottovoce.device.bulk.entropy import BulkEntropy
from sottovoce.device.bulk.samplers import privatise
from sottovoce.device.encode import encode
from sottovoce.device.entropy import Entropy
from sottovoce.device.user_collections import Collections
from sottovoce.messages import Batch, Declined, Integers, Question

_MOST, _NUMBERS = 2**20, 2**22


def respond_many(
    question: Question, people: Collections, slots: Integers, entropy: Entropy | None = None
) -> Iterator[Batch]:
    """Answer for many users at once, in blocks: gateways and rehearsals. Same encoder, same thresholds, no ledgers.

    `entropy` is for tests and the audit, which script it. Whoever wants the operating system's words only, and has the
    time, hands in `SystemEntropy()`; everybody else leaves it alone.

    Privacy
    -------
    Each row is ``question.epsilon``-LDP in its user's whole collection, as from `device.respond`, against whoever
    cannot tell OpenSSL's generator from chance (docs/decisions/0010).
    """
    if not question.keeps_declared_epsilon():
        raise Declined("over-declared", f"survey {question.survey!r} declares less than its channel spends")
    source = BulkEntropy() if entropy is None else entropy
    held = 16 * people.values.size // max(1, people.users)  # observations are looked at several times over
    numbers = max(question.encoder.breadth, question.payload_bytes // 8, 4 * question.uses, held)
    for rows, part in people.blocks(min(_MOST, max(1, _NUMBERS // numbers))):
        inputs = encode(question, part, slots[rows], source)
        payloads = privatise(question.channel, inputs.ravel(), source)
        yield Batch.of_payloads(question, slots[rows], payloads.reshape(len(inputs), question.payload_bytes))
