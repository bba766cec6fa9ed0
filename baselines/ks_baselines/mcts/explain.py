"""Why the MCTS players try what they try: visits and values, and what follows."""

from collections.abc import Sequence
from typing import Any, Protocol

from ks_baselines.darkboard.moves import action_of
from ks_baselines.explained import TryExplained

LONGEST = 8  # own moves of a line


class Grown(Protocol):
    """A tree of any of the players: its nodes, NODE[N], and their moves, MOVE[M]."""

    @property
    def nodes(self) -> Any:
        """NODE[N] with the fields `first`, `tried` and `next`."""

    @property
    def moves(self) -> Any:
        """MOVE[M] with the fields `move`, `visits`, `value` and `child`."""


def children(tree: Grown, entry: Any) -> list[Any]:
    """The nodes that a move led to."""
    found, child = [], int(entry["child"])
    while child >= 0:
        found.append(tree.nodes[child])
        child = int(found[-1]["next"])
    return found


def line_of(tree: Grown, entry: Any, times: str) -> tuple[int, ...]:
    """Own tries: the move, and after the likeliest messages the most visited one, and so on."""
    line = [action_of(int(entry["move"]))]
    while len(line) < LONGEST:
        below = [node for node in children(tree, entry) if node["tried"] > 0]
        if not below:
            break
        node = max(below, key=lambda node: int(node[times]))
        moves = tree.moves[node["first"] : node["first"] + node["tried"]]
        entry = max(moves, key=lambda move: (int(move["visits"]), float(move["value"])))
        line.append(action_of(int(entry["move"])))
    return tuple(line)


def explain_root(
    trees: Sequence[Grown], entry: Any, times: str, parts: dict[str, float], bias: float
) -> TryExplained:
    """One move of the root.

    Its value is the mean over the messages or simulations drawn, with what `advantage-search` adds: in men,
    of approach A in results, from −1 to 1. Its line goes on with the most visited tries after the likeliest
    messages.

    Args:
        trees: all that were grown.
        entry: MOVE, of all trees together.
        times: the field of a node that says how often its messages came.
        parts: components besides the visits.
        bias: added to the value.
    """
    own = [(tree, found) for tree in trees for found in _root_moves(tree) if found["move"] == entry["move"]]
    return TryExplained(
        action_of(int(entry["move"])),
        float(entry["value"]) + bias,
        {"visits": float(entry["visits"])} | parts,
        line_of(*max(own, key=lambda pair: int(pair[1]["visits"])), times),
    )


def explain_try(trees: Sequence[Grown], entry: Any) -> TryExplained:
    """One move of the root of approach B or C, see `explain_root`."""
    parts = {"value of the messages": float(entry["value"])}
    parts |= {f"chance: {name}": float(entry[name]) for name in ("legal", "pawn", "piece", "check")}
    if entry["bias"]:
        parts["at the root alone"] = float(entry["bias"])
    return explain_root(trees, entry, "times", parts, float(entry["bias"]))


def _root_moves(tree: Grown) -> Any:
    """MOVE[N], those of the root that have been looked at."""
    return tree.moves[: tree.nodes[0]["tried"]]
