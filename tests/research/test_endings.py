"""The command that prints the table of endings and writes the figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ks_env.belief.endgames import solve
from research import endings


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    monkeypatch.setattr(sys, "argv", ["endings.py", *words])
    return CliRunner().invoke(endings.app, list(words))


def test_the_table_is_printed_beside_the_known_figures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    result = tmp_path / "deep" / "endgames.json"
    words = ("krk", "--timed", "--trials", "4", "--result", str(result))
    done = run(monkeypatch, *words)
    assert done.exit_code == 0, done.output
    line = done.stdout.splitlines()[1]
    assert line.split() == ["KRK", "518", "315", "25–33", "315", "of", "518,", "25–33:", "the", "same"]
    written = json.loads(result.read_text())
    assert written["made with"]["command"] == "python -m research.endings " + " ".join(words)
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
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = solve("KRK")
    off = endings.figures(table) | {"agrees": False}
    monkeypatch.setattr(endings, "figures", lambda _: off)
    done = run(monkeypatch, "KRK")
    assert done.exit_code == 1
    assert "DIFFERENT" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("KNK",), "expected one of KQK"),
        (("KRK", "--trials", "-1"), "--trials"),
    ],
)
def test_bad_words_are_named(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str) -> None:
    done = run(monkeypatch, *words)
    assert done.exit_code == 2
    assert said in done.stderr
