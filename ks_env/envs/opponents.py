"""Opponents inside a batch: kernel players by number, all others through the player protocols."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import chess
import numpy as np
import numpy.typing as npt

from ks_env.core.answers import UNDER_WAY
from ks_env.core.rows import rows_of
from ks_env.core.start import alike_fens
from ks_env.envs import batch as kernels
from ks_env.envs.batch import NO_KERNEL
from ks_env.games.opening import Opening
from ks_env.players.protocol import BatchPlayer, Player, listener
from ks_env.players.registry import check_plays, make_player
from ks_env.players.rows import PlayerRows

if TYPE_CHECKING:
    from ks_env.envs.engine import Engine


Opponent = str | BatchPlayer | Callable[[], Player]


def check_opponent(opponent: Opponent) -> Opponent:
    """The opponent, which has to have one of the forms that an opponent may have.

    Raises:
        ValueError: it has none of them.
    """
    if isinstance(opponent, (str, BatchPlayer)) or callable(opponent):
        return opponent
    raise ValueError(
        f"{opponent!r} is not an opponent; expected a player's name, a player factory or a BatchPlayer"
    )


def make_opponent(opponent: Opponent, engine: "Engine") -> tuple[int, "PlayerOpponent | None"]:
    """The number of a kernel player and None, or `NO_KERNEL` and a `PlayerOpponent`.

    Raises:
        ValueError: it has none of the forms an opponent may have, no player of that name can be made, or the
            player does not play the engine's game.
    """
    opponent = check_opponent(opponent)
    game = engine.game_played
    if isinstance(opponent, BatchPlayer) and not isinstance(opponent, type):  # a class is a factory
        check_plays(opponent, game)
        return NO_KERNEL, PlayerOpponent(opponent, engine)
    if not isinstance(opponent, str):
        return NO_KERNEL, PlayerOpponent(PlayerRows(opponent, game, engine.threads), engine)
    number = getattr(make_player(opponent), "kernel", None)
    if number is not None:
        return int(number), None
    factory = partial(make_player, opponent)  # which can be pickled
    return NO_KERNEL, PlayerOpponent(PlayerRows(factory, game, engine.threads), engine)


class PlayerOpponent:
    """A batch player as the other seat of every row. It gets copies of its views, and what it may hear."""

    def __init__(self, player: BatchPlayer, engine: "Engine") -> None:
        self.name = player.name
        self._player = player
        self._listener = listener(player, "hear_row")
        self._engine = engine
        self._alike: tuple[dict[int, list[str]], ...] | None = None

    def _seat(self, row: int) -> int:
        return 1 - int(self._engine.batch.seats[row])

    def _hear(self, row: int) -> None:
        if self._listener is None:  # nobody listens: no announcement is made
            return
        engine = self._engine
        colour = self._seat(row) == 0
        heard = engine.game_played.play.hears(engine.batch.games[row], engine.rules, colour)
        if heard is not None:
            self._listener(row, heard)

    def _begin(self, row: int) -> None:
        engine = self._engine
        seat, hidden = self._seat(row), engine.options.starts_hidden
        start = int(engine.batch.games[row]["truth"]["start"])
        fens = self._placements(seat, start) if hidden else [engine.fens[start]]
        opening = Opening(
            engine.game_played,
            chess.WHITE if seat == 0 else chess.BLACK,
            engine.rules,
            tuple(fens),
            rows_of(engine.batch.starts["views"], (start, seat)),
            int(kernels.draw_seed(engine.batch, row, seat)),
            hidden,
        )
        self._player.begin_row(row, opening)
        self._hear(row)

    def _placements(self, seat: int, start: int) -> list[str]:
        """The declared start positions that the seat cannot tell from this one."""
        if self._alike is None:
            self._alike = tuple(alike_fens(self._engine.fens, self._engine.batch.starts, s) for s in (0, 1))
        return self._alike[seat][start]

    def _waiting(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        truth = self._engine.batch.games["truth"]
        turn = (truth["reason"][rows] == UNDER_WAY) & (truth["side"][rows] != self._engine.batch.seats[rows])
        return rows[turn]

    def play(
        self, *, begun: npt.NDArray[np.bool_] | None = None, answered: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """Tell it of games begun and of tries answered; then let it try until no row waits for it."""
        for row in np.flatnonzero(begun) if begun is not None else ():
            self._begin(int(row))
        for row in np.flatnonzero(answered) if answered is not None else ():
            self._hear(int(row))
        batch, judge_row = self._engine.batch, self._engine.kernels.judge_row
        waiting = self._waiting(np.arange(self._engine.num_envs))
        while len(waiting):
            views: Any = rows_of(batch.games["views"], (waiting, 1 - batch.seats[waiting].astype(np.int64)))
            chosen: Any = np.asarray(self._player.choose_rows(waiting, views))
            if chosen.dtype.kind not in "iu" or chosen.shape != waiting.shape:
                raise ValueError(
                    f"player {self.name!r} chose {chosen!r}; expected integers, one for each of"
                    f" {len(waiting)} games"
                )
            for row, action in zip(waiting.tolist(), chosen.tolist(), strict=True):
                judge_row(batch, row, action)
                self._engine.note(row)
                self._hear(row)
            waiting = self._waiting(waiting)
