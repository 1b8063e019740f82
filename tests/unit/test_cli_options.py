"""Options are what problems declare."""

import argparse

import pytest

from sottovoce.cli import app
from sottovoce.problems import described, problems


def commands(name):
    groups = next(action for action in app.build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return next(one for one in groups.choices[name]._actions if isinstance(one, argparse._SubParsersAction)).choices


@pytest.mark.parametrize("command", ["estimate", "plan", "simulate", "explain"])
def test_every_problem_has_a_command(command):
    others = {"planned", "several", "tallied", "question"}
    assert {problem.name for problem in problems()} == set(commands(command)) - others


@pytest.mark.parametrize("command", ["estimate", "plan", "simulate", "explain"])
@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_every_setting_is_an_option(command, problem):
    options = {word: action for action in commands(command)[problem.name]._actions for word in action.option_strings}
    from_data = {"users", "dimension"} if command == "estimate" else set()
    if command == "explain":
        from_data = {"confidence"}  # no question depends on it
    for field in described(problem.settings):
        shown = field.help.group != "hidden" and field.name not in from_data | {"names"}
        assert (field.option in options) is shown, field.name
        if shown and field.choices:
            assert tuple(options[field.option].choices) == field.choices
    assert set(problem.method_names) <= set(options["--method"].choices)
