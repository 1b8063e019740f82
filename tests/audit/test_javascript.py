"""The device of a browser under the audit, in Node: what ships passes, every mutant is caught, Node may be missing.

False alarms: noise is drawn in Node and cannot be seeded; a test that draws raises one with probability at most 1e-4,
three do. Everything else here has no chance in it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from laboratory.mutants import Mutant
from laboratory.mutants.javascript import JAVASCRIPT
from sottovoce.audit import (
    BrowserSource,
    Noise,
    Refusals,
    Subject,
    audit,
    caught_by,
    every_statistic,
    large_instances,
    planned,
    small_instances,
)
from sottovoce.audit.channel_derivations import report_law
from sottovoce.audit.device_paths import SHIPPED
from sottovoce.audit.device_paths import Path as Shipped
from sottovoce.audit.exact_layer import cost, least
from sottovoce.audit.javascript import IN_NODE, BenchEnded, Change, FailedInNode, JavaScript, NodeMissing, missing, node
from sottovoce.audit.javascript.refusals import ANSWERED, _cases_with_codes
from sottovoce.audit.tree_layer import MIXED, recovered_law
from sottovoce.audit.word_scripts import Tape
from sottovoce.cli import main
from sottovoce.design import laplace, one_bit, subset, unary
from sottovoce.device import Collections, SystemEntropy
from sottovoce.messages import EMPTY, Declined
from tests.support.components import missing as component_missing
from tests.support.said import result_of

pytestmark = pytest.mark.slow
FAILING = "no such program"


@pytest.fixture(autouse=True)
def _node(request: pytest.FixtureRequest) -> None:
    if "without_node" not in request.fixturenames and (reason := missing()):
        component_missing("Node", reason=reason, command="pip install playwright")


@pytest.fixture
def without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTO_NODE", FAILING)


def certified(*targets: Any, samples: int = 2000) -> Any:
    result = audit(targets, samples=samples)
    assert result.certified, [one for one in result.findings if not one.passed]
    return result


def test_small_channels_in_every_layer() -> None:
    """ε proven, laws recovered from every corner, scripts followed, reports seen. A false alarm: at most 1e-4."""
    asked = small_instances(1.0)
    most = max(one.epsilon for one in asked)
    found = certified(Subject(name="javascript", epsilon=most, questions=asked, path=IN_NODE)).findings
    assert {one.layer for one in found} == {"exact", "tree", "sampler", "statistical"}
    corners = [one for one in found if one.layer == "tree"]
    assert len(corners) == len(asked) and all("corners of every path" in one.detail for one in corners)


LARGE = (
    "subset 65", "unary 129, three bins", "unary 1000", "unary 65, two uses",
    "table of 60 categories", "table, three uses", "laplace at 0.0001",
)  # fmt: skip
"""K = 65, 129 and 1,000, all laplace digits, several uses; the others in `make soak` and in ``sotto audit``."""


@pytest.mark.parametrize("roles", [LARGE, pytest.param(None, marks=pytest.mark.soak)], ids=["some", "all"])
def test_large_samplers_follow_the_script(roles: Any) -> None:
    asked = tuple(one for one in large_instances(0.1) if roles is None or one.role in roles)
    assert roles is None or len(asked) == len(roles)
    most = max(one.epsilon for one in asked)
    certified(Subject(name="javascript", epsilon=most, questions=asked, path=IN_NODE, sampled=False))


def _kind(encoder: Any) -> tuple[str, str, bool | None]:
    return encoder.statistic.kind, encoder.empty, None if encoder.within is None else encoder.within.is_drawn


def test_every_statistic_follows_the_script() -> None:
    """One statistic of each kind here, of each kind and vector in ``sotto audit javascript``."""
    kinds = {_kind(one.encoder): one for one in every_statistic(2.0)}
    assert {empty for _, empty, _ in kinds} == set(EMPTY) and {drawn for *_, drawn in kinds} == {None, False, True}
    asked = tuple(sorted(kinds.values(), key=lambda one: one.round))
    certified(Subject(name="javascript", epsilon=2.0, questions=asked, path=IN_NODE, sampled=False))


def test_declines_and_draws_as_it_must() -> None:
    """Hostile questions and the browser's bytes."""
    found = certified(Refusals(name="javascript"), BrowserSource(name="javascript")).findings
    assert [one.layer for one in found] == ["exact"] * 4 + ["entropy"] * 2
    assert "declined" in found[0].detail and "22 questions, 11 of them declined" in found[1].detail
    assert "169 questions, 75 of them declined" in found[2].detail
    assert "40 questions, 30 of them declined" in found[3].detail


@pytest.mark.parametrize("channel", [unary(1.0, 65), laplace(1.0)], ids=lambda channel: channel.kind)
def test_fresh_noise_is_independent(channel: Any) -> None:
    """A false alarm: at most 1e-4 each."""
    certified(Noise(name="javascript", channel=channel, path=IN_NODE))


def test_its_own_account_of_a_cost_is_right_to_fifty_digits() -> None:
    for question in (*small_instances(0.5), *large_instances(8.0)):
        claimed, own = IN_NODE.claimed_cost(question), question.uses * cost(question.channel)
        assert question.uses * least(question.channel) <= claimed <= own + Fraction(1, 10**50), question.role


def test_questions_are_hostile_in_many_ways() -> None:
    cases = [case for check in ("hostile questions", "beside the declared ε") for case in _cases_with_codes(check)]
    told = Counter(code for _, code in cases)
    assert len(cases) > 2000 and set(told) >= {"malformed", "wrong-digest", "not-asked", "over-declared", ANSWERED}


