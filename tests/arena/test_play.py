"""One game: what is counted of it, and what a player forfeits by."""

import json
from dataclasses import replace
from typing import Any

import chess
import numpy as np
import pytest
from ks_arena.match.notebook import MOST_ACTIONS
from ks_arena.match.play import play_game
from ks_arena.match.result import GameResult
from ks_arena.sections import ConfigError
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import GameJob, field_of, jobs_of_pair

from ks_env.core.ruleset import RULESETS, Ruleset
from ks_env.games.kriegspiel.game import Game
from tests.arena.players import Listens
from tests.players.made import counted_announcements

HERE = "tests.arena.players"


def jobs(white: str, black: str, pairs: int = 1, **settings: Any) -> list[GameJob]:
    config = StudyConfig(
        name="test",
        tournament={
            "kind": "round-robin",
            "players": [{"player": white, "label": "A"}, {"player": black, "label": "B"}],
        },
        games=2 * pairs,
        **{"isolated": False} | settings,
    )
    names = {"A": white, "B": black}
    pairing = field_of(config).pairings[0]
    return [job for pair in range(pairs) for job in jobs_of_pair(config, names, pairing, pair)]


def play(white: str, black: str, **settings: Any) -> GameResult:
    return play_game(jobs(white, black, **settings)[0])


def facts(game: GameResult) -> tuple[Any, ...]:
    """All of a result that no clock has a part in."""
    work = [(seat.moves, seat.tries, seat.nodes) for seat in game.work]
    return (
        *game.key,
        game.white,
        game.outcome,
        game.reason,
        game.fault,
        game.plies,
        game.spoken,
        work,
        game.actions,
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_result_says_what_the_referee_of_the_game_says(ruleset: str) -> None:
    for job in jobs("random", "capture", pairs=3, ruleset=ruleset):
        result = play_game(job)
        game = Game(Ruleset.named(ruleset), job.fen)
        counts = {True: [0, 0], False: [0, 0]}
        spoken = 0
        for action in np.frombuffer(result.actions, "<i2").tolist():
            mover = game.to_play
            assert mover is not None
            answer = game.ask(action)
            moved = answer.kind.name == "MOVED"
            counts[mover][0] += moved
            counts[mover][1] += 1
            tries = answer.tries or answer.try_squares
            spoken += moved and bool(answer.captured or answer.checks or tries or answer.promotion)
        assert game.to_play is None
        assert result.outcome == {True: 1, False: -1, None: 0}[game.winner]
        assert result.reason == game.reason.name.lower().replace("_", " ")
        assert (result.plies, result.spoken) == (game.plies, spoken)
        assert [[seat.moves, seat.tries] for seat in result.work] == [counts[True], counts[False]]
        assert result.fault is None


def test_the_games_of_a_pair_swap_colours_and_keep_start_and_seeds() -> None:
    fens = ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", chess.STARTING_FEN, "4k2r/8/8/8/8/8/8/4K3 b k - 0 1"]
    all_jobs = jobs("random", "capture", pairs=6, start=fens)
    seen = set()
    for first, second in zip(all_jobs[::2], all_jobs[1::2], strict=True):
        assert (first.pair, first.leg, second.leg) == (second.pair, 0, 1)
        assert first.fen == second.fen == fens[first.pair % 3]
        assert first.players == second.players[::-1] == ("random", "capture")
        assert first.labels == second.labels[::-1] == ("A", "B")
        assert first.seeds == second.seeds[::-1]
        seen |= set(first.seeds)
    assert len(seen) == 12
    differences = {job.seeds[1] - job.seeds[0] for job in all_jobs[::2]}
    assert len(differences) == 6  # one seed does not tell the other


def test_the_same_job_gives_the_same_game_and_another_seed_another() -> None:
    first, _ = jobs("random", "capture")
    again = play_game(first)
    assert facts(play_game(first)) == facts(again)
    assert play_game(jobs("random", "capture", seed=2)[0]).actions != again.actions


def test_generators_that_all_share_are_seeded_too() -> None:
    job = jobs(f"{HERE}:Shared", "random")[0]
    assert play_game(job).actions == play_game(job).actions


@pytest.mark.parametrize("ruleset", RULESETS)
def test_players_hear_all_they_may_and_nothing_else(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listens, "made", [])
    job = jobs(f"{HERE}:Listens", f"{HERE}:Listens", ruleset=ruleset)[0]
    result = play_game(job)
    game = Game(job.rules, job.fen)
    for action in np.frombuffer(result.actions, "<i2").tolist():
        game.ask(action)
    assert len(Listens.made) == 2
    for player in Listens.made:
        assert player.heard == game.heard(player.colour)
        assert player.start == job.fen
        assert player.placements == (job.fen,)
        assert player.seed == job.seeds[0 if player.colour else 1]


@pytest.mark.parametrize(("players", "made"), [(("random", "Counting"), 0), (("Listens", "random"), 1)])
def test_announcements_are_made_for_listeners_alone(
    players: tuple[str, str], made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Listens, "made", [])
    count = counted_announcements(monkeypatch)
    names = [name if name == "random" else f"{HERE}:{name}" for name in players]
    result = play(names[0], names[1], ruleset_options={"max_plies": 30})
    assert result.plies == 30
    tries = sum(seat.tries for seat in result.work)
    own = 2  # a game that is made notes what both hear of its start
    assert len(count) - own == sum(len(player.heard) for player in Listens.made) <= made * (tries + 1)
    assert (len(count) > own) == bool(made)


def test_a_hidden_start_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listens, "made", [])
    start = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    play(f"{HERE}:Listens", f"{HERE}:Listens", start=start, hidden_start=True)
    assert [player.start for player in Listens.made] == [None, None]


