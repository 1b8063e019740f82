"""``sotto estimate mean``."""

from importlib import import_module

from sottovoce.cli import main
from tests.support.said import result_of


def words(file, *more):
    survey = "--user who --value what --low 0 --high 10 --epsilon 1"
    return ["estimate", "mean", file, *survey.split(), *more]


def test_anything_a_float_can_hold(tmp_path, capsys):
    path = tmp_path / "odd.csv"
    path.write_text("who,what\na,inf\na,-inf\nb,1e308\nb,1e308\nc,NA\nd,-0.0\ne,5e-324\nf,NaN\n")
    assert main(words(str(path), "--json")) == 0
    assert result_of(capsys.readouterr().out)["users_per_round"] == [6]


def test_parquet(tmp_path, capsys):
    polars = import_module("polars")
    path = tmp_path / "ratings.parquet"
    polars.DataFrame({"who": [1, 1, 2, 3], "what": [1.0, 2.0, 3.0, 4.0]}).write_parquet(path)
    assert main(words(str(path), "--json", "--seed", "1")) == 0
    assert result_of(capsys.readouterr().out)["users_per_round"] == [3]
