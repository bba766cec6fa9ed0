"""The profile of an opponent (Ciancarini and Favini 2010, §5, Fig. 4): where its men use to stand, by time.

"We will therefore suppose that we have access to two 8×8 matrices D_w(p, t) and D_b(p, t) estimating the
probability distribution for piece p at time t when our opponent is playing as White and Black, respectively."
They come from games: of one player, or of all, "the unknown opponent is considered to be an averaged version
of all the players". "Their values can be smoothed by averaging them over several moves or even over
neighboring squares, especially later in the game."

Approach A takes the values themselves, B and C "gradient values, that is, the values of
D(p, t + 1) − D(p, t)".
"""

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import numpy.typing as npt

from ks_env.belief.location.layout import SORT_OF
from ks_env.core.files import aside

FORMAT = 1
MOVES = 30  # own moves of the profiled side that are told of; later ones are "too noisy"
LATE = 10  # own moves after which neighbouring squares are averaged, too
FEWEST = 20  # games that went on so long, for the drift at that time to be used
GAIN = 1.0  # how strongly the drift follows the deltas
FLOOR = 0.02  # added to D before a delta is divided by it
LEAST, MOST = 0.25, 4.0  # of a drift
SHIPPED = Path(__file__).with_name("profile.npz")
KINDS = range(chess.PAWN, chess.KING + 1)

Counts = npt.NDArray[np.float64]


def smooth_squares(boards: Counts) -> Counts:
    """Each square with half of its weight, its file and rank neighbours with the rest: f8[..., 8, 8]."""
    padded = np.pad(boards, [(0, 0)] * (boards.ndim - 2) + [(1, 1), (1, 1)], mode="edge")
    rows = padded[..., :-2, 1:-1] + padded[..., 2:, 1:-1]
    files = padded[..., 1:-1, :-2] + padded[..., 1:-1, 2:]
    return np.asarray(boards / 2 + (rows + files) / 8)


def smooth_time(boards: Counts) -> Counts:
    """Each time with half of its weight, those before and after with a quarter: f8[2, T, ...]."""
    before = np.concatenate([boards[:, :1], boards[:, :-1]], axis=1)
    after = np.concatenate([boards[:, 1:], boards[:, -1:]], axis=1)
    return np.asarray(boards / 2 + (before + after) / 4)


