"""The command `ks replay`: a record becomes a page to step through."""

import webbrowser
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from ks_env.core.files import write_aside
from ks_env.record import RecordError, load
from ks_env.render.replay import replay_html


def fail(message: str) -> NoReturn:
    """End the command with one line on stderr and exit status 2."""
    typer.secho(f"error: {message}", fg=typer.colors.RED, err=True)
    raise typer.Exit(2)


def os_message(error: OSError) -> str:
    """What went wrong with which file, without the number of the error."""
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def check_target(path: Path) -> None:
    """Refuse a path that no file can be written to, before any work is done for it.

    Raises:
        FileNotFoundError: its folder does not exist.
        OSError: something other than a file is there.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}; expected one that exists")
    if path.exists() and not path.is_file():
        raise OSError(f"{path}: is not a file; expected the name of a file to write")


def replay(
    game: Annotated[Path, typer.Argument(help="Record of a game, .pgn or .json.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where to write the page.")] = None,
    beliefs: Annotated[
        bool, typer.Option(help="Show what was possible for each player (not where the start was hidden).")
    ] = True,
    predicted: Annotated[
        bool, typer.Option("--predicted", help="Show the men that the belief network predicts, as ghosts.")
    ] = False,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = False,
) -> None:
    """Write one self-contained HTML page to step through a game: referee, White's view, Black's view."""
    if predicted and not beliefs:
        fail("--predicted and --no-beliefs contradict each other; expected one of the two")
    try:
        text = replay_html(load(game), beliefs, predicted)
        page = output or game.with_suffix(".html")
        check_target(page)
        if page.exists() and page.samefile(game):
            fail(f"{page}: is the record itself; expected another file for the page")
        write_aside(page, text)
    except RecordError as error:
        fail(str(error) if str(game) in str(error) else f"{game}: {error}")
    except OSError as error:
        fail(os_message(error))
    typer.echo(f"{page} ({page.stat().st_size / 1000:.0f} kB)")
    if open_browser:
        webbrowser.open(page.resolve().as_uri())
