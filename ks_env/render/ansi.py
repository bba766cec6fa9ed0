"""Pictures as text, for terminals and logs."""

from typing import Any

import chess

from ks_env.games.scene import Scene, Viewpoint, make_scene
from ks_env.games.under_way import GameUnderWay


def render_ansi(game: GameUnderWay[Any], viewpoint: Viewpoint = "referee") -> str:
    """A game as plain text: the board, a player's ages beside it, the latest announcements.

    An upper-case letter is a white man, a lower-case one a black man; `x` marks the square of a capture, `?`
    one under a shade. Below the board stand the marked men and the game's note.

    Raises:
        ValueError: the viewpoint is not "referee", "white" or "black".
    """
    scene = make_scene(game, viewpoint)
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
    below = [line for line in (scene.marked, scene.note) if line]
    rows += ["   " + " ".join(names) + ages, "", *below, *([""] if below else []), *scene.lines]
    return "\n".join(rows) + "\n"


def _letter(scene: Scene, square: int) -> str:
    piece = scene.board.piece_at(square)
    if piece is not None:
        return piece.symbol()
    if square in scene.captures:
        return "x"
    return "?" if square in scene.shaded else "."
