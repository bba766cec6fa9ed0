"""What a run leaves behind: scores with intervals, the learning curve, one game to look at, a summary."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import numpy as np
from ks_arena.statistics.score import Interval, win_rate_difference
from ks_arena.study.schedule import pair_seeds
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO

from ks_env.core.files import aside, write_aside
from ks_env.envs.solo import GameEnv
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.record import save
from ks_env.render.replay import replay_html
from ks_train.judge.curves import draw_curve
from ks_train.judge.evaluate import ModelPlayer, Series, play_names, play_series
from ks_train.judge.ratings import rate
from ks_train.learn.checkpoint import RunState
from ks_train.learn.config import Environment, Experiment
from ks_train.learn.folder import LAST

SAMPLE_GAMES = 10  # tried until the model wins one


def write_report(
    config: Experiment, model: MaskablePPO, state: RunState, folder: Path, console: Console
) -> dict[str, Any]:
    """Judge the model and write summary.json, curve.png, game.html and game.pgn to the run's folder."""
    settings = config.evaluation
    console.print(f"evaluating: {settings.games} games against each of {', '.join(settings.against)}")
    player = ModelPlayer(model, settings.temperature, settings.seed, config.name)
    scored = [
        play_series(player, opponent, settings.games, settings.seed, config.env)
        for opponent in settings.against
    ]
    references = [
        play_names(name, opponent, settings.games, settings.seed, config.env)
        for name in settings.reference
        for opponent in settings.against
    ]
    console.print(series_table([*scored, *references]))
    comparisons = [
        _comparison(mine, other) for mine in scored for other in references if mine.opponent == other.opponent
    ]
    for comparison in comparisons:
        console.print(comparison["text"])

    ratings = rate(state.evaluations)
    for each in ratings:
        low, high = ("none" if end is None else f"{end:+.0f}" for end in each["elo_95"])
        console.print(
            f"after {each['timesteps']:,} tries: Elo {each['elo']:+.0f} [{low}, {high}]"
            f" above {settings.against[0]}"
        )

    summary = {
        "name": config.name,
        "timesteps": model.num_timesteps,
        "seconds": state.seconds,
        "cpu_seconds": state.cpu_seconds,
        "tries_per_second": model.num_timesteps / max(state.seconds, 1e-9),
        "env_share": float(np.mean([row["env_share"] for row in state.history])) if state.history else None,
        "temperature": settings.temperature,
        "series": [series.row() for series in scored],
        "reference": [series.row() for series in references],
        "comparisons": comparisons,
        "evaluations": state.evaluations,
        "ratings": ratings,
        "history": state.history,
    }
    with aside(folder / "curve.png") as path:
        draw_curve(summary, path)
    record = sample_game(config, model)
    write_aside(folder / "game.html", replay_html(record))
    save(record, folder / "game.pgn")
    write_aside(folder / LAST, json.dumps(summary, indent=1))
    console.print(f"in {folder}: model.zip, summary.json, curve.png, game.html, game.pgn, tensorboard/")
    return summary


def _comparison(mine: Series, other: Series) -> dict[str, Any]:
    low, high = win_rate_difference(mine.score, other.score)
    verdict = "more often than" if low > 0 else "less often than" if high < 0 else "about as often as"
    return {
        "opponent": mine.opponent,
        "player": other.player,
        "win_rate_difference_95": (low, high),
        "text": (
            f"against {mine.opponent}, {mine.player} wins {verdict} {other.player} does "
            f"(95 %: {low:+.1%} to {high:+.1%})"
        ),
    }


def series_table(series: Sequence[Series]) -> Table:
    """Scores with their 95 % intervals, and below them how the games ended."""
    table = Table(title="half of the games with each colour; intervals are 95 %", caption_justify="left")
    for heading in ("player", "against"):
        table.add_column(heading)
    for heading in ("games", "won", "drawn", "lost", "wins", "wins - losses"):
        table.add_column(heading, justify="right")
    for each in series:
        score = each.score
        table.add_row(
            each.player,
            each.opponent,
            *(str(number) for number in (score.games, score.wins, score.draws, score.losses)),
            f"{score.win_rate:.1%} {_text(score.win_interval())}",
            f"{score.margin:+.1%} {_text(score.margin_interval())}",
        )
    table.caption = "\n".join(f"{each.player} v {each.opponent}: {_ends(each)}" for each in series)
    return table


def _text(interval: Interval) -> str:
    return f"[{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def _ends(series: Series) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in series.reasons().items())


def sample_game(config: Experiment, model: MaskablePPO) -> GameRecord:
    """A game of the model with White against the first opponent: the first that it wins, of a few."""
    settings = config.evaluation
    record = play_game(config.env, model, settings.temperature, settings.against[0], settings.seed)
    for seed in range(settings.seed + 1, settings.seed + SAMPLE_GAMES):
        if record.winner == chess.WHITE:
            break
        record = play_game(config.env, model, settings.temperature, settings.against[0], seed)
    return record


def play_game(
    env: Environment, model: MaskablePPO, temperature: float, opponent: str, seed: int
) -> GameRecord:
    """One game of the model, with White, against a player of the registry.

    The environment is the one that it was trained in, so that it is shown an encoder's planes too.
    """
    # Some render mode is needed for the announcements to be kept.
    games = GameEnv(opponent, seat="white", render_mode="ansi", **env.options())
    mine = ModelPlayer(model, temperature, pair_seeds(seed, 0, 0)[0])
    seen, _ = games.reset(seed=seed)
    over = games.game().to_play is None
    while not over:
        batch: Any = {key: array[None] for key, array in seen.items()}
        action = mine.choose(batch if env.terms else batch["observation"], batch["action_mask"])[0]
        seen, _, terminated, truncated, _ = games.step(action)
        over = terminated or truncated
    game: Any = games.game()
    return GameRecord.from_game(game, white="model", black=opponent, seeds={"game": seed})
