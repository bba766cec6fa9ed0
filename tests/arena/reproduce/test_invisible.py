"""Invisible chess beside its paper: the matrix, the ranks, who was uncertain, Figure 3."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ks_arena.match.referee import referee_of_result
from ks_arena.reproduce.invisible import (
    Cell,
    agreement,
    cells_of,
    matrix,
    same_cells,
    survey,
    write_comparison,
)
from ks_arena.reproduce.outcome import outcome_of
from ks_arena.reproduce.published import PublishedTable, find_table, load_table
from ks_arena.reproduce.uncertainty import uncertainty
from ks_arena.sections import check_section
from ks_arena.study.config import RoundRobin, StudyConfig
from ks_arena.study.run import run_study
from ks_arena.study.study import Study
from rich.console import Console
from scipy.stats import entropy, spearmanr

from ks_env.belief.joint import Joint
from tests.arena.standing import one_worker

PAPER = load_table(find_table("advisors-2001"))


def small(games: int = 20) -> PublishedTable:
    """The paper's table with random players, and one pairing."""
    players = [
        {"label": "2B", "player": "capture", "hidden": "2B"},
        {"label": "1B", "player": "random", "hidden": "1B"},
    ]
    study = {
        "name": "table-1",
        "game": "InvisibleChess",
        "games": games,
        "tournament": {"kind": "round-robin", "players": players},
    }
    rows = [
        row.model_dump(exclude_none=True, exclude_defaults=True)
        for row in PAPER.rows
        if row.study == "table-1"
        and row.measure is not None
        and {row.measure.player, row.measure.against} == {"1B", "2B"}
    ]
    keys = {
        "title": "small",
        "source": "made up",
        "comparison": "invisible",
        "studies": {"table-1": study},
        "rows": rows,
    }
    return check_section(PublishedTable, keys, "small")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[PublishedTable, Study]:
    table = small()
    path: Path = tmp_path_factory.mktemp("advisors-2001") / "table-1.sqlite"
    with one_worker():
        study = run_study(table.studies["table-1"], path, console=Console(quiet=True))
    return table, study


def test_entropies_are_those_of_both_players_beliefs(played: tuple[PublishedTable, Study]) -> None:
    _, study = played
    game = study.games()[0]
    referee = referee_of_result(game, study.config)
    joints, sums, turns = (Joint(spread_captures=True), Joint(spread_captures=True)), [0.0, 0.0], [-1, -1]
    for seat, joint in enumerate(joints):
        joint.begin(referee.view(seat))
    for action in np.frombuffer(game.actions, "<i2").tolist():
        seat = referee.mover
        joints[seat].follow(referee.view(seat))
        if turns[seat] != sum(referee.moves):  # once a turn
            turns[seat] = sum(referee.moves)
            boards: dict[Any, Any] = {}
            for board, weight in zip(joints[seat].boards, joints[seat].weights, strict=True):
                boards[board.tobytes()] = boards.get(board.tobytes(), 0) + weight
            sums[seat] += entropy(list(boards.values()), base=2)
        referee.ask(action)
    assert uncertainty(game, study.config, 0) == pytest.approx(tuple(sums))
    assert uncertainty(game, study.config, 1) == pytest.approx(tuple(sums[::-1]))


def test_the_share_of_less_uncertain_winners_is_counted_by_colour(
    played: tuple[PublishedTable, Study],
) -> None:
    table, study = played
    found = {(s.white, s.winner): (s.hits, s.games) for s in survey(study, "2B", "1B", 10)}
    decisive = [game for game in study.games() if game.outcome]
    assert sum(games for _, games in found.values()) == len(decisive) > 0
    for game in decisive:
        white, black = uncertainty(game, study.config, 0)
        key = game.white, "White" if game.outcome > 0 else "Black"
        found[key] = found[key][0] - ((white < black) == (game.outcome > 0)), found[key][1]
    assert all(hits == 0 for hits, _ in found.values())
    row = next(
        row
        for row in table.rows
        if row.measure is not None and row.measure.kind == "less_uncertain" and row.measure.winner == "player"
    )
    outcome = outcome_of(row, table, {"table-1": study}, {}, {})
    mine = [s for s in survey(study, "2B", "1B", 10) if (s.white, s.winner) == ("2B", "White")]
    assert outcome.measured is not None
    if mine and outcome.measured.estimate is not None:
        assert outcome.measured.estimate.value == pytest.approx(100 * mine[0].hits / mine[0].games)


def test_the_comparison_has_the_matrix_and_the_figure(
    played: tuple[PublishedTable, Study], tmp_path: Path
) -> None:
    table, study = played
    outcomes = [outcome_of(row, table, {"table-1": study}, {}, {}) for row in table.rows]
    (cell,) = cells_of(outcomes, "table-1")
    assert (cell.player, cell.against, cell.theirs) == ("1B", "2B", 17.2)
    files = write_comparison(tmp_path, table, outcomes, {"table-1": study}, "@20-games")
    assert {file.name for file in files} <= {"comparison@20-games.md", "figure-3@20-games.png"}
    text = (tmp_path / "comparison@20-games.md").read_text()
    assert f"{cell.ours:.1f} (17.2)" in text
    assert f"{100 - cell.ours:.1f} (82.8)" in text


def test_other_studies_may_have_some_of_the_players(played: tuple[PublishedTable, Study]) -> None:
    _, study = played
    won = [game.outcome * (1 if game.white == "1B" else -1) for game in study.games()]
    share = 100 * won.count(1) / (won.count(1) + won.count(-1))
    cells = [Cell("1B", "2B", 17.2, 0), Cell("1B", "1Q", 35, 0)]
    assert same_cells(study, cells) == [Cell("1B", "2B", 17.2, share)]


def test_ranks_and_sides() -> None:
    cells = [Cell("a", "b", 60, 55), Cell("a", "c", 70, 45), Cell("b", "c", 40, 30), Cell("b", "d", 90, 80)]
    text = agreement(cells)
    assert "3 of 4 cells" in text
    assert "12.5 points apart on average" in text
    assert f"{spearmanr([60, 70, 40, 90], [55, 45, 30, 80]).statistic:.2f}" in text
    assert matrix(cells).splitlines()[2].startswith("| **a** |  | 55.0 (60.0) | 45.0 (70.0) |")


def test_measures_of_uncertainty_name_their_keys() -> None:
    keys = {"kind": "wins", "player": "a", "against": "b", "colour": "white"}
    row = {"what": "x", "section": "y", "published": {"value": 1}, "study": "s", "measure": keys}
    with pytest.raises(ValueError, match="colour and winner go with less_uncertain and less_entropy"):
        check_section(PublishedTable, {"title": "t", "source": "s", "rows": [row]}, "t")


def test_the_studies_are_of_the_paper() -> None:
    first = PAPER.studies["table-1"]
    assert isinstance(first, StudyConfig)
    assert first.game == "InvisibleChess"
    assert isinstance(first.tournament, RoundRobin)
    hidden = {entry.label: entry.hidden for entry in first.tournament.players}
    assert hidden == {label: label for label in ("1B", "1N", "1R", "1Q", "2B", "2N", "2R", "none")}