def test_placements_that_a_seat_cannot_tell_apart_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listens, "made", [])
    start = (
        "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
        "8/8/8/8/5k2/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
    )
    play(f"{HERE}:Listens", f"{HERE}:Listens", start=start, hidden_start=True)
    white, black = sorted(Listens.made, key=lambda player: not player.colour)
    assert white.placements == start[:2]
    assert black.placements == (start[0], start[2])
    assert (white.start, black.start) == (None, None)
    assert white.seed != black.seed


def test_nodes_are_the_players_own_count() -> None:
    result = play(f"{HERE}:Counting", "random")
    assert result.work[0].nodes == 10 * result.work[0].tries
    assert result.work[1].nodes is None


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ("Raises:where=choose", "raised KeyError: 'lost'"),
        ("Raises:where=hear", "raised ValueError: did not listen"),
        ("Raises:where=begin", "raised RuntimeError: cannot begin"),
        ("Raises:where=make", "raised RuntimeError: cannot be made"),
        ("Raises:where=exit", "raised SystemExit: 1"),
        ("Chooses:action=1859", "chose 1859; expected a try from 0 to 1858"),
        ("Chooses:action=-1", "chose -1; expected a try from 0 to 1858"),
        ("Chooses:action='e2e4'", "chose 'e2e4'; expected the number of a try"),
        ("Chooses:action=0.5", "chose 0.5; expected the number of a try"),
        ("Chooses:action=None", "chose None; expected the number of a try"),
    ],
)
def test_a_fault_forfeits_the_game(player: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KS_TEST_MAKE_RAISES", "1")
    for job in jobs(f"{HERE}:{player}", "random"):
        result = play_game(job)
        assert (result.reason, result.fault) == ("forfeit", fault)
        assert result.outcome == (-1 if job.leg == 0 else 1)
        tries = sum(seat.tries for seat in result.work)
        assert len(result.actions) == 2 * tries


@pytest.mark.parametrize(
    ("how", "fault"),
    [
        ("base", "raised CancelledError: not an Exception"),
        ("words", "raised Wordless"),
        ("surrogate", "raised OSError: bad name a\\udcff.bin"),
        ("number", "raised ArithmeticError: no number"),
    ],
)
def test_whatever_a_player_raises_is_a_forfeit_in_words(how: str, fault: str) -> None:
    result = play(f"{HERE}:Baffles:how={how}", "random")
    assert (result.outcome, result.reason, result.fault) == (-1, "forfeit", fault)


def test_an_interrupt_at_the_keyboard_is_nobodys_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        play(f"{HERE}:Baffles:how=interrupt", "random")


def test_a_wrong_count_of_nodes_is_no_count() -> None:
    assert play(f"{HERE}:Miscounts:how=raise", "random").fault == "raised RuntimeError: cannot count"
    for how in ("huge", "negative", "text"):
        result = play(f"{HERE}:Miscounts:how={how}", "random", ruleset_options={"max_plies": 20})
        assert (result.fault, result.work[0].nodes) == (None, None)


def test_every_try_of_a_long_game_is_kept() -> None:
    result = play(f"{HERE}:Repeats", "random", ruleset_options={"max_tries": 65_535})
    assert result.reason == "tries"
    assert len(result.actions) == 2 * sum(seat.tries for seat in result.work) > 2 * MOST_ACTIONS - 2


def test_a_player_that_is_not_there_is_no_forfeit() -> None:
    with pytest.raises(ConfigError, match="player 'nobody' cannot be made here: unknown player 'nobody'"):
        play("nobody", "random")


def test_a_changed_file_is_no_forfeit() -> None:
    job = replace(jobs("random", "capture")[0], prints=("what it was", None))
    with pytest.raises(ConfigError, match="the file of player 'A' has changed since the study began"):
        play_game(job)


def test_a_fault_after_the_end_changes_nothing() -> None:
    for job in jobs(f"{HERE}:Raises:where=end", "random", ruleset_options={"max_plies": 30}):
        result = play_game(job)
        assert (result.reason, result.fault, result.plies) == ("plies", None, 30)


def test_a_player_that_is_late_forfeits() -> None:
    result = play(f"{HERE}:Slow:seconds=0.2", "random", limits={"seconds_a_move": 0.1})
    assert (result.outcome, result.reason) == (-1, "forfeit")
    assert result.fault is not None
    assert result.fault.startswith("took 0.2")
    assert result.fault.endswith("s for a move; the limit is 0.1 s")
    assert 0.2 <= result.work[0].slowest <= result.work[0].seconds <= result.seconds
    assert play(f"{HERE}:Slow:seconds=0.2", "random", limits={"seconds_a_move": None}).reason != "forfeit"


def test_a_player_that_repeats_what_was_refused_loses_by_the_limit_on_tries() -> None:
    result = play(f"{HERE}:Repeats", "random", ruleset_options={"max_tries": 20})
    assert (result.outcome, result.reason, result.fault) == (-1, "tries", None)


def test_versions_name_the_packages_and_the_kernels() -> None:
    versions = json.loads(play("random", "random", ruleset_options={"max_plies": 2}).versions)
    assert {"python", "numpy", "numba", "chess", "kernels"} <= versions.keys()
