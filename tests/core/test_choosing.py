"""What a board chooses of a table: with the processor's vectors, and without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ks_env.core.choosing import clear_where, mark_chosen, put_chosen
from ks_env.core.jit import kernel
from ks_env.core.tables import FIRST_TRY, REACHES, TRIES, TRY_INDEX

ROOT = Path(__file__).resolve().parents[2]
PLAIN = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


@kernel
def _list(start: int, board: np.uint64, out: np.ndarray, place: int) -> int:
    end: int = put_chosen(TRY_INDEX, start, board, out, place)
    return end


@kernel
def _mark(start: int, board: np.uint64, mask: np.ndarray) -> None:
    mark_chosen(TRY_INDEX, FIRST_TRY, REACHES, start, board, mask)


@kernel
def _clear(words: np.ndarray, mask: np.ndarray) -> None:
    clear_where(words, mask)


def test_what_is_chosen() -> None:
    rng = np.random.default_rng(1)
    for start in [*range(64), *range(64)]:
        board = np.uint64(rng.integers(0, 2**64, dtype=np.uint64)) & REACHES[start]
        expected = [int(TRY_INDEX[start, s]) for s in range(64) if int(board) >> s & 1]
        out = np.full(100, -7, np.int16)
        end = _list(start, board, out, 5)
        assert out[5:end].tolist() == expected
        assert (out[:5] == -7).all()
        assert (out[5 + 64 :] == -7).all()
        mask = rng.integers(0, 2, TRIES).astype(np.int8)
        marked = mask.copy()
        marked[expected] = 1
        wide = np.full(TRIES + 80, 3, np.int8)  # nothing beyond the numbers of the board is touched
        wide[:TRIES] = mask
        _mark(start, board, wide)
        assert (wide[:TRIES] == marked).all()
        assert (wide[TRIES:] == 3).all()


def test_what_is_cleared() -> None:
    rng = np.random.default_rng(2)
    words = rng.integers(0, 2**64, TRIES // 64 + 1, dtype=np.uint64)
    words[-1] &= np.uint64((1 << TRIES % 64) - 1)
    mask = np.ones(TRIES + 64, np.int8)
    _clear(words, mask)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")[:TRIES]
    assert (mask[:TRIES] == 1 - bits).all()
    assert (mask[TRIES:] == 1).all()


PLAY = """
from zlib import crc32
import numpy as np
from ks_env import GameVectorEnv
env = GameVectorEnv(8, "capture", ruleset="cincinnati")
seen, infos = env.reset(seed=3)
found, rng = 0, np.random.default_rng(5)
for _ in range(150):
    mask = seen["action_mask"]
    found = crc32(mask.tobytes(), crc32(seen["observation"].tobytes(), found))
    seen, *_ = env.step(np.argmax(rng.random(mask.shape) * mask, axis=1))
print(found)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the names of processors are others")
def test_a_plain_processor_plays_the_same_games() -> None:
    told = []
    for more in ({}, PLAIN):
        command, environment = [sys.executable, "-c", PLAY], {**os.environ, **more}
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1]
