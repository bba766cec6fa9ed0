"""The command `ks reproduce`: play a published table's studies and say whether the figures agree."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ks_arena.commands import EngineName, Restart, Workers, cores
from ks_env.render.replay_command import fail

if TYPE_CHECKING:
    from ks_arena.reproduce.earlier import Earlier
    from ks_arena.reproduce.published import PublishedTable
    from ks_arena.study.study import Study


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(help="Name of a table (see --list), or a YAML file; not needed with --list."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List every published figure and its progress; play nothing.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--study", help="Play only this study; may be repeated.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="At most this many games a pairing; the report says so.")
    ] = None,
    play: Annotated[
        bool,
        typer.Option(
            "--play/--no-play", help="Play what is missing, or only compare what has been played so far."
        ),
    ] = True,
    output: Annotated[
        Path | None, typer.Option(help="Folder of all tables; by default runs/reproduce.")
    ] = None,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(help="A results.json with figures of studies not played here; may be repeated."),
    ] = None,
    workers: Workers = 0,
    engine: EngineName = "processes",
    restart: Restart = False,
) -> None:
    """Play the studies of a published table and compare its figures with ours.

    The same command resumes where it was stopped.
    """
    from ks_arena.reproduce.published import all_tables, find_table, load_table
    from ks_arena.reproduce.state import ROOT

    root = output or ROOT
    if listed:
        paths = all_tables() if name is None else [find_table(name)]
        Console().print(list_table([(path.stem, load_table(path)) for path in paths], root))
        return
    if name is None:
        fail(f"which table? Expected one of {', '.join(path.stem for path in all_tables())}, or --list")
    path = find_table(name)
    table, folder = load_table(path), root / path.stem
    keys = _chosen(table, only or [])
    kept = _read_earlier(earlier or [], table, games)
    console = Console()
    if play:
        play_studies(
            table, folder, keys, games, console, workers=workers or cores(), engine=engine, restart=restart
        )
    _compare(table, folder, keys, games, kept, console)


def _chosen(table: "PublishedTable", only: Sequence[str]) -> list[str]:
    """The keys of the studies that are meant.

    Raises:
        ConfigError: the table has no such study.
    """
    from ks_arena.sections import ConfigError

    for key in only:
        if key not in table.studies:
            raise ConfigError(
                f"there is no study {key!r}; expected one of {', '.join(table.studies) or 'none'}"
            )
    return list(only) or list(table.studies)


def play_studies(
    table: "PublishedTable",
    folder: Path,
    keys: Sequence[str],
    games: int | None,
    console: Console,
    *,
    workers: int,
    engine: str = "processes",
    restart: bool = False,
) -> None:
    """Play what is missing of these studies; those whose players are not there are named and left out.

    Raises:
        ConfigError: none of them can be played, or the number of games is not positive and even.
    """
    from ks_arena.reproduce.state import cut, obstacle, study_file
    from ks_arena.sections import ConfigError
    from ks_arena.study.run import run_study
    from ks_env.players.registry import make_player

    obstacles = {key: obstacle(table.studies[key], make_player) for key in keys}
    if all(obstacles.values()):
        reasons = "; ".join(f"study {key}: {reason}" for key, reason in obstacles.items())
        raise ConfigError(f"nothing can be played: {reasons or 'the table has no study'}")
    for key in keys:
        if obstacles[key]:
            console.print(f"study {key} is skipped: {obstacles[key]}", soft_wrap=True, markup=False)
            continue
        config = cut(table.studies[key], games)
        path = study_file(folder, key, games if config != table.studies[key] else None)
        run_study(config, path, workers=workers, engine=engine, console=console, restart=restart)


def _read_earlier(files: Sequence[Path], table: "PublishedTable", games: int | None) -> "Earlier":
    """What was measured before.

    Raises:
        ConfigError: a file tells nothing of this table, or the studies are to be cut.
    """
    from ks_arena.reproduce.earlier import read_earlier
    from ks_arena.sections import ConfigError

    if files and games is not None:
        raise ConfigError("--earlier gives figures of whole studies; expected no --games with it")
    return read_earlier(files, table)


def _compare(
    table: "PublishedTable",
    folder: Path,
    keys: Sequence[str],
    games: int | None,
    earlier: "Earlier",
    console: Console,
) -> None:
    """Show the table beside what has been played, and keep the comparison."""
    from ks_arena.reproduce import invisible, metapositions
    from ks_arena.reproduce.outcome import outcome_of, terminal_table, write_outcomes
    from ks_arena.reproduce.pictures import write_pictures
    from ks_arena.reproduce.state import cut, table_states

    states = table_states(folder, table)  # refuses games of other studies than the table's
    studies = played_studies(table, folder, games)
    outcomes = [outcome_of(row, table, studies, states, earlier.figures) for row in table.rows]
    whole = set(keys) == set(table.studies)
    shown = outcomes if whole else [each for each in outcomes if each.row.study in keys]
    console.print(terminal_table(table, shown))
    if any(cut(table.studies[key], games) != table.studies[key] for key in keys):
        console.print(f"cut to {games} games a pairing; the number after 'of' is the table's own")
    if studies or earlier.figures:
        folder.mkdir(parents=True, exist_ok=True)
        cut_to = "" if games is None else f"@{games}-games"
        write_outcomes(folder, f"results{cut_to}", table, outcomes, studies, earlier.studies)
        write_pictures(folder, table, studies, earlier.studies, cut_to)
        if studies and table.comparison is not None and whole:  # it looks at all games again
            rooms = {"invisible": invisible, "metapositions": metapositions}
            rooms[table.comparison].write_comparison(folder, table, outcomes, studies, cut_to)
        console.print(f"in {folder}: results{cut_to}.md, results{cut_to}.json and the games", soft_wrap=True)


def played_studies(table: "PublishedTable", folder: Path, games: int | None) -> dict[str, "Study"]:
    """The studies of which there are games, by key: the whole ones, or those cut to so many games.

    Raises:
        ConfigError: a file is not a study.
    """
    from ks_arena.reproduce.state import cut, study_file
    from ks_arena.study.study import Study

    found = {}
    for key, config in table.studies.items():
        meant = cut(config, games)
        path = study_file(folder, key, games if meant != config else None)
        if path.exists():
            found[key] = Study.read(path)
    return found


def list_table(tables: Sequence[tuple[str, "PublishedTable"]], root: Path) -> Table:
    """Every published figure with its state."""
    from ks_arena.reproduce.outcome import published_text
    from ks_arena.reproduce.state import row_state, table_states

    shown = Table(title="published figures")
    for heading in ("table", "what", "published", "state"):
        shown.add_column(heading, overflow="fold")
    for name, table in tables:
        states = table_states(root / name, table)
        for row in table.rows:
            cells = (name, row.what, published_text(row), row_state(row, states))
            shown.add_row(*(escape(cell) for cell in cells))
        shown.add_section()
    return shown
