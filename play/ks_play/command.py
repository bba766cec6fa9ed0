"""The command `ks play`."""

import errno
import os
import socket
import webbrowser
from pathlib import Path
from threading import Timer
from typing import Annotated

import typer


def play(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = 8019,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(help="A host name by which others reach this machine; may be repeated."),
    ] = None,
    games: Annotated[Path | None, typer.Option(help="File in which games are kept.")] = None,
    processes: Annotated[int, typer.Option(min=1, help="Processes in which engines think.")] = 2,
    limit: Annotated[
        float, typer.Option(min=0.1, help="Most seconds that an engine may think about a try.")
    ] = 60.0,
    beat: Annotated[
        float,
        typer.Option(min=0, help="Engines answer at multiples of this many seconds, which hides refusals."),
    ] = 0.5,
    watch: Annotated[
        list[Path] | None,
        typer.Option(help="Folder or file of a tournament to show; may be repeated."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play Kriegspiel, invisible chess and dark chess on a page in the browser."""
    import uvicorn
    import websockets  # noqa: F401  # uvicorn says nothing where it is missing, and refuses sockets

    from ks_play.app import make_app
    from ks_play.engines import Engines
    from ks_play.guard import LOCAL
    from ks_play.refusals import MOST_BYTES
    from ks_play.store import Store
    from ks_play.studies import Studies
    from ks_play.warm import warm_up

    listening = _listen(host, port)  # before anything that takes long
    studies = Studies(watch or ())
    store = Store(games or _default_file())
    warm_up(typer.echo)
    engines = Engines(processes, limit)
    engines.start()
    names = [each.lower() for each in name or ()]
    address = _address(host, names, listening.getsockname()[1])
    app = make_app(
        store,
        engines,
        beat,
        (*LOCAL, host, *names),
        strangers=host not in LOCAL,
        studies=studies,
        origin=address if names else None,
    )
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    typer.echo(f"Play at {address}/ (Ctrl+C to stop)")
    if browser and (os.name == "nt" or "DISPLAY" in os.environ or os.uname().sysname == "Darwin"):
        opening = Timer(0.5, webbrowser.open, [f"{address}/"])
        opening.daemon = True
        opening.start()
    uvicorn.Server(config).run([listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        ValueError: it cannot; the line says which port, and why.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        hint = "; choose one with --port" if error.errno == errno.EADDRINUSE else ""
        why = os.strerror(error.errno) if error.errno and error.errno in errno.errorcode else error
        raise ValueError(f"cannot listen on port {port} of {host}: {why}{hint}") from error


def _address(host: str, names: list[str], port: int) -> str:
    """Where the page is: by the first name that others call this machine, if one was given."""
    plain = "localhost" if host in ("127.0.0.1", "0.0.0.0") else f"[{host}]" if ":" in host else host
    return f"http://{names[0] if names else plain}:{port}"


def _default_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("ks_env")) / "games.sqlite"
