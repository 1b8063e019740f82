"""A real survey over HTTP on this machine: devices report how long their app was open, and nobody learns of anyone.

Every device holds the minutes of each day of its last month. A collector is started on loopback; each device looks at
what the survey announces, answers once, and keeps its own ledger. One in ten is switched off and never answers, so the
round is closed by hand, with a reason that is published. Then somebody who trusts neither the collector nor this script
fetches the transcript and replays it.

    python examples/telemetry_survey.py
    python examples/telemetry_survey.py --devices 1000 --epsilon 2

Needs the extra "service": pip install "sottovoce[service]".
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

import numpy as np

import sottovoce as sv
from sottovoce.messages import Manifest, Transcript
from sottovoce.problems import announce, read
from sottovoce.service import Collector, open_store, running

DAYS = 30
MOST = 240.0
"""Minutes: what is declared beforehand. Averages beyond are clamped, on the device."""


def telemetry(devices: int) -> list[np.ndarray]:
    """Minutes a day, made up: some people hardly open the app, some live in it; days are missing."""
    random = np.random.default_rng(30)
    habit = random.gamma(3.0, 20.0, size=devices)
    return [random.exponential(each, size=random.integers(1, DAYS + 1)) for each in habit]


def announced(devices: int, epsilon: float) -> Manifest:
    """What the survey promises, before anybody is asked; its digest is the survey's id."""
    now = int(time.time())
    settings = sv.Mean(epsilon=epsilon, low=0, high=MOST, users=devices, observations=DAYS, method="one-round")
    return announce(
        settings,
        purpose="how long the app is open on a day",
        collector="the makers of the app",
        software=f"sottovoce {sv.__version__}",
        columns=("minutes",),
        opens=now,
        closes=now + 3600,
        retention_days=0,
    )


def answered(invitation: str, minutes: np.ndarray, *, cap: float) -> sv.Outcome:
    """One device. A real one keeps its ledger in a file, so that `cap` holds for as long as the device lives."""
    with sv.Ledger(":memory:", cap=cap) as ledger:
        return sv.Device(ledger=ledger, source="minutes a day").answer(invitation, minutes)


def fetched(survey: str) -> bytes:
    """The transcript, once the collector says that the survey is over; anybody may ask."""
    while True:
        with urlopen(f"{survey}/progress", timeout=30) as reply:
            if json.load(reply)["state"] != "open":
                break
        time.sleep(0.2)
    with urlopen(f"{survey}/transcript", timeout=30) as reply:
        return bytes(reply.read())


def survey(*, devices: int, epsilon: float, folder: Path) -> tuple[sv.Estimate, str]:
    """From the announcement to the answer and the verdict."""
    held, manifest = telemetry(devices), announced(devices, epsilon)
    with open_store(f"sqlite:{folder / 'surveys.db'}") as store:
        collector = Collector(store, clock=time.time)
        collector.create(manifest)
        with (folder / "log").open("w") as log, running(store, log=log) as served:
            invitations = collector.invite(manifest.digest, count=devices, base=served.url)
            switched_on = [(one, mine) for i, (one, mine) in enumerate(zip(invitations, held, strict=True)) if i % 10]
            outcomes = [answered(one, minutes, cap=epsilon) for one, minutes in switched_on]
            assert all(outcome.state == "answered" for outcome in outcomes), outcomes
            collector.close(manifest.digest, 0, reason="the others are switched off")
            transcript = Transcript.from_bytes(fetched(f"{served.url}/surveys/{manifest.digest}"))
    verdict = sv.verify(transcript, survey=manifest.digest)
    assert verdict.ok, verdict.headline
    return read(transcript.answer), verdict.headline


def main() -> None:
    """Run it, and show the answer next to what no collector would see."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--devices", type=int, default=400)
    parser.add_argument("--epsilon", type=float, default=2.0)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        answer, verdict = survey(devices=told.devices, epsilon=told.epsilon, folder=Path(folder))
    truth = float(np.mean([np.mean(minutes) for minutes in telemetry(told.devices)]))
    low, high = answer.interval
    print(f"average over devices: {answer.value:.0f} minutes a day, {low:.0f} to {high:.0f} with 95% confidence")
    print(f"truth, which nobody was told: {truth:.0f}")
    print(f"asked {told.devices}, answered {sum(answer.users_per_round)}; transcript: {verdict}")
    print(answer.privacy.statement)


if __name__ == "__main__":
    main()
