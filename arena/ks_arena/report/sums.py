"""What a report counts: scores by pairing, work by player, ratings of those who can be compared.

Scores and ratings are of complete pairs of games. Of a study in progress a few games whose other half has
not been played are left out of them, and counted as work.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ks_arena.match.result import GameResult
from ks_arena.statistics.ratings import Ratings, fit_games, groups_of
from ks_arena.study.scores import PairingScore, ratio, score_of
from ks_arena.study.study import Study


@dataclass
class PlayerWork:
    """What one player did in all its games, the forfeited ones among them.

    Attributes:
        label: the player.
        games: games played.
        moves: accepted tries.
        tries: all tries.
        seconds: wall clock in the player's own code.
        slowest: seconds of its longest turn.
        nodes: its own count of work, where it keeps one.
        counted_moves: moves of the games in which it kept one.
        plies: half-moves of its games, both sides'.
        spoken: how many of them the referee answered by more than whose turn it is.
        faults: what it forfeited by, and how often.
    """

    label: str
    games: int = 0
    moves: int = 0
    tries: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    nodes: int | None = None
    counted_moves: int = 0
    plies: int = 0
    spoken: int = 0

    def __post_init__(self) -> None:
        self.faults: Counter[str] = Counter()

    def add(self, game: GameResult, seat: int) -> None:
        """Take in a game that it played as White (0) or Black (1)."""
        work = game.work[seat]
        self.games += 1
        self.moves += work.moves
        self.tries += work.tries
        self.seconds += work.seconds
        self.slowest = max(self.slowest, work.slowest)
        if work.nodes is not None:
            self.nodes = (self.nodes or 0) + work.nodes
            self.counted_moves += work.moves
        self.plies += game.plies
        self.spoken += game.spoken
        if game.fault is not None and game.outcome == (-1 if seat == 0 else 1):
            self.faults[game.fault] += 1

    @property
    def tries_a_move(self) -> float | None:
        """All tries for each accepted one."""
        return ratio(self.tries, self.moves)

    @property
    def seconds_a_move(self) -> float | None:
        """Wall clock in the player's own code for each move."""
        return ratio(self.seconds, self.moves)

    @property
    def nodes_a_move(self) -> float | None:
        """Its own count of work for each move."""
        return None if self.nodes is None else ratio(self.nodes, self.counted_moves)

    @property
    def spoken_share(self) -> float | None:
        """Share of the moves of its games after which the referee said something."""
        return ratio(self.spoken, self.plies)


@dataclass(frozen=True)
class Summary:
    """All that a report tells.

    Attributes:
        study: the study.
        scores: by pairing.
        players: by label, in the order of the config.
        ratings: of each group of players between whom there are chains of games; one, if all have met. None
            of two players, whose score says as much and assumes less.
        white: games won, drawn and lost by White.
        seconds: wall clock of all games, summed.
        versions: what the games were played with, and how many with each.
    """

    study: Study
    scores: tuple[PairingScore, ...]
    players: dict[str, PlayerWork]
    ratings: tuple[Ratings, ...]
    white: tuple[int, int, int]
    seconds: float
    versions: Counter[str]

    @property
    def played(self) -> int:
        """Games played."""
        return sum(score.played for score in self.scores)

    @property
    def alone(self) -> int:
        """Games that are not in the scores, as the other game of their pair is missing."""
        return self.played - sum(len(score.games) for score in self.scores)

    @property
    def arena_share(self) -> float | None:
        """Share of the games' time that was not spent in the players' own code."""
        return ratio(self.seconds - sum(each.seconds for each in self.players.values()), self.seconds)

    @property
    def unrated(self) -> list[str]:
        """Players of whom there is no complete pair of games."""
        rated = {label for ratings in self.ratings for label in ratings.labels}
        return [label for label in self.players if label not in rated]

    @property
    def is_ladder(self) -> bool:
        """Whether players have budgets."""
        return any(score.pairing.budget is not None for score in self.scores)


def summarise(study: Study) -> Summary:
    """Count what a report says about a study, finished or not."""
    scores = tuple(score_of(study, pairing) for pairing in study.pairings)
    games = study.games()
    paired = [game for score in scores for game in score.games]
    outcomes = Counter(game.outcome for game in paired)
    opponents = {pairing.second for pairing in study.pairings}
    groups = groups_of(study.labels, paired) if len(study.labels) > 2 else ()
    return Summary(
        study=study,
        scores=scores,
        players=_work(study.labels, games),
        ratings=tuple(_fit(names, theirs, opponents) for names, theirs in groups),
        white=(outcomes[1], outcomes[0], outcomes[-1]),
        seconds=sum(game.seconds for game in games),
        versions=Counter(game.versions for game in games),
    )


def _work(labels: Iterable[str], games: Iterable[GameResult]) -> dict[str, PlayerWork]:
    players = {label: PlayerWork(label) for label in labels}
    for game in games:
        players[game.white].add(game, 0)
        players[game.black].add(game, 1)
    return players


def _fit(labels: Sequence[str], games: Sequence[GameResult], opponents: set[str]) -> Ratings:
    """Ratings with a zero that says something.

    It is the opponent where all have the same one. Else it is the mean; but where the games leave open how
    far away some player is, and so where the mean is, it is a player of the largest set that they do not
    leave open.
    """
    if len(opponents) == 1:
        return fit_games(labels, games, anchor=next(iter(opponents)))
    ratings = fit_games(labels, games)
    reach = ratings.evidence.reach.astype(bool)
    together = (reach & reach.T).sum(axis=1)
    if 1 < together.max() < len(labels):
        return fit_games(labels, games, anchor=labels[int(np.argmax(together))])
    return ratings
