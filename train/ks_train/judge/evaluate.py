"""Judging a player by games: fixed seeds, half of them with each colour, and every game counted.

The number of games of each slot of the vector env is fixed before the first move. Otherwise short games,
which are mostly wins and losses, would count more often than long ones, which are mostly draws.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from gymnasium import spaces
from ks_arena.match.play import play_game
from ks_arena.match.result import GameResult
from ks_arena.names import model_file
from ks_arena.sections import SEEDS
from ks_arena.statistics.score import Score
from ks_arena.study.config import Limits, PlayerEntry, RoundRobin, StudyConfig
from ks_arena.study.run import tried_out
from ks_arena.study.schedule import field_of, jobs_of_pair
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import obs_as_tensor

from ks_env.envs.sb3 import GameVecEnv
from ks_train.learn.config import Environment
from ks_train.learn.episodes import Episode, episode_of
from ks_train.policy.files import load_learner, read_played
from ks_train.policy.network import BoardPolicy
from ks_train.policy.player import check_temperature
from ks_train.policy.terms import TermsPolicy

SLOTS = 256  # games played at once with one colour


class RowsPolicy(Protocol):
    """Chooses tries for many games at once, from what an environment shows."""

    name: str

    def choose(self, observations: Any, masks: np.ndarray) -> np.ndarray:
        """Actions i8[B] for the observations of B rows, as `GameVecEnv` gives them, and masks [B, 1859]."""
        ...


@dataclass(frozen=True)
class Series:
    """The games of one player against another.

    Attributes:
        player: whose results these are.
        opponent: against whom.
        white: the games that the player had White in.
        black: the games that the player had Black in.
    """

    player: str
    opponent: str
    white: tuple[Episode, ...]
    black: tuple[Episode, ...]

    @property
    def games(self) -> tuple[Episode, ...]:
        """All games."""
        return self.white + self.black

    @property
    def score(self) -> Score:
        """Wins, draws and losses of all games."""
        return score(self.games)

    def reasons(self) -> dict[str, int]:
        """How often the games ended for each reason, the most frequent first."""
        return dict(Counter(game.reason for game in self.games).most_common())

    def row(self) -> dict[str, Any]:
        """Everything as plain values."""
        total = self.score
        return {
            "player": self.player,
            "opponent": self.opponent,
            "games": total.games,
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "points": total.points,
            "win_rate": total.win_rate,
            "win_rate_95": total.win_interval(),
            "margin": total.margin,
            "margin_95": total.margin_interval(),
            "as_white": [score(self.white).wins, score(self.white).draws, score(self.white).losses],
            "as_black": [score(self.black).wins, score(self.black).draws, score(self.black).losses],
            "reasons": self.reasons(),
            "tries_a_game": float(np.mean([game.length for game in self.games])),
        }


def score(games: tuple[Episode, ...]) -> Score:
    """Wins, draws and losses of some games."""
    results = [game.result for game in games]
    return Score(
        wins=sum(result > 0 for result in results),
        draws=sum(result == 0 for result in results),
        losses=sum(result < 0 for result in results),
    )


class ModelPlayer:
    """A trained model as a player.

    Args:
        model: the learner, or a model loaded from a file.
        temperature: logits are divided by it before a try is drawn; 0 takes the likeliest. The likeliest
            try alone walks in circles, as the policy cannot see that a position came up before.
        seed: of the draws.
        name: shown in tables.

    Raises:
        ValueError: the temperature is negative or not finite, or the model is of another kind.
    """

    def __init__(self, model: MaskablePPO, temperature: float, seed: int, name: str = "model") -> None:
        if not isinstance(model.policy, BoardPolicy | TermsPolicy):
            raise ValueError(
                f"{name}: expected a BoardPolicy or a TermsPolicy, found {type(model.policy).__name__}"
            )
        check_temperature(temperature)
        self.policy = model.policy
        self.space = model.observation_space
        self.temperature = temperature
        self.name = name
        self.generator = np.random.default_rng(seed)

    def choose(self, observations: Any, masks: np.ndarray) -> np.ndarray:
        """Actions i8[B] for observations of B rows and masks [B, 1859]."""
        with torch.no_grad():
            device = self.policy.device
            seen: Any = obs_as_tensor(observations, device)
            tries = self.policy.tries(seen, torch.as_tensor(masks, device=device))
        scores = tries.log_probs
        if self.temperature > 0:
            noise = self.generator.gumbel(size=len(scores)).astype(np.float32)
            scores = scores / self.temperature + torch.from_numpy(noise).to(device)
        return tries.best(scores).cpu().numpy()


def play_series(
    player: RowsPolicy, opponent: str, games: int, seed: int, env: Environment | None = None
) -> Series:
    """Play a series in the vector env.

    Args:
        player: whose results are wanted.
        opponent: name of a player in the registry.
        games: how many, even; half with each colour.
        seed: of the games; the opponent's tries depend on it too.
        env: ruleset, mask, encoder, terms and start positions; neither shaping nor seat.
    """
    _check_games(games)
    settings = env or Environment()
    white = _play_colour(player, opponent, games // 2, seed, settings, "white")
    black = _play_colour(player, opponent, games // 2, seed + games, settings, "black")
    return Series(player.name, opponent, white, black)


def _check_games(games: int) -> None:
    if games < 2 or games % 2:
        raise ValueError(f"expected an even number of games, half with each colour; found {games}")


def _play_colour(
    player: RowsPolicy, opponent: str, games: int, seed: int, settings: Environment, seat: str
) -> tuple[Episode, ...]:
    slots = min(games, SLOTS)
    quota = np.full(slots, games // slots)
    quota[: games % slots] += 1
    env = GameVecEnv(slots, opponent, seat=seat, threads=settings.threads, seed=seed, **settings.options())
    check_spaces(player, env)
    return tuple(_episodes(player, env, quota))


def _episodes(player: RowsPolicy, env: GameVecEnv, quota: np.ndarray) -> Iterator[Episode]:
    """The first `quota[slot]` games of every slot, as they end."""
    left = quota.copy()
    observations: Any = env.reset()
    while left.any():
        masks = env.action_masks()
        actions = masks.argmax(axis=1)
        busy = left.nonzero()[0]
        actions[busy] = player.choose(_some(observations, busy), masks[busy])
        observations, _, dones, infos = env.step(actions)
        for slot in dones.nonzero()[0]:
            if left[slot]:
                left[slot] -= 1
                yield episode_of(infos[slot])


def _some(observations: Any, rows: np.ndarray) -> Any:
    """The observations of some rows."""
    if isinstance(observations, dict):
        return {key: array[rows] for key, array in observations.items()}
    return observations[rows]


def _shapes(space: Any) -> str:
    """The shapes of observations, in words."""
    if isinstance(space, spaces.Dict):
        return ", ".join(f"{key} of shape {part.shape}" for key, part in space.spaces.items())
    return f"planes of shape {space.shape}"


def check_spaces(player: RowsPolicy, env: GameVecEnv) -> None:
    """Refuse a model that was trained on other planes.

    Raises:
        ValueError: the model's observation space is not the environment's.
    """
    space = getattr(player, "space", env.observation_space)
    if space != env.observation_space:
        raise ValueError(
            f"{player.name}: was trained on {_shapes(space)}, the environment gives "
            f"{_shapes(env.observation_space)}; expected the ruleset, encoder and terms of its training"
        )


def play_names(
    player: str,
    opponent: str,
    games: int,
    seed: int,
    env: Environment | None = None,
    *,
    isolated: bool | None = None,
) -> Series:
    """A series between two players of the registry, as the arena plays it; arguments as in `play_series`.

    Both games of a pair have one start; the environment's are taken in turn. `isolated` is that of
    `GamesConfig`.
    """
    _check_games(games)
    if not 0 <= seed < SEEDS:
        raise ValueError(f"seed {seed} is negative or too large; expected 0 to {SEEDS - 1}")
    settings = env or Environment()
    names = {"first": player, "second": opponent}
    players = tuple(PlayerEntry(player=name, label=label) for label, name in names.items())
    config = StudyConfig(
        name="series",
        seed=seed,
        tournament=RoundRobin(players=players),
        games=games,
        ruleset=settings.ruleset,
        ruleset_options=settings.ruleset_options,
        start=settings.start,
        hidden_start=settings.hidden_start,
        limits=Limits(seconds_a_move=None),
        isolated=isolated,
    )
    for entry in players:
        tried_out(entry, config)  # a wrong name is no forfeit
    (pairing,) = field_of(config).pairings
    jobs = [job for pair in range(games // 2) for job in jobs_of_pair(config, names, pairing, pair)]
    results = [play_game(job) for job in jobs]
    white, black = (tuple(_episode(game) for game in results if game.leg == leg) for leg in (0, 1))
    return Series(player, opponent, white, black)


def _episode(game: GameResult) -> Episode:
    """The game as the pairing's first player sees it."""
    result = game.outcome if game.leg == 0 else -game.outcome
    return Episode(result, game.reason, float(result), game.work[game.leg].tries)


def load_model(path: Path) -> tuple[MaskablePPO, Environment, float]:
    """A trained model, the environment it was trained in and the temperature it plays best with.

    Args:
        path: a model's file, or the folder of a run or checkpoint. Without a config of its run the
            environment is the default one.

    Raises:
        ConfigError: no such model, or the file is damaged.
    """
    file = model_file(path)
    learner = load_learner(file, "sb3_contrib:MaskablePPO")
    played = read_played(file)
    return learner, played.env, played.evaluation.temperature
