"""Commands about game records: `ks poster` and `ks schemas`."""

from pathlib import Path
from typing import Annotated

import typer

from ks_env.core.files import write_aside
from ks_env.games import game_ids, game_named
from ks_env.record import load
from ks_env.record.json_format import schema_file, schema_text
from ks_env.render.replay_command import check_target


def poster(
    game: Annotated[Path, typer.Argument(help="Record of a game, .pgn or .json.")],
    picture: Annotated[Path, typer.Argument(help="Where to write the picture, .svg or .png.")],
    after: Annotated[
        int | None, typer.Option(help="Number of tries before the moment; by default an instructive one.")
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="Width in pixels.")] = 1500,
    beliefs: Annotated[bool, typer.Option(help="Draw what is possible for each player, as ghosts.")] = False,
) -> None:
    """Write a picture of the referee's, White's and Black's view of one moment of a game."""
    from ks_env.render.poster import poster_svg

    check_picture(picture)
    write_picture(poster_svg(load(game), after, size, beliefs), picture)


def check_picture(path: Path) -> None:
    """Refuse a path that no picture can be written to.

    Raises:
        ValueError: it is neither .svg nor .png.
        OSError: its folder does not exist, or something other than a file is there.
    """
    if path.suffix not in (".svg", ".png"):
        raise ValueError(f"{path}: expected a file name that ends in .svg or .png")
    check_target(path)


def write_picture(svg: str, path: Path) -> None:
    """Write an SVG document, or the PNG of it."""
    if path.suffix == ".svg":
        write_aside(path, svg)
        return
    from ks_env.render.raster import svg_to_png

    path.write_bytes(svg_to_png(svg))


def schemas() -> None:
    """Rewrite the JSON schemas of game records, each in its game's folder."""
    for game in map(game_named, game_ids()):
        write_aside(schema_file(game), schema_text(game))
        typer.echo(schema_file(game))
