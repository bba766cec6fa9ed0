"""`ks compile` leaves nothing to compile."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from ks_baselines.darkboard.player import SOLVED
from ks_train.commands.compiling import WORK, Part
from ks_train.commands.main import app
from typer.testing import CliRunner

from ks_env.belief.encoders import encoder_names
from ks_env.belief.terms import terms_names
from ks_env.games import game_ids
from ks_env.players.registry import player_names

# Solved endings are asked for what is certain and what is not.
MATES = """
from ks_env.belief.endgames import solve
table = solve("KRK")
boards = [0, 0, 0, 0, 1 << 12, 0, 1 << 4]
table.best(boards, 1 << 57)
table.best(boards, table.full(boards))
table.gamble(boards, table.full(boards))
"""

COMPACT = """
from ks_env import GameVectorEnv
env = GameVectorEnv(4, "capture", observation="compact", threads=3, game="DarkChess")
env.reset(seed=1)
env.step(env.action_masks().argmax(1))
"""


def test_all_is_named() -> None:
    named = {part: " ".join(name for name, _ in WORK[part]()) for part in Part}
    assert all(f"{game}, self-play, compact in threads" in named[Part.environments] for game in game_ids())
    assert all(name in named[Part.encoders] for name in encoder_names())
    assert all(name in named[Part.terms] for name in terms_names())
    assert {*named[Part.endings].split()} == {*SOLVED}
    assert {*named[Part.players].split()} == {*player_names()} - {"isolated", "model", "process"}


def test_the_command() -> None:
    done = CliRunner().invoke(app, ["compile", "terms"])
    assert done.exit_code == 0, done.output
    assert "terms: raw, Kriegspiel" in done.output
    assert "compiled after" in done.output
    assert CliRunner().invoke(app, ["compile", "kernels"]).exit_code != 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("part", "command"),
    [
        ("environments", "-m benchmarks.first_step vector"),
        ("environments", "-m benchmarks.first_step aec"),
        ("environments", f"-c {shlex.quote(COMPACT)}"),
        ("endings", f"-c {shlex.quote(MATES)}"),
        ("", "-c 'from ks_train.commands.main import app; app()' match darkboard mcts-c --games 2"),
    ],
)
def test_nothing_is_left_to_compile(part: str, command: str, tmp_path: Path) -> None:
    cache, root = tmp_path / "cache", Path(__file__).parents[2]
    rooms = os.pathsep.join(str(root / room) for room in (".", "arena", "baselines", "train", "play"))
    environ = os.environ | {"KS_ENV_CACHE_DIR": str(cache), "PYTHONPATH": rooms}

    def files() -> set[Path]:
        return {path for path in cache.rglob("*") if path.is_file()}

    compiling = [
        sys.executable,
        "-c",
        "from ks_train.commands.main import app; app()",
        "compile",
        *part.split(),
    ]
    subprocess.run(compiling, env=environ, check=True, cwd=tmp_path)
    compiled = files()
    subprocess.run([sys.executable, *shlex.split(command)], env=environ, check=True, cwd=tmp_path)
    assert compiled
    assert files() == compiled
