"""Learning of advantages: games, returns, and the fit."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import chess
import numpy as np
import pytest
import torch
from ks_arena.study.config import read_starts
from ks_baselines.mcts.advantage_search.network import SHIPPED, judge, read_networks
from ks_baselines.mcts.advantage_search.terms import STATE_TERMS, TRY_TERMS
from rich.console import Console
from typer.testing import CliRunner

from ks_env.core.tables import TRY_FROM, TRY_TO
from ks_env.games.opening import Opening
from ks_env.players.registry import make_player
from research.advantage import __main__ as program
from research.advantage import fit, games
from research.advantage import learn as command
from research.advantage.__main__ import app
from research.advantage.data import Data, load, places, returns
from research.advantage.explorer import ROW, Explorer

QUIET = Console(quiet=True)
STARTS = Path(__file__).parents[2] / "configs/starts/quiet.fen"


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "BATCH", 256)
    torch.set_num_threads(1)


def drawn_data(number: int, seed: int = 0) -> Data:
    """Games of four turns, with a try in each, whose first term decides the game when it is made first."""
    rng = np.random.default_rng(seed)
    rows = np.zeros(4 * number, ROW)
    rows["terms"] = rng.normal(size=(4 * number, len(TRY_TERMS)))
    rows["turn"] = np.tile(np.arange(4), number)
    rows["move"] = 12 + 64 * 28 + 4096
    scores = (rows["terms"][::4, 0] > 0).astype(float)
    return Data(
        scores=scores,
        game=np.repeat(np.arange(number), 4),
        states=np.zeros((4 * number, len(STATE_TERMS)), np.float32),
        rows=rows,
        at=np.arange(4 * number),
    )


def test_returns_are_weighted_means_of_what_comes_later() -> None:
    rng = np.random.default_rng(1)
    data, values, decay = drawn_data(3), rng.random(12).astype(np.float32), 0.7
    found = returns(data, values, decay)
    for t in range(12):
        end = 4 * (t // 4) + 4
        later = [*values[t + 1 : end], data.scores[t // 4]]
        expected = sum((1 - decay) * decay**i * value for i, value in enumerate(later[:-1]))
        expected += decay ** (len(later) - 1) * later[-1]
        assert found[t] == pytest.approx(expected, rel=1e-5)


def test_places_are_kind_and_square() -> None:
    starts, ends = places(np.array([12 + 64 * 28 + 4096, 6 + 64 * 21 + 2 * 4096]))
    assert starts.tolist() == [64 + 12, 128 + 6]
    assert ends.tolist() == [64 + 28, 128 + 21]


def test_the_fit_finds_what_a_try_brings() -> None:
    torch.manual_seed(0)
    data = drawn_data(6000)
    values = np.full(len(data.states), 0.5, np.float32)
    network = fit.fit_advantages(data, values, data.held_out(0), QUIET)
    terms = np.zeros((2, len(TRY_TERMS)), np.float32)
    terms[:, 0] = 1.0, -1.0
    found = np.zeros(2, np.float32)
    moves = data.rows["move"][:2].copy()
    judge(network.weights(), np.zeros(len(STATE_TERMS), np.float32), terms, moves, 2, found)
    brought = 0.85**3 * 5 / 4  # tenths; a game's first try decides it, the other three bring nothing
    assert found[0] - found[1] == pytest.approx(2 * brought, rel=0.35)


def test_the_kernel_judges_as_the_fitted_network() -> None:
    torch.manual_seed(1)
    data, network = drawn_data(8), fit.Advantages().eval()
    given = fit.inputs_of(data)
    with torch.no_grad():
        expected = network(given.at(torch.arange(32))).numpy()
    found = np.zeros(32, np.float32)
    terms = data.rows["terms"].astype(np.float32)
    judge(
        network.weights(), np.zeros(len(STATE_TERMS), np.float32), terms, data.rows["move"].copy(), 32, found
    )
    assert found == pytest.approx(expected, abs=1e-4)


def test_values_know_who_wins() -> None:
    torch.manual_seed(2)
    data = drawn_data(10_000)
    data.states[:, 0] = np.repeat(data.scores, 4)
    values = fit.fit_values(data, data.held_out(0), QUIET)
    assert values[data.scores[data.game] == 1].mean() > 0.8
    assert values[data.scores[data.game] == 0].mean() < 0.2


def test_a_game_is_noted_turn_by_turn() -> None:
    player, opponent = Explorer(), make_player("capture")
    played = games.play(player, opponent, 3)
    assert played.score in (0.0, 0.5, 1.0)
    turns = played.rows["turn"].tolist()
    assert all(a < b for a, b in pairwise(turns))
    assert turns[-1] < len(played.states)
    for row in played.rows:
        assert np.array_equal(row["state"][:7], played.states[row["turn"]][:7])
    again = games.play(player, opponent, 3)
    assert again.rows.tobytes() == played.rows.tobytes()


class Mating:
    """A player that knows one try, d8h4 as Black, and makes it."""

    name = "mating"

    def begin(self, opening: Opening) -> None:
        assert opening.colour == chess.BLACK

    def choose(self, view: np.void) -> int:
        tries = np.flatnonzero((TRY_FROM == chess.D1) & (TRY_TO == chess.H5))  # in its own frame
        return int(tries[0])


def test_a_game_lost_before_the_first_turn_is_a_game(tmp_path: Path) -> None:
    fools_mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    played = games.play(Explorer(), Mating(), 2, fools_mate)
    assert played.score == 0
    assert played.states.shape == (0, len(STATE_TERMS))
    assert played.rows.shape == (0,)
    other = games.play(Explorer(), make_player("capture"), 3)
    games.write_shard([played, other, played], tmp_path / "000000.npz")
    data = load(tmp_path)
    assert data.scores.tolist() == [0, other.score, 0]
    assert np.unique(data.game).tolist() == [1]
    assert data.rows.tobytes() == other.rows.tobytes()
    assert returns(data, np.zeros(len(data.states), np.float32), 1.0)[-1] == other.score


def test_without_noise_the_best_value_is_played() -> None:
    noisy, plain = Explorer(noise=1.0), Explorer(noise=0.0)
    best = TRY_TERMS.index("the best")
    shares = [
        games.play(player, make_player("capture"), 5).rows["terms"][:, best].mean()
        for player in (plain, noisy)
    ]
    assert shares[0] == 1
    assert 0.1 < shares[1] < 0.95


def test_starts_are_some_quiet_moves_from_the_initial_position() -> None:
    rng = np.random.default_rng(0)
    boards = [chess.Board(games.draw_start(rng)) for _ in range(200)]
    assert {board.ply() for board in boards} == set(range(games.OPENING + 1))
    assert len({board.board_fen() for board in boards}) > 100
    for board in boards:
        assert len(board.piece_map()) == 32
        assert not board.is_check()
    for number in range(2):
        seeded = [games.draw_start(np.random.default_rng([5, number])) for _ in range(2)]
        assert seeded[0] == seeded[1]


def test_the_file_of_starts_is_what_it_says() -> None:
    starts, rng = read_starts(STARTS), np.random.default_rng(1)
    drawn: dict[str, None] = {}
    while len(drawn) < len(starts):
        drawn[games.draw_start(rng)] = None
    assert starts == list(drawn)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "OPPONENTS", {"capture": 0.5, games.ITSELF: 0.5})
    monkeypatch.setattr(games, "SHARD", 2)
    games._players.cache_clear()


class PlayHere:
    """`play_games` in this process; notes what was played, and what the explorer knew."""

    def __init__(self) -> None:
        self.played: list[tuple[str, int]] = []
        self.known: dict[str, Path | None] = {}

    def __call__(self, folder: Path, number: int, seed: int, weights: Path | None, workers: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.known[folder.parent.name] = weights
        for first in range(0, number, games.SHARD):
            if not games.shard_file(folder, first).exists():
                games.play_shard(folder, seed, weights, first)
                self.played.append((folder.parent.name, first))


@pytest.fixture
def here(small: None, monkeypatch: pytest.MonkeyPatch) -> PlayHere:
    here = PlayHere()
    monkeypatch.setattr(command, "play_games", here)
    monkeypatch.setattr(fit, "EPOCHS", 1)
    return here


def test_what_is_there_is_kept(tmp_path: Path, here: PlayHere) -> None:
    learn = partial(command.learn, tmp_path, workers=1, seed=0, console=QUIET)
    learn(games=18, networks=1, rounds=1)
    first = (tmp_path / "round-0" / "network-0.npz").read_bytes()
    assert here.played == [("round-0", number) for number in range(0, 18, 2)]
    weights = learn(games=20, networks=2, rounds=2)
    assert here.played == [(f"round-{r}", number) for r in (0, 1) for number in range(0, 20, 2)]
    assert (tmp_path / "round-0" / "network-0.npz").read_bytes() == first
    assert here.known == {"round-0": None, "round-1": tmp_path / "round-0" / "weights.npz"}
    networks = read_networks(weights)
    assert len(networks) == 4
    assert not np.array_equal(networks[0].last, networks[1].last)
    assert load(tmp_path / "round-1" / "games").scores.shape == (20,)


@pytest.mark.usefixtures("here")
def test_the_mean_of_a_rounds_networks_is_added(tmp_path: Path) -> None:
    weights = command.learn(tmp_path, games=12, networks=2, rounds=2, workers=1, seed=3, console=QUIET)
    data = load(tmp_path / "round-1" / "games")
    n, terms = len(data.rows), data.rows["terms"].astype(np.float32)
    state, moves, found = data.states[0], data.rows["move"].copy(), np.zeros(len(data.rows), np.float32)

    def judged(file: Path) -> np.ndarray:
        total = np.zeros(n, np.float32)
        for network in read_networks(file):
            judge(network, state, terms, moves, n, found)
            total += found
        return total

    parts = [judged(tmp_path / f"round-{r}" / f"network-{i}.npz") for r in (0, 1) for i in (0, 1)]
    assert judged(weights) == pytest.approx(sum(parts) / 2, abs=2e-3)  # weights are of half precision
    first = tmp_path / "round-0" / "weights.npz"
    later = command.learn(
        tmp_path / "later",
        games=12,
        networks=1,
        rounds=1,
        workers=1,
        seed=4,
        console=QUIET,
        onto=first,
    )
    added = judged(tmp_path / "later" / "round-0" / "network-0.npz")
    assert judged(later) == pytest.approx(judged(first) + added, abs=2e-3)


@pytest.mark.usefixtures("small")
def test_games_of_a_shard_hang_on_the_seed(tmp_path: Path) -> None:
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / folder).mkdir()
        games.play_shard(tmp_path / folder, seed, None, 0)
    one, same, other = (load(tmp_path / folder).rows for folder in "abc")
    assert one.tobytes() == same.tobytes() != other.tobytes()


def test_missing_games_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no games in .*nothing; expected files of games"):
        load(tmp_path / "nothing")


def ks(*words: object, code: int = 0) -> str:
    """What the command says, on either stream."""
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


@pytest.mark.parametrize("option", ["--networks", "--games", "--rounds", "--workers"])
def test_bad_options_are_named(option: str, tmp_path: Path) -> None:
    assert option in ks(tmp_path, option, 0, code=2)
    assert not list(tmp_path.iterdir())


def test_the_command_ships_what_it_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []
    old, new, shipped = (tmp_path / f"{name}.npz" for name in ("old", "new", "shipped"))
    old.write_bytes(b"old")
    new.write_bytes(b"new")

    def learn(*arguments: object, **named: object) -> Path:
        given.extend([*arguments[:-1], named])
        return new

    monkeypatch.setattr(program, "learn", learn)
    monkeypatch.setattr(command, "SHIPPED", shipped)
    options = ["--games", "200", "--networks", "3", "--rounds", "5", "--workers", "1", "--seed", "9"]
    ks(tmp_path, *options, "--onto", old)
    assert given == [tmp_path, 200, 3, 5, 1, 9, {"onto": old}]
    assert not shipped.exists()
    ks(tmp_path, "--ship")
    assert shipped.read_bytes() == b"new"


@pytest.mark.usefixtures("small")
def test_games_hang_on_what_is_known(tmp_path: Path) -> None:
    for folder, weights in (("plain", None), ("learnt", SHIPPED)):
        (tmp_path / folder).mkdir()
        games.play_shard(tmp_path / folder, 1, weights, 0)
    plain, learnt = (load(tmp_path / folder).rows for folder in ("plain", "learnt"))
    assert plain.tobytes() != learnt.tobytes()
    assert plain["terms"][:, TRY_TERMS.index("the best")].mean() > 0.6  # by rules of thumb, but for the noise
    assert learnt["terms"][:, TRY_TERMS.index("the best")].mean() < 0.6


def test_the_command_names_a_round_of_other_games(tmp_path: Path) -> None:
    command._claim(tmp_path / "round-0", 700, None)
    assert "is a round of seed 700" in ks(tmp_path, "--seed", 8, code=2)
    assert [file.name for file in (tmp_path / "round-0").iterdir()] == ["round.txt"]


def test_rounds_of_other_games_are_refused(tmp_path: Path) -> None:
    command._claim(tmp_path / "round-0", 1, None)
    command._claim(tmp_path / "round-0", 1, None)
    for seed, before in ((2, None), (1, SHIPPED)):
        with pytest.raises(
            ValueError, match="round-0 is a round of seed 1, weights before none, not of seed"
        ):
            command._claim(tmp_path / "round-0", seed, before)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    assert "none.npz" in ks(tmp_path, "--onto", tmp_path / "none.npz", code=2)
