"""The games of a study as what a joint fit needs: how often each kind of pair of games occurred."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components, shortest_path

from ks_arena.statistics.davidson import Design

TINY = 1e-9


@dataclass(frozen=True)
class Evidence:
    """The games of a study, as counts of kinds of pairs of games.

    Attributes:
        design: players, cells (two players with their colours) and patterns (kinds of pairs).
        times: i8[1, M], how often each pattern occurred.
        strata: i8[M], which patterns are of the same two players.
        reach: u1[P, P], whether there is a chain from one player to another, each scoring against the next.
    """

    design: Design
    times: np.ndarray
    strata: np.ndarray
    reach: np.ndarray

    @property
    def games(self) -> np.ndarray:
        """i8[P]: games of each player."""
        played = self.design.counts(self.times)[0].sum(-1)
        each = np.concatenate([self.design.white, self.design.black])
        counted = np.bincount(each, np.concatenate([played, played]), minlength=self.design.players)
        return counted.astype(np.int64)


def connected_groups(players: int, white: np.ndarray, black: np.ndarray) -> list[tuple[int, ...]]:
    """Players between whom there are chains of games; a player without games is a group alone."""
    met = np.zeros((players, players))
    met[white, black] = 1
    number, group = connected_components(met, directed=False)
    return [tuple(np.flatnonzero(group == each).tolist()) for each in range(number)]


def check_games(
    labels: tuple[str, ...], white: np.ndarray, black: np.ndarray, outcome: np.ndarray, pair: np.ndarray
) -> None:
    """Refuse what cannot be rated together; arguments and errors as for `ratings.fit`."""
    lengths = [len(column) for column in (white, black, outcome, pair)]
    if len(set(lengths)) > 1 or not lengths[0]:
        raise ValueError(f"white, black, outcome and pair of lengths {lengths}; expected one, not 0")
    if min(white.min(), black.min()) < 0 or max(white.max(), black.max()) >= len(labels):
        raise ValueError(f"a player's number outside 0 to {len(labels) - 1}, the {len(labels)} labels")
    if (white == black).any():
        raise ValueError(f"game {int(np.argmax(white == black))}: a player against itself")
    if not np.isin(outcome, (-1, 0, 1)).all():
        raise ValueError(f"outcomes {np.unique(outcome).tolist()}; expected -1, 0 and 1")
    groups = connected_groups(len(labels), white, black)
    if len(groups) > 1:
        apart = "; ".join(", ".join(labels[each] for each in group) for group in groups)
        raise ValueError(f"no games between these groups of players: {apart}; expected chains between all")


def evidence_of(
    players: int, white: np.ndarray, black: np.ndarray, outcome: np.ndarray, pair: np.ndarray
) -> Evidence:
    """Count the games; arguments as for `ratings.fit`."""
    cells, cell = np.unique(np.stack([white, black], axis=1), axis=0, return_inverse=True)
    codes = 3 * cell.reshape(-1) + 1 - outcome  # White's win, draw, Black's win
    order = np.lexsort((codes, pair))
    starts = np.unique(pair[order], return_index=True)[1]
    kinds = Counter(tuple(cluster.tolist()) for cluster in np.split(codes[order], starts[1:]))
    patterns = np.zeros((len(kinds), 3 * len(cells)))
    for row, kind in zip(patterns, kinds, strict=True):
        np.add.at(row, list(kind), 1)
    met = [tuple(code // 3 for code in kind) for kind in kinds]
    design = Design(players, cells[:, 0], cells[:, 1], patterns.reshape(len(kinds), -1, 3))
    times = np.array([list(kinds.values())])
    return Evidence(
        design=design,
        times=times,
        strata=np.array([sorted(set(met)).index(each) for each in met]),
        reach=reach_of(design, design.counts(times)[0]),
    )


def is_determined(evidence: Evidence) -> bool:
    """Whether one finite set of parameters fits the games best.

    It does unless the parameters can go to infinity in some direction and the games only become likelier:
    a player won everything, or won and drew without ever losing, so that strength and draws can grow
    together. With t(o) the statistics of outcome o in the log-linear model, (±½ of the effects, or 1 for a
    draw), v is such a direction if v·t(o) >= v·t(o') for each outcome o that occurred in a cell and each
    other one, and > for some. A linear program looks for it (S. J. Haberman, The Analysis of Frequency Data,
    1974, §2).
    """
    design = evidence.design
    effects = np.asarray(design.effects, dtype=np.float64) / 2
    none = np.zeros((len(effects), 1))
    statistics = np.stack(
        [np.hstack([effects, none]), np.hstack([0 * effects, none + 1]), np.hstack([-effects, none])], axis=1
    )
    counts = design.counts(evidence.times)[0]
    # Without any draw the model is that of Bradley and Terry, which has no draws.
    outcomes = (0, 1, 2) if counts[:, 1].any() else (0, 2)
    cells, seen = np.nonzero(counts)
    rows = np.concatenate([statistics[cells, seen] - statistics[cells, other] for other in outcomes])
    found = linprog(-rows.sum(0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    return bool(-found.fun < TINY)


def reach_of(design: Design, counts: np.ndarray) -> np.ndarray:
    """Whether there are chains of players who scored, u1[P, P], from games f8[C, 3] by cell and outcome."""
    scored = np.zeros((design.players, design.players))
    np.add.at(scored, (design.white, design.black), counts[:, 0] + counts[:, 1])
    np.add.at(scored, (design.black, design.white), counts[:, 1] + counts[:, 2])
    return np.asarray(np.isfinite(shortest_path(scored > 0, unweighted=True)))
