"""The state of a figure, from what is there: players, rulesets, files of games."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ks_arena.reproduce.published import Row
from ks_arena.reproduce.state import (
    StudyState,
    cut,
    missing_players,
    obstacle,
    row_state,
    study_file,
    study_state,
)
from ks_arena.sections import ConfigError
from ks_arena.study.store import Store

from tests.arena.reproduce.games import MadeUp, config

GHOSTS = {
    "kind": "ladder",
    "players": [{"label": "G", "player": "ghost:nodes={budget}"}],
    "budgets": [1, 2],
    "unit": "nodes",
    "against": ["random", "ghoul", "ks_env.players.kernel_player:random_player"],
}

ROW = Row.model_validate(
    {
        "what": "w",
        "section": "§",
        "published": {"value": 1},
        "study": "mine",
        "measure": {
            "kind": "lead",
            "player": "A",
            "against": "B",
            "rivals": [{"study": "theirs", "player": "A"}],
        },
    }
)


def state(games: int, obstacle: str = "") -> StudyState:
    return StudyState(obstacle, None, config(), Counter({0: games}), config().games)


@pytest.mark.parametrize(
    ("mine", "theirs", "wanted"),
    [
        (state(1000), state(1000), "1,000 games played"),
        (state(10), state(1000), "10 games played of 1,000"),
        (state(1000), state(0), "not run"),
        (state(0), state(1000), "not run"),
        (state(1000), state(0, "players missing: ghost"), "players missing: ghost"),
        (state(0, "players missing: ghost"), state(0, "players missing: ghost"), "players missing: ghost"),
        (
            state(0, "players missing: a"),
            state(0, "players missing: b"),
            "players missing: a; players missing: b",
        ),
        (state(6, "players missing: ghost"), state(6), "6 games played of 1,000"),  # there was one then
    ],
)
def test_a_comparison_takes_games_of_all_its_studies(
    mine: StudyState, theirs: StudyState, wanted: str
) -> None:
    assert row_state(ROW, {"mine": mine, "theirs": theirs}) == wanted


def test_missing_players_are_named_once_and_without_their_parameters() -> None:
    assert missing_players(config(GHOSTS)) == ["ghost", "ghoul"]
    assert obstacle(config(GHOSTS)) == "players missing: ghost, ghoul"
    assert obstacle(config()) == ""


def test_a_study_is_cut_to_fewer_games_only() -> None:
    whole = config()
    assert cut(whole, None) == whole
    assert cut(whole, 2000) == whole
    assert cut(whole, 10) == config(games=10)
    for games in (0, 7, -2):
        with pytest.raises(ConfigError, match=r"^--games: games: "):
            cut(whole, games)


def fill(path: Path, played: int, **settings: Any) -> None:
    store = Store.create(path, config(**settings), {})
    for game in MadeUp(config()).add(0, [(1, 0)] * (played // 2)).played:
        store.add(game)
    store.close()


def test_the_file_with_the_most_games_counts(tmp_path: Path) -> None:
    assert study_state(tmp_path, "duel", config()).counts.total() == 0
    fill(study_file(tmp_path, "duel", None), 4)
    fill(study_file(tmp_path, "duel", 8), 8, games=8)
    fill(study_file(tmp_path, "duel-2", None), 20, seed=7)  # another study's
    found = study_state(tmp_path, "duel", config())
    assert (found.path, found.config.games, found.counts) == (
        study_file(tmp_path, "duel", 8),
        8,
        Counter({0: 8}),
    )
    with pytest.raises(
        ConfigError, match=r"duel-2\.sqlite: holds a study with other settings than the table"
    ):
        study_state(tmp_path, "duel-2", config())
