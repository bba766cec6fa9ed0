"""The command `ks curves`: learning curves of several runs in one picture."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ks_env.render.replay_command import check_target, fail, os_message

SUMMARY = "summary.json"


def read_summary(folder: Path) -> dict[str, Any]:
    """What a finished run says of itself.

    Raises:
        ValueError: the folder is not that of a finished run.
    """
    path = folder / SUMMARY
    try:
        summary: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        summary["name"], summary["timesteps"], summary["series"], summary["evaluations"]
    except OSError as error:
        raise ValueError(
            f"{path}: cannot be read: {error.strerror}; expected a finished run's folder"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: is no summary of a run: {error}") from error
    return summary


def curves(
    runs: Annotated[list[Path], typer.Argument(help="folders of finished runs")],
    out: Annotated[Path, typer.Option(help="PNG to write")] = Path("curves.png"),
) -> None:
    """Draw the evaluations of several runs in one picture, a panel for each opponent."""
    try:
        from ks_train.judge.curves import draw_runs

        summaries = [read_summary(folder) for folder in runs]
        check_target(out)
    except ImportError as error:
        fail(f'{error.name} is missing; this command needs the extra "train": pip install "ks-env[train]"')
    except OSError as error:
        fail(os_message(error))
    except ValueError as error:
        fail(str(error))
    draw_runs(summaries, out)
    typer.echo(f"wrote {out}")
