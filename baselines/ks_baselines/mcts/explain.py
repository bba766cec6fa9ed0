"""Why the MCTS players try what they try: visits and values, the likeliest messages, and what follows."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ks_baselines.darkboard.moves import action_of
from ks_baselines.explained import TryExplained
from ks_baselines.mcts.messages import CHECK, ILLEGAL, PAWN_TAKEN, PIECE_TAKEN, SILENT

WORDS = {ILLEGAL: "illegal", SILENT: "silent", PAWN_TAKEN: "pawn captured", PIECE_TAKEN: "piece captured"}
LONGEST = 8  # own moves of a line


@dataclass(frozen=True)
class TryInTree(TryExplained):
    """One try at the root.

    Its value is the mean over the messages or simulations drawn, with what `advantage-search` adds: in men,
    of approach A in results, from −1 to 1. Its line goes on with the most visited tries after the likeliest
    messages.

    Attributes:
        visits: how often it was looked into.
        messages: the likeliest messages and how often each was drawn, the opponent's turn included.
    """

    visits: int
    messages: tuple[tuple[str, int], ...]


def message_words(key: int) -> str:
    """What the referee says to the move, and of the opponent's turn."""
    answer, victim = key % 8, key // 8 - 1
    words = WORDS[answer % CHECK] + (", check" if answer >= CHECK else "")
    if victim >= 0:
        words += f"; loses the man on {'abcdefgh'[victim & 7]}{1 + (victim >> 3)}"
    return words


class Grown(Protocol):
    """A tree of any of the players: its nodes, NODE[N], and their moves, MOVE[M]."""

    @property
    def nodes(self) -> Any:
        """NODE[N] with the fields `first`, `tried`, `key` and `next`."""

    @property
    def moves(self) -> Any:
        """MOVE[M] with the fields `move`, `visits`, `value` and `child`."""


class Reading(NamedTuple):
    """How a player's tree is read.

    Attributes:
        times: the field of a node that says how often its messages came.
        words: of a node's key.
    """

    times: str
    words: Callable[[int], str]


MODEL = Reading("times", message_words)  # of approaches B and C


def children(tree: Grown, entry: Any, reading: Reading) -> list[Any]:
    """The nodes that a move led to, the most often drawn first."""
    found, child = [], int(entry["child"])
    while child >= 0:
        found.append(tree.nodes[child])
        child = int(found[-1]["next"])
    return sorted(found, key=lambda node: -int(node[reading.times]))


def line_of(tree: Grown, entry: Any, reading: Reading) -> tuple[int, ...]:
    """Own tries: the move, and after the likeliest messages the most visited one, and so on."""
    line = [action_of(int(entry["move"]))]
    while len(line) < LONGEST:
        below = [node for node in children(tree, entry, reading) if node["tried"] > 0]
        if not below:
            break
        moves = tree.moves[below[0]["first"] : below[0]["first"] + below[0]["tried"]]
        entry = max(moves, key=lambda move: (int(move["visits"]), float(move["value"])))
        line.append(action_of(int(entry["move"])))
    return tuple(line)


def explain_root(
    trees: Sequence[Grown], entry: Any, most: int, reading: Reading, parts: dict[str, float], bias: float
) -> TryInTree:
    """One move of the root.

    Args:
        trees: all that were grown.
        entry: MOVE, of all trees together.
        most: messages to tell.
        reading: of the trees.
        parts: components besides the visits.
        bias: added to the value.
    """
    own = [(tree, found) for tree in trees for found in _root_moves(tree) if found["move"] == entry["move"]]
    times: Counter[int] = Counter()
    for tree, found in own:
        below = children(tree, found, reading)
        times.update({int(node["key"]): int(node[reading.times]) for node in below})
    return TryInTree(
        action_of(int(entry["move"])),
        float(entry["value"]) + bias,
        {"visits": float(entry["visits"])} | parts,
        line_of(*max(own, key=lambda pair: int(pair[1]["visits"])), reading),
        int(entry["visits"]),
        tuple((reading.words(key), number) for key, number in times.most_common(most)),
    )


def explain_try(trees: Sequence[Grown], entry: Any, most: int) -> TryInTree:
    """One move of the root of approach B or C, see `explain_root`."""
    parts = {"value of the messages": float(entry["value"])}
    parts |= {f"chance: {name}": float(entry[name]) for name in ("legal", "pawn", "piece", "check")}
    if entry["bias"]:
        parts["at the root alone"] = float(entry["bias"])
    return explain_root(trees, entry, most, MODEL, parts, float(entry["bias"]))


def _root_moves(tree: Grown) -> Any:
    """MOVE[N], those of the root that have been looked at."""
    return tree.moves[: tree.nodes[0]["tried"]]
