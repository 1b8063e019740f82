"""Calls are written from the registry: as they would be today, and with what each problem declares."""

import inspect

import pytest

import sottovoce as sv
from sottovoce.calls import generate
from sottovoce.problems import described, problems


def test_the_files_are_current():
    for name, text in generate.files().items():
        written = (generate.FOLDER / name).read_text(encoding="utf-8")
        assert written == text, f"{name}: run python -m sottovoce.calls.generate"


def test_there_is_no_other_call():
    own = {"common.py", "compare.py", "generate.py", "populations.py", "several.py"}
    assert {path.name for path in generate.FOLDER.glob("*.py")} - own == set(generate.files())


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_a_call_takes_every_setting_with_its_default(problem):
    signature = inspect.signature(getattr(sv, problem.function))
    looked_up = {"users", "dimension"}
    for field in described(problem.settings):
        if field.help.group == "hidden" or field.name in looked_up:
            continue
        default = signature.parameters[field.name].default
        if field.required and field.name not in ("low", "high", "observations"):
            assert default is inspect.Parameter.empty
        else:
            assert default == (None if field.required else field.default), field.name
