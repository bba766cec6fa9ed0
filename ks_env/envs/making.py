"""The arrays of an engine, and the first run of its kernels."""

import numpy as np

from ks_env.core.jit import compile_once
from ks_env.envs import batch as kernels
from ks_env.envs.batch import TALLY, Batch, Buffers
from ks_env.envs.encoding import memory_of_batch
from ks_env.envs.options import GameOptions
from ks_env.envs.variant import KRIEGSPIEL
from ks_env.spaces.actions import ACTIONS
from ks_env.spaces.encoders import AnyEncoder


def make_batch(
    num_envs: int, options: GameOptions, autoreset: int, encoder: AnyEncoder | None = None
) -> tuple[Batch, list[str]]:
    """Games to be begun, by these options, and the encoder's memory of them; the FEN of each start."""
    rules = options.rules()
    starts, fens = options.starts()
    batch = Batch(
        games=np.zeros(num_envs, options.variant.game),
        history=np.zeros((num_envs, rules.history), np.uint64),
        starts=starts,
        rules=rules.record(),
        settings=options.settings(autoreset),
        seats=np.zeros(num_envs, np.uint8),
        ended=np.zeros(num_envs, np.bool_),
        tally=np.zeros(num_envs, TALLY),
        last_views=np.zeros((num_envs, 2), options.variant.view),
        **memory_of_batch(encoder, num_envs, fens, starts),
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


def compile_kernels(options: GameOptions, *, self_play: bool) -> None:
    """Compile what a step of the game needs, if that has not been done for this version; say so on stderr."""
    variant, plain = options.variant, type(options)()

    def run() -> None:
        batch, _ = make_batch(1, plain, kernels.SAME_STEP)
        buffers = make_buffers(1, 1 + self_play, variant.planes.count)
        kernels.begin_rows(batch, np.ones(1, np.bool_), 0, 1)
        step = kernels.step_self_play if self_play else kernels.step_against
        step(batch, buffers, np.zeros(1, np.int64), 0, 1)

    what = "self-play" if self_play else "play against an opponent"
    compile_once(what if variant is KRIEGSPIEL else f"{variant.name}, {what}", run, kernels.__name__)
