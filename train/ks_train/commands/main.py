"""The `ks` command. What needs an extra is imported by the command that needs it.

Other packages add commands through the entry-point group `ks_env.commands`: the entry's name is the
command's, its object a function as Typer takes it.
"""

import inspect
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points, version
from typing import Annotated

import typer
from ks_arena.commands import export, ladder, match, report, tournament
from ks_arena.reproduce.command import reproduce
from ks_arena.shipped import config_names

from ks_env.render.replay_command import replay
from ks_train.commands.calibrate import calibrate
from ks_train.commands.compiling import compile_all
from ks_train.commands.data import generate, minari
from ks_train.commands.explain import explain
from ks_train.commands.plain import plainly
from ks_train.commands.profile import profile
from ks_train.commands.records import poster, schemas
from ks_train.commands.training import clone, curves, evaluate, exploit, train, train_belief

Commands = tuple[Callable[..., None], ...]

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(version("ks-env"))
        raise typer.Exit


@app.callback()
def ks(
    shown: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow",
            help="Let files use this code (package.module:factory) or program as a player; may be repeated.",
        ),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let files use any code or program as a player.")
    ] = False,
) -> None:
    """Kriegspiel: play, train, evaluate and look at games."""
    from ks_env.players.trust import allow as let

    let(*(allow or ()), everything=trust)


def players() -> None:
    """List the players that can be named as opponents."""
    points = sorted(entry_points(group="ks_env.players"), key=lambda point: point.name)
    width = max(len(point.name) for point in points)
    for point in points:
        typer.echo(f"{point.name:{width}}  {summary(point)}")


def summary(point: EntryPoint) -> str:
    """What a player says of itself: the first line of its factory's docstring, without its name."""
    try:
        factory = point.load()
    except Exception as error:  # somebody else's code, which must not hide the other players
        return f"cannot be loaded: {str(error) or type(error).__name__}".splitlines()[0]
    lines = (inspect.getdoc(factory) or point.value).splitlines()
    return lines[0].removeprefix(f"The player `{point.name}`: ").rstrip(".")


def configs() -> None:
    """List the configs that come with the package; each can be named in place of a file."""
    for name in config_names():
        typer.echo(name)


GO_ON: Commands = (match, tournament, ladder, reproduce, train, exploit, generate)
OTHERS: Commands = (
    *(players, configs, clone, train_belief, evaluate, report, export, curves, replay, poster, explain),
    *(calibrate, profile, minari, schemas),
)
for command in GO_ON:
    app.command()(plainly(command, "run the same command without --restart to continue"))
for command in OTHERS:
    app.command()(plainly(command))
app.command("compile")(plainly(compile_all, "what was compiled is kept"))
for point in sorted(entry_points(group="ks_env.commands"), key=lambda point: point.name):
    app.command(point.name)(plainly(point.load(), "what was started is kept"))
