"""A standing ranking: which games are played, and that none is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ks_arena.ladder import CONFIG, SPREAD, Ladder, Standing, most_telling, ratings_of
from ks_arena.report import write_report
from ks_arena.sections import ConfigError
from ks_train.commands.main import app
from rich.console import Console
from scipy.optimize import minimize
from typer.testing import CliRunner

PLAYERS = ["random", "capture", "policy"]
QUIET = Console(quiet=True)
STARTS = [f"4k3/8/8/8/8/8/{pawn}/4K3 w - - 0 1" for pawn in ("4P3", "3P4", "2P5")]


def begun(folder: Path, players: list[str] = PLAYERS, more: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / CONFIG).write_text(f"name: l\nmeeting: 4\nplayers: {players}\n{more}\n")
    return folder


def played(folder: Path, games: int) -> Ladder:
    ladder = Ladder(folder)
    ladder.play(games, workers=1, engine="processes", console=QUIET)
    return ladder


def test_the_shipped_ladder_can_begin(tmp_path: Path) -> None:
    begin = ["ladder", str(tmp_path / "l"), "--begin", "ladders/package", "--games", "0"]
    told = CliRunner().invoke(app, begin)
    assert told.exit_code == 0, told.output
    assert len(Ladder(tmp_path / "l").config.players) > 2


def tables(seed: int, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and games of any pairs of players."""
    rng = np.random.default_rng(seed)
    games, points = np.zeros((2, players, players))
    for i in range(players):
        for j in range(i):
            games[i, j] = games[j, i] = rng.integers(0, 30)
            points[i, j] = rng.integers(0, 2 * games[i, j] + 1) / 2
            points[j, i] = games[i, j] - points[i, j]
    return points, games


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_ratings_are_the_likeliest_under_the_prior(seed: int, players: int) -> None:
    points, games = tables(seed, players)

    def loss(ratings: np.ndarray) -> float:
        apart = ratings[:, None] - ratings[None]
        likely = np.logaddexp(0, -apart)
        return float((points * likely).sum() + (ratings**2).sum() / (2 * SPREAD**2))

    found = minimize(loss, np.zeros(players), tol=1e-12)
    assert ratings_of(points, games)[0] == pytest.approx(found.x, abs=1e-4)


@given(st.integers(0, 2**32), st.integers(2, 6))
def test_the_next_game_shrinks_the_covariance_most(seed: int, players: int) -> None:
    points, games = tables(seed, players)
    ratings, covariance = ratings_of(points, games)
    gains = {}
    for i in range(players):
        for j in range(i + 1, players):
            towards = np.eye(players)[i] - np.eye(players)[j]
            likely = 1 / (1 + np.exp(ratings[j] - ratings[i]))
            more = np.linalg.inv(covariance) + likely * (1 - likely) * np.outer(towards, towards)
            gains[i, j] = np.linalg.slogdet(more)[1]
    assert gains[most_telling(points, games)] == pytest.approx(max(gains.values()), abs=1e-9)


def test_everybody_is_met_first_and_the_report_is_whole(tmp_path: Path) -> None:
    ladder = played(begun(tmp_path), 12)
    assert sum(len(each.done) for each in ladder.meetings) == 3
    assert {label for each in ladder.meetings if each.done for label in (each.first, each.second)} == set(
        PLAYERS
    )
    write_report(Standing(ladder), tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "12 games so far; more are played where they tell most." in text
    assert f"ks ladder {tmp_path}" in text
    assert all(f"| {player} |" in text for player in PLAYERS)
    assert len({(game.pairing, game.pair, game.leg) for game in Standing(ladder).games()}) == 12


def test_players_come_and_go_and_find_their_games_again(tmp_path: Path) -> None:
    games = Standing(played(begun(tmp_path), 12)).games()
    two = [game for game in games if "policy" not in (game.white, game.black)]
    assert len(Standing(Ladder(begun(tmp_path, PLAYERS[:2]))).games()) == len(two)
    ladder = played(begun(tmp_path, ["darkboard:metapositions=20", *PLAYERS]), 4)
    assert len(Standing(ladder).games()) == 16
    assert len(Standing(Ladder(begun(tmp_path, PLAYERS, "seed: 9"))).games()) == 12
    assert Standing(Ladder(begun(tmp_path, PLAYERS, "ruleset: rand"))).games() == []


def test_a_meeting_that_was_cut_off_is_resumed(tmp_path: Path) -> None:
    ladder = played(begun(tmp_path), 4)
    (first,) = [study for meeting in ladder.meetings for study in meeting.done]
    with closing(sqlite3.connect(first.path)) as base:
        base.execute("DELETE FROM games WHERE pair = 1")
        base.commit()
    assert len(Standing(Ladder(tmp_path)).games()) == 2
    ladder = Ladder(tmp_path)
    assert ladder.play(1, workers=1, engine="processes", console=QUIET) == 2
    assert [game.actions for game in Standing(ladder).games()] == [game.actions for game in first.games()]


def test_each_meeting_has_other_starts_and_seeds(tmp_path: Path) -> None:
    ladder = played(begun(tmp_path, PLAYERS[:2], f"start: {STARTS}"), 8)
    games = Standing(ladder).games()
    assert [game.start_fen for game in games[::2]] == [*STARTS, STARTS[0]]
    assert len({game.white_seed for game in games}) == 8


@pytest.mark.parametrize(
    ("players", "more", "message"),
    [
        (["random", "random"], "", "two players are called 'random'"),
        (["random"], "", "at least 2"),
        (PLAYERS, "meetings: 3", "meetings"),
        (["random", "nobody"], "", "nobody"),
    ],
)
def test_a_wrong_file(tmp_path: Path, players: list[str], more: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Ladder(begun(tmp_path, players, more))


@pytest.mark.parametrize(("players", "more"), [(PLAYERS[:2], "meetings: 3"), (["random", "nobody"], "")])
def test_no_ladder_begins_from_a_wrong_file(tmp_path: Path, players: list[str], more: str) -> None:
    config, folder = begun(tmp_path / "from", players, more) / CONFIG, tmp_path / "ladder"
    begin = ["ladder", str(folder), "--games", "0", "--begin", str(config)]
    told = CliRunner().invoke(app, begin)
    assert told.exit_code == 2
    assert (str(config) if more else "nobody") in told.output.replace("\n", "")
    begun(tmp_path / "from", PLAYERS[:2])
    assert CliRunner().invoke(app, begin).exit_code == 0


def test_the_command_begins_goes_on_and_reports(tmp_path: Path) -> None:
    config = begun(tmp_path / "from", PLAYERS[:2]) / CONFIG
    folder = tmp_path / "ladder"
    missing = CliRunner().invoke(app, ["ladder", str(folder)])
    assert "has no ladder.yaml" in missing.output
    words = ["ladder", str(folder), "--workers", "1", "--games", "2"]
    assert "4 more games" in CliRunner().invoke(app, [*words, "--begin", str(config)]).output
    assert "4 more games" in CliRunner().invoke(app, words).output
    assert "already exists" in CliRunner().invoke(app, [*words, "--begin", str(config)]).output
    assert "8 games so far" in (folder / "report.md").read_text()
