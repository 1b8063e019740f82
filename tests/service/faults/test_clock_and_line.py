"""The collector's clock jumps by a day, and acknowledgements get lost on the way.

It counts as failure: an acknowledged report that is gone, a closed round that opens again or changes, a second report
of one device, a round that closes without saying why, a request that is answered with 5xx.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sottovoce.client import Device, Https, Outbox, Reply, Unreachable
from sottovoce.device import Ledger
from sottovoce.engines import verify
from sottovoce.messages import Transcript
from sottovoce.problems.mean import Mean
from tests.service.web import START, Clock, manifest_of, serving

DAY = 86_400


class LossyLine:
    """Hands every request on; of reports, the first `lost` replies get lost."""

    def __init__(self, lost: int) -> None:
        self.lost, self.bodies = lost, []
        self._line = Https()

    def request(self, method: str, url: str, *, body: bytes | None = None, **more: Any) -> Reply:
        reply = self._line.request(method, url, body=body, **more)
        if url.endswith("/reports"):
            self.bodies.append(body)
            if len(self.bodies) <= self.lost:
                raise Unreachable("the reply got lost")
        return reply


def test_an_acknowledgement_lost_ten_times_leaves_one_report(tmp_path: Path) -> None:
    with serving(tmp_path) as web, Ledger(":memory:", cap=1.0) as ledger:
        survey = web.create()
        (url,) = web.collector.invite(survey, count=1, base=web.running.url)
        line = LossyLine(lost=10)
        device = Device(ledger=ledger, source="x", transport=line, clock=web.clock, sleep=lambda _: None)
        outcome = device.answer(url, [3, 4], patience_seconds=3600)
        assert (outcome.state, outcome.code) == ("answered", "same")
        assert len(line.bodies) == 11 and len(set(line.bodies)) == 1
        assert web.store.count(web.store.rounds(survey)[0].key) == 1
        assert len(Outbox(ledger).history()) == 1


@pytest.mark.parametrize("jump", [-DAY, DAY])
def test_a_clock_that_jumps_loses_nothing_and_reopens_nothing(tmp_path: Path, jump: int) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as web:
        settings = Mean(epsilon=2.0, low=1, high=5, users=60, observations=20, method="adaptive", rounds=2)
        manifest = manifest_of(settings, closes=START + 10 * DAY, round_seconds=3600)
        survey = web.create(manifest)
        assert {web.post(survey, slot).status for slot in range(12)} == {201}
        clock.now += jump
        web.collector.tick()
        row = web.store.rounds(survey)[0]
        assert web.store.count(row.key) == 12
        if jump > 0:  # its hour is over, and it says so
            assert (row.because, row.answered) == ("deadline", 12)
        else:
            assert row.closed is None
            assert web.post(survey, 12).status == 425, "before it opens nothing is taken"
        clock.now -= jump
        web.collector.tick()
        if jump < 0:
            closed = web.ask("POST", f"/surveys/{survey}/rounds/0/close", token=web.tokens[survey])
            assert closed.status == 200
        again = web.store.rounds(survey)
        assert again[0].answered == 12 and len(again) == 2
        assert web.store.count(again[0].key) == 12
        transcript = Transcript.from_bytes(web.collector.transcript(survey))
        assert verify(transcript, survey=survey).ok
