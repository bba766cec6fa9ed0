"""The table of Kriegspiel's observation planes: the one source of the code's constants and of the docs page.

Every plane is 8 x 8 of uint8, `planes[c, rank, file]`, rank 0 the seat's own back rank. "Constant"
planes hold one value on all 64 squares.
"""

from ks_env.core.planes import Plane, PlaneTable, board_plane, planes_by_kind, value_plane

_board, _value = board_plane, value_plane

PLANES: tuple[Plane, ...] = (
    *planes_by_kind("own {}", "own {}"),
    _board("age", 255, "opponent turns since this seat last had information on the square"),
    _board("lost", 3, "square announced for a capture in the opponent's last turn: 1 pawn, 2 piece, 3 man"),
    _board("took", 3, "square announced for a capture by the own last move: 1 pawn, 2 piece, 3 man"),
    _board("own pawns with a try", 1, "own pawns announced to have a capture (where squares are said)"),
    _board("their pawns with a try", 1, "opponent's pawns so announced after the own last move"),
    _board("refused from", 255, "tries refused this turn, counted by from-square"),
    _board("refused to", 255, "tries refused this turn, counted by to-square"),
    _value("rank check", 1, "the own king is in check along its rank"),
    _value("file check", 1, "the own king is in check along its file"),
    _value("long diagonal check", 1, "the own king is in check along the longer of its diagonals"),
    _value("short diagonal check", 1, "the own king is in check along the shorter of its diagonals"),
    _value("knight check", 1, "the own king is in check by a knight"),
    _value("gave rank check", 1, "the own last move gave check along the rank of their king"),
    _value("gave file check", 1, "the own last move gave check along the file of their king"),
    _value("gave long diagonal check", 1, "the own last move gave check along their king's longer diagonal"),
    _value(
        "gave short diagonal check", 1, "the own last move gave check along their king's shorter diagonal"
    ),
    _value("gave knight check", 1, "the own last move gave check by a knight"),
    _value("pawn tries", 255, "own pawn tries as announced: their number, or 1 for yes; 0 if unsaid"),
    _value("their pawn tries", 255, "the opponent's pawn tries as announced after the own last move"),
    _value("king side right", 1, "own right to castle king side"),
    _value("queen side right", 1, "own right to castle queen side"),
    _value("pawns taken", 16, "opponent's men captured and announced as pawns"),
    _value("pieces taken", 16, "opponent's men captured and announced as pieces"),
    _value("men taken", 16, "opponent's men captured, whether or not the kind was said"),
    _value("move number", 255, "full-move number, saturating"),
    _value("fifty bound", 255, "upper bound on the half-move clock that this seat can compute, saturating"),
    _value("refusals heard", 255, "refusals heard in the opponent's current or last turn, saturating"),
    _value("promotion heard", 1, "a promotion was announced in the opponent's last turn"),
    _value("last answer", 5, "to the own last try: 1 illegal, 2 nonsense, 3 moved, 4 yes, 5 no; 0 none yet"),
    _value("any", 3, '"any?" this turn: 0 not asked, 1 yes and a capture owed, 2 no, 3 yes and free again'),
    _value("their any", 2, 'the opponent\'s "any?" in its current or last turn: 1 yes, 2 no, 0 not asked'),
    _value("black", 1, "this seat is Black"),
    _value("to move", 1, "this seat is to move"),
)

TABLE = PlaneTable(PLANES)
COUNT = TABLE.count
CHANNEL: dict[str, int] = TABLE.channels
