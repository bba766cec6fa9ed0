"""Three views of one moment of a game side by side, as one picture: `ks poster`."""

from typing import Any, get_args

from ks_env.games.record import AnyTry
from ks_env.games.scene import Scene, Viewpoint, make_scene
from ks_env.record import Record, steps
from ks_env.render.following import believing_scene, followed
from ks_env.render.svg import HEIGHT, WIDTH, Svg, document, scene_svg


def telling_moment(record: Record) -> int:
    """The number of tries after which most can be seen at once: a check or capture, and refused tries.

    Of equal moments the earliest; the end of the game does not count.
    """
    best, most, refused, event = 0, 0, 0, 0
    tries: tuple[AnyTry[Any], ...] = record.tries
    for number, entry in enumerate(tries[:-1], 1):
        if entry.ends_turn:
            answer = entry.answer
            refused, event = 0, 2 * answer.check + 2 * (answer.square is not None)
        else:
            refused += 1
        worth = event + min(refused, 3) if refused else 0
        if worth > most:
            best, most = number, worth
    return best


def poster_svg(record: Record, after: int | None = None, size: int = 1500, beliefs: bool = False) -> Svg:
    """The referee's, White's and Black's picture side by side, as an SVG document.

    Args:
        record: the game.
        after: how many tries have been answered; by default `telling_moment`.
        size: width in pixels.
        beliefs: show what the players hold possible instead of their views.

    Raises:
        ValueError: the game has no such moment, or beliefs of a hidden start or of invisible chess are asked
            for.
        RecordError: the record does not replay to the same announcements.
    """
    moment = telling_moment(record) if after is None else after
    if not 0 <= moment <= len(record.tries):
        raise ValueError(f"no moment after {moment} tries; expected 0 to {len(record.tries)}")
    scenes = _beliefs(record, moment) if beliefs else _views(record, moment)
    pictures = (
        f'<g transform="translate({i * WIDTH} 0)">{scene_svg(scene)}</g>' for i, scene in enumerate(scenes)
    )
    return document("".join(pictures), 3 * WIDTH, HEIGHT, size)


def _views(record: Record, moment: int) -> list[Scene]:
    game = next(game for number, game in enumerate(steps(record)) if number == moment)
    return [make_scene(game, view) for view in get_args(Viewpoint)]


def _beliefs(record: Record, moment: int) -> list[Scene]:
    game, follower = next(pair for number, pair in enumerate(followed(record)) if number == moment)
    return [believing_scene(game, follower, view) for view in get_args(Viewpoint)]
