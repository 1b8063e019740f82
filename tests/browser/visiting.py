"""What tests of the client in a browser share: a scripted collector's survey, and steps of a device in a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.browser.devices import Pages, run
from tests.service.scripted import CAPABILITY, Answer, Collector, first_question, mean_manifest

MANIFEST = mean_manifest(closes=10_000)
QUESTION = first_question(MANIFEST).to_bytes()
LOAD = """
Object.assign(globalThis, { now: 1000, slept: [] });
globalThis.open = async (more = {}) => {
  const { Device } = await import("/web/client/device.js");
  const sleep = async (seconds) => { slept.push(seconds); now += seconds; };
  globalThis.device = await Device.open({
    cap: 4, source: "r", spreadSeconds: 0, clock: () => now, sleep, ...more });
};
globalThis.step = async (name, ...all) => {
  if (!globalThis.device) await open();
  const { manifest, asked, ...told } = await device[name](...all);
  return { ...told, manifest: Boolean(manifest), asked: asked && asked.epsilon };
};
"""
SHORT = {"patienceSeconds": 0}


def step(page: Any, name: str, collector: Collector, *more: Any) -> Any:
    return run(page, "return step(...told);", [name, collector.url, *more])


def answer(page: Any, collector: Collector, held: Any = (3, 4), patience: float = 3600.0) -> Any:
    return step(page, "answer", collector, list(held), {"patienceSeconds": patience})


def clear(tabs: Pages, page: Any) -> None:
    """As a person does in the browser's settings; the page is then opened again."""
    session = tabs.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": tabs.base, "storageTypes": "all"})
    page.reload()


def paths(collector: Collector) -> list[str]:
    return [path for _, path in collector.seen]


def seat(used: bool, *, yours: bool) -> Answer:
    """The reply to an enrolment."""
    said = {"survey": MANIFEST.digest, "slot": 3, "capability": CAPABILITY, "before": used, "yours": yours}
    return (200 if used else 201), json.dumps(said).encode(), {}


def remembers(
    collector: Collector, *, instead: dict[int, Answer | str] | None = None
) -> Callable[[str, str, int], Answer | str | None]:
    """A script for a collector that remembers who enrolled. `instead`: what becomes of some replies to enrolments."""

    def script(method: str, path: str, number: int) -> Answer | str | None:
        if path != "/enrol":
            return None
        mine = collector.visits[0] == collector.visits[-1]
        return (instead or {}).get(number) or seat(number > 1, yours=mine)

    return script
