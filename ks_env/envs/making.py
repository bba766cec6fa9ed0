"""The arrays of an engine, and the first run of its kernels."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from ks_env.belief.encoders import Encoder
from ks_env.belief.terms import Terms
from ks_env.core.actions import ACTIONS
from ks_env.core.jit import compile_once
from ks_env.core.planes import PlaneTable
from ks_env.core.record import Array
from ks_env.envs import batch as kernels
from ks_env.envs import crew
from ks_env.envs.batch import TALLY, Batch, Buffers, CompactBuffers
from ks_env.envs.compact import empty_tries, layout_of
from ks_env.envs.crew import Crew, shared
from ks_env.envs.encoding import memory_of_batch
from ks_env.envs.options import make_settings
from ks_env.games.definition import GameDefinition
from ks_env.games.options import GameOptions


def make_batch(
    num_envs: int,
    game: GameDefinition,
    options: GameOptions,
    autoreset: int,
    followers: Sequence[Encoder | Terms] = (),
) -> tuple[Batch, list[str]]:
    """Games to be begun, by these options, and what encoder and terms remember of them; each start's FEN."""
    rules = options.rules()
    starts, fens = options.starts()
    batch = Batch(
        games=np.zeros(num_envs, game.row),
        history=np.zeros((num_envs, rules.history), np.uint64),
        starts=starts,
        rules=rules.record(),
        settings=make_settings(options, autoreset),
        seats=np.zeros(num_envs, np.uint8),
        ended=np.zeros(num_envs, np.bool_),
        tally=np.zeros(num_envs, TALLY),
        last_views=np.zeros((num_envs, 2), game.view),
        **memory_of_batch(followers, num_envs, game, rules, fens, starts),
    )
    return batch, fens


def make_buffers(num_envs: int, seats: int, planes: int) -> Buffers:
    """Zeroed buffers for so many games, rewarded seats and planes."""
    return Buffers(
        observations=np.zeros((num_envs, planes, 64), np.uint8),
        masks=np.zeros((num_envs, ACTIONS), np.int8),
        rewards=np.zeros((num_envs, seats), np.float32),
        terminations=np.zeros(num_envs, np.bool_),
        truncations=np.zeros(num_envs, np.bool_),
        final=np.zeros((num_envs, seats, planes, 64), np.uint8),
    )


def make_compact_buffers(num_envs: int, seats: int, table: PlaneTable) -> CompactBuffers:
    """The same for compact observations."""
    usual, layout = make_buffers(num_envs, seats, table.count), layout_of(table)
    return CompactBuffers(
        boards=np.zeros((num_envs, len(layout.boards)), np.uint64),
        squares=np.zeros((num_envs, len(layout.squares), 64), np.uint8),
        values=np.zeros((num_envs, len(layout.values)), np.uint8),
        tries=empty_tries((num_envs,)),
        **{name: getattr(usual, name) for name in ("rewards", "terminations", "truncations", "final")},
    )


def _same_shape(given: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether shapes are alike but for planes as (8, 8) or 64, and for axes of length one after the first."""
    if given[-2:] == (8, 8) and wanted[-1] == 64:
        given = (*given[:-2], 64)
    return given[:1] == wanted[:1] and [n for n in given[1:] if n > 1] == [n for n in wanted[1:] if n > 1]


def bound(buffers: Any, fresh: Any, arrays: Mapping[str, Array]) -> Any:
    """Buffers with the caller's arrays among them, see `Engine.bind`.

    Args:
        buffers: `Buffers` or `CompactBuffers`.
        fresh: the same as they were made.
        arrays: the caller's, by field.

    Raises:
        ValueError: unknown name, wrong shape, dtype or layout.
    """
    ready = {}
    for name, array in arrays.items():
        if name not in buffers._fields:
            raise ValueError(f"unknown buffer {name!r}; expected one of {', '.join(buffers._fields)}")
        wanted, given = getattr(fresh, name), cast(Any, array)
        expected = f"{wanted.dtype}{list(wanted.shape)}"
        if not isinstance(given, np.ndarray):
            raise ValueError(f"buffer {name!r} is {given!r}; expected an array {expected}")
        if given.dtype != wanted.dtype or not _same_shape(given.shape, wanted.shape):
            raise ValueError(f"buffer {name!r} is {given.dtype}{list(given.shape)}; expected {expected}")
        if not (given.flags.c_contiguous and given.flags.writeable):
            raise ValueError(f"buffer {name!r} is not C-contiguous and writeable")
        ready[name] = given.reshape(wanted.shape)
    return buffers._replace(**ready)


def compile_kernels(
    game: GameDefinition, *, self_play: bool, threads: int = 1, compact: bool = False
) -> None:
    """Compile what a step of the game needs, if that has not been done for this version; say so on stderr."""
    made = kernels.kernels_of(game.kernels, layout_of(game.planes) if compact else None)
    step = made.self_play.step if self_play else made.against.step

    def run() -> None:
        batch, _ = make_batch(1, game, game.options(), kernels.NEXT_STEP)
        batch.ended[:] = True
        buffers: Buffers | CompactBuffers = make_buffers(1, 1 + self_play, game.planes.count)
        if compact:
            buffers = make_compact_buffers(1, 1 + self_play, game.planes)
        if threads == 1:
            step(batch, buffers, np.zeros(1, np.int64), 0, 1)
        else:
            Crew(1).step(shared(step), batch, buffers, np.zeros(1, np.int64))

    what = "self-play" if self_play else "play against an opponent"
    what += (", compact" if compact else "") + (" in threads" if threads > 1 else "")
    modules = {each.__module__ for each in game.kernels}
    compile_once(f"{game.name}, {what}", run, kernels.__name__, crew.__name__, *sorted(modules))
