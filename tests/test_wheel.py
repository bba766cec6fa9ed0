"""The distributions as somebody gets them.

The source distribution is the whole checkout, and the wheel is built from it. The wheel is tried in an
environment of its own, beside files of the user's own making.

A bare install is imitated by links to just those distributions that `pip install ks-env` would bring, so that
what the extras bring is truly not there, and nothing has to be downloaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.train.models import save_run

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"ks_env", "ks_arena", "ks_baselines", "ks_train", "ks_play"}
BUILT = {".venv", "__pycache__", "_build", "_generated", "build", "dist", "runs", "htmlcov"}
ODD = 'raise ImportError("a file of the user\'s, which nobody may import")\n'

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # kernels are compiled for the new place


def call(*command: object, cwd: Path, **variables: str) -> str:
    environment = os.environ | variables
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def checkout() -> set[str]:
    """The files of the checkout, by their paths in it."""
    if (ROOT / ".git").exists():
        listed = call("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
        paths = [ROOT / name for name in listed]
    else:  # an unpacked source distribution
        paths = [path for path in ROOT.rglob("*") if not BUILT & set(path.relative_to(ROOT).parts)]
        paths = [
            path for path in paths if not any(part.endswith(("_cache", ".egg-info")) for part in path.parts)
        ]
    return {str(path.relative_to(ROOT)) for path in paths if path.is_file()}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    sources = folder / "sources"  # what was built in the checkout before does not get in
    for name in checkout():
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, sources / name)
    build = f"from setuptools.build_meta import build_sdist; build_sdist({str(folder)!r})"
    call(sys.executable, "-c", build, cwd=sources)
    (made,) = folder.glob("*.tar.gz")
    return made


@pytest.fixture(scope="module")
def unpacked(sdist: Path) -> Path:
    """The source distribution, unpacked."""
    with tarfile.open(sdist) as file:
        file.extractall(sdist.parent, filter="data")
    return sdist.with_name(sdist.name.removesuffix(".tar.gz"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, sdist: Path) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    call(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", folder, sdist),
        cwd=folder,
    )
    (made,) = folder.glob("*.whl")
    return made


def distributions(extra: str = "") -> list[Distribution]:
    """What an install with this extra, or without any, brings beside the package itself."""
    found: dict[str, Distribution] = {}
    asked = [Requirement(text) for text in distribution("ks-env").requires or ()]
    waiting = [_plain(each) for each in asked if _applies(each, {"", extra})]
    seen: set[str] = set()
    while waiting:
        wanted = waiting.pop()
        extras = wanted.extras or {""}
        if str(wanted) in seen or not _applies(wanted, {""}):
            continue
        seen.add(str(wanted))
        try:
            found[wanted.name] = distribution(wanted.name)
        except PackageNotFoundError:
            pytest.fail(f"{wanted} is not installed here")
        inner = [Requirement(text) for text in found[wanted.name].requires or ()]
        waiting += [_plain(each) for each in inner if _applies(each, extras)]
    return list(found.values())


def _applies(wanted: Requirement, extras: set[str]) -> bool:
    return wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in extras)


def _plain(wanted: Requirement) -> Requirement:
    """Without the marker, which has been looked at."""
    wanted.marker = None
    return wanted


def link(folder: Path, extra: str = "") -> Path:
    """Fill a folder with links to the distributions of an install."""
    folder.mkdir()
    for each in distributions(extra):
        for name in {file.parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
            target = Path(str(each.locate_file(name)))
            if target.exists() and not (folder / name).exists():
                (folder / name).symlink_to(target)
    return folder


class Installed:
    """An environment with the wheel in it, and a user's folder to call it from."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv = folder / "venv"
        call(sys.executable, "-m", "venv", "--without-pip", venv, cwd=folder)
        self.python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
        self.ks = self.python.with_name("ks")
        call(
            *(sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet", "--no-deps", wheel),
            cwd=folder,
        )
        where = call(self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
        self._path = Path(where.strip()) / "libraries.pth"
        self.home = folder / "home"
        self.home.mkdir()
        for name in ("train.py", "baselines.py", "arena.py", "config.py", "reproduce.py"):
            (self.home / name).write_text(ODD, encoding="utf-8")

    def with_libraries(self, folder: Path) -> Installed:
        """See what is in this folder, and no other libraries."""
        self._path.write_text(f"{folder}\n", encoding="utf-8")
        return self

    def run(self, *arguments: object) -> str:
        """What the `ks` command prints."""
        return call(self.ks, *arguments, cwd=self.home)

    def program(self, text: str) -> str:
        """What a program in the user's folder prints."""
        file = self.home / "program.py"
        file.write_text(text, encoding="utf-8")
        return call(self.python, file, cwd=self.home)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Installed:
    """One environment for all tests, since kernels are compiled for the place where they lie."""
    folder = tmp_path_factory.mktemp("installed")
    link(folder / "bare")
    return Installed(folder, wheel)


@pytest.fixture
def bare(installed: Installed) -> Installed:
    """With what `pip install ks-env` brings, and nothing else."""
    return installed.with_libraries(installed.home.with_name("bare"))


@pytest.fixture
def full(installed: Installed) -> Installed:
    """With all libraries that there are here."""
    return installed.with_libraries(Path(str(distribution("numba").locate_file(""))))


def test_the_source_distribution_is_the_checkout(unpacked: Path) -> None:
    files = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    made = {"PKG-INFO", "setup.cfg", *(name for name in files if name.startswith("ks_env.egg-info/"))}
    assert files - made == checkout() - made
    assert {"Makefile", "docs/index.md", "requirements/lock.txt", "tests/core/test_jit.py"} <= files


def test_the_source_distribution_tests_itself(unpacked: Path) -> None:
    rooms = os.pathsep.join(str(unpacked / room) for room in (".", "arena", "baselines", "train", "play"))
    kept = {"PYTHONPATH": rooms, "PYTHONDONTWRITEBYTECODE": "1"}
    imports = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    call(sys.executable, "-c", imports, "--no-cache", cwd=unpacked, **kept)
    quiet = ("-q", "-p", "no:cacheprovider")
    call(sys.executable, "-m", "pytest", *quiet, "tests/test_api.py", cwd=unpacked, **kept)


def test_the_wheel_holds_our_packages_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        files = file.namelist()
    assert {"ks_play/page/game.html", "ks_play/page/game.js", "ks_play/page/page.css"} <= set(files)
    names = {name.split("/")[0] for name in files}
    assert {name for name in names if not name.endswith((".dist-info", ".data"))} == PACKAGES
    assert len(names) == len(PACKAGES) + 2
    shipped = {name.split("share/ks-env/")[1] for name in files if "share/ks-env/" in name}
    kinds = ("*.yaml", "*.fen")
    assert shipped == {
        str(file.relative_to(ROOT)) for kind in kinds for file in ROOT.glob(f"configs/**/{kind}")
    }


def test_a_bare_install_brings_no_learning_library() -> None:
    names = {each.metadata["Name"].lower() for each in distributions()}
    assert {"numpy", "numba", "chess", "gymnasium", "pettingzoo", "typer", "rich", "pyyaml"} <= names
    assert not names & {"torch", "scipy", "matplotlib", "pyarrow", "stable-baselines3", "filelock", "pillow"}


def test_every_command_helps_in_a_bare_install(bare: Installed) -> None:
    listed = """
import sys
from ks_train.commands.main import app
from typer.main import get_command
print(*get_command(app).commands)
assert not {"torch", "scipy", "matplotlib", "filelock", "ks_baselines.mcts"} & set(sys.modules)
"""
    commands = bare.program(listed).split()
    assert {"match", "players", "train", "replay", "play"} <= set(commands)
    assert "Usage: ks" in bare.run("--help")
    assert bare.run("--version").strip() == version("ks-env")
    helped = f"""
from ks_train.commands.main import app
from typer.testing import CliRunner
for name in {commands}:
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0, (name, result.output)
    assert f" {{name}} [" in result.output, result.output
"""
    bare.program(helped)


def test_a_bare_install_plays(bare: Installed) -> None:
    game = """
import gymnasium, ks_env
env = gymnasium.make("ks_env/Kriegspiel-v0", opponent="random")
observation, info = env.reset(seed=1)
over = False
while not over:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
print("over")
"""
    assert bare.program(game).strip() == "over"
    assert "capture" in bare.run("players")
    bare.program("from ks_baselines.policy import SHIPPED; assert all(f.exists() for f in SHIPPED.values())")
    assert "points" in bare.run("match", "random", "capture", "--games", 2, "--workers", 1)
    (store,) = (bare.home / "runs" / "matches").glob("*.sqlite")
    bare.run("export", store, "game.pgn")
    first = bare.home / "game.pgn"
    first.write_text(first.read_text(encoding="utf-8").split("\n[Event ")[0], encoding="utf-8")
    bare.run("replay", "game.pgn")
    assert (bare.home / "game.html").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["train", "config.yaml"], "train"),
        (["evaluate", "runs/none"], "train"),
        (["curves", "runs/none"], "arena"),
        (["tournament", "study.yaml"], "arena"),
        (["play", "--no-browser"], "play"),
    ],
)
def test_a_command_says_which_extra_it_needs(bare: Installed, arguments: list[str], extra: str) -> None:
    done = subprocess.run(
        [bare.ks, *arguments], cwd=bare.home, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert line.endswith(f'pip install "ks-env[{extra}]"')


STUDY = """
name: small
games: 2
tournament: {kind: round-robin, players: [random, capture, "run:temperature=1"]}
"""


def test_models_and_studies_beside_files_of_the_users(full: Installed) -> None:
    save_run(full.home / "run")
    assert "run" in full.run("evaluate", "run", "--against", "random", "--games", 2)
    (full.home / "study.yaml").write_text(STUDY, encoding="utf-8")
    assert "report.html" in full.run("tournament", "study.yaml", "--workers", 1)
    assert (full.home / "runs" / "small" / "report.html").stat().st_size > 10_000


def test_configs_are_found_by_name(full: Installed) -> None:
    assert {"quickstart", "studies/mcts-starts", "reproduce/samplers"} <= set(full.run("configs").split())
    named = """
from ks_arena.study.config import load_study
from ks_train.learn.config import load_config
print(load_config("quickstart").name, load_config("configs/quickstart.yaml").name)
print(len(load_study("studies/mcts-starts").start))
"""
    assert full.program(named).split() == ["quickstart", "quickstart", "200"]
    assert "samplers" in full.run("reproduce", "--list")


TRAINING = """
name: tiny
env: {terms: raw, num_envs: 2}
opponents: [{opponent: random}]
learner: {steps: 8, batch_size: 8}
budget: {timesteps: 32}
evaluation: {against: [random], games: 2}
checkpoints: {every: 16, keep: 1}
"""
DATA = """
name: data
games: 2
players: [random, {player: capture, teacher: itself}]
ruleset_options: {max_plies: 20}
"""
PICTURE = """
from ks_env import Game
from ks_env.render import render_rgb
print(render_rgb(Game()).shape)
"""
SERVED = """
import socket, subprocess, sys, time, urllib.request
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
command = ["KS", "play", "--no-browser", "--port", str(port), "--games", "g.sqlite"]
with subprocess.Popen(command) as server:
    for _ in range(1200):
        assert server.poll() is None
        try:
            print(urllib.request.urlopen(f"http://localhost:{port}/", timeout=5).status)
            break
        except OSError:
            time.sleep(0.1)
    server.terminate()
"""


def _train(installed: Installed) -> None:
    (installed.home / "tiny.yaml").write_text(TRAINING, encoding="utf-8")
    installed.run("train", "tiny.yaml", "--restart")
    assert (installed.home / "runs" / "tiny" / "model.zip").is_file()
    assert "tiny" in installed.run("evaluate", "runs/tiny", "--against", "random", "--games", 2)


def _arena(installed: Installed) -> None:
    study = STUDY.replace(', "run:temperature=1"', "")
    (installed.home / "two.yaml").write_text(study.replace("small", "two"), encoding="utf-8")
    assert "report.html" in installed.run("tournament", "two.yaml", "--workers", 1, "--restart")
    store = installed.home / "runs" / "two" / "study.sqlite"
    installed.run("export", store, "games.parquet")
    assert "report" in installed.run("report", store)


def _data(installed: Installed) -> None:
    (installed.home / "data.yaml").write_text(DATA, encoding="utf-8")
    installed.run("generate", "data.yaml", "--workers", 1, "--restart")
    file = installed.home / "runs" / "data" / "games.parquet"
    assert file.is_file()
    installed.run("minari", file, "kriegspiel/two-v0")


def _ray(installed: Installed) -> None:
    match = ("match", "random", "capture", "--games", 2, "--workers", 1, "--engine", "ray")
    assert "points" in installed.run(*match, "--store", "ray.sqlite", "--restart")


def _render(installed: Installed) -> None:
    assert installed.program(PICTURE).strip().endswith("3)")


def _play(installed: Installed) -> None:
    assert "200" in installed.program(SERVED.replace("KS", str(installed.ks)))


USES = {"train": _train, "arena": _arena, "data": _data, "ray": _ray, "render": _render, "play": _play}


@pytest.mark.parametrize("extra", sorted(USES))
def test_each_extra_alone_does_what_it_is_named_after(
    extra: str, installed: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    USES[extra](installed.with_libraries(link(tmp_path / extra, extra)))
