"""Every form of opponent in every interface; a player in Python hears all that it may, and no more."""

from __future__ import annotations

from typing import Any

import chess
import gymnasium
import numpy as np
import pytest

from ks_env.core.actions import ACTIONS
from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import RULESETS
from ks_env.core.tables import TRY_FROM
from ks_env.envs.sb3 import GameVecEnv
from ks_env.envs.solo import GameEnv
from ks_env.envs.vector import GameVectorEnv
from ks_env.games.kriegspiel.announcement import announce
from ks_env.games.opening import Opening
from ks_env.players import registry
from tests.envs.play import (
    ALL,
    CASES,
    FENS,
    FEW,
    HIDDEN,
    SHORT,
    Case,
    CompiledScribe,
    Rows,
    Scribe,
    case_id,
    draw,
    envs_for,
    envs_of,
    fields_of,
    same,
)

OPPONENTS: dict[str, Any] = {
    "kernel": lambda: "capture",
    "named": lambda: "scribe",
    "factory": lambda: Scribe,
    "compiled": lambda: CompiledScribe,
    "batch": Rows,
}


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "scribe", Scribe)


def run_solo(opponent: Any, seed: int, case: Case | None = None) -> list[Any]:
    env = envs_of(case or {}).solo(opponent, start=FENS, ruleset_options=SHORT, **case or {})
    rng = np.random.default_rng(0)
    seen: list[Any] = [env.reset(seed=seed)]
    for _ in range(80):
        seen.append(env.step(draw(seen[-1][-1]["action_mask"][None], rng, 0.05)[0]))
        if seen[-1][2] or seen[-1][3]:
            seen.append(env.reset())
    return seen


def run_vector(
    opponent: Any, seed: int, case: Case | None = None, threads: int = 1, mode: str = "SameStep"
) -> list[Any]:
    env = envs_of(case or {}).vector(
        5, opponent, start=FENS, ruleset_options=SHORT, threads=threads, autoreset_mode=mode, **case or {}
    )
    rng = np.random.default_rng(0)
    seen: list[Any] = [env.reset(seed=seed)]
    for _ in range(60):
        seen.append(env.step(draw(seen[-1][-1]["action_mask"], rng, 0.05)))
    return seen


def run_sb3(opponent: Any, seed: int, case: Case | None = None, threads: int = 1) -> list[Any]:
    env = envs_of(case or {}).sb3(
        5, opponent, start=FENS, ruleset_options=SHORT, threads=threads, seed=seed, **case or {}
    )
    rng = np.random.default_rng(0)
    seen: list[Any] = [env.reset().copy()]
    for _ in range(60):
        planes, rewards, done, _ = env.step(draw(env.action_masks(), rng, 0.05))
        seen.append((planes.copy(), rewards, done))
    return seen


@pytest.mark.parametrize("case", FEW[::2], ids=case_id)
@pytest.mark.parametrize("form", OPPONENTS)
@pytest.mark.parametrize("run", [run_solo, run_vector, run_sb3])
def test_every_form_plays_in_every_interface(run: Any, form: str, case: Case) -> None:
    make = OPPONENTS[form]
    first = run(make(), 4, case)
    assert same(first, run(make(), 4, case))
    assert not same(first, run(make(), 5, case))


@pytest.mark.parametrize("case", FEW[::2], ids=case_id)
@pytest.mark.parametrize("form", OPPONENTS)
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(form: str, threads: int, case: Case) -> None:
    make = OPPONENTS[form]
    assert same(run_vector(make(), 2, case), run_vector(make(), 2, case, threads))
    assert same(run_sb3(make(), 2, case), run_sb3(make(), 2, case, threads))


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
def test_other_autoreset_modes(mode: str) -> None:
    rows = Rows()
    result = run_vector(rows, 1, mode=mode)
    assert max(rows.batches) > 1  # it is asked for several rows at once
    ended = [bool((item[2] | item[3]).any()) for item in result[1:]]
    assert sum(ended) >= (5 if mode == "NextStep" else 3)


