"""Data sets are made as their config says, whoever makes them and however often they are stopped."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from ks_arena.sections import ConfigError, dump_section, load_section
from ks_train.data.config import DataConfig
from ks_train.data.generate import _Field, default_path
from ks_train.data.journal import Journal
from ks_train.data.schema import UNASKED, Games, read_about, read_games
from ks_train.data.starts import quiet_start
from typer.testing import CliRunner

from ks_env.games.opening import Opening
from tests.train.data.made import SHORT, TEACHER, config, make

HERE = "tests.arena.players"


def only(path: Path) -> Games:
    (games,) = read_games(path)
    return games


def test_the_file_is_the_same_with_one_worker_and_with_two(tmp_path: Path) -> None:
    one = make(tmp_path / "one.parquet")
    two = make(tmp_path / "two.parquet", workers=2)
    assert one.path.read_bytes() == two.path.read_bytes()
    assert (one.games, one.tries, one.labels) == (two.games, two.tries, two.labels)
    games = only(one.path)
    assert (one.games, one.tries) == (len(games), len(games.tries))
    assert one.labels == (games.labels != UNASKED).sum() > 0


@pytest.mark.slow
def test_a_data_set_that_was_killed_many_times_is_the_same(tmp_path: Path) -> None:
    data = config(games=16, ruleset_options={"max_plies": 120})
    file, path = tmp_path / "data.yaml", tmp_path / "killed.parquet"
    file.write_text(dump_section(data))
    command = [sys.executable, "-m", "tests.train.data.generating", str(file), str(path)]
    chance, kills = random.Random(1), 0
    while not path.exists() and kills < 2:
        begun = played(path)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        end = time.monotonic() + 120
        while played(path) < begun + 3 and process.poll() is None:
            assert time.monotonic() < end, "no game is played"
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.1))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        kills += 1
    assert kills == 2
    make(path, data)
    assert path.read_bytes() == make(tmp_path / "whole.parquet", data).path.read_bytes()


def played(path: Path) -> int:
    kept = path.with_suffix(".sqlite")
    if not kept.exists():
        return 0
    journal = Journal(kept)
    try:
        return len(journal.numbers(below=1000))
    finally:
        journal.close()


def test_more_games_go_on_where_fewer_ended(tmp_path: Path) -> None:
    few = make(tmp_path / "games.parquet", config(games=3))
    begun = only(few.path)
    make(tmp_path / "games.parquet", config(games=5))
    more = only(few.path)
    assert len(more) == 5
    assert more.tries[: len(begun.tries)].tolist() == begun.tries.tolist()
    whole = make(tmp_path / "whole.parquet", config(games=5))
    assert few.path.read_bytes() == whole.path.read_bytes()
    make(tmp_path / "games.parquet", config(games=3))
    assert len(only(few.path)) == 3


def test_games_of_another_config_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    before = make(path).path.read_bytes()
    with pytest.raises(ConfigError, match="holds games with another seed; use --restart"):
        make(path, config(seed=2))
    assert path.read_bytes() == before
    make(path, config(seed=2), restart=True)
    assert path.read_bytes() != before
    path.with_suffix(".sqlite").unlink()
    with pytest.raises(ConfigError, match=r"games\.parquet: exists; use --restart"):
        make(path, config(seed=2))


def test_a_file_that_is_no_journal_is_not_thrown_away(tmp_path: Path) -> None:
    kept = tmp_path / "games.sqlite"
    kept.write_text("mine")
    with pytest.raises(ConfigError, match="not a journal"):
        make(tmp_path / "games.parquet", restart=True)
    assert kept.read_text() == "mine"
    with pytest.raises(ConfigError, match=r"ends in \.parquet"):
        make(tmp_path / "games.csv")


def test_labels_are_what_the_player_would_have_tried_and_noise_what_it_tried_instead(tmp_path: Path) -> None:
    games = only(make(tmp_path / "games.parquet", config(games=8)).path)
    asked = games.labels != UNASKED
    assert (games.tries[asked & ~games.noise] == games.labels[asked & ~games.noise]).all()
    drawn = games.noise[asked].mean()
    assert 0.1 < drawn < 0.3  # 0.2 of the teacher's tries
    assert (games.tries[games.noise] != games.labels[games.noise]).any()
    for g in range(len(games)):
        labelled = np.zeros(2, np.int64)
        game = games.begin(g)
        for at, action in enumerate(games.tries_of(g).tolist(), int(games.first[g])):
            colour = bool(game.to_play)
            labelled[0 if colour else 1] += asked[at]
            if games.noise[at]:
                assert action in Opening.of(game, colour).tries(game.view(colour))
            game.judge(action)
        teacher = games.players[g].index("teacher")
        assert labelled[teacher] > 0
        assert labelled[1 - teacher] == 0


def test_a_teacher_is_asked_in_each_turn_of_another_player(tmp_path: Path) -> None:
    players = [{"player": "random", "teacher": "capture", "label": "asks"}, "random"]
    games = only(make(tmp_path / "games.parquet", config(players=players)).path)
    asked = games.labels != UNASKED
    assert asked.any()
    assert (games.labels[asked] != games.tries[asked]).any()
    assert not games.noise.any()


def test_values_are_those_of_who_is_asked(tmp_path: Path) -> None:
    players = [{"player": f"{__name__}:Weighs", "label": "weighs"}, "random"]
    games = only(make(tmp_path / "games.parquet", config(players=players)).path)
    counts = np.diff(games.first_values)
    seats = [name == "weighs" for g in range(len(games)) for name in mover_names(games, g)]
    assert counts.tolist() == [2 * mine for mine in seats]
    made = games.tries[np.array(seats)]
    assert games.value_tries[::2].tolist() == made.tolist()
    assert games.values[::2].tolist() == [1.5] * len(made)
    assert set(games.values[1::2].tolist()) == {-60_000.0}


def mover_names(games: Games, g: int) -> list[str]:
    game, names = games.begin(g), []
    for action in games.tries_of(g).tolist():
        names.append(games.players[g][0 if game.to_play else 1])
        game.judge(action)
    return names


class Weighs:
    """Says that its try is worth 1.5, and another nothing."""

    name = "weighs"

    def __init__(self) -> None:
        from ks_env.players.registry import make_player

        self.inner = make_player("random")
        self.last = 0

    def begin(self, opening: Any) -> None:
        self.inner.begin(opening)

    def choose(self, view: Any) -> int:
        self.last = self.inner.choose(view)
        return self.last

    def weighed(self) -> tuple[Any, Any]:
        return np.array([self.last, 0], np.int16), np.array([1.5, -1e9], np.float32)


def test_forfeits_are_kept_with_the_labels_so_far(tmp_path: Path) -> None:
    players = [{"player": f"{HERE}:Raises", "teacher": "itself", "label": "raises"}, "random"]
    games = only(make(tmp_path / "games.parquet", config(players=players)).path)
    assert set(games.reasons) == {"forfeit"}
    assert all(fault is not None and "KeyError" in fault for fault in games.faults)
    assert {games.players[g][0 if games.results[g] < 0 else 1] for g in range(len(games))} == {"raises"}
    for g in range(len(games)):
        part = slice(games.first[g], games.first[g + 1])
        mine = np.array(mover_names(games, g)) == "raises"
        assert ((games.labels[part] != UNASKED) == mine).all()
    from ks_train.data.replay import replay

    assert sum(len(batch) for batch in replay(tmp_path / "games.parquet")) == (games.labels != UNASKED).sum()


def test_strangers_and_their_teachers_play_in_processes_of_their_own(tmp_path: Path) -> None:
    """`Peeps` raises where it finds a referee in its process."""
    peeps = "tests.arena.apart.players:Peeps"
    players = [{"player": peeps, "teacher": peeps}, "random"]
    few: dict[str, Any] = {"players": players, "games": 2, "ruleset_options": {"max_plies": 8}}
    apart = only(make(tmp_path / "apart.parquet", config(**few)).path)
    assert set(apart.reasons) == {"plies"}
    assert (apart.labels != UNASKED).any()
    beside = make(tmp_path / "beside.parquet", config(**few, isolated=False))
    assert "forfeit" in set(only(beside.path).reasons)


def test_games_are_drawn_by_their_numbers(tmp_path: Path) -> None:
    data = config(
        players=[TEACHER, "random", "capture"],
        meetings=[{"players": ["teacher", "random"], "share": 3}, {"players": ["capture", "capture"]}],
    )
    field = _Field(data)
    jobs = [field.job(number) for number in range(400)]
    assert jobs == [_Field(data).job(number) for number in range(400)]
    met = [tuple(sorted(job.labels)) for job in jobs]
    assert set(met) == {("random", "teacher"), ("capture", "capture")}
    assert 0.68 < met.count(("random", "teacher")) / 400 < 0.82
    white = [job.labels[0] for job in jobs if "teacher" in job.labels]
    assert 0.4 < white.count("teacher") / len(white) < 0.6
    assert len({job.seeds for job in jobs}) == 400
    assert len({job.fen for job in jobs}) > 200
    everybody = _Field(config(players=["random", "capture", TEACHER]))
    assert len({frozenset(everybody.job(number).labels) for number in range(50)}) == 3


def test_quiet_starts() -> None:
    rng = np.random.default_rng(1)
    plies = set()
    for _ in range(100):
        board = chess.Board(quiet_start(rng, chess.STARTING_FEN, 8))
        assert len(board.piece_map()) == 32
        assert not board.is_check()
        plies.add(board.ply())
    assert plies == set(range(9))
    for _ in range(100):  # Black's queen may go to f2 or g3, which is stalemate
        assert any(chess.Board(quiet_start(rng, "7k/8/8/8/8/8/4q3/7K b - - 0 1", 1)).legal_moves)


def test_the_file_says_what_it_is(files: dict[str, Path]) -> None:
    about = read_about(files["Kriegspiel"])
    assert about["schema"] == 1
    assert about["config"]["players"][0]["teacher"] == "itself"
    assert about["config"]["ruleset_options"] == SHORT
    assert "kernels" in about["versions"]


def test_hidden_men_are_named_by_their_squares(files: dict[str, Path]) -> None:
    games = only(files["InvisibleChess"])
    for g in range(len(games)):
        white, black = games.men[g] if games.players[g][0] == "teacher" else games.men[g][::-1]
        board = chess.Board(games.fens[g])
        assert board.piece_type_at(chess.parse_square(white)) == chess.BISHOP
        assert board.piece_type_at(chess.parse_square(black)) == chess.KNIGHT


# -- configs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"players": ["random"]}, "one player and no meetings"),
        ({"players": ["random", "random"]}, "two players are called 'random'"),
        ({"meetings": [{"players": ["random", "nobody"]}]}, "unknown player 'nobody'; expected one of"),
        ({"players": [{"player": "random", "noise": 1}, "capture"]}, r"players\.0\.noise"),
        ({"players": [{"player": "random", "per_unit": 2}, "capture"]}, "per_unit"),
        ({"quiet": 3}, r"quiet: unknown key \(did you mean 'quiet_plies'"),
        ({"hidden_start": True}, "quiet_plies goes with starts that the players are told"),
        ({"players": [{"player": "random", "hidden": "2B"}, "capture"]}, "have none of their own"),
        (
            {"game": "InvisibleChess", "players": [{"player": "random", "hidden": "c1 f1"}, "capture"]},
            "name hidden men by kind|no man of black",
        ),
    ],
)
def test_configs_that_cannot_be_used(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        config(**keys)


def test_players_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'nobody' is not a player"):
        make(tmp_path / "games.parquet", config(players=["nobody", "random"]))
    unknown = {"player": "random", "teacher": "nobody"}
    with pytest.raises(ConfigError, match="'nobody' is not a player"):
        make(tmp_path / "games.parquet", config(players=[unknown, "capture"]))
    dark = {"game": "DarkChess", "players": ["darkboard:metapositions=1", "random"]}
    with pytest.raises(ConfigError, match="does not play dark chess"):
        make(tmp_path / "games.parquet", config(**dark))


def test_a_config_goes_through_yaml(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text(dump_section(config()))
    assert load_section(DataConfig, path) == config()


@pytest.mark.parametrize(
    "path", sorted(Path("configs").glob("generate*.yaml")) + sorted(Path("configs/datasets").glob("*"))
)
def test_the_configs_that_come_with_the_project(path: Path) -> None:
    data = load_section(DataConfig, path)
    assert isinstance(data, DataConfig)
    _Field(data).job(0)


def test_the_command(tmp_path: Path) -> None:
    from ks_train.commands.main import app

    file, out = tmp_path / "data.yaml", tmp_path / "games.parquet"
    file.write_text(dump_section(config(games=2)))
    done = CliRunner().invoke(app, ["generate", str(file), "--out", str(out), "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert f"{out}: 2 games," in done.output
    assert len(only(out)) == 2
    assert default_path(config()) == Path("runs/test/games.parquet")
