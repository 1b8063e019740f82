"""Wrong invocations, in a table: each says what is wrong and names the fix, and the fix works as typed.

A row is what was typed, its exit code, a pattern of what is said, and what is typed next: the groups of the pattern,
and nothing else that the message does not say, stand where it has braces. Left out, it is what was typed, with the
group of the pattern in the place of what stands in brackets.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from sottovoce.cli import main

MEAN = "--low 1 --high 5 --epsilon 1"
OF = "data.csv --user who --value rating"
MADE_UP = "--users 600 --observations 5"


@dataclass(frozen=True, kw_only=True)
class Row:
    typed: str
    says: str = r"did you mean (\S+)\?"
    then: str = ""
    code: int = 2


TABLE = {
    "a command": Row(typed=f"[estimte] mean {OF} {MEAN}"),
    "a quantity": Row(typed=f"estimate [maen] {OF} {MEAN}"),
    "no command": Row(typed="", says=r"(sotto) \[-h\]", then="--help"),
    "no quantity": Row(typed="estimate", says=r"WHAT is one of (\w+),", then=f"estimate {{}} {OF} {MEAN}"),
    "a command's name in capitals": Row(typed="[HELP]"),
    "an option": Row(typed=f"estimate mean {OF} {MEAN} [--metod] one-round"),
    "an option that is required": Row(
        typed=f"estimate mean {OF} [--lwo] 1 --high 5 --epsilon 1", says=r"no option --lwo\ndid you mean (--\w+)\?"
    ),
    "an option of another tool": Row(
        typed=f"estimate mean data.csv --user who [--column] rating {MEAN}",
        says=r"no option --column\ndid you mean (--\w+)\?",
    ),
    "the ends as others call them": Row(
        typed=f"estimate mean {OF} --low 1 [--MAX] 5 --epsilon 1", says=r"no option --MAX\ndid you mean (--\w+)\?"
    ),
    "what is one less the confidence": Row(
        typed=f"estimate mean {OF} {MEAN} --alpha 0.05",
        says=r"no option --alpha\nleave out (--alpha)",
        then=f"estimate mean {OF} {MEAN}",
    ),
    "one dash": Row(typed=f"estimate mean {OF} --low 1 --high 5 [-epsilon] 1"),
    "a plural": Row(typed=f"simulate mean {MADE_UP} {MEAN} [--repetition] 2"),
    "a method": Row(typed=f"estimate mean {OF} {MEAN} --method [one_round]"),
    "a method to compare": Row(typed=f"compare mean {MADE_UP} {MEAN} --repetitions 2 --methods [oneround]"),
    "a choice": Row(typed="completion [bsh]"),
    "a figure's name": Row(typed="paper regims", says=r"did you mean (\w+)\?", then="paper {} --out figures --quick"),
    "a mechanism": Row(typed="audit [one-itm] --epsilon 1 --samples 1000"),
    "a required option left out": Row(
        typed=f"estimate mean {OF} --low 1 --high 5",
        says=r"add for instance (--\w+ \d);",
        then=f"estimate mean {OF} --low 1 --high 5 {{}}",
    ),
    "no number": Row(
        typed=f"estimate mean {OF} --epsilon 8 --seed 1 [--find-range]", says=r"for instance (--find-range \S+);"
    ),
    "no budget": Row(typed=f"estimate mean {OF} --low 1 --high 5 [--epsilon]", says=r"for instance (--epsilon \S+);"),
    "a value where none is taken": Row(typed=f"estimate mean {OF} {MEAN} [--json=yes]", says=r"write (--json) alone"),
    "a word too many": Row(
        typed=f"estimate mean {OF} {MEAN} more",
        says=r"1 word too many for .*\nleave out the last word",
        then=f"estimate mean {OF} {MEAN}",
    ),
    "a word too many in between": Row(
        typed=f"estimate mean data.csv --user who is --value rating {MEAN}",
        says=r"leave out what is too much behind (--user)",
        then=f"estimate mean data.csv {{}} who --value rating {MEAN}",
    ),
    "a file": Row(typed=f"estimate mean [date.csv] --user who --value rating {MEAN}"),
    "a column": Row(
        typed=f"estimate mean data.csv --user [whom] --value rating {MEAN}", says=r"no column 'whom'.*'(who)'"
    ),
    "ends the wrong way round": Row(
        typed=f"estimate mean {OF} --low 5 --high 1 --epsilon 1",
        says=r"got low=(\d), high=(\d)",
        then=f"estimate mean {OF} --high {{}} --low {{}} --epsilon 1",
    ),
    "a budget": Row(typed=f"estimate mean {OF} --low 1 --high 5 --epsilon [100]", says=r"between 1e-06 and (\d+)"),
    "a budget in letters": Row(
        typed=f"estimate mean {OF} --low 1 --high 5 --epsilon [strong]", says=r"a number is wanted, such as (\S+)"
    ),
    "a confidence in percent": Row(typed=f"estimate mean {OF} {MEAN} --confidence [95]"),
    "a level in percent": Row(typed=f"estimate quantiles {OF} {MEAN} --q [50]"),
    "half a user": Row(
        typed=f"simulate mean --users [0.5] --observations 5 {MEAN} --repetitions 2",
        says=r"a whole number is wanted, such as (\d+)",
    ),
    "no repetition": Row(
        typed=f"simulate mean {MADE_UP} {MEAN} --repetitions [0]", says=r"a whole number from (\d) on"
    ),
    "no range": Row(
        typed="estimate histogram data.csv --user who --value rating --epsilon 1",
        says=r"or (--edges),",
        then="estimate histogram data.csv --user who --value rating --epsilon 1 {} 1,2,3,4,5",
    ),
    "nobody to simulate": Row(
        typed=f"simulate mean {MEAN}",
        says=r"make users up with (--\w+) and (--\w+)",
        then=f"simulate mean {MEAN} {{}} 600 {{}} 5 --repetitions 2",
    ),
    "no columns": Row(
        typed=f"simulate mean data.csv {MEAN}",
        says=r"needs (--\w+) and (--\w+)",
        then=f"simulate mean data.csv {{}} who {{}} rating {MEAN} --repetitions 2",
    ),
    "a distribution": Row(
        typed=f"simulate mean {MADE_UP} {MEAN} --repetitions 2 --distribution [gamma]", says=r"wanted (\w+)"
    ),
    "too much left out": Row(
        typed=f"plan mean {MEAN}",
        says=r"(\w+), (\w+) and \w+ are left out",
        then=f"plan mean {MEAN} --{{}} 600 --{{}} 5",
    ),
    "no such round": Row(
        typed=f"explain {MADE_UP} {MEAN} --method one-round --round [1]", says=r"take round (\d) only"
    ),
    "over the cap": Row(
        typed=f"explain {MADE_UP} {MEAN} --collection 3 --cap 0.5",
        says=r"raise (--cap)",
        then=f"explain {MADE_UP} {MEAN} --collection 3 {{}} 2",
        code=3,
    ),
    "a part": Row(typed="estimate several data.csv --user who --epsilon 2 --ask 'a: [maen] value=rating low=1 high=5'"),
    "what is shared": Row(
        typed="estimate several data.csv --user who --epsilon 2 --ask 'a: mean value=rating low=1 high=5 seed=3'",
        says=r"give it once, as (--\w+), not in --ask",
        then="estimate several data.csv --user who --epsilon 2 --ask 'a: mean value=rating low=1 high=5' {} 3",
    ),
    "json where there is none": Row(typed="completion bash --json", says=r"leave out (--json)", then="completion bash"),
    "a plan": Row(typed=f"estimate --plan [plam.toml] {OF}"),
    "the file first": Row(
        typed=f"estimate {OF.replace('data.csv', 'data.csv mean')} {MEAN}",
        says=r"the other way round: sotto (estimate mean data\.csv)",
        then=f"{{}} --user who --value rating {MEAN}",
    ),
    "the file alone": Row(
        typed=f"estimate {OF} {MEAN}",
        says=r"first what, then the file: sotto (estimate mean data\.csv),",
        then=f"{{}} --user who --value rating {MEAN}",
    ),
    "a percent sign": Row(typed=f"estimate mean {OF} {MEAN} --confidence [95%]"),
    "a budget with a percent sign": Row(
        typed=f"estimate mean {OF} --low 1 --high 5 --epsilon [50%]",
        says=r"without a percent sign\ndid you mean ([\d.]+)\? see ",
    ),
    "a question alone": Row(
        typed="[explain question.txt]", says=r"first what, then the file: sotto (explain question question\.txt)\n"
    ),
    "a file alone": Row(typed="[data.csv]", says=r"first what, then the file: sotto (look data\.csv)\n"),
    "a file where none is taken": Row(
        typed=f"[plan data.csv] {MADE_UP} {MEAN}", says=r"take one of these, for instance sotto (plan mean);"
    ),
    "a file first where none is taken": Row(
        typed=f"plan [data.csv mean] {MADE_UP} {MEAN}", says=r"leave out data\.csv: (mean) takes no file"
    ),
    "a file for a part that makes one": Row(
        typed="survey data.csv", says=r"take one of these, for instance sotto (survey create);", then="{} --help"
    ),
    "an option like none": Row(
        typed=f"estimate mean {OF} {MEAN} --colour", says=r"leave out (--colour);", then=f"estimate mean {OF} {MEAN}"
    ),
    "a quantity as an option": Row(
        typed=f"estimate mean {OF} {MEAN} --mean 3", says=r"leave out (--mean);", then=f"estimate mean {OF} {MEAN}"
    ),
    "columns side by side": Row(
        typed=f"estimate vector data.csv --user who --value rating other {MEAN}",
        says=r"1 word too many for .*\nwrite (--value) before each,",
        then=f"estimate vector data.csv --user who --value rating {{}} other {MEAN}",
    ),
    "columns side by side at the end": Row(
        typed="estimate sparse data.csv --user who --low=-5 --high 5 --epsilon 1 --value rating other",
        says=r"write (--value) before each,",
        then="estimate sparse data.csv --user who --low=-5 --high 5 --epsilon 1 --value rating {} other",
    ),
    "a column like none": Row(
        typed=f"estimate mean data.csv --user [zzzz] --value rating {MEAN}", says=r"its columns are '(\w+)',"
    ),
    "a column twice": Row(
        typed=f"estimate mean data.csv --user who --value who {MEAN}",
        says=r"name the same column twice; name two that differ",
        then=f"estimate mean {OF} {MEAN}",
    ),
    "a method like none": Row(
        typed=f"estimate mean {OF} {MEAN} [--method qqqq]", says=r"take one of these, for instance (--method \S+);"
    ),
    "more users than all": Row(typed=f"estimate mean {OF} {MEAN} --empty-at-most [2]", says=r"from (0) to below 1"),
    "more than all to find the range": Row(
        typed=f"estimate mean {OF} --epsilon 8 --seed 1 --find-range 2",
        says=r"find_range is a share of the users, between 0 and 1",
        then=f"estimate mean {OF} --epsilon 8 --seed 1 --find-range 0.9",
    ),
    "a spread beyond the range": Row(
        typed=f"estimate mean {OF} {MEAN} --spread [300]", says=r"from (\d) to half of the range \(2\)"
    ),
    "no number of bins": Row(
        typed=f"estimate histogram {OF} {MEAN}",
        says=r"equal bins need low, high and (bins), all three",
        then=f"estimate histogram {OF} {MEAN} --{{}} 4",
    ),
    "nothing to solve for": Row(
        typed=f"plan mean {MADE_UP} {MEAN} --halfwidth 0.1",
        says=r"and (halfwidth) \(or mse\) leave out exactly one",
        then=f"plan mean {MADE_UP} {MEAN}",
    ),
    "more than a budget can do": Row(
        typed="plan mean --users 10 --observations 5 --halfwidth 1e-5 --low 1 --high 5",
        says=r"you need more (users), or more observations",
        then="plan mean --epsilon 1 --{} 600 --observations 5 --low 1 --high 5",
    ),
    "a confidence above one": Row(
        typed=f"estimate mean {OF} {MEAN} --confidence 2",
        says=r"strictly between 0 and 1 \(at most 1 − 1e-9\); got 2\.0\n",
        then=f"estimate mean {OF} {MEAN} --confidence 0.9",
    ),
    "a level above one": Row(
        typed=f"estimate quantiles {OF} {MEAN} --q 1.5",
        says=r"strictly between 0 and 1, in rising order; got \(1\.5,\)\n",
        then=f"estimate quantiles {OF} {MEAN} --q 0.5",
    ),
    "a page in no folder": Row(
        typed=f"estimate mean {OF} {MEAN} --html 'no folder/page.html'",
        says=r"its folder is not there\nmake it first: mkdir -p 'no folder';",
        then=f"estimate mean {OF} {MEAN} --html page.html",
    ),
    "a page in a file": Row(
        typed=f"plan mean {MADE_UP} {MEAN} --html [data.csv/page.html]",
        says=r"data\.csv is a file, and no folder\nname another place, such as (\S+);",
    ),
    "a page that is a folder": Row(
        typed="audit one-item --epsilon 1 --samples 1000 --html [.]",
        says=r"it is a folder\nname a file in it, such as (\S+);",
    ),
    "a group twice": Row(
        typed=f"estimate mean {OF} {MEAN} --by day --groups 2024-01-11,2024-01-11",
        says=r"groups must differ; leave out the one that is declared twice",
        then=f"estimate mean {OF} {MEAN} --by day --groups 2024-01-11",
    ),
    "prices": Row(
        typed=f"estimate mean prices.csv --user who --value price {MEAN}",
        says=r"numbers stand without a currency, .*: take those away in the file",
        then=f"estimate mean {OF} {MEAN}",
    ),
    "a pipe": Row(typed="look 'a pipe.csv'", says=r"hand it over as - < 'a pipe\.csv'", then="look data.csv"),
    "a date that is none": Row(
        typed="estimate mean data.csv --user who --value day --low [2024-13-01] --high 2025-01-01 --epsilon 1",
        says=r"a number or a date is wanted, such as 0\.5 or (\S+)",
    ),
    "a port that is none": Row(
        typed="demo --port 99999999", says=r"a port is wanted, .* (0) takes a free one", then="demo --port {} --help"
    ),
    "nobody who asks": Row(
        typed="survey create plan.toml --collector '' --purpose ratings --closes 1d",
        says=r"argument (--collector): words are wanted",
        then="survey create plan.toml {} 'a class' --purpose ratings --closes 1d",
    ),
    "a cap below zero": Row(
        typed=f"explain {MADE_UP} {MEAN} --cap [-1]", says=r"a number above 0 is wanted, such as ([\d.]+)"
    ),
    "a part without a range": Row(
        typed="estimate several data.csv --user who --epsilon 2 --ask 'a: mean value=rating'",
        says=r"--ask 'a': .* required: (low=), (high=)",
        then="estimate several data.csv --user who --epsilon 2 --ask 'a: mean value=rating {}1 {}5'",
    ),
    "a part with a word for a number": Row(
        typed="estimate several data.csv --user who --epsilon 2 --ask 'a: mean value=rating [low=one] high=5'",
        says=r"--ask 'a': low: a number or a date is wanted.*\nfor instance (low=\S+);",
    ),
    "a part without an end": Row(
        typed="estimate several data.csv --user who --epsilon 2 --ask 'mean value=rating low=1'",
        says=r"--ask 'mean': .* required: high=\nadd for instance (high=\S+);",
        then="estimate several data.csv --user who --epsilon 2 --ask 'mean value=rating low=1 {}'",
    ),
    "a part without an end, of dates": Row(
        typed="estimate several data.csv --user who --epsilon 2 --ask 'mean value=day high=2025-01-01'",
        says=r"add for instance (low=\S+);",
        then="estimate several data.csv --user who --epsilon 2 --ask 'mean value=day {} high=2025-01-01'",
    ),
    "a part by a method that there is not": Row(
        typed="estimate several data.csv --user who --epsilon 2 --ask 'mean value=rating low=1 high=5 [method=qqq]'",
        says=r"--ask 'mean': method= is one of .*\ntake one of these, for instance (method=\S+);",
    ),
    "a part that lies nowhere": Row(
        typed="estimate several data.csv --user who --epsilon 2 --ask 'histogram value=rating'",
        says=r"--ask 'histogram': declare where observations lie: .* or (edges=)",
        then="estimate several data.csv --user who --epsilon 2 --ask 'histogram value=rating {}1,2,3,4,5'",
    ),
    "an encoding of something else than text": Row(
        typed=f"estimate mean {OF} {MEAN} --encoding [rot13]",
        says=r"Python knows no encoding of text by that name; try (utf-8)",
    ),
    "a column without a group": Row(
        typed=f"estimate mean {OF} {MEAN} --by nothing",
        says=r"no group to estimate in: by= \((--by)\) holds no label, all are missing; leave it out, or name another",
        then=f"estimate mean {OF} {MEAN} {{}} day",
    ),
    "no group": Row(
        typed=f"estimate mean {OF} {MEAN} --by day --groups ''",
        says=r"groups= \((--groups)\) names none",
        then=f"estimate mean {OF} {MEAN} --by day {{}} 2024-01-11",
    ),
    "a unit so small that the range is not found": Row(
        typed="estimate mean tiny.csv --user who --value grams --find-range 0.9 --epsilon 4 --seed 1",
        says=r"ask for the range alone, with a smaller size: .*, sotto (estimate range) (--smallest)",
        then="{} tiny.csv --user who --value grams --epsilon 4 --seed 1 {} 1e-15",
    ),
    "an address": Row(
        typed="look https://example.org/data.csv",
        says=r"an address is not read from here: fetch the file first",
        then="look data.csv",
    ),
    "a folder": Row(typed="look .", says=r"'\.' is a folder; name one file", then="look data.csv"),
    "a part of a command": Row(typed="survey lst", says=r"did you mean (\w+)\?", then="survey {} --help"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f"u{user},{1 + (user * 7 + turn) % 5},2024-0{1 + user % 9}-11,,{turn + 1}\n"
        for user in range(300)
        for turn in range(3)
    )
    (tmp_path / "data.csv").write_text(f"who,rating,day,nothing,other\n{rows}")
    (tmp_path / "prices.csv").write_text("who,price\na,$3.1\nb,$4.1\n")
    assert main(shlex.split(f"explain mean {MADE_UP} {MEAN} --raw")) == 0
    (tmp_path / "question.txt").write_text(capsys.readouterr().out)
    os.mkfifo(tmp_path / "a pipe.csv")
    (tmp_path / "tiny.csv").write_text("who,grams\n" + "".join(f"u{user},3e-12\n" for user in range(300)))
    assert main(shlex.split(f"plan mean {MEAN} {MADE_UP} --save plan.toml")) == 0
    capsys.readouterr()


def words_of(row: Row) -> list[str]:
    return shlex.split(re.sub(r"[\[\]]", "", row.typed))


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("case", TABLE)
def test_what_is_said_works_as_typed(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    row = TABLE[case]
    assert main(words_of(row)) == row.code
    said = capsys.readouterr()
    told = said.err or said.out
    assert "Traceback" not in told
    found = re.search(row.says, told.replace("\\n", "\n"))
    assert found, told
    then = row.then or re.sub(r"\[.*\]", "{}", row.typed)
    then = then.format(*(word.removeprefix("sotto ") for word in found.groups()))
    assert main(shlex.split(then)) == 0, capsys.readouterr().err


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("case", [name for name in TABLE if TABLE[name].typed])
def test_programs_are_told_the_fix_too(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = words_of(TABLE[case])
    assert main(words if "--json" in words else [*words, "--json"]) == TABLE[case].code
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["fix"] and not error["fix"].startswith("see ")


@pytest.mark.usefixtures("place")
def test_a_page_that_may_not_be_written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
    assert main(shlex.split(f"estimate mean {OF} {MEAN} --html page.html")) == 2
    assert "nothing may be written there\nname another place, such as page.html;" in capsys.readouterr().err
