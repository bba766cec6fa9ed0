"""The command `ks profile`: where an opponent's men usually stand, from games."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import chess.pgn
import typer
from rich.console import Console
from rich.progress import track

from ks_env.belief.profile import Profile, build_profile
from ks_env.render.replay_command import check_target

STORES = (".sqlite", ".db")
MEN = "pnbrqk"


def read_games(path: Path) -> Iterator[chess.pgn.Game]:
    """The games of a PGN file, or of a study's file.

    Raises:
        ValueError: a game that python-chess cannot follow.
        OSError: the file cannot be read.
    """
    if path.is_dir() or path.suffix in STORES:
        yield from _games_of_study(path)
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        number = 0
        while (game := chess.pgn.read_game(file)) is not None:
            number += 1
            if game.errors:
                raise ValueError(f"{path}: game {number}: {game.errors[0]}")
            yield game
        if number == 0:
            raise ValueError(f"{path}: holds no game; expected PGN, or the file of a study (.sqlite)")


def _games_of_study(path: Path) -> Iterator[chess.pgn.Game]:
    from ks_arena.study.export import export_pgn
    from ks_arena.study.study import Study

    study = Study.read(path)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.pgn"
        export_pgn(study, file)
        yield from read_games(file)


def profile(
    games: Annotated[list[Path], typer.Argument(help="PGN files, or folders or files of tournaments.")],
    out: Annotated[Path, typer.Option(help="File to write, .npz.")] = Path("profile.npz"),
    player: Annotated[str | None, typer.Option(help="Only this player, by its name in the games.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Also draw where its men stand, as a PNG.")] = None,
    piece: Annotated[str, typer.Option(help="Man in the picture: p n b r q k.")] = "n",
    time: Annotated[int, typer.Option(min=1, max=30, help="Moment of the picture, in own moves made.")] = 10,
) -> None:
    """Build a profile from games, of one player or of all: where men usually stand."""
    if len(piece) != 1 or piece not in MEN:
        raise ValueError(f"--piece is {piece!r}; expected one of {' '.join(MEN)}")
    for target in (out, picture):
        if target is not None:
            check_target(target)
    everything = (game for path in games for game in read_games(path))
    built = build_profile(track(everything, "games", console=Console(stderr=True)), player)
    built.save(out)
    if picture is not None:
        from ks_train.belief.pictures import draw_profile

        draw_profile(built, 1 + MEN.index(piece), time, picture)
    typer.echo(said(built, out))


def said(built: Profile, out: Path) -> str:
    """How many games are behind a profile."""
    white, black = (int(built.games[side, 0]) for side in (0, 1))
    return f"wrote {out}: {built.name}, {white} games as White and {black} as Black"
