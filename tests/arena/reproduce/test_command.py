"""`ks reproduce`, from a made-up table to its verdicts, and the list of all published figures."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from ks_arena.reproduce.command import reproduce
from ks_arena.reproduce.published import all_tables, load_table
from ks_arena.study.study import Study
from ks_train.commands.plain import plainly
from typer.testing import CliRunner, Result

from tests.arena.standing import one_worker

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(plainly(reproduce))

GAMES, CUT = 40, 8
DUEL = {
    "kind": "round-robin",
    "players": [{"label": "C", "player": "capture"}, {"label": "R", "player": "random"}],
}
GHOST = {"kind": "round-robin", "players": ["random", "ghost:depth=3"]}
WRONG = {"kind": "round-robin", "players": ["capture", "random:depth=3"]}


def figure(what: str, kind: str, study: str = "duel", **published: Any) -> dict[str, Any]:
    return {
        "what": what,
        "section": "§1",
        "published": published,
        "study": study,
        "measure": {"kind": kind, "player": "C", "against": "R"},
    }


TABLE: dict[str, Any] = {
    "title": "Made up",
    "source": "Nobody [1]",
    "note": "For tests.",
    "studies": {
        # a mate in one for White, who has both colours in turn: half of the points are certain
        "duel": {
            "seed": 3,
            "games": GAMES,
            "ruleset_options": {"max_plies": 60},
            "start": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            "tournament": DUEL,
        },
        "ghosts": {"games": 4, "tournament": GHOST},
        "wrong": {"games": 4, "tournament": WRONG},
    },
    "rows": [
        figure("all of them [won]", "wins", value=100, words="always won"),
        figure("none of them", "losses", value=99.9),
        figure("no points", "points", value=0.1) | {"note": "as it happens"},
        figure("a bound", "elo", value=-2000, relation=">"),
        figure("four tries", "tries_a_move", value=40),
        figure("about even", "points", value=50, games=4),
        figure("a ghost", "wins", "ghosts", value=3)
        | {"measure": {"kind": "wins", "player": "ghost:depth=3", "against": "random"}},
        figure("a wrong one", "wins", "wrong", value=3)
        | {"measure": {"kind": "wins", "player": "capture", "against": "random:depth=3"}},
        {
            "what": "entropy",
            "section": "§2",
            "published": {"value": 7},
            "unit": "bits",
            "unmeasured": "nobody keeps it",
        },
    ],
}


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(each) for each in arguments])


def failure(*arguments: object) -> str:
    """The one line that a failing command says, on stderr."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    return line


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A folder with the table, played whole under `out`."""
    folder = tmp_path_factory.mktemp("reproduce")
    (folder / "made-up.yaml").write_text(yaml.safe_dump(TABLE))
    with one_worker():
        return folder, run(folder / "made-up.yaml", "--output", folder / "out")


@pytest.fixture
def folder(played: tuple[Path, Result], tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(played[0], tmp_path / "copy")


def results(folder: Path, name: str = "results") -> dict[str, dict[str, Any]]:
    data = json.loads((folder / "out" / "made-up" / f"{name}.json").read_text())
    return {row["what"]: row for row in data["rows"]}


def test_a_table_is_played_and_every_verdict_reached(played: tuple[Path, Result]) -> None:
    folder, result = played
    assert result.exit_code == 0, result.output
    rows = results(folder)
    verdicts = {what: row["verdict"] for what, row in rows.items()}
    assert verdicts == {
        "all of them [won]": "weaker",
        "none of them": "stronger",
        "no points": "stronger",
        "a bound": "agrees",
        "four tries": "differs",
        "about even": "agrees",
        "a ghost": None,
        "a wrong one": None,
        "entropy": None,
    }
    games = Study.read(folder / "out" / "made-up" / "duel.sqlite").games(0)
    assert len(games) == GAMES
    wins = sum((game.outcome if game.leg == 0 else -game.outcome) > 0 for game in games)
    assert rows["all of them [won]"]["ours"]["value"] == pytest.approx(100 * wins / GAMES)
    assert rows["about even"]["games"] == rows["about even"]["games_planned"] == GAMES


def test_what_is_shown(played: tuple[Path, Result]) -> None:
    folder, result = played
    assert re.search(
        r"all of them \[won\].*100\.0 %.* 40 .*under 1 ms, nodes not counted.*weaker", result.output
    )
    assert "study ghosts is skipped: players missing: ghost" in result.output
    assert "study wrong is skipped: player 'random:depth=3'" in result.output
    assert "not measured: nobody keeps it" in result.output
    assert "6 of 9 figures compared: 2 stronger, 2 agree, 1 weaker, 1 differ" in result.output
    page = (folder / "out" / "made-up" / "results.md").read_text()
    assert page.startswith("# Made up\n\nNobody [1]\n\nFor tests.\n\n6 of 9 figures compared")
    assert "- all of them [won] (§1): “always won”" in page
    assert "- no points (§1): as it happens" in page
    assert page.count("\n|") == 2 + len(TABLE["rows"])


def test_what_was_played_stays_and_is_not_played_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (folder / "out" / "made-up" / "results.json").read_bytes()

    def never(*arguments: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr("ks_arena.work.engine.Processes.run", never)
    assert run(folder / "made-up.yaml", "--output", folder / "out").exit_code == 0
    assert (folder / "out" / "made-up" / "results.json").read_bytes() == before


def test_fewer_games_are_kept_apart_and_told(folder: Path) -> None:
    with one_worker():
        result = run(folder / "made-up.yaml", "--output", folder / "out", "--games", CUT)
    assert result.exit_code == 0, result.output
    assert re.search(r"about even.*8 of 40", result.output)
    assert "cut to 8 games a pairing" in result.output
    small = Study.read(folder / "out" / "made-up" / f"duel@{CUT}-games.sqlite").games()
    whole = Study.read(folder / "out" / "made-up" / "duel.sqlite").games()
    assert [game.actions for game in small] == [game.actions for game in whole[:CUT]]
    assert results(folder, f"results@{CUT}-games")["about even"]["games"] == CUT
    assert results(folder)["about even"]["games"] == GAMES
    assert (
        listed(folder / "made-up.yaml", "--output", folder / "out")["made-up", "about even"]
        == "40 games played"
    )


def test_comparing_without_playing(folder: Path, tmp_path: Path) -> None:
    table = folder / "made-up.yaml"
    shutil.rmtree(folder / "out")
    result = run(table, "--output", folder / "out", "--no-play")
    assert result.exit_code == 0, result.output
    assert "none of 9 figures compared" in result.output
    assert re.search(r"about even.*– .*0 .*not run", result.output)
    assert not (folder / "out").exists()


def test_the_studies_that_are_named_are_shown_alone(folder: Path) -> None:
    out = folder / "out" / "made-up"
    before = (out / "results.md").read_bytes()
    (out / "results.md").unlink()
    named = [word for key in ("wrong", "duel") for word in ("--study", key)]
    result = run(folder / "made-up.yaml", "--output", folder / "out", "--no-play", *named)
    assert result.exit_code == 0, result.output
    shown = {row["what"] for row in TABLE["rows"] if row["what"] in result.output}
    assert shown == {row["what"] for row in TABLE["rows"] if row.get("study") in ("wrong", "duel")}
    assert "6 of 7 figures compared" in result.output
    assert re.search(r"about even.* 40 ", result.output)  # of the games of an earlier run
    assert (out / "results.md").read_bytes() == before  # of the whole table


def test_figures_of_games_that_are_gone_are_taken_from_an_earlier_file(folder: Path) -> None:
    out = folder / "out" / "made-up"
    before, page = results(folder), (out / "results.md").read_bytes()
    kept = json.loads((out / "results.json").read_text())
    for study in kept["studies"].values():
        del study["config"]["isolated"]  # as of a version that had no such key
    (folder / "earlier.json").write_text(json.dumps(kept))
    (out / "duel.sqlite").unlink()
    command = (folder / "made-up.yaml", "--output", folder / "out", "--no-play")
    assert re.search(r"about even.*– .*not run", run(*command).output)
    shutil.rmtree(out)
    assert run(*command, "--earlier", folder / "earlier.json").exit_code == 0
    assert results(folder) == before
    assert (out / "results.md").read_bytes() == page
    assert json.loads((out / "results.json").read_text())["studies"] == kept["studies"]


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_earlier_files_the_one_with_the_most_games_counts(folder: Path, order: int) -> None:
    before = results(folder)
    kept = json.loads((folder / "out" / "made-up" / "results.json").read_text())
    names = ["more.json", "fewer.json"]
    for name, games in zip(names, (GAMES, CUT), strict=True):
        for study in kept["studies"].values():
            study["games"] = games
        for row in kept["rows"]:
            row["games"] = games if row["games"] else 0
        (folder / name).write_text(json.dumps(kept))
    shutil.rmtree(folder / "out")
    earlier = [word for name in names[::order] for word in ("--earlier", folder / name)]
    result = run(folder / "made-up.yaml", "--output", folder / "out", "--no-play", *earlier)
    assert result.exit_code == 0, result.output
    assert results(folder) == before


@pytest.mark.parametrize("damage", ["missing", "no JSON", "a list", "another study", "cut"])
def test_an_earlier_file_that_does_not_fit_is_refused(folder: Path, damage: str) -> None:
    file = folder / "earlier.json"
    kept = json.loads((folder / "out" / "made-up" / "results.json").read_text())
    shutil.rmtree(folder / "out")
    for study in kept["studies"].values():
        study["config"]["seed"] += 1
    text = {"no JSON": "{", "a list": "[]"}.get(damage, json.dumps(kept))
    if damage != "missing":
        file.write_text(text)
    cut = ["--games", CUT] if damage == "cut" else []
    command = (folder / "made-up.yaml", "--output", folder / "out", "--no-play", "--earlier", file, *cut)
    assert ("expected no --games" if cut else str(file)) in failure(*command)


def listed(*arguments: object) -> dict[tuple[str, str], str]:
    """The list: states by table and figure."""
    result = CliRunner(env={"COLUMNS": "400"}).invoke(app, ["--list", *(str(each) for each in arguments)])
    assert result.exit_code == 0, result.output
    lines = [line.split("│")[1:-1] for line in result.output.splitlines() if "│" in line]
    return {(cells[0].strip(), cells[1].strip()): cells[3].strip() for cells in lines}


def test_the_state_of_every_row_is_listed(played: tuple[Path, Result]) -> None:
    folder, _ = played
    states = listed(folder / "made-up.yaml", "--output", folder / "out")
    wrong = states.pop(("made-up", "a wrong one"))
    assert wrong.startswith("player 'random:depth=3': ")
    assert "it takes the parameters: none" in wrong
    duel = {row["what"]: "40 games played" for row in TABLE["rows"] if row.get("study") == "duel"}
    others = {
        "a ghost": "players missing: ghost",
        "entropy": "not measured: nobody keeps it",
    }
    assert states == {("made-up", what): state for what, state in (duel | others).items()}
    elsewhere = listed(folder / "made-up.yaml", "--output", folder / "none")
    assert {elsewhere["made-up", what] for what in duel} == {"not run"}


def test_all_published_figures_are_listed(tmp_path: Path) -> None:
    shown = listed("--output", tmp_path)
    for path in all_tables():
        for row in load_table(path).rows:
            state = shown.pop((path.stem, row.what))
            assert re.match(r"players missing: |not measured: |not run", state)
    assert not shown


def test_a_player_that_appears_is_no_longer_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ks_env.players import registry

    def ghost(depth: int) -> object:
        return registry.make_player("random")

    path = tmp_path / "made-up.yaml"
    path.write_text(yaml.safe_dump(TABLE))
    monkeypatch.setitem(registry.BUILT_IN, "ghost", ghost)
    states = listed(path, "--output", tmp_path)
    assert states["made-up", "a ghost"] == "not run"


def test_faults_are_said_in_a_line(folder: Path) -> None:
    path, out = folder / "made-up.yaml", folder / "out"
    assert (
        "unknown table 'mine'; expected one of advisors-2001, metapositions-2007, samplers, tree-search-2010"
        in failure("mine")
    )
    assert (
        "which table? Expected one of advisors-2001, metapositions-2007, samplers, tree-search-2010"
        in failure()
    )
    assert "nothing can be played: study ghosts: players missing: ghost" in failure(path, "--study", "ghosts")
    assert "there is no study 'dull'; expected one of duel, ghosts, wrong" in failure(path, "--study", "dull")
    assert "--games: games: " in failure(path, "--study", "duel", "--games", 7, "--output", out)
    assert "--engine is 'steam'" in failure(path, "--engine", "steam", "--output", out)
    assert "--workers is -1" in failure(path, "--workers", -1, "--output", out)
    assert "cannot be read" in failure(folder / "none.yaml")
    (out / "made-up" / "ghosts.sqlite").write_text("boo")
    assert "ghosts.sqlite" in failure(path, "--list", "--output", out)


def test_a_table_that_has_changed_does_not_take_old_games_for_its_own(folder: Path) -> None:
    changed = TABLE | {"studies": TABLE["studies"] | {"duel": TABLE["studies"]["duel"] | {"seed": 4}}}
    path = folder / "made-up.yaml"
    path.write_text(yaml.safe_dump(changed))
    assert "holds a study with another seed; use --restart" in failure(path, "--output", folder / "out")
    for arguments in (["--no-play"], ["--list"]):
        line = failure(path, "--output", folder / "out", *arguments)
        assert "duel.sqlite: holds a study with other settings than the table" in line
