"""The command `ks replay`: a record becomes a page to step through."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ks_env.record import RecordError, load
from ks_env.record.files import write_aside
from ks_env.render.replay import replay_html


def replay(
    game: Annotated[Path, typer.Argument(help="Record of a game, .pgn or .json.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where to write the page.")] = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Show it in the browser.")] = False,
) -> None:
    """Write one self-contained HTML page to step through a game: referee, White's view, Black's view."""
    page = output or game.with_suffix(".html")
    try:
        write_aside(page, replay_html(load(game)))
    except RecordError as error:
        message = str(error) if str(game) in str(error) else f"{game}: {error}"
        raise typer.BadParameter(message) from error
    except OSError as error:
        raise typer.BadParameter(f"{error.filename}: {error.strerror}") from error
    typer.echo(f"{page} ({page.stat().st_size / 1000:.0f} kB)")
    if open_browser:
        webbrowser.open(page.resolve().as_uri())
