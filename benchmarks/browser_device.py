"""What one report costs in a browser: CPU of the page, as a multiple of the SHA-256 of 64 kB in the same page.

Every question that the surveys of the registry ask (the examples of each problem, and large ones up to 1,024 categories
and 1,024 columns), read beforehand: ε is computed again from the channel's integers and the report is made, with the
browser's own entropy; the ledger's write is not counted. The largest multiple may be 50. Reading a question and holding
it against its manifest is shown beside it, once for each question, and has no limit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import sottovoce as sv
from sottovoce.checks import made_up
from sottovoce.engines import simulate
from sottovoce.messages import Manifest, Question
from sottovoce.problems import announce, problems
from tests.support.browser import DESK, Browser
from tests.support.transcripts import transcript_of
from tests.web.files import WEB

LIMIT = 50.0
ADDRESS = "http://localhost:1"  # nobody listens there: the page comes from here
OBSERVATIONS = 20
"""Of the user, each of as many columns as the question looks at: whoever holds more has more to add up."""
REPETITIONS, SECONDS = 5, 0.05
"""Each lasts so long at least; the median counts."""
MOST = 1024
PAGE = '<!doctype html><html lang="en"><title>Costs</title></html>'
PREPARE = """async (cases) => {
  const load = (name) => import(`/device/${name}.js`);
  const [{ digest }, { collection }, { epsilonBound, checkPrice }, { answer, examine }, { readManifest },
    { SystemEntropy }] = await Promise.all(
      ["canonical", "collection", "question", "respond", "manifest", "entropy"].map(load));
  const bytes = (text) => new TextEncoder().encode(text);
  const block = crypto.getRandomValues(new Uint8Array(65536));
  const entropy = new SystemEntropy();
  window.kinds = { hash: [() => crypto.subtle.digest("SHA-256", block)], report: [], examined: [] };
  for (const { question: text, manifest, slot, rows, columns } of cases) {
    const data = bytes(text), announced = bytes(manifest);
    const survey = await digest(announced);
    const known = { slot, digest: await digest(data), manifest: readManifest(announced), survey };
    const { question } = await examine(data, known);
    const own = collection({ rows, columns, values: Float64Array.from({ length: rows * columns }, Math.random) });
    kinds.examined.push(() => examine(data, known));
    kinds.report.push(() => {
      checkPrice(question, epsilonBound(question));
      return answer(question, known.digest, own, slot, entropy);
    });
  }
}"""
REPEAT = """async ([kind, at, times]) => {
  const work = window.kinds[kind][at], begun = performance.now();
  for (let time = 0; time < times; time += 1) {
    const made = work();
    if (kind !== "report") await made;
  }
  return performance.now() - begun;
}"""


def surveys() -> Iterator[tuple[str, Any]]:
    for problem in problems():
        for example in problem.examples:
            yield f"{problem.name} {example.label}", problem.example_survey(example, epsilon=1.0)
    crowd: dict[str, Any] = {"epsilon": 1.0, "users": 20_000, "observations": 100}
    few: dict[str, Any] = {"users": 4_000, "observations": 2}  # of vectors: they are made up, and held
    for method in ("one-round", "adaptive"):
        bins = sv.Histogram(**crowd, low=0.0, high=1.0, bins=MOST, method=method)
        yield f"histogram {method}, k = {MOST}", bins
        yield f"histogram {method}, k = {MOST}, ε = 4", replace(bins, epsilon=4.0)
    for method in ("one-round", "adaptive", "paper"):
        for ball in ({"ball": "linf", "low": 0.0, "high": 1.0}, {"ball": "l2", "radius": 1.0}):
            for epsilon in (1.0, 4.0):
                vectors = sv.VectorMean(**few, epsilon=epsilon, dimension=MOST, method=method, **ball)
                yield f"vector {method}, {ball['ball']}, d = {MOST}, ε = {epsilon:g}", vectors
    for method in ("adaptive", "paper"):
        yield (
            f"sparse {method}, d = {MOST}",
            sv.SparseMean(**few, epsilon=1.0, dimension=MOST, sparsity=4, method=method),
        )
    points = tuple(place / 64 for place in range(64))
    for method in ("one-round", "adaptive"):
        yield f"cdf {method}, 64 points", sv.Cdf(**crowd, low=0.0, high=1.0, points=points, method=method)
    around = np.random.Generator(np.random.PCG64(1)).random((MOST, 16))
    centres = tuple(tuple(map(float, row)) for row in around)
    for method in ("unary", "subset"):
        yield (
            f"cover {method}, {MOST} centres of 16 columns",
            sv.CoverSelect(epsilon=1.0, users=4_000, centres=centres, method=method),
        )


def asked() -> Iterator[tuple[str, Manifest, Question]]:
    """What each survey asks, from its first question to its last."""
    for name, settings in surveys():
        manifest = announce(settings, purpose="costs", collector="here", software="bench", opens=0, closes=2**37)
        for question in transcript_of(manifest, simulate(made_up(settings), seed=1))[1]:
            yield f"{name}, {question.role} {question.round}", manifest, question


def case(manifest: Manifest, question: Question) -> dict[str, Any]:
    columns = question.encoder.statistic.dimension
    return {
        "question": question.to_bytes().decode(), "manifest": manifest.to_bytes().decode(),
        "slot": question.slots.first, "rows": OBSERVATIONS, "columns": columns,
    }  # fmt: skip


def files(route: Any) -> None:
    path = route.request.url.removeprefix(f"{ADDRESS}/")
    body = (WEB / path).read_text(encoding="utf-8") if path else PAGE
    route.fulfill(body=body, content_type="text/javascript" if path else "text/html")


class Page:
    """The page of a browser, and the processor time of the process that shows it: all threads, whoever else is busy."""

    def __init__(self, browser: Browser, page: Any) -> None:
        self.page, self._session = page, browser._chromium.new_browser_cdp_session()

    def seconds(self) -> float:
        told = self._session.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(_seconds(int(one["id"])) for one in told if one["type"] == "renderer")

    def cost(self, kind: str, at: int = 0) -> float:
        """Seconds of one piece of work."""
        times = 1
        while self.page.evaluate(REPEAT, [kind, at, times]) < 1000 * SECONDS:
            times *= 2
        found = []
        for _ in range(REPETITIONS):
            before = self.seconds()
            self.page.evaluate(REPEAT, [kind, at, times])
            found.append((self.seconds() - before) / times)
        return median(found)


def _seconds(process: int) -> float:
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(one.read_text().split()[0]) for one in threads) / 1e9


def measured(cases: list[dict[str, Any]]) -> tuple[float, list[tuple[float, float]]]:
    """SHA-256, and for each case the report and the examination of the question; in seconds."""
    browser = Browser()
    try:
        with browser.page_at(DESK) as view:
            view.page.route(f"{ADDRESS}/**", files)
            view.open(f"{ADDRESS}/")
            view.page.evaluate(PREPARE, cases)
            page, hashes, costs = Page(browser, view.page), [], []
            for at in range(len(cases)):
                if at % 20 == 0:
                    hashes.append(page.cost("hash"))
                costs.append((page.cost("report", at), page.cost("examined", at)))
            return median(hashes), costs
    finally:
        browser.close()


def main() -> int:
    rows = []
    for name, manifest, question in asked():
        try:
            Question.from_bytes(question.to_bytes())
        except sv.SottovoceError as error:  # a rehearsal may ask more than any device answers
            print(f"{name}: no device answers this: {error}")
            continue
        rows.append((name, case(manifest, question)))
    unit, costs = measured([one for _, one in rows])
    print(f"SHA-256 of 64 kB: {1e6 * unit:.0f} µs. {len(rows)} questions, {OBSERVATIONS} observations each.\n")
    print(f"{'× SHA-256':>10}  {'µs':>8}  {'reading':>8}  question")
    order = sorted(zip(rows, costs, strict=True), key=lambda one: -one[1][0])
    for (name, _), (report, examined) in order:
        print(f"{report / unit:10.1f}  {1e6 * report:8.0f}  {examined / unit:8.1f}  {name}")
    worst = order[0][1][0] / unit
    print(f"\nThe largest: {worst:.1f} (at most {LIMIT:g}).")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