def test_announcements_are_made_only_for_listeners(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def counted(*arguments: Any) -> Any:
        made.append(arguments)
        return announce(*arguments)

    monkeypatch.setattr("ks_env.games.kriegspiel.game.announce", counted)
    GameEnv(KriegspielOnly, seat="black", ruleset_options={"max_tries": 2}).reset(seed=1)
    assert not made
    GameEnv(Stubborn, seat="black", ruleset_options={"max_tries": 2}).reset(seed=1)
    assert len(made) == 3  # the start and two answers, to the one that listens


# -- what it hears -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["white", "black"])
@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_a_player_hears_every_announcement_it_may(case: Case, seat: str) -> None:
    scribes: list[Scribe] = []

    def factory() -> Scribe:
        scribes.append(Scribe())
        return scribes[-1]

    env = envs_of(case).solo(
        factory, seat=seat, start=FENS, ruleset_options={"max_plies": 40}, render_mode="ansi", **case
    )
    rng, games, heard = np.random.default_rng(3), 0, 0
    _, info = env.reset(seed=3)
    for _ in range(150):
        *_, terminated, truncated, info = env.step(draw(info["action_mask"][None], rng, 0.2)[0])
        scribe = next(s for s in scribes if s.begun)
        opponent = chess.BLACK if seat == "white" else chess.WHITE
        assert scribe.heard == env.game().heard(opponent)
        assert scribe.colour == opponent
        if "ruleset" in case:
            assert scribe.start == env.game().start_fen
        else:  # no more than the seat's own view of the start
            start = int(env.engine.batch.games[0]["truth"]["start"])
            mine = env.engine.batch.starts[start]["views"][0 if opponent else 1]
            assert fields_of(scribe.view_at_start) == fields_of(mine)
        heard += sum(a.by != opponent and a.kind == Kind.ILLEGAL for a in scribe.heard)
        if terminated or truncated:
            games += 1
            assert scribe.heard[-1].reason is not Reason.NONE
            _, info = env.reset()
    assert games >= 2
    assert (heard > 0) == ("ruleset" in case and case["ruleset"] != "icc")


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_rows_hear_of_their_own_games_only(mode: str) -> None:
    rows = Rows()
    env = GameVectorEnv(
        3, rows, start=FENS, ruleset="rand", ruleset_options=SHORT, autoreset_mode=mode, render_mode="ansi"
    )
    rng = np.random.default_rng(0)
    _, infos = env.reset(seed=0)
    for _ in range(100):
        for row in range(3):
            game = env.engine.game(row)
            assert rows.heard[row] == game.heard(rows.colours[row])
            assert rows.colours[row] == bool(env.engine.batch.seats[row] == 1)
        *_, infos = env.step(draw(infos["action_mask"], rng, 0.1))


class KriegspielOnly:
    """All that a player needs, and no more."""

    name = "stranger"

    def begin(self, opening: Opening) -> None: ...

    def choose(self, view: np.void) -> int:
        return 0


class InvisibleOnly(KriegspielOnly):
    games = ("InvisibleChess",)


@pytest.mark.parametrize(
    ("case", "player", "name"),
    [
        ({"ruleset": "icc"}, InvisibleOnly, "Kriegspiel"),
        ({"hidden": HIDDEN[0]}, KriegspielOnly, "InvisibleChess"),
    ],
)
def test_a_player_that_does_not_know_the_game_is_refused(
    case: Case, player: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "stranger", player)
    envs = envs_of(case)
    other = envs_for({"Kriegspiel": "InvisibleChess", "InvisibleChess": "Kriegspiel"}[name])
    message = f"the player 'stranger' does not play {name}; expected one of .*capture.*random"
    for opponent in ("stranger", player):
        with pytest.raises(ValueError, match=message):
            envs.solo(opponent, start=FENS, **case)
        with pytest.raises(ValueError, match=message):
            envs.sb3(2, opponent, start=FENS, **case)
        assert other.vector(1, opponent).engine.opponent.name == "stranger"


def test_a_hidden_start_is_not_told() -> None:
    fens = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1"]
    for hidden in (False, True):
        scribes: list[Scribe] = []

        def factory(made: list[Scribe] = scribes) -> Scribe:
            made.append(Scribe())
            return made[-1]

        env = GameEnv(factory, start=fens, hidden_start=hidden)
        env.reset(seed=1)
        scribe = next(s for s in scribes if s.begun)
        assert (scribe.start is None) == hidden
        assert hidden or scribe.start in fens


KRK = ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/8/5k2/8/8/KR6 w - - 0 1", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"]
ALIKE = {("white", 0): [0, 1], ("white", 1): [0, 1], ("white", 2): [2], ("black", 0): [0, 2]}


@pytest.mark.parametrize("hidden", [False, True])
def test_placements_are_told_to_a_player_that_can_use_them(hidden: bool) -> None:
    scribes: list[Scribe] = []

    def factory() -> Scribe:
        scribes.append(Scribe())
        return scribes[-1]

    env = GameVectorEnv(24, factory, start=KRK, hidden_start=hidden)
    env.reset(seed=1)
    begun = {}
    for row, scribe in env.engine.opponent._player._players.items():  # type: ignore[union-attr]
        begun[chess.COLOR_NAMES[scribe.colour], int(env.engine.batch.games[row]["truth"]["start"])] = scribe
    assert len(begun) > 4
    for (colour, start), scribe in begun.items():
        assert scribe.start == (None if hidden else KRK[start])
        alike = ALIKE.get((colour, start), [0, 2] if start == 2 else [start])
        assert list(scribe.placements) == ([KRK[i] for i in alike] if hidden else [KRK[start]])


