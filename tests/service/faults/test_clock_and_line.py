"""The collector's clock jumps by a day, and acknowledgements get lost on the way.

It counts as failure: an acknowledged report that is gone, a closed round that opens again or changes, a second report
of one device, a round that closes without saying why, a request that is answered with 5xx.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sottovoce.engines import verify
from sottovoce.messages import Transcript
from sottovoce.problems.mean import Mean
from tests.service.web import START, Clock, manifest_of, serving

DAY = 86_400


@pytest.mark.parametrize("jump", [-DAY, DAY])
def test_a_clock_that_jumps_loses_nothing_and_reopens_nothing(tmp_path: Path, jump: int) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as web:
        settings = Mean(epsilon=2.0, low=1, high=5, users=120, observations=20, method="adaptive", rounds=2)
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
