"""Wrong invocations, in a table: each says what is wrong and names the fix, and the fix works as typed.

A row is what was typed, a pattern of what is said, and an exit code. What stands in brackets was wrong: next, the group
of the pattern is typed in its place, or what stands behind ``>``, with the groups, and nothing else that the message
does not say, where it has braces.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

from sottovoce.cli import main

MEAN = "--low 1 --high 5 --epsilon 1"
FROM = "data.csv --user who"
OF = f"{FROM} --value rating"
ESTIMATE = f"estimate mean {OF} {MEAN}"
RANGE_ALONE = f"estimate mean {OF} --low 1 --high 5"
FOUND_RANGE = f"estimate mean {OF} --epsilon 8 --seed 1"
MADE_UP = f"--users 600 --observations 5 {MEAN}"
SEVERAL = f"estimate several {FROM} --epsilon 2 --ask"


@dataclass(frozen=True)
class Row:
    typed: str
    says: str = r"did you mean (\S+)\?"
    code: int = 2

    @property
    def words(self) -> list[str]:
        return shlex.split(re.sub(r"\[([^]>]*)(>[^]]*)?\]", r"\1", self.typed))

    def fixed(self, *said: str) -> list[str]:
        """What is typed next."""
        then = re.sub(r"\[[^]>]*>?([^]]*)\]", lambda wrong: wrong[1] if ">" in wrong[0] else "{}", self.typed)
        return shlex.split(then.format(*(word.removeprefix("sotto ") for word in said)))


TABLE = {
    "a command": Row(f"[estimte] mean {OF} {MEAN}"),
    "a quantity": Row(f"estimate [maen] {OF} {MEAN}"),
    "no command": Row("[>--help]", r"sotto \[-h\]"),
    "no quantity": Row(f"estimate [>{{}} {OF} {MEAN}]", r"WHAT is one of (\w+),"),
    "a command's name in capitals": Row("[HELP]"),
    "an option": Row(f"{ESTIMATE} [--metod] one-round"),
    "an option that is required": Row(
        f"estimate mean {OF} [--lwo] 1 --high 5 --epsilon 1", r"no option --lwo\ndid you mean (--\w+)\?"
    ),
    "an option of another tool": Row(
        f"estimate mean {FROM} [--column] rating {MEAN}", r"no option --column\ndid you mean (--\w+)\?"
    ),
    "the ends as others call them": Row(
        f"estimate mean {OF} --low 1 [--MAX] 5 --epsilon 1", r"no option --MAX\ndid you mean (--\w+)\?"
    ),
    "what is one less the confidence": Row(f"{ESTIMATE} [--alpha 0.05>]", r"no option --alpha\nleave out --alpha"),
    "one dash": Row(f"{RANGE_ALONE} [-epsilon] 1"),
    "a plural": Row(f"simulate mean {MADE_UP} [--repetition] 2"),
    "a method": Row(f"{ESTIMATE} --method [one_round]"),
    "an epsilon to compare": Row(
        "compare mean --users 600 --observations 5 --low 1 --high 5 --epsilon [x>1] --repetitions 2",
        "numbers are wanted",
    ),
    "a method to compare": Row(f"compare mean {MADE_UP} --repetitions 2 --methods [oneround]"),
    "a choice": Row("completion [bsh]"),
    "a figure's name": Row("paper [regims>{} --out figures --quick]"),
    "a mechanism": Row("audit [one-itm] --epsilon 1 --samples 1000"),
    "a required option left out": Row(f"{RANGE_ALONE} []", r"add for instance (--\w+ \d);"),
    "no number": Row(f"{FOUND_RANGE} [--find-range]", r"for instance (--find-range \S+);"),
    "no budget": Row(f"{RANGE_ALONE} [--epsilon]", r"for instance (--epsilon \S+);"),
    "a value where none is taken": Row(f"{ESTIMATE} [--json=yes]", r"write (--json) alone"),
    "a word too many": Row(f"{ESTIMATE} [more>]", r"1 word too many for .*\nleave out the last word"),
    "a word too many in between": Row(
        f"estimate mean {FROM} [is>] --value rating {MEAN}", r"leave out what is too much behind --user"
    ),
    "a file": Row(f"estimate mean [date.csv] --user who --value rating {MEAN}"),
    "a column": Row(f"estimate mean data.csv --user [whom] --value rating {MEAN}", r"no column 'whom'.*'(who)'"),
    "ends the wrong way round": Row(
        f"estimate mean {OF} [--low 5 --high 1>--high {{}} --low {{}}] --epsilon 1", r"got low=(\d), high=(\d)"
    ),
    "a budget": Row(f"{RANGE_ALONE} --epsilon [100]", r"between 1e-06 and (\d+)"),
    "a budget in letters": Row(f"{RANGE_ALONE} --epsilon [strong]", r"a number is wanted, such as (\S+)"),
    "a confidence in percent": Row(f"{ESTIMATE} --confidence [95]"),
    "a level in percent": Row(f"estimate quantiles {OF} {MEAN} --q [50]"),
    "half a user": Row(
        f"simulate mean --users [0.5] --observations 5 {MEAN} --repetitions 2",
        r"a whole number is wanted, such as (\d+)",
    ),
    "no repetition": Row(f"simulate mean {MADE_UP} --repetitions [0]", r"a whole number from (\d) on"),
    "no range": Row(f"estimate histogram {OF} --epsilon 1 [>{{}} 1,2,3,4,5]", r"or (--edges),"),
    "nobody to simulate": Row(
        f"simulate mean {MEAN} [>{{}} 600 {{}} 5 --repetitions 2]", r"make users up with (--\w+) and (--\w+)"
    ),
    "no columns": Row(
        f"simulate mean data.csv {MEAN} [>{{}} who {{}} rating --repetitions 2]", r"needs (--\w+) and (--\w+)"
    ),
    "a distribution": Row(f"simulate mean {MADE_UP} --repetitions 2 --distribution [gamma]", r"wanted (\w+)"),
    "too much left out": Row(f"plan mean {MEAN} [>--{{}} 600 --{{}} 5]", r"(\w+), (\w+) and \w+ are left out"),
    "no such round": Row(f"explain {MADE_UP} --method one-round --round [1]", r"take round (\d) only"),
    "over the cap": Row(f"explain {MADE_UP} --collection 3 [--cap 0.5>{{}} 2]", r"raise (--cap)", 3),
    "a part": Row(f"{SEVERAL} 'a: [maen] value=rating low=1 high=5'"),
    "what is shared": Row(
        f"{SEVERAL} 'a: mean value=rating low=1 high=5[ seed=3>]' [>{{}} 3]", r"give it once, as (--\w+), not in --ask"
    ),
    "json where there is none": Row("completion bash [--json>]", r"leave out --json"),
    "a plan": Row(f"estimate --plan [plam.toml] {OF}"),
    "the file first": Row(
        f"[estimate data.csv mean] --user who --value rating {MEAN}",
        r"the other way round: sotto (estimate mean data\.csv)",
    ),
    "the file alone": Row(
        f"[estimate data.csv] --user who --value rating {MEAN}",
        r"first what, then the file: sotto (estimate mean data\.csv),",
    ),
    "a percent sign": Row(f"{ESTIMATE} --confidence [95%]"),
    "a budget with a percent sign": Row(
        f"{RANGE_ALONE} --epsilon [50%]", r"without a percent sign\ndid you mean ([\d.]+)\? see "
    ),
    "a question alone": Row(
        "[explain question.txt]", r"first what, then the file: sotto (explain question question\.txt)\n"
    ),
    "a file alone": Row("[data.csv]", r"first what, then the file: sotto (look data\.csv)\n"),
    "a file where none is taken": Row(
        f"[plan data.csv] {MADE_UP}", r"take one of these, for instance sotto (plan mean);"
    ),
    "a file first where none is taken": Row(
        f"plan [data.csv mean] {MADE_UP}", r"leave out data\.csv: (mean) takes no file"
    ),
    "a file for a part that makes one": Row(
        "[survey data.csv>{} --help]", r"take one of these, for instance sotto (survey create);"
    ),
    "an option like none": Row(f"{ESTIMATE} [--colour>]", r"leave out --colour;"),
    "a quantity as an option": Row(f"{ESTIMATE} [--mean 3>]", r"leave out --mean;"),
    "columns side by side": Row(
        f"estimate vector {OF} [>{{}}] other {MEAN}", r"1 word too many for .*\nwrite (--value) before each,"
    ),
    "columns side by side at the end": Row(
        f"estimate sparse {FROM} --low=-5 --high 5 --epsilon 1 --value rating [>{{}}] other",
        r"write (--value) before each,",
    ),
    "a column like none": Row(
        f"estimate mean data.csv --user [zzzz] --value rating {MEAN}", r"its columns are '(\w+)',"
    ),
    "a column twice": Row(
        f"estimate mean {FROM} --value [who>rating] {MEAN}", r"name the same column twice; name two that differ"
    ),
    "a method like none": Row(f"{ESTIMATE} [--method qqqq]", r"take one of these, for instance (--method \S+);"),
    "more users than all": Row(f"{ESTIMATE} --empty-at-most [2]", r"from (0) to below 1"),
    "more than all to find the range": Row(
        f"{FOUND_RANGE} --find-range [2>0.9]", r"find_range is a share of the users, between 0 and 1"
    ),
    "a spread beyond the range": Row(f"{ESTIMATE} --spread [300]", r"from (\d) to half of the range \(2\)"),
    "no number of bins": Row(
        f"estimate histogram {OF} {MEAN} [>--{{}} 4]", r"equal bins need low, high and (bins), all three"
    ),
    "nothing to solve for": Row(
        f"plan mean {MADE_UP} [--halfwidth 0.1>]", r"and halfwidth \(or error\) leave out exactly one"
    ),
    "more than a budget can do": Row(
        "plan mean [--users 10 --halfwidth 1e-5>--{} 600 --epsilon 1] --observations 5 --low 1 --high 5",
        r"you need more (users), or more observations",
    ),
    "a confidence above one": Row(
        f"{ESTIMATE} --confidence [2>0.9]", r"strictly between 0 and 1 \(at most 1 − 1e-9\); got 2\.0\n"
    ),
    "a level above one": Row(
        f"estimate quantiles {OF} {MEAN} --q [1.5>0.5]", r"strictly between 0 and 1, in rising order; got \(1\.5,\)\n"
    ),
    "a page in no folder": Row(
        f"{ESTIMATE} --html ['no folder/page.html'>page.html]",
        r"its folder is not there\nmake it first: mkdir -p 'no folder';",
    ),
    "a page in a file": Row(
        f"plan mean {MADE_UP} --html [data.csv/page.html]",
        r"data\.csv is a file, and no folder\nname another place, such as (\S+);",
    ),
    "a page that is a folder": Row(
        "audit one-item --epsilon 1 --samples 1000 --html [.]", r"it is a folder\nname a file in it, such as (\S+);"
    ),
    "a group twice": Row(
        f"{ESTIMATE} --by day --groups 2024-01-11[,2024-01-11>]",
        r"groups must differ; leave out the one that is declared twice",
    ),
    "prices": Row(
        f"estimate mean [prices.csv>data.csv] --user who --value [price>rating] {MEAN}",
        r"numbers stand without a currency, .*: take those away in the file",
    ),
    "a pipe": Row("look ['a pipe.csv'>data.csv]", r"hand it over as - < 'a pipe\.csv'"),
    "a date that is none": Row(
        f"estimate mean {FROM} --value day --low [2024-13-01] --high 2025-01-01 --epsilon 1",
        r"a number or a date is wanted, such as 0\.5 or (\S+)",
    ),
    "a port that is none": Row("demo --port [99999999>{} --help]", r"a port is wanted, .* (0) takes a free one"),
    "nobody who asks": Row(
        "survey create plan.toml [--collector ''>{} 'a class'] --purpose ratings --closes 1d",
        r"argument (--collector): words are wanted",
    ),
    "a cap below zero": Row(f"explain {MADE_UP} --cap [-1]", r"a number above 0 is wanted, such as ([\d.]+)"),
    "a part without a range": Row(
        f"{SEVERAL} 'a: mean value=rating[> {{}}1 {{}}5]'", r"--ask 'a': .* required: (low=), (high=)"
    ),
    "a part with a word for a number": Row(
        f"{SEVERAL} 'a: mean value=rating [low=one] high=5'",
        r"--ask 'a': low: a number or a date is wanted.*\nfor instance (low=\S+);",
    ),
    "a part without an end": Row(
        f"{SEVERAL} 'mean value=rating low=1[> {{}}]'",
        r"--ask 'mean': .* required: high=\nadd for instance (high=\S+);",
    ),
    "a part without an end, of dates": Row(
        f"{SEVERAL} 'mean value=day [>{{}} ]high=2025-01-01'", r"add for instance (low=\S+);"
    ),
    "a part by a method that there is not": Row(
        f"{SEVERAL} 'mean value=rating low=1 high=5 [method=qqq]'",
        r"--ask 'mean': method= is one of .*\ntake one of these, for instance (method=\S+);",
    ),
    "a part that lies nowhere": Row(
        f"{SEVERAL} 'histogram value=rating[> {{}}1,2,3,4,5]'",
        r"--ask 'histogram': declare where observations lie: .* or (edges=)",
    ),
    "an encoding of something else than text": Row(
        f"{ESTIMATE} --encoding [rot13]", r"Python knows no encoding of text by that name; try (utf-8)"
    ),
    "a column without a group": Row(
        f"{ESTIMATE} [--by nothing>{{}} day]",
        r"no group to estimate in: by= \((--by)\) holds no label, all are missing; leave it out, or name another",
    ),
    "no group": Row(f"{ESTIMATE} --by day [--groups ''>{{}} 2024-01-11]", r"groups= \((--groups)\) names none"),
    "a unit so small that the range is not found": Row(
        "[estimate mean>{}] tiny.csv --user who --value grams [--find-range 0.9>{} 1e-15] --epsilon 4 --seed 1",
        r"ask for the range alone, with a smaller size: .*, sotto (estimate range) (--smallest)",
    ),
    "an address": Row(
        "look [https://example.org/data.csv>data.csv]", r"an address is not read from here: fetch the file first"
    ),
    "a folder": Row("look [.>data.csv]", r"'\.' is a folder; name one file"),
    "a part of a command": Row("survey [lst>{} --help]"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("typed")
    rows = "".join(
        f"u{user},{1 + (user * 7 + turn) % 5},2024-0{1 + user % 9}-11,,{turn + 1}\n"
        for user in range(300)
        for turn in range(3)
    )
    (made / "data.csv").write_text(f"who,rating,day,nothing,other\n{rows}")
    (made / "prices.csv").write_text("who,price\na,$3.1\nb,$4.1\n")
    with redirect_stdout(StringIO()) as question:
        assert main(shlex.split(f"explain mean {MADE_UP} --raw")) == 0
        (made / "question.txt").write_text(question.getvalue())
        assert main([*shlex.split(f"plan mean {MADE_UP} --save"), str(made / "plan.toml")]) == 0
    os.mkfifo(made / "a pipe.csv")
    (made / "tiny.csv").write_text("who,grams\n" + "".join(f"u{user},3e-12\n" for user in range(300)))
    return made


@pytest.mark.parametrize("case", TABLE)
def test_what_is_said_works_as_typed_and_programs_are_told_it_too(
    case: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    row = TABLE[case]
    assert main(row.words) == row.code
    said = capsys.readouterr()
    told = said.err or said.out
    assert "Traceback" not in told
    found = re.search(row.says, told.replace("\\n", "\n"))
    assert found, told
    if row.words:
        assert main([*row.words, *(["--json"] if "--json" not in row.words else [])]) == row.code
        error = json.loads(capsys.readouterr().out)["error"]
        assert error["fix"] and not error["fix"].startswith("see ")
    assert main(row.fixed(*found.groups())) == 0, capsys.readouterr().err


def test_a_page_that_may_not_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
    assert main(shlex.split(f"{ESTIMATE} --html page.html")) == 2
    assert "nothing may be written there\nname another place, such as page.html;" in capsys.readouterr().err