@pytest.mark.parametrize("form", ["kernel", "factory", "batch"])
def test_rendering_changes_nothing(form: str) -> None:
    def run(mode: str | None) -> list[Any]:
        env = GameEnv(
            OPPONENTS[form](), start=FENS, ruleset="english", ruleset_options=SHORT, render_mode=mode
        )
        rng = np.random.default_rng(0)
        seen: list[Any] = [env.reset(seed=6)]
        for _ in range(60):
            seen.append(env.step(draw(seen[-1][-1]["action_mask"][None], rng, 0.05)[0]))
            if seen[-1][2] or seen[-1][3]:
                seen.append(env.reset())
        return seen

    assert same(run(None), run("svg"))


# -- players that misbehave ----------------------------------------------------------------------------------


class Stubborn(Scribe):
    """Tries the same hopeless thing until it has lost."""

    def choose(self, view: np.void) -> int:
        return 10**6


def test_an_opponent_that_makes_no_try_of_the_space_loses_by_the_limit() -> None:
    env = GameEnv(Stubborn, seat="white")
    _, info = env.reset(seed=0)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert (reward, terminated, info["reason"]) == (1, True, Reason.TRIES)


class Broken(Scribe):
    def choose(self, view: np.void) -> int:
        raise RuntimeError("no idea")


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_a_player_is_not_swallowed(threads: int) -> None:
    class BrokenInThreads(Broken):
        compiled = True

    env = GameVectorEnv(2, BrokenInThreads, seat="black", threads=threads)
    with pytest.raises(RuntimeError, match="no idea"):
        env.reset(seed=0)


@pytest.mark.parametrize("opponent", [None, 3, Scribe()])
def test_what_is_no_opponent(opponent: Any) -> None:
    for make in (GameEnv, lambda it: GameVectorEnv(2, it), lambda it: GameVecEnv(2, it)):
        with pytest.raises(ValueError, match="is not an opponent; expected a player's name"):
            make(opponent)
    env = GameVectorEnv(2)
    with pytest.raises(ValueError, match="is not an opponent"):
        env.set_opponent(opponent)


def test_another_opponent_in_python_needs_new_games() -> None:
    env = GameVectorEnv(2)
    env.reset(seed=1)
    env.set_opponent(Scribe)
    with pytest.raises(gymnasium.error.ResetNeeded, match="after set_opponent"):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=1)
    env.step(np.zeros(2, np.int64))


@pytest.mark.parametrize("chosen", [[0.5, 0.5], [0], 0, None, ["e2e4", "e2e4"]])
def test_what_a_batch_player_may_not_choose(chosen: Any) -> None:
    class Chooses(Rows):
        def choose_rows(self, rows: Any, views: Any) -> Any:
            return chosen

    with pytest.raises(ValueError, match=r"player 'rows' chose .*; expected integers, one for each of 2"):
        GameVectorEnv(2, Chooses(), seat="black").reset(seed=1)


# -- what the learner is shown of the opponent ---------------------------------------------------------------


class Refused(Scribe):
    """Tries so many hopeless things before each move."""

    before = 0

    def choose(self, view: np.void) -> int:
        self.asked = getattr(self, "asked", 0) + 1
        if self.asked <= self.before:
            return next(a for a in range(ACTIONS) if view["men"][TRY_FROM[a]] == 0)
        self.asked = 0
        return self._player.choose(view)


@pytest.mark.parametrize("interface", ["solo", "vector", "sb3"])
@pytest.mark.parametrize("ruleset", ALL)
def test_the_opponents_unheard_tries_show_nowhere(interface: str, ruleset: str) -> None:
    """The same games but for hopeless tries of the opponent: what the learner is given is the same."""

    class Patient(Refused):
        before = 5

    def run(opponent: Any) -> list[Any]:
        options: dict[str, Any] = {"ruleset": ruleset, "ruleset_options": {"max_plies": 30}, "start": FENS}
        rng = np.random.default_rng(0)
        seen: list[Any] = []
        if interface == "sb3":
            env = GameVecEnv(2, opponent, seed=3, **options)
            first: Any = env.reset()
            seen.append(first.copy())
            for _ in range(60):
                stepped: Any = env.step(draw(env.action_masks(), rng))
                planes, rewards, done, infos = stepped
                for info in infos:
                    info.get("episode", {}).pop("t", None)
                seen.append((planes.copy(), rewards, done, infos, env.action_masks().copy()))
        elif interface == "vector":
            vector = GameVectorEnv(2, opponent, **options)
            seen.append(vector.reset(seed=3))
            for _ in range(60):
                seen.append(vector.step(draw(seen[-1][-1]["action_mask"], rng)))
        else:
            solo = GameEnv(opponent, **options)
            seen.append(solo.reset(seed=3))
            for _ in range(60):
                seen.append(solo.step(draw(seen[-1][-1]["action_mask"][None], rng)[0]))
                if seen[-1][2] or seen[-1][3]:
                    seen.append(solo.reset())
        return seen

    alike = same(run(Refused), run(Patient))
    assert alike != RULESETS[ruleset].nonsense_heard
