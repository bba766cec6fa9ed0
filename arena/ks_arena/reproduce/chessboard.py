"""What both players' metapositions were in a game of Kriegspiel that has been played.

See Ciancarini and Favini (2007, §3.1, §4.3).

The game is put before the referee once more; both metapositions are kept as Darkboard keeps them, whatever
the players themselves knew.
"""

from dataclasses import dataclass
from typing import Any

import chess
import numpy as np
from ks_baselines.darkboard.components import DIGITS, entropy
from ks_baselines.darkboard.constants import LITERAL
from ks_baselines.darkboard.moves import NOTHING, gives_pawn_try, predicted_capture

from ks_arena.match.referee import referee_of_result
from ks_arena.match.result import GameResult
from ks_arena.study.config import StudyConfig
from ks_env.belief.metaposition import follow, opening
from ks_env.core.tables import ANY, TRY_FROM, TRY_TO

LAST = 10  # own turns before the end of a game: its endgame


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a player, from its first try to the opponent's answer.

    Attributes:
        move: number of the player's turn, from 1.
        entropy: of its chessboard (Ciancarini and Favini 2007, §4.3) before the first try.
        own: whether the referee said to the first try what Darkboard assumes (§3.1); None for "any?".
        answer: whether the opponent's turn was silent, as it assumes; None if the game ended before.
    """

    move: int
    entropy: float
    own: bool | None
    answer: bool | None


Turns = tuple[Turn, ...]


def turns_of(result: GameResult, config: StudyConfig) -> tuple[Turns, Turns]:
    """The turns of White and of Black."""
    referee = referee_of_result(result, config)
    seats = [_Seat(result.start_fen, number) for number in (0, 1)]
    rules = config.rules.record()[0]
    fresh = True
    for action in result.numbers:
        mover = referee.mover
        seat = seats[mover]
        if fresh:
            seat.begin(referee.view(mover), rules)
            seat.expect(action)
        ended = referee.ask(action)
        if fresh:
            seat.hear(referee.view(mover), played=referee.played)
        fresh = ended
    return seats[0].turns(), seats[1].turns()


class _Seat:
    """One player's metaposition through a game, and what is noted of it."""

    def __init__(self, fen: str, number: int) -> None:
        self.metaposition: Any = opening([fen], chess.WHITE if number == 0 else chess.BLACK)
        self._planes = np.zeros(DIGITS, np.uint64)
        self._constants = LITERAL.record()[0]
        self._expected: tuple[int, bool] | None = None
        self._found: list[tuple[float, bool | None]] = []
        self._silent: list[bool] = []

    def begin(self, view: Any, rules: Any) -> None:
        """A turn begins: what the opponent's brought, and how uncertain that leaves the player."""
        follow(self.metaposition, view, rules)
        if self._found:
            self._silent.append(view["lost"] < 0 and view["checks"] == 0 and view["tries"] <= 0)
        self._entropy = float(entropy(self.metaposition, self._planes, self._constants))

    def expect(self, action: int) -> None:
        """What Darkboard assumes of the turn's first try."""
        self._expected = None
        if action != ANY:
            m, start, end = self.metaposition, int(TRY_FROM[action]), int(TRY_TO[action])
            kind = next(kind for kind in range(1, 7) if int(m["own"][kind]) >> start & 1)
            self._expected = int(predicted_capture(m, kind, start, end)), bool(gives_pawn_try(m, end))

    def hear(self, view: Any, *, played: bool) -> None:
        """What the referee said to it."""
        if self._expected is None:
            self._found.append((self._entropy, None))
            return
        capture, pawn_try = self._expected
        taken = int(view["took_kind"]) if played else NOTHING
        right = played and taken == capture and view["gave"] == 0 and (view["left"] > 0) == pawn_try
        self._found.append((self._entropy, bool(right)))

    def turns(self) -> Turns:
        """All that was noted."""
        silent: list[bool | None] = [*self._silent, None]
        return tuple(
            Turn(number + 1, found, own, silent[number] if number < len(silent) else None)
            for number, (found, own) in enumerate(self._found)
        )


def last_entropies(result: GameResult, config: StudyConfig, seat: int) -> tuple[float, float]:
    """The mean entropy of the chessboard in a player's last ten turns: the seat's, and its opponent's."""
    both = turns_of(result, config)
    return last_entropy(both[seat]), last_entropy(both[1 - seat])


def last_entropy(turns: Turns) -> float:
    """The mean entropy of a player's chessboard in its last ten turns; 0 if it had none."""
    return float(np.mean([turn.entropy for turn in turns[-LAST:]])) if turns else 0.0


def held(turns: Turns, at: int, plies: int) -> bool | None:
    """Whether the referee said what is assumed in so many plies from a turn on; None if the game ended."""
    for ply in range(plies):
        turn = turns[at + ply // 2] if at + ply // 2 < len(turns) else None
        said = None if turn is None else (turn.own if ply % 2 == 0 else turn.answer)
        if said is None:
            return None
        if not said:
            return False
    return True
