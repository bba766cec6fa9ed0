"""What is computed from the games, by kind."""

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest
from ks_arena.match.play import play_game
from ks_arena.match.result import GameResult
from ks_arena.reproduce.measures import Measured, measure_row
from ks_arena.reproduce.published import Row
from ks_arena.reproduce.seats import SeatGame, spoken_moves
from ks_arena.sections import ConfigError
from ks_arena.statistics.elo import elo_of
from ks_arena.statistics.pairs import points_interval
from ks_arena.study.config import StudyConfig
from ks_arena.study.schedule import field_of, jobs_of_pair

from ks_env.games.kriegspiel.game import Game
from tests.arena.reproduce.games import MadeUp, config, game

LADDER = {
    "kind": "ladder",
    "players": [{"label": "X", "player": "x:nodes={budget}"}, {"label": "Y", "player": "y:nodes={budget}"}],
    "budgets": [1, 2],
    "unit": "nodes",
    "against": [{"label": "D", "player": "d"}],
}
WON, DRAWN, LOST = (1, 1), (0, 0), (-1, -1)


def row(study: str = "s", **measure: Any) -> Row:
    measure = {"player": "A", "against": "B"} | measure
    return Row.model_validate(
        {"what": "w", "section": "§", "published": {"value": 1}, "study": study, "measure": measure}
    )


def measured(study: MadeUp, **measure: Any) -> Measured:
    found = measure_row(row(**measure), {"s": study})
    assert found is not None
    return found


def value(study: MadeUp, **measure: Any) -> float:
    found = measured(study, **measure).estimate
    assert found is not None
    assert found.low <= found.value <= found.high
    return found.value


@pytest.fixture
def study() -> MadeUp:
    """A beats B 5–2 with 3 draws in every ten games."""
    return MadeUp(config()).add(0, [(1, 1), (1, -1), (1, 0), (0, 0), (1, -1)] * 20)


@pytest.mark.parametrize(
    ("kind", "of_a", "of_b"),
    [
        ("wins", 50, 20),
        ("losses", 20, 50),
        ("decisive_wins", 100 * 5 / 7, 100 * 2 / 7),
        ("points", 65, 35),
        ("elo", elo_of(0.65), elo_of(0.35)),
        ("wins_per_loss", 2.5, 0.4),
        ("tries_a_move", 60 / 40, 50 / 40),
    ],
)
def test_figures_of_both_players(study: MadeUp, kind: str, of_a: float, of_b: float) -> None:
    assert value(study, kind=kind) == pytest.approx(of_a)
    assert value(study, kind=kind, player="B", against="A") == pytest.approx(of_b)


def test_draws_by_their_reasons() -> None:
    study = MadeUp(config()).add(0, [(1, 0), (0, 0), (-1, 1), (1, 1)])
    drawn = [i for i, each in enumerate(study.played) if each.outcome == 0]
    study.played[drawn[0]] = replace(study.played[drawn[0]], reason="fifty moves")
    assert value(study, kind="draws") == pytest.approx(100 * 3 / 8)
    assert value(study, kind="draws", reasons=["FIFTY_MOVES"]) == pytest.approx(100 / 8)
    assert value(study, kind="draws", reasons=["STALEMATE", "REPETITION"]) == pytest.approx(100 * 2 / 8)


def test_points_have_the_interval_of_the_statistics(study: MadeUp) -> None:
    estimate = measured(study, kind="points").estimate
    assert estimate is not None
    low, high = points_interval(np.array([0, 0, 60, 20, 20]))
    assert (estimate.low, estimate.high) == pytest.approx((100 * low, 100 * high))


def test_games_and_work_are_reported(study: MadeUp) -> None:
    study.played[3] = game(0, 1, 1, ("A", "B"), -1, fault="raised ValueError")
    found = measured(study, kind="wins")
    assert (found.games, found.forfeits) == (200, 1)
    assert found.work.seconds == pytest.approx(1 / 40)
    assert found.work.nodes is None
    counted = MadeUp(config()).add(0, [WON] * 3, nodes=(4000, None))
    assert measured(counted, kind="wins").work.nodes == 100
    assert measured(counted, kind="wins", player="B", against="A").work.nodes is None


def test_where_the_games_do_not_tell() -> None:
    nothing = MadeUp(config())
    assert measure_row(row(kind="wins"), {"s": nothing}) is None
    assert measure_row(row(kind="wins"), {}) is None
    drawn = MadeUp(config()).add(0, [DRAWN] * 4)
    for kind in ("decisive_wins", "wins_per_loss"):
        found = measured(drawn, kind=kind)
        assert (found.estimate, found.games) == (None, 8)
    half = MadeUp(config()).add(0, [(1,)])
    assert measured(half, kind="wins").games == 1
    unbeaten = measured(MadeUp(config()).add(0, [WON] * 50), kind="elo").estimate
    assert unbeaten is not None
    assert (unbeaten.value, unbeaten.high) == (inf, inf)
    assert unbeaten.low > 300


