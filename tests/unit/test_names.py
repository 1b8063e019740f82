"""Names that a stranger understands: modules are nouns, and a tuned number names a script that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.accuracy import tuning
from benchmarks.accuracy.problems.registry import BENCHMARKS
from sottovoce.problems.mean import homogeneous

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    path
    for folder in (ROOT / "src" / "sottovoce", ROOT / "laboratory")
    for path in folder.rglob("*.py")
    if path.stem not in ("__init__", "__main__")
)
PARTICIPLES = re.compile(
    "\\w+(ed|ing)|asked|bound|built|chosen|dealt|done|drawn|foreseen|found|given|gone|grown|held|kept|known|left|made|met|"
    "retold|said|seen|sent|shown|spent|split|taken|thrown|told|unseen|written"
)
ADVERBS = re.compile(
    "above|across|again|ahead|alone|apart|as_if|aside|at_ends|away|before|below|beside|beyond|elsewhere|inside|instead|"
    "once|outside|side_by_side|together|twice|within"
)
NOUNS = re.compile("closing|encoding|ending|findings?|monitoring|planning|poisoning|ranking|ratings?|settings?|timing")
"""Words that end as participles do, and are nouns of the glossary or of everyday English."""
BEFORE_A_NOUN = re.compile("expected|published|reading|set|stored")
"""Participles that stand before the noun they describe: a stored report, a published fact."""


def verb_forms(stem: str) -> list[str]:
    """The words of a module's name that are participles or adverbs."""
    *before, last = stem.split("_")
    words = [word for word in before if not BEFORE_A_NOUN.fullmatch(word)] + [last]
    forms = [word for word in words if PARTICIPLES.fullmatch(word) and not NOUNS.fullmatch(word)]
    return [stem] if ADVERBS.fullmatch(stem) else forms


@pytest.mark.parametrize("stem", ["told", "held_back", "instead", "guarded", "settling", "side_by_side"])
def test_what_is_no_noun_is_noticed(stem: str) -> None:
    assert verb_forms(stem)


def test_modules_are_nouns() -> None:
    wrong = {str(path.relative_to(ROOT)): forms for path in MODULES if (forms := verb_forms(path.stem))}
    assert not wrong


def test_scripts_that_numbers_come_from_are_there() -> None:
    """A comment or docstring that names a script of benchmarks or tools names one that can be run."""
    named = {
        (str(path.relative_to(ROOT)), script.removesuffix(".py").replace(".", "/"))
        for path in MODULES
        for script in re.findall(
            r"\b(?:benchmarks|tools)/[\w/]+\.py\b|(?<=-m )(?:benchmarks|tools)\.[\w.]+\b",
            path.read_text(encoding="utf-8"),
        )
    }
    scripts = ("{}.py", "{}/__main__.py")
    assert len(named) > 10
    assert not {one for one in named if not any((ROOT / script.format(one[1])).is_file() for script in scripts)}


def test_comments_on_tuned_numbers_name_their_own_module_and_a_benchmark() -> None:
    """``python -m benchmarks.accuracy.tuning MODULE:NAME VALUE … --problem PROBLEM`` can be typed as it stands."""
    named = 0
    for path in MODULES:
        for module, problem in re.findall(
            r"accuracy\.tuning ([\w.]+):NAME .* --problem (\w+)", path.read_text("utf-8")
        ):
            assert module == ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
            assert problem in (tuning.MEAN, *BENCHMARKS)
            named += 1
    assert named > 10


def test_a_constant_is_changed_wherever_it_was_imported_and_put_back() -> None:
    shipped = homogeneous.TAIL_SHARE
    with tuning.constant_set_to("sottovoce.problems.mean.homogeneous:TAIL_SHARE", 0.4):
        assert homogeneous.TAIL_SHARE == 0.4
    assert homogeneous.TAIL_SHARE == shipped
    with pytest.raises(SystemExit), tuning.constant_set_to("sottovoce.problems.mean.homogeneous:SHARES", 1.0):
        pass


def test_a_tuned_number_is_worth_something(capsys: pytest.CaptureFixture[str]) -> None:
    """The same surveys at the shipped value, others at another one; nothing at one that is never read."""
    words = ["--method", "homogeneous", "--cells", "1", "--repetitions", "2"]
    assert tuning.main(["sottovoce.problems.mean.homogeneous:TAIL_SHARE", "0.1", "0.4", *words]) == 0
    same, other = capsys.readouterr().out.splitlines()[-2:]
    assert "1.000 ± 0.000" in same and "no answer changed" not in other
    assert tuning.main(["sottovoce.problems.mean.homogeneous:ATTACKED", "9", *words]) == 0
    assert "no answer changed" in capsys.readouterr().out
