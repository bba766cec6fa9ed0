"""The arena's commands: `ks match`, `ks tournament`, `ks report` and `ks export`."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ks_env.games import DEFAULT_GAME, game_ids, game_named

if TYPE_CHECKING:
    from ks_arena.study.config import StudyConfig
    from ks_env.games.definition import OwnMen

Workers = Annotated[
    int,
    typer.Option("--workers", help="Games played at once; by default one for each core.", show_default=False),
]
EngineName = Annotated[
    str, typer.Option("--engine", help="Where games run: processes (of this machine) or ray.")
]
Restart = Annotated[bool, typer.Option("--restart", help="Discard what was played before.")]
Isolated = Annotated[
    bool | None,
    typer.Option(
        "--isolated/--no-isolated",
        help="Run players in processes of their own; by default only those from outside this package.",
    ),
]


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def match(
    first: Annotated[str, typer.Argument(help="A player's name, a model file, or package.module:factory.")],
    second: Annotated[str, typer.Argument(help="The other player, named the same way.")],
    games: Annotated[
        int, typer.Option(help="Number of games; even, since they are pairs with colours swapped.")
    ] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the match.")] = 1,
    game: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(game_ids())}; by default the first.")
    ] = None,
    ruleset: Annotated[str, typer.Option(help="One of the game's rulesets; by default its first.")] = "",
    hidden: Annotated[
        str | None,
        typer.Option(
            help="Hidden men of the first and second player, '2B v 1R', or of each, '2B'; in invisible chess."
        ),
    ] = None,
    start: Annotated[Path | None, typer.Option(help="File with one FEN or EPD on each line.")] = None,
    seconds_a_move: Annotated[
        float, typer.Option(help="Time limit; a player that takes longer forfeits.")
    ] = 300.0,
    sprt: Annotated[
        str | None,
        typer.Option(help="ELO0,ELO1: stop as soon as a sequential test has decided between them."),
    ] = None,
    store: Annotated[Path | None, typer.Option(help="File of the games; by default one under runs/.")] = None,
    workers: Workers = 0,
    engine: EngineName = "processes",
    restart: Restart = False,
    isolated: Isolated = None,
) -> None:
    """Play two players against each other and judge the score.

    The same command resumes where it was stopped.
    """
    from ks_arena.sections import check_section
    from ks_arena.study.config import StudyConfig
    from ks_arena.study.run import run_study
    from ks_arena.study.scores import scores

    men = ("", "")
    if hidden is not None:
        game, own = _with_own_men(game)
        men = own.read_both(hidden)
    keys = {
        "name": _match_name(first, second),
        "seed": seed,
        "tournament": {"kind": "round-robin", "players": _two(first, second, men)},
        "games": games,
        "game": game or DEFAULT_GAME,
        "ruleset": ruleset,
        "start_file": start,
        "limits": {"seconds_a_move": seconds_a_move},
        "sprt": None if sprt is None else _bounds(sprt),
        "isolated": isolated,
    }
    config = check_section(StudyConfig, keys, "match")
    path = store or _match_path(config)
    console = Console()
    study = run_study(
        config, path, workers=workers or cores(), engine=engine, console=console, restart=restart
    )
    console.print(scores(study))
    console.print(f"games in {path}; see ks report {path}, ks export {path} games.pgn", soft_wrap=True)


def _with_own_men(game: str | None) -> tuple[str, "OwnMen"]:
    """The game, or the first one, whose players have men to themselves.

    Raises:
        ValueError: those of the game that is named have none.
    """
    for name in game_ids() if game is None else (game,):
        definition = game_named(name)
        if definition.own_men is not None:
            return definition.id, definition.own_men
    raise ValueError(f"--hidden: players of {game} have no men of their own")


def _two(first: str, second: str, men: tuple[str, str]) -> list[dict[str, str]]:
    """Both players with their hidden men, under different labels even where they are the same."""
    from ks_arena.names import label_of

    labels = [label_of(first), label_of(second)]
    if labels[0] == labels[1]:
        labels = [f"{label} ({number})" for number, label in enumerate(labels, 1)]
    return [
        {"player": name, "label": label, "hidden": own}
        for name, label, own in zip((first, second), labels, men, strict=True)
    ]


def _match_name(first: str, second: str) -> str:
    words = re.sub(r"[^\w.]+", "-", f"{first}-v-{second}").strip("-.")
    return words[:80] or "match"


def _match_path(config: "StudyConfig") -> Path:
    """A file for every set of settings, so that the same command finds its games again."""
    settings = json.dumps(config.model_dump(mode="json"), sort_keys=True)
    return Path("runs/matches") / f"{config.name}-{hashlib.sha256(settings.encode()).hexdigest()[:8]}.sqlite"


def _bounds(text: str) -> dict[str, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"--sprt is {text!r}; expected two numbers such as 0,50") from None
    return {"elo0": low, "elo1": high}


def tournament(
    config: Annotated[Path, typer.Argument(help="YAML file of the study, or the name of a config.")],
    folder: Annotated[
        Path | None, typer.Option(help="Folder for games and report; by default runs/<name>.")
    ] = None,
    workers: Workers = 0,
    engine: EngineName = "processes",
    restart: Restart = False,
) -> None:
    """Play a tournament and write its report.

    The same command resumes where it was stopped.
    """
    from ks_arena.report import write_report
    from ks_arena.study.config import load_study
    from ks_arena.study.run import default_path, run_study
    from ks_arena.study.scores import scores
    from ks_arena.study.store import FILE

    study_config = load_study(config)
    path = default_path(study_config) if folder is None else folder / FILE
    console = Console()
    study = run_study(
        study_config, path, workers=workers or cores(), engine=engine, console=console, restart=restart
    )
    write_report(study, path.parent)
    console.print(scores(study))
    console.print(f"in {path.parent}: study.sqlite, report.md, report.html and pictures", soft_wrap=True)


def ladder(
    folder: Annotated[Path, typer.Argument(help="Folder of the ladder, with ladder.yaml in it.")],
    games: Annotated[
        int, typer.Option(help="Play at least this many more games; 0 only writes the report.", min=0)
    ] = 100,
    begin: Annotated[
        str | None,
        typer.Option(
            help="Start a new ladder from this YAML file, or config's name; it becomes ladder.yaml."
        ),
    ] = None,
    workers: Workers = 0,
    engine: EngineName = "processes",
) -> None:
    """Maintain a ranking: play the games that narrow it down most, and write the report.

    Run the same command again to play more. Edit ladder.yaml to add or remove players.
    """
    from ks_arena.ladder import CONFIG, Ladder, LadderConfig, Standing
    from ks_arena.report import write_report
    from ks_arena.sections import ConfigError, load_section
    from ks_arena.shipped import find_shipped
    from ks_arena.study.run import tried_out
    from ks_env.core.files import write_aside

    if begin is not None:
        if (folder / CONFIG).exists():
            raise ConfigError(f"{folder / CONFIG}: already exists; leave out --begin to continue this ladder")
        source = find_shipped(begin)
        config = load_section(LadderConfig, source)
        for entry in config.players:
            tried_out(entry, config)
        write_aside(folder / CONFIG, source.read_text(encoding="utf-8"))
    console, standing = Console(), Ladder(folder)
    played = standing.play(games, workers=workers or cores(), engine=engine, console=console)
    write_report(Standing(standing), folder)
    console.print(f"{played} more games; in {folder}: report.md, report.html and pictures", soft_wrap=True)


def report(
    store: Annotated[Path, typer.Argument(help="Folder of a tournament, or file of a study.")],
    output: Annotated[
        Path | None, typer.Option(help="Folder for the report; by default that of the file.")
    ] = None,
) -> None:
    """Write the report of a study, finished or not: Markdown, HTML and pictures."""
    from ks_arena.report import write_report
    from ks_arena.study.records import check_games
    from ks_arena.study.store import file_of_run
    from ks_arena.study.study import Study

    folder, study = output or file_of_run(store).parent, Study.read(store)
    check_games(study)
    write_report(study, folder)
    typer.echo(f"in {folder}: report.md, report.html and pictures")


def export(
    store: Annotated[Path, typer.Argument(help="Folder of a tournament, or file of a study.")],
    output: Annotated[Path, typer.Argument(help="File to write: .csv, .pgn or .parquet.")],
) -> None:
    """Write the games of a study as a table (CSV, Parquet) or as PGN."""
    from ks_arena.study.export import export_study
    from ks_arena.study.study import Study

    study = Study.read(store)
    export_study(study, output, Console())
    typer.echo(f"{len(study.games())} games in {output}")
