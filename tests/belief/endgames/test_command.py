"""The command that prints the table and writes the figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ks_env.belief.endgames import __main__ as command
from ks_env.belief.endgames import report, solve


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["endgames", *words])
    return command.main()


def test_the_table_is_printed_beside_the_known_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    result = tmp_path / "deep" / "endgames.json"
    words = ("--table", "krk", "--timed", "--trials", "4", "--result", str(result))
    assert run(monkeypatch, *words) == 0
    line = capsys.readouterr().out.splitlines()[1]
    assert line.split() == ["KRK", "518", "315", "25–33", "315", "of", "518,", "25–33:", "the", "same"]
    written = json.loads(result.read_text())
    assert written["made with"]["command"] == "python -m ks_env.belief.endgames " + " ".join(words)
    found = written["endings"]["KRK"]
    assert sum(found["sure wins by moves"].values()) == found["sure wins"] == 315
    assert found["same as the kept table"]
    trials = found["trials under the fifty-move rule"]
    assert {name: each["games"] for name, each in trials.items()} == {
        "no sure win, random king": 4,
        "no sure win, evading king": 4,
        "sure win, random king": 4,
        "sure win, evading king": 4,
    }
    assert [path.name for path in result.parent.iterdir()] == ["endgames.json"]


def test_a_figure_that_differs_is_said_and_is_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = solve("KRK")
    off = report.figures(table) | {"agrees": False}
    monkeypatch.setattr(report, "figures", lambda _: off)
    assert run(monkeypatch, "--table", "KRK") == 1
    assert "DIFFERENT" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--table", "KPK"), "expected one of KQK"),
        (("--table", "KRK", "--trials", "-1"), "expected a number from 0 up"),
        ((), "--table"),
    ],
)
def test_bad_words_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit) as error:
        run(monkeypatch, *words)
    assert error.value.code == 2
    assert said in capsys.readouterr().err
