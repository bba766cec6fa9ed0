"""`ks compile`: all kernels ahead of time, for an image or a machine without time to spare."""

import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from importlib.metadata import entry_points
from typing import Annotated, Any

import typer
from rich.console import Console

FIRST_TRIES = 8  # of both seats, which call every kernel of a player
ENCODED_TRIES = 60  # in which particles are drawn anew and displaced
WAYS: dict[str, dict[str, Any]] = {
    "in threads": {"threads": 2},
    "compact": {"observation": "compact"},
    "compact in threads": {"observation": "compact", "threads": 2},
}
SQUARES = (0, 2, 3)  # of the men of an ending: a1, c1 and d1
NEEDS_MORE = ("isolated", "model", "process")  # players that are made of something else


class Part(StrEnum):
    """What is compiled."""

    environments = "environments"
    encoders = "encoders"
    terms = "terms"
    players = "players"
    endings = "endings"


def compile_all(
    parts: Annotated[
        list[Part] | None, typer.Argument(help="What to compile; by default everything.", show_default=False)
    ] = None,
) -> None:
    """Compile kernels ahead of time, for instance for an image; otherwise they compile on first use.

    They are kept in the folder that KS_ENV_CACHE_DIR names, for this kind of processor.
    """
    console = Console()
    begun = time.monotonic()
    for part in parts or list(Part):
        for name, run in WORK[part]():
            console.print(f"{part.value}: {name}")
            run()
    from ks_env.core.jit import cache_root

    seconds = time.monotonic() - begun
    console.print(f"compiled after {seconds:.0f} s, in {cache_root()}", soft_wrap=True)


Work = Iterator[tuple[str, Callable[[], object]]]


def _environments() -> Work:
    from ks_env.games import game_ids

    for game in game_ids():
        yield f"{game} against an opponent", partial(_solo, game)
        yield f"{game}, self-play", partial(_self_play, game=game)
        for how, options in WAYS.items():
            yield f"{game} against an opponent, {how}", partial(_against, game=game, **options)
            yield f"{game}, self-play, {how}", partial(_self_play, game=game, **options)
        yield f"{game}, PettingZoo", partial(_pettingzoo, game)


def _encoders() -> Work:
    from ks_env.belief.encoders import encoder_names, make_encoder
    from ks_env.games import game_ids, game_named, serves

    for name in encoder_names():
        for game in game_ids():
            if serves(make_encoder(name), game_named(game)):
                yield f"{name}, {game}", partial(_self_play, tries=ENCODED_TRIES, encoder=name, game=game)


def _terms() -> Work:
    from ks_env.belief.terms import make_terms, terms_names
    from ks_env.games import game_ids, game_named, serves

    for name in terms_names():
        for game in game_ids():
            if serves(make_terms(name), game_named(game)):
                yield f"{name}, {game}", partial(_self_play, terms=name, game=game)


def _players() -> Work:
    from ks_env.players.registry import is_ours

    for point in sorted(entry_points(group="ks_env.players"), key=lambda point: point.name):
        if point.name not in NEEDS_MORE and is_ours(point.name):
            yield point.name, partial(_play, point.name)


def _endings() -> Work:
    from ks_baselines.darkboard.player import SOLVED

    for name in SOLVED:
        yield name, partial(_ask_table, name)


WORK: dict[Part, Callable[[], Work]] = {
    Part.environments: _environments,
    Part.encoders: _encoders,
    Part.terms: _terms,
    Part.players: _players,
    Part.endings: _endings,
}


def _solo(game: str) -> None:
    from ks_env import GameEnv

    env = GameEnv("random", game=game)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))


def _against(**options: Any) -> None:
    from ks_env import GameVectorEnv

    env = GameVectorEnv(2, "random", **options)
    env.reset(seed=1)
    env.step(env.action_masks().argmax(1))


def _self_play(tries: int = 1, **options: Any) -> None:
    import numpy as np

    from ks_env import SelfPlayVectorEnv

    env, rng = SelfPlayVectorEnv(2, **options), np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(tries):
        env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()]))


def _pettingzoo(game: str) -> None:
    from ks_env import kriegspiel_v0

    env = kriegspiel_v0.raw_env(game=game)
    env.reset(seed=1)
    observation: Any = env.last()[0]
    env.step(int(observation["action_mask"].argmax()))


def _ask_table(name: str) -> None:
    """Solve an ending, and ask what to do against a king that is seen and one that may stand anywhere."""
    from ks_env.belief.endgames import ending_named, solve

    ending, boards = ending_named(name), [0] * 7
    for kind, square in zip(ending.kinds.tolist(), SQUARES, strict=False):
        boards[kind] |= 1 << square
    table = solve(ending)
    anywhere = table.full(boards)
    table.best(boards, anywhere & -anywhere)
    table.gamble(boards, anywhere)


def _play(name: str) -> None:
    """The first tries of a game of the player against itself, in each game that it plays."""
    from ks_arena.match.play import first_tries

    from ks_env.games import game_ids, game_named, serves
    from ks_env.players.registry import make_player

    for definition in map(game_named, game_ids()):
        if serves(make_player(name), definition):
            first_tries(name, definition, FIRST_TRIES)
