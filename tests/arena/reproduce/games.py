"""Made-up games, and a study that holds them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import chess
from ks_arena.match.result import GameResult, SeatWork
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import field_of
from ks_arena.study.study import Study

DUEL = {
    "kind": "round-robin",
    "players": [{"label": "A", "player": "capture"}, {"label": "B", "player": "random"}],
}


def config(tournament: dict[str, Any] | None = None, **settings: Any) -> StudyConfig:
    return StudyConfig(**{"name": "made-up", "games": 1000, "tournament": tournament or DUEL} | settings)


@dataclass
class MadeUp(Study):
    """A study of which the games are given."""

    config: StudyConfig
    played: list[GameResult] = field(default_factory=list)

    def games(self, pairing: int | None = None) -> list[GameResult]:
        return [game for game in self.played if pairing in (None, game.pairing)]

    def add(self, pairing: int, outcomes: Sequence[Sequence[int]], **facts: Any) -> "MadeUp":
        """Pairs of games; an outcome is +1, 0 or −1 for the pairing's first player."""
        meeting = field_of(self.config).pairings[pairing]
        for number, pair in enumerate(outcomes):
            for leg, outcome in enumerate(pair):
                labels = (meeting.first, meeting.second)
                self.played.append(game(pairing, number, leg, labels, outcome, **facts))
        return self


def game(
    pairing: int,
    pair: int,
    leg: int,
    labels: tuple[str, str],
    outcome: int,
    *,
    tries: tuple[int, int] = (60, 50),
    seconds: tuple[float, float] = (1.0, 2.0),
    nodes: tuple[int | None, int | None] = (None, None),
    fault: str | None = None,
    actions: bytes = b"",
) -> GameResult:
    """One game of 40 moves a side; what is said of the players is said of the first and of the second."""
    work = [SeatWork(40, tries[i], seconds[i], seconds[i] / 10, nodes[i]) for i in (0, 1)]
    order = (0, 1) if leg == 0 else (1, 0)
    return GameResult(
        pairing=pairing,
        pair=pair,
        leg=leg,
        white=labels[order[0]],
        black=labels[order[1]],
        white_seed=1,
        black_seed=2,
        start_fen=chess.STARTING_FEN,
        outcome=outcome if leg == 0 else -outcome,
        reason="checkmate" if outcome else "stalemate",
        fault=fault,
        plies=80,
        spoken=20,
        work=(work[order[0]], work[order[1]]),
        seconds=4.0,
        actions=actions,
        versions="{}",
    )
