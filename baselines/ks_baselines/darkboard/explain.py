"""Why Darkboard tries what it tries: the best tries, their value by component, and the assumed line."""

from dataclasses import dataclass

import numpy as np

from ks_baselines.darkboard.evaluation import COMPONENTS
from ks_baselines.darkboard.moves import action_of
from ks_baselines.darkboard.player import DarkboardPlayer
from ks_baselines.darkboard.root import dynamic_alpha
from ks_env.core.tables import ANY
from ks_env.games.kriegspiel.layout import View


@dataclass(frozen=True)
class TryExplained:
    """One try at the root.

    Attributes:
        action: number of the try, in the seat's frame.
        value: what the search made of it; higher is better.
        static: its static value, the sum of `components`, plus what is taken off for repetition.
        components: static value by component, those that are not 0, in the order of `COMPONENTS`.
        line: the assumed line, own tries alone, this one first; numbers in the seat's frame.
    """

    action: int
    value: float
    static: float
    components: dict[str, float]
    line: tuple[int, ...]


@dataclass(frozen=True)
class Explanation:
    """A decision.

    Attributes:
        chosen: the try that the player makes.
        reason: "hard rule", "bare king" or "search".
        tries: the best tries of the search, the best first; none for the other reasons.
        alpha: the prediction coefficient.
        metapositions: how many were evaluated.
    """

    chosen: int
    reason: str
    tries: tuple[TryExplained, ...]
    alpha: float
    metapositions: int


BIAS = "repetition, clock and ties"  # what is added to a try beside the evaluation


def _explained(player: DarkboardPlayer, i: int) -> TryExplained:
    work = player.work
    line = [int(move) for move in player.lines[i]]
    line = line[: line.index(0)] if 0 in line else line
    parts = {name: float(part) for name, part in zip(COMPONENTS, work.parts[i], strict=True) if part}
    value, static = float(player.values[i]), float(work.static[0, i])
    parts[BIAS] = static - sum(parts.values())
    actions = tuple(action_of(move) for move in line)
    return TryExplained(action_of(int(work.moves[0, i])), value, static, parts, actions)


def explain(player: DarkboardPlayer, view: View, most: int = 5) -> Explanation:
    """The decision that `player.choose(view)` makes, explained; it may still be asked to choose.

    Args:
        player: it has followed the game up to this turn.
        view: VIEW of its seat, which is to move.
        most: how many tries to explain.
    """
    n = player.look(view)
    m, c = player.metaposition[0], player.constants_record
    alpha = float(dynamic_alpha(m, c))
    ruled = player.rule(view, n)
    if ruled is not None:
        return Explanation(ruled, "hard rule", (), alpha, 0)
    before = player.nodes
    chosen = int(player.tries[player.think(view, n)])
    if player.chases():
        return Explanation(chosen, "bare king", (), alpha, player.nodes - before)
    n -= n > 1 and int(player.tries[n - 1]) == ANY
    order = np.argsort(-player.values, kind="stable")[:most]
    tries = tuple(_explained(player, int(i)) for i in order if np.isfinite(player.values[i]))
    return Explanation(chosen, "search", tries, alpha, player.nodes - before)
