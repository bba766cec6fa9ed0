"""The games that the interfaces can be made for, and what differs between them outside of the kernels."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ks_env.core.planes import STATE_SHAPE, PlaneTable, write_state
from ks_env.core.ruleset import Ruleset
from ks_env.games.by_game import INVISIBLE_CHESS as INVISIBLE_NAME
from ks_env.games.by_game import KRIEGSPIEL as KRIEGSPIEL_NAME
from ks_env.games.invisible import game as invisible
from ks_env.games.invisible.announcement import Announcement as InvisibleAnnouncement
from ks_env.games.invisible.layout import GAME as INVISIBLE_GAME
from ks_env.games.invisible.layout import VIEW as INVISIBLE_VIEW
from ks_env.games.invisible.observation import INVISIBLE_STATE_SHAPE, write_invisible_state
from ks_env.games.invisible.planes import TABLE as INVISIBLE_TABLE
from ks_env.games.invisible.start import hidden_men_of
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game, both_hear
from ks_env.games.kriegspiel.layout import GAME, VIEW
from ks_env.games.kriegspiel.planes import TABLE

Array = np.ndarray[Any, Any]
Row = Any  # a record: np.void
AnyGame = Game | invisible.InvisibleGame
AnyAnnouncement = Announcement | InvisibleAnnouncement
Heard = tuple[Any, Any]  # what (White, Black) heard: an announcement of the game, or None


@dataclass(frozen=True)
class Variant:
    """One game.

    Attributes:
        name: in words; players and encoders say by it what they are for.
        game: type of a row, GAME.
        view: type of what a seat knows, VIEW.
        planes: the base planes.
        state_shape: shape of the referee's planes.
        write_state: writes them to u1[*state_shape] from a GAME record.
        both_hear: what White and Black hear of the latest answer of a GAME record.
        adopt: a game object over GAME[1] and u8[1, H] of a batch, for pictures; the keywords are `start`,
            the GAME record that it began with, `fen`, `hidden_start` and `log`.
    """

    name: str
    game: np.dtype[Any]
    view: np.dtype[Any]
    planes: PlaneTable
    state_shape: tuple[int, int, int]
    write_state: Callable[[Row, Array], None]
    both_hear: Callable[[Row, Ruleset], Heard]
    adopt: Callable[..., AnyGame]


def _kriegspiel_state(game: Row, out: Array) -> None:
    write_state(game["truth"], out)


def _kriegspiel_heard(game: Row, ruleset: Ruleset) -> Heard:
    return both_hear(game["truth"]["said"], ruleset)


def _invisible_heard(game: Row, ruleset: Ruleset) -> Heard:
    return invisible.both_hear(game)


def _adopt_kriegspiel(
    games: Array,
    history: Array,
    ruleset: Ruleset,
    *,
    start: Row,
    fen: str,
    hidden_start: bool,
    log: list[Heard],
) -> Game:
    return Game.adopt(games, history, ruleset, fen=fen, hidden_start=hidden_start, log=log)


def _adopt_invisible(
    games: Array,
    history: Array,
    ruleset: Ruleset,
    *,
    start: Row,
    fen: str,
    hidden_start: bool,
    log: list[Heard],
) -> invisible.InvisibleGame:
    men = hidden_men_of(start)
    return invisible.InvisibleGame.adopt(games, history, ruleset, fen=fen, log=log, hidden=men)


KRIEGSPIEL = Variant(
    name=KRIEGSPIEL_NAME,
    game=GAME,
    view=VIEW,
    planes=TABLE,
    state_shape=STATE_SHAPE,
    write_state=_kriegspiel_state,
    both_hear=_kriegspiel_heard,
    adopt=_adopt_kriegspiel,
)

INVISIBLE = Variant(
    name=INVISIBLE_NAME,
    game=INVISIBLE_GAME,
    view=INVISIBLE_VIEW,
    planes=INVISIBLE_TABLE,
    state_shape=INVISIBLE_STATE_SHAPE,
    write_state=write_invisible_state,
    both_hear=_invisible_heard,
    adopt=_adopt_invisible,
)
