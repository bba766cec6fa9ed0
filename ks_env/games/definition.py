"""What a game is to all others: one object with its records, kernels, options and words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import chess
import numpy as np

from ks_env.core.planes import PlaneTable
from ks_env.core.record import Array

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ks_env.core.ruleset import Ruleset
    from ks_env.games.options import GameOptions
    from ks_env.games.record import AnyRecord
    from ks_env.games.scene import Scene
    from ks_env.games.under_way import GameUnderWay
    from ks_env.games.words import Phrases

Row = Any  # a record: np.void


class GameKernels(NamedTuple):
    """Kernels of a game, of which those over many rows are made.

    Attributes:
        judge: (game, history u8[H], rules, action): answer one try of the side to move in a game that is not
            over; the kind of answer (`answers.Kind`). What is no try at all, of any integer, is nonsense.
        list_tries: (view, rules, level, out i2[MOST_TRIES]): write the tries of the seat to move; how many.
        mark_tries: (view, rules, level, mask i1[ACTIONS], 0 before): mark the same tries.
        write_planes: (view, out u1[C, 64] or wider): write the base planes of a seat, every byte of them.
        capture: (view, rules, random u8[n], stream, scratch i2[MOST_TRIES]): a try of the player `capture`.
    """

    judge: Callable[..., int]
    list_tries: Callable[..., int]
    mark_tries: Callable[..., object]
    write_planes: Callable[..., None]
    capture: Callable[..., int]


class Notation(NamedTuple):
    """How games are written down.

    Attributes:
        record: a game as a value.
        file: the model of its JSON file.
        to_said, from_said: an announcement to its part of the file, and (part, by, action) back.
        phrases: how announcements are written in words, in PGN.
        rulesets: the rulesets that a record can name, by name.
        board: whose legal moves are those of the game on the referee's board; PGN is written and read on it.
    """

    record: "type[AnyRecord[Any, Any]]"
    file: "type[BaseModel]"
    to_said: Callable[[Any], Any]
    from_said: Callable[[Any, bool, int | None], Any]
    phrases: "Phrases[Any]"
    rulesets: "Mapping[str, Ruleset]"
    board: type[chess.Board] = chess.Board


class OwnMen(NamedTuple):
    """Men that each player of a match has to himself, such as hidden ones, written as text.

    Attributes:
        read_both: (text): White's and Black's, of "2B v 1R", or of "2B" for both; raises a ValueError if it
            is not understood.
        on_squares: (text): whether one player's men are named by their squares.
        check: (all players' men, start positions): raises a ValueError if they do not fit.
    """

    read_both: Callable[[str], tuple[str, str]]
    on_squares: Callable[[str], bool]
    check: Callable[[Sequence[str], Sequence[str]], None]


@dataclass(frozen=True, eq=False)
class GameDefinition:
    """One game.

    Attributes:
        id: as in the environment's id, `ks_env/<id>-v0`.
        name: in words.
        about: in a sentence, what its players see.
        row: dtype of a game, GAME: fields `truth` and `views`.
        view: dtype of what a seat knows, VIEW.
        kernels: its kernels.
        planes: the base planes.
        state_shape: shape of the referee's planes.
        write_state: writes them to `u1[*state_shape]` from a GAME record.
        options: what an environment of the game can be asked for.
        play: one game in chess moves and words.
        notation: how games are written down.
        scene: (game, seat; None for the referee): what a picture shows.
        hidden_starts: whether the start position can be kept from the players.
        own_men: where each player of a match has men to himself.
    """

    id: str
    name: str
    about: str
    row: np.dtype[Any]
    view: np.dtype[Any]
    kernels: GameKernels
    planes: PlaneTable
    state_shape: tuple[int, int, int]
    write_state: Callable[[Row, Array], None]
    options: "type[GameOptions]"
    play: "type[GameUnderWay[Any]]"
    notation: Notation
    scene: "Callable[[Any, bool | None], Scene]"
    hidden_starts: bool = False
    own_men: OwnMen | None = None

    def __post_init__(self) -> None:
        """Games and records know which game they are of."""
        self.play.definition = self
        self.notation.record.definition = self

    def hidden_rows(self, fens: Sequence[str] | None, ruleset: "Ruleset | None" = None) -> Array:
        """GAME[S]: start positions that the players are not told.

        Args:
            fens: the positions; None for the usual start.
            ruleset: None for the game's usual one.

        Raises:
            ValueError: the game cannot hide its start, or not these.
        """
        if not self.hidden_starts:
            raise ValueError(f"a game of {self.id} cannot hide its start")
        rules = {} if ruleset is None else {"ruleset": ruleset}
        rows, _ = self.options.made_of({"start": fens, "hidden_start": True} | rules).starts()
        return rows

    def __repr__(self) -> str:
        """Short, for messages."""
        return f"<game {self.name}>"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Another process looks it up."""
        from ks_env.games import game_named

        return game_named, (self.id,)
