"""Players in processes of their own: what they do wrong is a forfeit, and they see what their seat may."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ks_arena.apart.cage import Cage, walls
from ks_arena.apart.player import ApartPlayer, is_apart, isolated_name, isolated_player
from ks_arena.apart.wire import FaultError, checked_hello
from ks_arena.match.play import play_game
from ks_arena.match.result import GameResult
from ks_arena.names import fingerprint
from ks_train.commands.main import app
from typer.testing import CliRunner

from ks_env.players.registry import is_ours, make_player
from ks_env.players.trust import runs
from tests.arena.test_play import facts, jobs
from tests.train.models import save_run

HERE = "tests.arena.apart.players"
ATTACKER = Path(__file__).with_name("attacker.py")
ROOT = Path(__file__).parents[3]


def attacked(mode: str, seconds: float = 2.0) -> GameResult:
    name = f"process:command={sys.executable + ' ' + str(ATTACKER) + ' ' + mode!r}"
    return play_game(jobs(name, "random", limits={"seconds_a_move": seconds})[0])


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("none", "chose None"),
        ("text", "chose 'e9e10'"),
        ("fraction", "chose 3.7"),
        ("list", "chose [1, 2]"),
        ("true", "chose True"),
        ("huge", "expected"),
        ("outside", "chose 1859"),
        ("garbage", "expected a JSON object"),
        ("deep", "expected a JSON object"),
        ("array", "expected a JSON object"),
        ("megabytes", "answered more than 65536 bytes"),
        ("exit", "its process has ended"),
        ("unasked", "spoke before it was asked"),
    ],
)
def test_what_is_no_answer_forfeits(mode: str, words: str) -> None:
    result = attacked(mode)
    assert (result.outcome, result.reason) == (-1, "forfeit")
    assert result.fault is not None
    assert words in result.fault


def _running() -> list[str]:
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return found.splitlines()


@pytest.mark.parametrize("mode", ["sleep", "descriptors", "forks"])
def test_who_does_not_come_back_forfeits_and_leaves_nothing_running(mode: str) -> None:
    result = attacked(mode, 0.5)
    assert (result.outcome, result.reason) == (-1, "forfeit")
    if mode == "forks" and walls().command:  # without walls a process may leave its group
        end = time.monotonic() + 30  # the kernel ends them one by one
        while (left := "sleep 987" in _running()) and time.monotonic() < end:
            time.sleep(0.05)
        assert not left


def test_illegal_tries_without_end_lose_by_the_rules() -> None:
    result = attacked("illegal", 30)
    assert (result.outcome, result.reason) == (-1, "tries")


@pytest.mark.skipif(not walls().complete, reason="bubblewrap is not installed, or may not be used")
def test_nothing_is_written_outside_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "there"
    assert attacked(str(file), 30).reason != "forfeit"
    assert not file.exists()


def test_a_player_finds_the_referee_beside_it_but_not_from_a_process_of_its_own() -> None:
    name = f"{HERE}:Peeps"
    beside = play_game(jobs(name, "random")[0])
    assert beside.fault == "raised RuntimeError: found the referee on the stack"
    apart = play_game(jobs(name, "random", isolated=None, ruleset_options={"max_plies": 20})[0])
    assert apart.fault is None
    assert json.loads(apart.versions)["white apart"] == walls().words


def test_the_same_game_apart_as_beside() -> None:
    name = f"{HERE}:Keeps"
    beside, apart = (
        play_game(jobs(name, "random", isolated=isolated, ruleset_options={"max_plies": 40})[0])
        for isolated in (False, None)
    )
    assert apart.actions == beside.actions
    assert facts(apart) == facts(beside)
    assert apart.work[0].nodes == apart.work[0].tries


def test_a_player_in_another_language_plays() -> None:
    name = f"process:command={'perl ' + str(ROOT / 'examples' / 'player.pl')!r}"
    both = [play_game(job) for job in jobs(name, "random", ruleset="berkeley-any")]
    assert [game.fault for game in both] == [None, None]
    assert all(game.reason != "tries" for game in both)
    seat = both[0].work[0]
    assert seat.nodes == seat.tries > 10


def test_a_player_that_cannot_be_made_is_said_so() -> None:
    with pytest.raises(FaultError, match="no attribute 'Nothing'"):
        isolated_player(f"{HERE}:Nothing")


def test_memory_is_limited() -> None:
    program = "import sys; sys.stdin.readline(); x = bytearray(10**9); print('{}')"
    with pytest.raises(FaultError, match="has ended"):
        ApartPlayer([sys.executable, "-c", program], cage=Cage(memory=200))


@pytest.mark.parametrize(
    ("hello", "told"),
    [
        ({}, "answered without type to hello; expected it"),
        ({"type": "hello", "protocol": 2}, "answered protocol 2 to hello; expected 1"),
        ({"type": "hello", "protocol": 1, "name": 3}, "answered name 3 to hello; expected a valid string"),
        (
            {"type": "hello", "protocol": 1, "wants": ["truth"]},
            "answered wants.0 'truth' .* expected 'board'",
        ),
        ({"type": "hello", "protocol": 1, "games": "Kriegspiel"}, "answered games 'Kriegspiel' .* expected"),
        ({"type": "hello", "protocol": 1, "hears": 1}, "answered hears 1 to hello; expected a valid boolean"),
    ],
)
def test_a_wrong_hello_is_refused(hello: dict[str, object], told: str) -> None:
    with pytest.raises(FaultError, match=told):
        checked_hello(hello)


def test_who_is_ours() -> None:
    assert is_ours("random")
    assert is_ours("darkboard:metapositions=5")
    assert is_ours("ks_baselines.darkboard:darkboard_player")
    assert not is_ours("os:system:command='true'")


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no program 'no-such-program'"):
        make_player("process:command=no-such-program")


def test_any_player_is_made_in_its_own_process_by_its_name() -> None:
    name = isolated_name(f"{HERE}:Keeps", Cage(memory=4096))
    assert name == f"isolated:player='{HERE}:Keeps',memory=4096"
    assert is_apart(name)
    assert runs(name) == {f"{HERE}:Keeps": f"{HERE}:Keeps"}
    few = {"max_plies": 40}
    by_name, by_study = (
        play_game(jobs(player, "random", isolated=isolated, ruleset_options=few)[0])
        for player, isolated in ((name, False), (f"{HERE}:Keeps", None))
    )
    assert by_name.actions == by_study.actions
    assert json.loads(by_name.versions)["white apart"] == walls().words
    with pytest.raises(ValueError, match=r"in its own process.*no attribute 'Nothing'"):
        make_player(isolated_name(f"{HERE}:Nothing"))


def test_a_model_in_its_own_process_is_known_by_its_file(tmp_path: Path) -> None:
    model = f"model:file={save_run(tmp_path)}"
    assert fingerprint(isolated_name(model)) == fingerprint(model) != ""


@pytest.mark.parametrize("of_a_model", [False, True])
def test_a_stranger_is_evaluated_in_a_process_of_its_own(
    of_a_model: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{HERE}.at_home", True)
    evaluated = str(save_run(tmp_path)) if of_a_model else f"{HERE}:Marked"
    arguments = ["evaluate", evaluated, "--against", f"random,{HERE}:Marked", "--games", "2"]
    apart = CliRunner().invoke(app, arguments)
    assert apart.exit_code == 0, apart.output
    assert "forfeit" not in apart.output
    beside = CliRunner().invoke(app, [*arguments, "--no-isolated"])
    told = str(beside.output) + str(beside.exception)
    assert "plays in the process that holds the game" in told or "forfeit" in told
