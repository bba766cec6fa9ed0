"""The table of observation planes of dark chess; see `ks_env.games.kriegspiel.planes`."""

from ks_env.core.planes import Plane, PlaneTable, board_plane, planes_by_kind, value_plane

PLANES: tuple[Plane, ...] = (
    *planes_by_kind("own {}", "own {}"),
    board_plane("seen", 1, "squares in sight, those of the own men among them"),
    *planes_by_kind("their {}", "the opponent's {} in sight"),
    *planes_by_kind(
        "recalled {}", "the opponent's {} where they were last seen, on squares now out of sight"
    ),
    board_plane("age", 255, "opponent turns since this seat last saw the square"),
    board_plane("passed", 1, "where an own pawn can capture en passant now"),
    board_plane("lost", 6, "own man captured in the opponent's last turn: its kind, pawn 1 to king 6"),
    board_plane("took", 6, "man captured by the own last move: its kind, pawn 1 to king 6"),
    board_plane("refused from", 255, "tries refused this turn, counted by from-square"),
    board_plane("refused to", 255, "tries refused this turn, counted by to-square"),
    value_plane("king side right", 1, "own right to castle king side"),
    value_plane("queen side right", 1, "own right to castle queen side"),
    value_plane("pawns taken", 16, "opponent's pawns captured"),
    value_plane("pieces taken", 16, "opponent's other men captured"),
    value_plane("last answer", 3, "to the own last try: 1 illegal, 2 nonsense, 3 moved; 0 none yet"),
    value_plane("move number", 255, "full-move number, saturating"),
    value_plane(
        "fifty bound", 255, "upper bound on the half-move clock that the seat can compute, saturating"
    ),
    value_plane("black", 1, "this seat is Black"),
    value_plane("to move", 1, "this seat is to move"),
)

TABLE = PlaneTable(PLANES)
