"""What a study shows in the terminal."""

import io
from pathlib import Path

import pytest
from ks_arena.match.result import GameResult
from ks_arena.study.config import StudyConfig
from ks_arena.study.display import Display
from ks_arena.study.scores import scores
from ks_arena.study.study import Study
from ks_arena.study.tally import Standing
from rich.console import Console
from rich.table import Table

from tests.arena.made_up import game, study_of

LABELS = ("x [/y]", "A [k=1]")
FAULT = "raised RuntimeError: cannot open [/dev/null]"


def study(path: Path, games: list[GameResult]) -> Study:
    players = [{"player": "random", "label": label} for label in LABELS]
    config = StudyConfig(
        name="made-up",
        tournament={"kind": "round-robin", "players": players},
        games=4,
        sprt={"elo0": 0, "elo1": 5},
    )
    return study_of(config, path, games)


def shown(table: Table) -> str:
    file = io.StringIO()
    Console(file=file, width=200).print(table)
    return file.getvalue()


def test_labels_and_faults_are_shown_as_they_are(tmp_path: Path) -> None:
    games = [game((0, 0, leg), LABELS, 1 - 2 * leg, "forfeit", fault=FAULT) for leg in (0, 1)]
    text = shown(scores(study(tmp_path / "s", games)))
    for words in (*LABELS, FAULT, "100.0%", "2 forfeit", "the sequential test has not decided"):
        assert words in text


def test_a_pairing_without_games_is_shown(tmp_path: Path) -> None:
    assert LABELS[0] in shown(scores(study(tmp_path / "s", [])))


@pytest.mark.parametrize("terminal", [True, False])
def test_the_live_table_shows_labels_as_they_are(tmp_path: Path, terminal: bool) -> None:
    config = study(tmp_path / "s", []).config
    pairings = study(tmp_path / "t", []).pairings
    standing = Standing(None)
    file = io.StringIO()
    display = Display(Console(file=file, width=200, force_terminal=terminal), config, pairings, [standing])
    with display:
        played = game((0, 0, 0), LABELS, 1, "forfeit", fault=FAULT)
        standing.add(played)
        display.update(played)
    for words in (*LABELS, "100.0%", "1 forfeits now"):
        assert words in file.getvalue()
    assert terminal or file.getvalue().endswith("\n")  # a terminal is told to show its cursor, too
