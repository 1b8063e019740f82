"""A real `sotto serve` for tests of pages, and what one needs to know of it: surveys, invitations, what was stored."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sottovoce.client import Device
from sottovoce.device import Ledger
from sottovoce.messages import Manifest
from sottovoce.problems import Settings, announce
from sottovoce.problems.histogram import Histogram
from sottovoce.problems.mean import Mean
from sottovoce.problems.vector import VectorMean
from sottovoce.service import Collector, Store, open_store
from tests.support.served import Served

MEAN = Mean(epsilon=1.0, low=1, high=5, users=40, observations=20, method="one-round")
WAYS = ("bus", "train", "bicycle", "car", "feet")
HISTOGRAM = Histogram(epsilon=1.0, users=40, observations=20, categories=WAYS, method="one-round")
VECTOR = VectorMean(epsilon=2.0, users=40, observations=20, dimension=3, ball="linf", radius=5.0, method="one-round")


@dataclass
class House:
    """A collector in a process of its own, and its store, which the tests write surveys into as the command does."""

    served: Served
    store: Store
    collector: Collector

    @property
    def url(self) -> str:
        return self.served.url

    def announce(self, settings: Settings = MEAN, **more: Any) -> Manifest:
        """A survey that is open now; `more` are fields of its manifest."""
        now = int(time.time())
        told = {"purpose": "how lectures are rated", "collector": "the students' union", "software": "test"}
        manifest = announce(settings, **{**told, "opens": now - 5, "closes": now + 86_400 * 10, "minimum": 1, **more})
        self.collector.create(manifest)
        return manifest

    def invite(self, manifest: Manifest) -> str:
        """One invitation."""
        return self.collector.invite(manifest.digest, count=1, base=self.url)[0]

    def reports(self, manifest: Manifest) -> int:
        """How many reports the last round has."""
        return self.store.count(self.collector.survey(manifest.digest, fresh=True).last.key)

    def others(self, manifest: Manifest, count: int, values: Any) -> None:
        """Other people answer, each with a device of Python's."""
        for invitation in self.collector.invite(manifest.digest, count=count, base=self.url):
            with Ledger(":memory:", cap=8.0) as ledger:
                outcome = Device(ledger=ledger, source="made up").answer(invitation, values)
                assert outcome.state == "answered", outcome

    def close(self, manifest: Manifest) -> None:
        """End the round that is open."""
        held = self.collector.survey(manifest.digest, fresh=True)
        self.collector.close(manifest.digest, held.last.number, because="hand", by="a test")


@contextmanager
def house(folder: Path) -> Iterator[House]:
    with open_store(f"sqlite:{folder / 'store.db'}") as store, Served(f"sqlite:{folder / 'store.db'}") as served:
        yield House(served=served, store=store, collector=Collector(store, clock=time.time))
