"""The command `ks profile`."""

from __future__ import annotations

from pathlib import Path

import pytest
from ks_train.commands.main import app
from typer.testing import CliRunner

from ks_env.belief.profile import Profile

PGN = '[White "ann"]\n[Black "bob"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[White "bob"]\n[Black "ann"]\n\n1. d4 d5 *\n'


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["profile", *arguments])
    return done.exit_code, done.output


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    return path


def test_a_profile_and_its_picture(games: Path, tmp_path: Path) -> None:
    out, picture = tmp_path / "out.npz", tmp_path / "out.png"
    code, said = run(str(games), "--out", str(out), "--picture", str(picture), "--time", "1")
    assert code == 0, said
    assert "2 games as White and 2 as Black" in said
    assert Profile.load(out).games[:, 0].tolist() == [2, 2]
    assert picture.stat().st_size > 10_000


def test_one_player(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "ann.npz"
    assert run(str(games), "--out", str(out), "--player", "ann")[0] == 0
    profile = Profile.load(out)
    assert profile.name == "ann"
    assert profile.games[:, 0].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("", (), "holds no game"),
        (PGN, ("--player", "eve"), "no game of 'eve'"),
        (PGN, ("--piece", "x"), "--piece is 'x'; expected one of p n b r q k"),
        ("1. e4 e5 2. Ke5 *", (), "game 1"),
    ],
)
def test_bad_input_is_named(text: str, arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    path, out = tmp_path / "bad.pgn", tmp_path / "out.npz"
    path.write_text(text)
    code, said = run(str(path), "--out", str(out), *arguments)
    assert code != 0
    assert message in " ".join(said.split())
    assert not out.exists()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    code, said = run(str(tmp_path / "none.pgn"), "--out", str(tmp_path / "out.npz"))
    assert code != 0
    assert "none.pgn" in said
