"""A profile as a picture, like T10's Figure 4: probabilities, and their change since the move before."""

from pathlib import Path

import chess
import numpy as np
from matplotlib.figure import Figure

from ks_env.belief.profile import Profile


def draw_profile(profile: Profile, kind: int, time: int, path: Path) -> None:
    """Four boards: as White and as Black, D(p, t) and D(p, t) − D(p, t − 1).

    Args:
        profile: whose.
        kind: of men, 1 to 6.
        time: own moves made.
        path: of the PNG.
    """
    figure = Figure(figsize=(9, 9), layout="constrained")
    axes = figure.subplots(2, 2)
    for side, colour in enumerate(("White", "Black")):
        now = profile.places[side, time, kind - 1].reshape(8, 8)
        before = profile.places[side, time - 1, kind - 1].reshape(8, 8)
        boards = (
            (now, "Blues", 0.0, "probability"),
            (now - before, "RdBu", None, "change since the last move"),
        )
        for axis, (board, colours, least, words) in zip(axes[side], boards, strict=True):
            most = max(0.01, float(np.abs(board).max()))
            image = axis.imshow(
                board, origin="lower", cmap=colours, vmin=-most if least is None else least, vmax=most
            )
            axis.set_xticks(range(8), "abcdefgh")
            axis.set_yticks(range(8), "12345678")
            axis.set_title(f"as {colour}, {words}; {int(profile.games[side, time])} games", fontsize=9)
            figure.colorbar(image, ax=axis, shrink=0.8)
    figure.suptitle(f"{profile.name}: {chess.piece_name(kind)}s after {time} own moves")
    figure.savefig(path, dpi=100)
