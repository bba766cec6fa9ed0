"""Both seats' metapositions, step by step through a game or a record.

Each is followed by the views of its seat alone, as a player would follow it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import chess
import numpy as np

from ks_env.belief.metaposition import METAPOSITION, follow, opening
from ks_env.belief.metaposition.encoder import MetapositionEncoder
from ks_env.games import serves
from ks_env.games.definition import GameDefinition
from ks_env.games.scene import Scene, Viewpoint, make_scene
from ks_env.games.under_way import GameUnderWay
from ks_env.record import Record, steps
from ks_env.render.ghosts import Ghosts, ghosts_of
from ks_env.render.svg import HEIGHT, WIDTH, Svg, document, scene_svg


def can_follow(game: GameDefinition) -> bool:
    """Whether metapositions can follow the game's views."""
    return serves(MetapositionEncoder, game)


class Follower:
    """Both seats' metapositions of one game.

    Args:
        game: at its start.
        placements: where the start is hidden, the start positions that were declared possible.

    Raises:
        ValueError: the start is hidden and no placements are given, or the game's start is not one of them.
    """

    def __init__(self, game: GameUnderWay[Any], placements: Sequence[str] | None = None) -> None:
        if game.hidden_start and not placements:
            raise ValueError(
                "the start was hidden, so what a player held possible depends on the placements that were"
                " declared, which a record does not hold; expected them as FENs"
            )
        if placements and game.start_fen not in placements:
            raise ValueError(
                f"the game's start {game.start_fen!r} is not one of the {len(placements)} placements given"
            )
        self._rules = game.ruleset.record()
        self._records = {colour: np.zeros(1, METAPOSITION) for colour in chess.COLORS}
        for colour, record in self._records.items():
            record[0] = opening(_alike(game, colour, placements), colour)
        self.update(game)

    def update(self, game: GameUnderWay[Any]) -> None:
        """Take in what was said since; to be called after every answer.

        Raises:
            RuntimeError: an answer was left out.
        """
        for colour, record in self._records.items():
            if not follow(record[0], game.view(colour), self._rules[0]):
                raise RuntimeError(f"{chess.COLOR_NAMES[colour]}'s metaposition missed an answer")

    def metaposition(self, colour: bool) -> Any:
        """The METAPOSITION record of a seat, as np.void; not a copy."""
        return self._records[colour][0]

    def ghosts(self, colour: bool) -> Ghosts:
        """The same to draw."""
        return ghosts_of(self.metaposition(colour))


def _alike(game: GameUnderWay[Any], colour: bool, placements: Sequence[str] | None) -> list[str]:
    """The starts that the seat cannot tell from the true one."""
    if not game.hidden_start:
        return [game.start_fen]
    own = _own_men(game.start_fen, colour)
    return [fen for fen in placements or () if _own_men(fen, colour) == own]


def _own_men(fen: str, colour: bool) -> dict[int, chess.Piece]:
    men = chess.Board(fen).piece_map()
    return {square: man for square, man in men.items() if man.color == colour}


def followed(record: Record, placements: Sequence[str] | None = None) -> Iterator[tuple[Any, Follower]]:
    """The game and both metapositions at the start and after every try: each time the same two objects.

    Raises:
        RecordError: the record does not replay to the same announcements.
        ValueError: it is of a game that metapositions cannot follow, or the start is hidden and no placements
            are given.
    """
    if not can_follow(record.definition):
        raise ValueError(f"metapositions cannot follow a game of {record.definition.name}")
    follower = None
    for game in steps(record):
        if follower is None:
            follower = Follower(game, placements)
        else:
            follower.update(game)
        yield game, follower


def believing_scene(game: GameUnderWay[Any], follower: Follower, viewpoint: Viewpoint) -> Scene:
    """A player's scene with ghosts instead of the ages of squares; the referee's as it is.

    Raises:
        ValueError: the viewpoint is not "referee", "white" or "black".
    """
    scene = make_scene(game, viewpoint)
    if scene.seat is None:
        return scene
    ghosts = follower.ghosts(scene.seat)
    title = f"{chess.COLOR_NAMES[scene.seat].capitalize()} believes"
    return replace(scene, title=title, ages=ghosts.ages, ghosts=ghosts)


def metaposition_svg(
    record: Record,
    viewpoint: Viewpoint,
    after: int,
    size: int = 400,
    placements: Sequence[str] | None = None,
) -> Svg:
    """What a player held possible at one moment of a record, as an SVG document.

    Args:
        record: the game.
        viewpoint: "white" or "black"; "referee" shows the truth.
        after: how many tries have been answered.
        size: width in pixels; the height is about 1.4 times that.
        placements: where the start is hidden, the start positions that were declared possible.

    Raises:
        ValueError: the record has no such moment, another viewpoint, a hidden start without placements.
        RecordError: the record does not replay to the same announcements.
    """
    if not 0 <= after <= len(record.tries):
        raise ValueError(f"no moment after {after} tries; expected 0 to {len(record.tries)}")
    game, follower = next(pair for number, pair in enumerate(followed(record, placements)) if number == after)
    return document(scene_svg(believing_scene(game, follower, viewpoint)), WIDTH, HEIGHT, size)
