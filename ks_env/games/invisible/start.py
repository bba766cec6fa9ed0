"""Start positions of invisible chess: a FEN and the hidden men to game rows."""

from collections.abc import Sequence

import chess
import numpy as np

from ks_env.core.record import Array
from ks_env.core.start import Row, fill_own, fill_truth, numbered, parse_fen
from ks_env.games.invisible.hidden import Choice, HiddenMen, all_choices, choice_text
from ks_env.games.invisible.judge import open_game
from ks_env.games.invisible.layout import GAME

# Fields of a VIEW that hold -1 where there is nothing
NOWHERE = (
    "exposed",
    "placed",
    "their_from",
    "their_to",
    "passed",
    "lost",
    "took",
    "last",
    "stepped",
    "tried",
)


def _shade(kind: int, square: int) -> int:
    """The colour of a bishop's squares: 1 dark, 2 light, 0 for any other man."""
    if kind != chess.BISHOP:
        return 0
    return 1 if chess.BB_DARK_SQUARES & chess.BB_SQUARES[square] else 2


def _fill_theirs(view: Row, board: chess.Board, seat: int, hidden: Choice) -> None:
    """The opponent's men: visible ones on the board, hidden ones by number; all stand where all know."""
    mirror = 56 * seat
    for square in chess.SquareSet(board.occupied_co[seat == 1]):
        if square not in hidden:
            kind = board.piece_type_at(square) or 0
            view["seen"][square ^ mirror] = kind
            view["their_kinds"][kind] |= np.uint64(1 << (square ^ mirror))
            view["theirs"] |= np.uint64(1 << (square ^ mirror))
    for number, square in enumerate(hidden, 1):
        kind = board.piece_type_at(square) or 0
        view["unseen"][number] = kind
        view["placed"][number] = square ^ mirror
        view["shade"][number] = _shade(kind, square ^ mirror)


def _fill_view(view: Row, board: chess.Board, seat: int, own: Choice, theirs: Choice) -> None:
    fill_own(view, board, seat, NOWHERE)
    _fill_theirs(view, board, seat, theirs)
    for number, square in enumerate(own, 1):
        here = square ^ (56 * seat)
        view["ids"][here] = number
        view["own_shade"][number] = _shade(board.piece_type_at(square) or 0, here)
        view["exposed"][number] = here
    if board.ep_square is not None:
        view["passed" if board.turn == (seat == 0) else "stepped"] = board.ep_square ^ (56 * seat)


def start_row(fen: str, white: Choice, black: Choice) -> Row:
    """The row of a new game, GAME[()], with its start announced.

    The position is public, the places of the hidden men in it too.

    Args:
        white: squares of White's hidden men, in order of their numbers.
        black: the same for Black.

    Raises:
        ValueError: see `ks_env.core.start.parse_fen`.
    """
    board = parse_fen(fen)
    row = np.zeros(1, GAME)
    fill_truth(row[0]["truth"], board)
    row[0]["passed"] = board.ep_square if board.ep_square is not None else -1
    for hidden in (white, black):
        for number, square in enumerate(hidden, 1):
            row[0]["ids"][square] = number
    _fill_view(row[0]["views"][0], board, 0, white, black)
    _fill_view(row[0]["views"][1], board, 1, black, white)
    open_game(row[0])
    return row[0]


def hidden_men_of(start: Row) -> str:
    """The hidden men of a start's GAME record by their squares, as `hidden.parse_both` takes them."""
    both = []
    for seat in (0, 1):
        men = chess.SquareSet(int(start["truth"]["seats"][seat]))
        both.append(tuple(square for square in men if start["ids"][square]))
    return choice_text(both[0], both[1])


def start_rows(fens: Sequence[str], white: HiddenMen, black: HiddenMen) -> tuple[Array, list[str]]:
    """Rows GAME[K] of all start positions with all choices of hidden men, and the FEN of each.

    Which men are hidden is public: where fewer are hidden than there are of a kind, the referee draws them
    for each game, and both players see the others.

    Raises:
        ValueError: the list is empty, a FEN is bad, or the hidden men do not fit.
    """
    chosen = [(fen, *choice) for fen in fens for choice in all_choices(parse_fen(fen), white, black)]
    return numbered([start_row(*each) for each in chosen]), [fen for fen, _, _ in chosen]
