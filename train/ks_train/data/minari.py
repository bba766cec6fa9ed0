"""A data set for Minari: one episode for each seat of each game, as its environment would have shown it.

The episode of a seat has its tries as actions, refused ones among them, planes and mask before each of them
and at the end, and the game's result as the reward of the last: what `ks_env.envs.solo.GameEnv` gives.
Games that were forfeited are left out.
"""

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from ks_arena.match.result import FORFEIT

from ks_env.belief.encoders import check_encodes, make_encoder
from ks_env.belief.inputs import SeatPlanes
from ks_env.core.actions import ACTIONS
from ks_env.core.answers import Reason
from ks_env.core.start import alike_fens
from ks_env.core.tries import MaskLevel
from ks_env.games import game_named
from ks_env.games.opening import Opening
from ks_train.data.schema import DataError, Games, files_of, read_about, read_games

if TYPE_CHECKING:
    from minari import MinariDataset
    from minari.data_collector import EpisodeBuffer


def export_minari(
    source: Path | str,
    name: str,
    *,
    encoder: str | None = None,
    mask: MaskLevel = "informed",
    opponent: str | None = None,
    author: str | None = None,
) -> "MinariDataset":
    """Make a Minari data set, where `MINARI_DATASETS_PATH` says.

    Args:
        source: a file of games, or a folder of files; all of one game.
        name: the data set's id, such as "kriegspiel/engines-v0".
        encoder: whose planes follow the base planes.
        mask: "informed" or "own-board".
        opponent: a player; against it `recover_environment(eval_env=True)` plays, from the initial position.
        author: as Minari keeps it.

    Raises:
        ImportError: Minari is not installed.
        DataError: a file is damaged, or there are several games.
        ValueError: there is a data set of this name, or it is no name of a data set.
    """
    import minari

    path = _new_path(name)
    about = read_about(files_of(source)[0])
    env = _environment(about["config"], encoder, mask, opponent or "random")
    described = f"Games of ks_env, one episode for each seat of each game. {about['config']['name']}"
    with _whole(path), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of what is not told it, such as an e-mail address
        return minari.create_dataset_from_buffers(
            name,
            _episodes(source, env, encoder, mask),  # any iterable will do
            observation_space=env.observation_space,
            action_space=env.action_space,
            eval_env=env if opponent else None,
            algorithm_name=", ".join(player["label"] for player in about["config"]["players"]),
            author=author,
            description=described,
            requirements=["ks-env"],
            data_format="parquet",
        )


def _new_path(name: str) -> Path:
    """The folder that Minari will make for a data set.

    Raises:
        ValueError: it is there, or the name is not one: Minari would leave a folder that it cannot read.
    """
    from minari.dataset.minari_dataset import parse_dataset_id
    from minari.storage.datasets_root_dir import get_dataset_path

    try:
        parse_dataset_id(name)
    except (TypeError, ValueError):  # TypeError: without a version
        raise ValueError(
            f"{name!r} is no name of a data set; expected one such as 'kriegspiel/engines-v0'"
        ) from None
    path: Path = get_dataset_path(name)
    if path.exists():
        raise ValueError(f"Minari has a data set {name!r} already; expected another name")
    return path


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """All of a folder is made within, or nothing is left of it."""
    try:
        yield
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise


def _environment(
    config: dict[str, Any], encoder: str | None, mask: MaskLevel, opponent: str
) -> gymnasium.Env[Any, Any]:
    """The game against an opponent, whose spaces the episodes have."""
    options: dict[str, Any] = {"ruleset_options": config["ruleset_options"]}
    if len(game_named(config["game"]).notation.rulesets) > 1:
        options["ruleset"] = config["ruleset"]
    return gymnasium.make(
        f"ks_env/{config['game']}-v0", opponent=opponent, encoder=encoder, mask=mask, seat="random", **options
    )


def _episodes(
    source: Path | str, env: gymnasium.Env[Any, Any], encoder: str | None, mask: MaskLevel
) -> "Iterator[EpisodeBuffer]":
    number = 0
    shape = env.observation_space["observation"].shape  # type: ignore[index]
    for games in read_games(source):
        for g in range(len(games)):
            if games.reasons[g] == FORFEIT:  # by the rules it has not ended
                continue
            for seat in (0, 1):
                episode = _episode(games, g, seat, number, encoder, mask)
                if episode is None:
                    continue
                if episode.observations["observation"].shape[1:] != shape:
                    raise DataError(f"{games.name(g)}: is of another game; expected games of one")
                number += 1
                yield episode


def _episode(
    games: Games, g: int, seat: int, number: int, encoder: str | None, mask: MaskLevel
) -> "EpisodeBuffer | None":
    """What a seat went through in a game; None if it made no try."""
    from minari.data_collector import EpisodeBuffer

    game, colour = games.begin(g), seat == 0
    rules = game.ruleset.record()[0]
    planes = _planes(games, g, seat, encoder, game.view(colour))
    seen, masks, actions = [], [], []
    for action in games.tries_of(g).tolist():
        if game.to_play == colour:
            seen.append(planes.planes(game.view(colour), rules))
            masks.append(game.mask(colour, mask))
            actions.append(action)
        game.judge(action)
    if not actions:
        return None
    seen.append(planes.planes(game.view(colour), rules))
    masks.append(np.zeros(ACTIONS, np.int8))
    last = np.zeros(len(actions), np.bool_)
    last[-1] = True
    cut = game.reason is Reason.PLIES
    return EpisodeBuffer(
        id=number,
        observations={"observation": np.stack(seen), "action_mask": np.stack(masks)},
        actions=np.array(actions, np.int64),
        rewards=(last * np.float32(games.results[g] * (1 - 2 * seat))).tolist(),
        terminations=(last & (not cut)).tolist(),
        truncations=(last & cut).tolist(),
        infos={},
    )


def _planes(games: Games, g: int, seat: int, encoder: str | None, view: Any) -> SeatPlanes:
    """The seat's planes in a game that begins."""
    setting = games.settings[g]
    made = make_encoder(encoder)
    if made is not None:
        check_encodes(made, setting.definition)
    planes = SeatPlanes(made)
    fens: tuple[str, ...] = (games.fens[g],)
    if setting.hidden:
        rows = np.array([setting.declared_row(fen) for fen in setting.declared], setting.definition.row)
        fens = tuple(alike_fens(setting.declared, rows, seat)[setting.declared.index(games.fens[g])])
    planes.begin(Opening(setting.definition, seat == 0, setting.rules, fens, view, hidden=setting.hidden))
    return planes
