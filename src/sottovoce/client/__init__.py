"""A device on the network: it reads an invitation, checks what it is asked, answers once, sends, and tries again."""

from __future__ import annotations

from sottovoce.client.device import Device
from sottovoce.client.outbox import Entry, Outbox
from sottovoce.client.transport import Https, Reply, Unreachable
from sottovoce.client.visit import Outcome

__all__ = ["Device", "Entry", "Https", "Outbox", "Outcome", "Reply", "Unreachable"]
