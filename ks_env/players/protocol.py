"""What a player is: told the start and its colour, asked for tries, told every announcement it may hear."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ks_env.core.ruleset import Ruleset
from ks_env.games.invisible.announcement import Announcement as InvisibleAnnouncement
from ks_env.games.kriegspiel.announcement import Announcement

View = Any  # a record: np.void
Views = np.ndarray[Any, Any]


@runtime_checkable
class Player(Protocol):
    """One seat of one game at a time.

    Attributes:
        name: as shown in results.
        compiled: `choose` releases the GIL, so that games can be stepped in threads.
    """

    name: str
    compiled: bool

    def begin(self, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        """A new game. `start_fen` is None where the start is hidden; `seed` fixes all that is random."""

    def choose(self, view: View) -> int:
        """The next try, numbered as in `ks_env.core.actions`; `view` is a copy of the seat's VIEW."""

    def hear(self, announcement: Announcement) -> None:
        """What the referee said: answers to own tries, and what is heard of the opponent's."""


@runtime_checkable
class InvisiblePlayer(Protocol):
    """One seat of one game of invisible chess at a time. A player may be this and a `Player`.

    Attributes:
        name, compiled: see `Player`.
    """

    name: str
    compiled: bool

    def begin_invisible(self, colour: bool, ruleset: Ruleset, start: View, seed: int) -> None:
        """A new game.

        Args:
            colour: of the player's seat.
            ruleset: its draws and limits.
            start: a copy of the seat's VIEW at the start (`ks_env.games.invisible.layout`). It holds the
                whole position, which is public: the seat's own men, the visible men of the opponent, and in
                `unseen` and `placed` kind and square of its hidden ones.
            seed: fixes all that is random.
        """

    def choose(self, view: View) -> int:
        """See `Player.choose`."""

    def hear(self, announcement: InvisibleAnnouncement) -> None:
        """See `Player.hear`."""


AnyPlayer = Player | InvisiblePlayer


@runtime_checkable
class CountsWork(Player, Protocol):
    """A player that says how hard it has worked, so that players can be compared at equal budgets.

    Attributes:
        nodes: the work done since `begin`, 0 then, in the player's own unit: nodes of a tree, simulated
            games, positions given to a network. It is read after every accepted move and at the end.
    """

    nodes: int


@runtime_checkable
class TakesPlacements(Player, Protocol):
    """A player that can use the declared placements where the start is hidden."""

    def begin_hidden(self, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int) -> None:
        """A new game, in the place of `begin`.

        Args:
            colour: of the player's seat.
            ruleset: the rules.
            fens: the declared start positions that the seat cannot tell apart: one of them is on the board.
            seed: fixes all that is random.
        """


def begin_game(
    player: Player, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int, *, hidden: bool
) -> None:
    """Tell a player of a new game.

    Args:
        player: who is told.
        colour: of its seat.
        ruleset: the rules.
        fens: the start positions that the seat cannot tell apart; one where the start is public.
        seed: fixes all that is random.
        hidden: whether the start is hidden.
    """
    if not hidden:
        player.begin(colour, ruleset, fens[0], seed)
    elif isinstance(player, TakesPlacements):
        player.begin_hidden(colour, ruleset, fens, seed)
    else:
        player.begin(colour, ruleset, None, seed)


@runtime_checkable
class BatchPlayer(Protocol):
    """Many games at once, by row; for players that choose faster together, such as networks."""

    name: str

    def begin_row(self, row: int, colour: bool, ruleset: Ruleset, start_fen: str | None, seed: int) -> None:
        """A new game in this row."""

    def choose_rows(self, rows: npt.NDArray[np.int64], views: Views) -> npt.NDArray[np.int64]:
        """The next try in each of the rows: i8[M]; `views` is VIEW[M], copies."""

    def hear_row(self, row: int, announcement: Announcement) -> None:
        """What the referee said in this row."""


@runtime_checkable
class TakesPlacementsByRow(BatchPlayer, Protocol):
    """A batch player that can use the declared placements where the start is hidden."""

    def begin_row_hidden(
        self, row: int, colour: bool, ruleset: Ruleset, fens: Sequence[str], seed: int
    ) -> None:
        """A new game in this row, in the place of `begin_row`; see `TakesPlacements.begin_hidden`."""


@runtime_checkable
class InvisibleBatchPlayer(Protocol):
    """Many games of invisible chess at once, by row. A batch player may be this and a `BatchPlayer`."""

    name: str

    def begin_row_invisible(self, row: int, colour: bool, ruleset: Ruleset, start: View, seed: int) -> None:
        """A new game in this row; see `InvisiblePlayer.begin_invisible`."""

    def choose_rows(self, rows: npt.NDArray[np.int64], views: Views) -> npt.NDArray[np.int64]:
        """See `BatchPlayer.choose_rows`."""

    def hear_row(self, row: int, announcement: InvisibleAnnouncement) -> None:
        """What the referee said in this row."""


AnyBatchPlayer = BatchPlayer | InvisibleBatchPlayer