def test_an_unfinished_pair_is_left_out_of_the_points() -> None:
    whole = MadeUp(config()).add(0, [WON, LOST, DRAWN])
    more = MadeUp(config()).add(0, [WON, LOST, DRAWN, (1,)])
    assert measured(more, kind="points").estimate == measured(whole, kind="points").estimate
    assert value(more, kind="wins") == pytest.approx(100 * 3 / 7)
    assert measured(MadeUp(config()).add(0, [(1,)]), kind="points").estimate is None


def test_who_does_not_meet_is_told(study: MadeUp) -> None:
    with pytest.raises(ConfigError, match=r"'A' does not meet 'C' in this study; expected one of A v B"):
        measure_row(row(kind="wins", against="C"), {"s": study})


@pytest.fixture
def ladder() -> MadeUp:
    """X at 1: even with D; X at 2: a bit better; Y at 1: much better, Y at 2: beaten."""
    made = MadeUp(config(LADDER))
    made.add(0, [WON, LOST] * 50, nodes=(1000, 5), seconds=(2.0, 1.0))
    made.add(1, [WON, WON, LOST] * 40, nodes=(2000, 5), seconds=(2.0, 1.0))
    made.add(2, [WON, WON, WON, LOST] * 25, nodes=(5000, 5), seconds=(1.0, 1.0))
    return made.add(3, [WON, LOST, LOST, LOST] * 25, nodes=(9000, 5), seconds=(1.0, 1.0))


def test_leads_on_a_ladder(ladder: MadeUp) -> None:
    at_one = {"kind": "lead", "player": "Y", "against": "D", "budget": 1, "rivals": ["X"]}
    assert value(ladder, **at_one) == pytest.approx(elo_of(0.75))
    assert value(ladder, **at_one | {"budget": 2}) == pytest.approx(elo_of(0.25) - elo_of(2 / 3))
    across = {"player": "Y", "budget": 2, "study": "s"}
    assert value(ladder, **at_one | {"rivals": ["X", across]}) == pytest.approx(elo_of(0.75))
    best = value(ladder, **at_one | {"player": "X", "rivals": ["Y", across]})
    assert best == pytest.approx(-elo_of(0.75))


def test_nodes_in_the_same_time(ladder: MadeUp) -> None:
    ratio: dict[str, Any] = {
        "kind": "nodes_ratio",
        "player": "Y",
        "against": "D",
        "budget": 1,
        "rivals": ["X"],
    }
    assert value(ladder, **ratio) == pytest.approx(10)
    uncounted = MadeUp(config(LADDER)).add(0, [WON]).add(2, [WON])
    found = measured(uncounted, **ratio)
    assert (found.estimate, found.games) == (None, 2)
    assert measure_row(row(**ratio), {"s": MadeUp(config(LADDER)).add(2, [WON])}) is None


def test_rivals_of_another_study(ladder: MadeUp) -> None:
    other = MadeUp(config(LADDER)).add(0, [WON, WON, WON, WON, LOST] * 20)
    rivals = [{"study": "t", "player": "X"}]
    both = row(kind="lead", player="Y", against="D", budget=1, rivals=rivals)
    found = measure_row(both, {"s": ladder, "t": other})
    assert found is not None
    assert found.estimate is not None
    assert found.estimate.value == pytest.approx(elo_of(0.75) - elo_of(0.8))
    assert measure_row(both, {"s": ladder}) is None


@pytest.mark.parametrize("ruleset", ["icc", "rand", "berkeley"])
def test_what_the_referee_says_is_counted_by_player_and_move(ruleset: str) -> None:
    settings = config(ruleset=ruleset, ruleset_options={"max_plies": 120})
    names = {"A": "capture", "B": "random"}
    (pairing,) = field_of(settings).pairings
    played = [play_game(job) for job in jobs_of_pair(settings, names, pairing, 0)]
    for result in played:
        both = [spoken_moves(SeatGame(result, seat), settings, 1, 1000) for seat in (0, 1)]
        assert sum(spoken for spoken, _ in both) == result.spoken
        assert [moves for _, moves in both] == [work.moves for work in result.work]
        for seat in (0, 1):
            wanted = by_hand(result, settings, seat, 5, 20)
            assert spoken_moves(SeatGame(result, seat), settings, 5, 20) == wanted
            assert wanted[1] == 16
    study = MadeUp(settings, played)
    expected = [spoken_moves(SeatGame(each, each.leg), settings, 5, 20) for each in played]
    share = 100 * sum(spoken for spoken, _ in expected) / sum(moves for _, moves in expected)
    assert value(study, kind="spoken", moves=(5, 20)) == pytest.approx(share)


def by_hand(result: GameResult, settings: StudyConfig, seat: int, first: int, last: int) -> tuple[int, int]:
    """The same from the announcements themselves."""
    referee = Game(settings.rules, result.start_fen)
    numbers, spoken, moves = [0, 0], 0, 0
    for action in np.frombuffer(result.actions, "<i2").tolist():
        mover = 0 if referee.to_play else 1
        heard = referee.ask(action)
        if heard.kind.name != "MOVED":
            continue
        numbers[mover] += 1
        if mover == seat and first <= numbers[mover] <= last:
            moves += 1
            spoken += bool(
                heard.captured or heard.checks or heard.tries or heard.try_squares or heard.promotion
            )
    return spoken, moves