@dataclass(frozen=True)
class Profile:
    """D_w and D_b of Ciancarini and Favini (2010, §5).

    Attributes:
        places: f4[2, MOVES + 1, 6, 64], expected men of each kind (pawn first) on each square, by colour
            (White 0, Black 1) and own moves made; squares as on the board.
        games: i8[2, MOVES + 1], games of that colour that went on so long.
        name: whose profile it is.
    """

    places: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]
    name: str

    def smoothed(self) -> "Profile":
        """Averaged over neighbours in time, and after `LATE` moves over neighbouring squares, too."""
        boards = smooth_time(self.places.reshape(2, MOVES + 1, 6, 8, 8).astype(np.float64))
        boards[:, LATE:] = smooth_squares(boards[:, LATE:])
        places = boards.reshape(self.places.shape).astype(np.float32)
        return Profile(places, self.games, self.name)

    def drifts(self, rows: Sequence[int] = SORT_OF) -> npt.NDArray[np.float32]:
        """The function f for location maps, "that scales and centers the probability delta values".

        See Ciancarini and Favini (2010).

        A square draws men by 1 + the relative growth of their number there, within [LEAST, MOST]. Ciancarini
        and Favini (2010) give no formula; that targets add up to 1 is seen to where they are used
        (`spread`).

        Args:
            rows: under which entry a kind of men is counted, by kind; by default its sort.

        Returns:
            f4[2, MOVES + 1, 3, 64], by the opponent's seat, its own moves made before, and sort, or other
            `rows`; squares in the frame of the seat that watches. The last time is 1 throughout, as are those
            with few games and rows without men.
        """
        out = np.ones((2, MOVES + 1, max(rows) + 1, 64), np.float32)
        sums = np.zeros(out.shape)
        for kind in KINDS:
            sums[:, :, rows[kind]] += self.places[:, :, kind - 1]
        growth = 1 + GAIN * (sums[:, 1:] - sums[:, :-1]) / (sums[:, :-1] + FLOOR)
        out[:, :-1] = np.clip(growth, LEAST, MOST)
        out[:, :-1][self.games[:, 1:] < FEWEST] = 1
        out[0] = out[0][..., np.arange(64) ^ 56]  # White is watched by Black, whose frame is turned
        return out

    def save(self, path: Path) -> None:
        """Write it as .npz; all of the file or nothing."""
        with aside(path) as other, other.open("wb") as file:
            np.savez_compressed(
                file, format=FORMAT, places=self.places.astype(np.float16), games=self.games, name=self.name
            )

    @classmethod
    def load(cls, path: Path) -> "Profile":
        """Read what `save` wrote.

        Raises:
            ValueError: the file is not a profile, or of another version.
            OSError: it cannot be read.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                found = {key: file[key] for key in ("format", "places", "games", "name")}
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"{path}: is not a profile: {error}; expected a file that `ks profile` wrote"
            ) from error
        if int(found["format"]) != FORMAT:
            raise ValueError(f"{path}: is a profile of format {found['format']}; expected {FORMAT}")
        places, games = found["places"], found["games"]
        if places.shape != (2, MOVES + 1, 6, 64) or games.shape != (2, MOVES + 1):
            raise ValueError(
                f"{path}: its tables are {places.shape} and {games.shape}; see Profile for the shapes"
            )
        return cls(places.astype(np.float32), games.astype(np.int64), str(found["name"]))


def count_game(game: chess.pgn.Game, colours: Iterable[bool], places: Counts, games: Any) -> None:
    """Add one game of these colours to `places: f8[2, MOVES + 1, 6, 64]` and `games: i8[2, MOVES + 1]`."""
    board, watched = game.board(), set(colours)
    made = {chess.WHITE: 0, chess.BLACK: 0}
    for colour in watched:
        _count_board(board, colour, 0, places, games)
    for move in game.mainline_moves():
        colour = board.turn
        board.push(move)
        made[colour] += 1
        if colour in watched and made[colour] <= MOVES:
            _count_board(board, colour, made[colour], places, games)


def _count_board(board: chess.Board, colour: bool, time: int, places: Counts, games: Any) -> None:
    side = 0 if colour else 1
    games[side, time] += 1
    for kind in KINDS:
        for square in board.pieces(kind, colour):
            places[side, time, kind - 1, square] += 1


def build_profile(games: Iterable[chess.pgn.Game], player: str | None = None) -> Profile:
    """The profile of all players of some games, or of one.

    Games from other positions than the usual start are left out.

    Args:
        games: as python-chess reads them.
        player: as in the headers White and Black; None for all.

    Raises:
        ValueError: no game is left.
    """
    places, counted = np.zeros((2, MOVES + 1, 6, 64)), np.zeros((2, MOVES + 1), np.int64)
    for game in games:
        if game.board().fen() != chess.STARTING_FEN:
            continue
        names = {chess.WHITE: game.headers.get("White"), chess.BLACK: game.headers.get("Black")}
        colours = [colour for colour, name in names.items() if player is None or name == player]
        if colours:
            count_game(game, colours, places, counted)
    if not counted.any():
        whose = f" of {player!r}" if player is not None else ""
        raise ValueError(f"there is no game{whose} from the usual start; expected at least one")
    mean = places / np.maximum(counted, 1)[:, :, None, None]
    return Profile(mean.astype(np.float32), counted, player or "all players")


@cache
def shipped_drifts() -> npt.NDArray[np.float32]:
    """The drifts of the profile that comes with the package, built from games of its own players."""
    drifts = Profile.load(SHIPPED).smoothed().drifts()
    drifts.setflags(write=False)
    return drifts