@pytest.mark.parametrize("mutant", JAVASCRIPT, ids=lambda mutant: mutant.name)
def test_caught(mutant: Mutant) -> None:
    """No chance in these: none of them is looked at by the statistical layer."""
    findings = audit([mutant.target()]).findings
    layers = caught_by(findings)
    print(f"{mutant.name}: {', '.join(layers)}")
    assert layers and layers[0] == mutant.layer


def test_reports_alone_tell_what_is_not_private() -> None:
    """The own item in every subset: what has no bound is seen, whatever is drawn (a miss: below 1e-100)."""
    (mutant,) = (one for one in JAVASCRIPT if one.name == "js: own item always there")
    target = mutant.target()
    assert isinstance(target, Subject)
    assert "statistical" in caught_by(audit([replace(target, sampled=True)], samples=6000).findings)


def test_there_are_mutants_for_every_layer() -> None:
    assert len(JAVASCRIPT) >= 25 and {one.layer for one in JAVASCRIPT} == {"exact", "tree", "sampler", "entropy"}


def test_a_mutant_that_does_not_fit_the_source_is_an_error() -> None:
    with pytest.raises(ValueError, match="holds 0 times, not once"):
        JavaScript([Change(file="privatise.js", old="no such words", new="")])
    broken = JavaScript([Change(file="entropy.js", old="export class", new="export klass")])
    with pytest.raises(BenchEnded, match="SyntaxError"):
        broken.words([1], bytes(8))


def test_a_device_that_does_not_answer_is_ended() -> None:
    stuck = JavaScript([Change(file="entropy.js", old="    const drawn", new="    for (;;);\n    const drawn")])
    bench = stuck.bench
    with pytest.raises(BenchEnded, match="no answer within 1 s"):
        bench.ask({"do": "source", "counts": [1], "kernel": ""}, seconds=1)
    assert bench._process.poll() is not None and not bench._home.exists() and not bench.close.alive
    assert stuck.bench is not bench, "and another is started when it is needed"
    stuck.close()


def test_what_the_device_raises_is_raised_here() -> None:
    question = small_instances(1.0)[0]
    nobody = Collections.of_one([])
    with pytest.raises(Declined) as declined:
        IN_NODE.respond(question, nobody, question.slots.count, SystemEntropy())
    assert declined.value.code == "not-asked"
    with pytest.raises(FailedInNode, match="TapeEnded"):
        IN_NODE.respond(question, nobody, 0, Tape([1]))


@pytest.mark.parametrize("channel", [one_bit(1.0), subset(1.0, 5, size=2), unary(1.0, 3)], ids=lambda one: one.kind)
def test_a_law_is_recovered_from_corners(channel: Any) -> None:
    """On our own device, whose law the tree layer proves; and on one that leaves a single bit alone."""

    class Astray(Shipped):
        def symbols(self, channel: Any, inputs: Any, entropy: Any) -> Any:
            return super().symbols(channel, inputs, _Cut(entropy))

    inputs = [channel.span]
    law, tried = recovered_law(SHIPPED, channel, inputs, limit=5000)
    declared = report_law(channel, inputs)
    assert tried > 10 and all(0 <= declared[one] - law.get(one, 0) < Fraction(1, 2**500) for one in declared)
    other, _ = recovered_law(Astray(), channel, inputs, limit=5000)
    assert MIXED in other or other != law, "the lowest bits decide at a threshold"


class _Cut:
    """Words without their lowest eleven bits."""

    def __init__(self, entropy: Any) -> None:
        self._entropy = entropy

    def words(self, count: int) -> Any:
        return self._entropy.words(count) & np.uint64(2**64 - 2**11)


def test_node_that_is_missing_or_old_is_said_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, without_node: None
) -> None:
    with pytest.raises(NodeMissing, match="names nothing that can be run as Node; install Node 20 or later"):
        node()
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.20.1\n")
    old.chmod(0o755)
    monkeypatch.setenv("SOTTO_NODE", str(old))
    assert "is Node 18, too old" in str(missing())
    monkeypatch.delenv("SOTTO_NODE")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NodeMissing, match="only Node 18 was found"):
        node()


def test_the_command_without_node(capsys: Any, without_node: None) -> None:
    assert main(["audit", "javascript", "--epsilon", "1"]) == 2
    assert "install Node 20 or later" in capsys.readouterr().err
    assert main(["audit", "one-item", "javascript", "--epsilon", "1", "--samples", "1000", "--json"]) == 0
    (left_out,) = result_of(capsys.readouterr().out)["unavailable"]
    assert left_out["mechanism"] == "javascript" and "SOTTO_NODE" in left_out["reason"]


def test_mutants_without_node(capsys: Any, monkeypatch: pytest.MonkeyPatch, without_node: None) -> None:
    monkeypatch.setattr("laboratory.mutants.MUTANTS", JAVASCRIPT)
    assert main(["audit", "--mutants"]) == 0
    assert f"{len(JAVASCRIPT)} mutants: SOTTO_NODE names nothing" in capsys.readouterr().out


def test_everything_is_planned() -> None:
    targets = [one.target for one in planned("javascript", (1.0, 2.0))]
    assert len({one.name for one in targets}) == len([one for one in targets if isinstance(one, Subject)]) + 1
    assert {Refusals, BrowserSource, Noise, Subject} == {type(one) for one in targets}
