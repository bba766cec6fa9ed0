"""Pictures as text, for terminals and logs."""

import chess

from ks_env.render.invisible_scene import AnyGame, scene_of
from ks_env.render.scene import Scene, Viewpoint


def render_ansi(game: AnyGame, viewpoint: Viewpoint = "referee") -> str:
    """A game as plain text: the board, a player's ages beside it, the latest announcements.

    An upper-case letter is a white man, a lower-case one a black man; `x` marks the square of a capture.

    Raises:
        ValueError: the viewpoint is none of "referee", "white", "black".
    """
    scene = scene_of(game, viewpoint)
    rows = [f"{scene.title} · {scene.status}", ""]
    ranks = range(7, -1, -1) if scene.orientation else range(8)
    files = range(8) if scene.orientation else range(7, -1, -1)
    for rank in ranks:
        squares = [chess.square(file, rank) for file in files]
        row = f"{rank + 1}  " + " ".join(_letter(scene, square) for square in squares)
        if scene.ages is not None:
            row += "     " + " ".join(f"{int(scene.ages[square]) or '·':>3}" for square in squares)
        rows.append(row)
    names = [chess.FILE_NAMES[file] for file in files]
    ages = "     " + " ".join(f"{name:>3}" for name in names) if scene.ages is not None else ""
    rows += ["   " + " ".join(names) + ages, "", *scene.lines]
    return "\n".join(rows) + "\n"


def _letter(scene: Scene, square: int) -> str:
    piece = scene.board.piece_at(square)
    if piece is not None:
        return piece.symbol()
    return "x" if square in scene.captures else "."
