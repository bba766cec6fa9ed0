"""Why approach A tries what it tries: visits and values, the likeliest messages, and what follows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ks_baselines.darkboard.moves import end_of, start_of
from ks_baselines.mcts.approach_a.pool import Pool
from ks_baselines.mcts.approach_a.tree import Tree
from ks_baselines.mcts.explain import Reading, TryExplained, explain_root
from ks_env.core.answers import CHECKS
from ks_env.core.position import is_legal

CAPTURED = ("", "pawn captured", "piece captured", "man captured")


def _checks_words(part: int) -> list[str]:
    return [f"{name} check" for i, name in enumerate(CHECKS) if part >> i & 1]


def _tries_words(said: int, whose: str) -> list[str]:
    """What is said of pawn tries; nothing for none, and where nothing is said."""
    return [] if said <= 1 else [f"{said - 1} pawn {'try' if said == 2 else 'tries'}{whose}"]


def message_words(key: int) -> str:
    """What the referee says to the move, and of the opponent's turn; see `keys`."""
    answer = [CAPTURED[key & 3] + (" en passant" if key & 4 else "")] if key & 3 else []
    answer += _checks_words(key >> 3 & 31) + _tries_words(key >> 10 & 31, " for the opponent")
    victim = (key >> 15 & 127) - 1
    turn = [f"loses the man on {'abcdefgh'[victim & 7]}{1 + (victim >> 3)}"] if victim >= 0 else []
    turn += _checks_words(key >> 22 & 31) + _tries_words(key >> 29 & 31, "")
    if key >> 34 & 1:
        turn.append("promotion")
    words = ", ".join(answer) or "silent"
    return words + ("; " + ", ".join(turn) if turn else "")


def share_legal(pool: Pool, move: int) -> float:
    """On what share of the pool's boards the move is legal."""
    boards = pool.boards[: pool.used[0]]
    return float(np.mean([bool(is_legal(board, start_of(move), end_of(move))) for board in boards]))


READING = Reading("visits", message_words)


def explain_try(trees: Sequence[Tree], pool: Pool, entry: Any, most: int) -> TryExplained:
    """One move of the root; its value is the mean result, from −1 to 1. See `explain_root`."""
    parts = {"chance: legal": share_legal(pool, int(entry["move"]))}
    return explain_root(trees, entry, most, READING, parts, 0.0)
