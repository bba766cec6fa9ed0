"""The table of observation planes of invisible chess; see `ks_env.games.kriegspiel.planes`.

Hidden men are shown by kind, not by number: planes by number would change their meaning with the set of
hidden men.
"""

from ks_env.core.planes import Plane, PlaneTable, board_plane, planes_by_kind, value_plane

KINDS = ("pawn", "knight", "bishop", "rook", "queen")  # that may be hidden


def _squares(form: str, text: str) -> tuple[Plane, ...]:
    """A plane of squares for each kind that may be hidden; `{}` stands for the kind."""
    return tuple(board_plane(form.format(kind), 1, text.format(kind)) for kind in KINDS)


def _numbers(form: str, high: int, text: str) -> tuple[Plane, ...]:
    """A constant plane for each kind that may be hidden."""
    return tuple(value_plane(form.format(kind), high, text.format(kind)) for kind in KINDS)


PLANES: tuple[Plane, ...] = (
    *planes_by_kind("own {}", "own {}, hidden or not"),
    board_plane("own hidden men", 1, "own men that the opponent does not see"),
    board_plane("exposed", 1, "those of them whose square the opponent certainly knows"),
    *planes_by_kind("their {}", "the opponent's visible {}"),
    *_squares("hidden {} stands", "a hidden {} certainly stands here"),
    *_squares("hidden {} possible", "a hidden {} may stand here, by what its kind and seen men rule out"),
    board_plane("their from", 1, "where the visible man stood that the opponent moved in its last turn"),
    board_plane("their to", 1, "where it went"),
    board_plane("passed", 1, "square that a visible pawn has just passed over"),
    board_plane("lost", 5, "own man captured in the opponent's last turn: its kind, pawn 1 to queen 5"),
    board_plane("took", 5, "man captured by the own last move: its kind, pawn 1 to queen 5"),
    board_plane("tried from", 1, "from-square of the own last try, whatever the answer"),
    board_plane("tried to", 1, "its to-square"),
    board_plane("refused from", 255, "tries refused this turn, counted by from-square"),
    board_plane("refused to", 255, "tries refused this turn, counted by to-square"),
    board_plane("checkers", 1, "visible men that give check to the own king"),
    board_plane("attackers", 1, "visible men that an illegal try would have exposed the own king to"),
    board_plane("givers", 1, "own men that give check by the own last move"),
    value_plane("checks", 2, "how many men give check to the own king"),
    *_numbers("hidden {} checks", 2, "hidden men that give check to the own king and are of the kind {}"),
    *_numbers("hidden {} attacks", 15, "the same of those that an illegal try would have exposed it to: {}"),
    value_plane("gave checks", 2, "how many own men give check by the own last move"),
    value_plane("last answer", 6, "to the own last try: 1 illegal, 2 nonsense, 3 moved, 6 turn lost; 0 none"),
    value_plane("why", 3, "it was illegal: 1 blocked, 2 nothing to capture, 3 check"),
    value_plane("lost hidden", 1, "the own man captured in the opponent's last turn was hidden"),
    value_plane("took hidden", 1, "the man captured by the own last move was hidden"),
    value_plane("their turn", 3, "the opponent's last: 1 visible move, 2 hidden move, 3 lost; 0 none yet"),
    value_plane("their mover", 5, "kind of the hidden man that moved in it: pawn 1 to queen 5"),
    *_numbers("own hidden {} count", 15, "own hidden men left of the kind {}"),
    *_numbers("their hidden {} count", 15, "the opponent's hidden men left of the kind {}"),
    value_plane("king side right", 1, "own right to castle king side"),
    value_plane("queen side right", 1, "own right to castle queen side"),
    value_plane("pawns taken", 16, "opponent's pawns captured"),
    value_plane("pieces taken", 16, "opponent's other men captured"),
    value_plane("move number", 255, "full-move number, saturating"),
    value_plane("fifty", 255, "half-move clock, saturating"),
    value_plane("black", 1, "this seat is Black"),
    value_plane("to move", 1, "this seat is to move"),
)

TABLE = PlaneTable(PLANES)
