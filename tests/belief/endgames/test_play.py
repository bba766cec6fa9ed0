"""The tables at play before the referee: the set that a seat keeps, the games that it wins."""

from __future__ import annotations

import dataclasses
import random

import chess
import numpy as np
import pytest

from ks_env.belief.endgames import KingSet, Sure, Table, solve
from ks_env.belief.endgames.ending import Boards
from ks_env.core.actions import text_to_action
from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import ICC
from ks_env.core.tables import TRY_FROM, TRY_TO
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from research.endings import KINGS, play, random_king, run_trials, start_fen, wilson
from tests.belief.endgames.oracle import Men, Squares, board_of, judge, kinds_of, moved, possible

PATIENT = dataclasses.replace(ICC, threefold=False, fifty_moves=False)
QUICK = ("KQK", "KRK")


@pytest.mark.parametrize("colour", [chess.WHITE, chess.BLACK])
@pytest.mark.parametrize("name", [*QUICK, "KPK"])
def test_sure_wins_are_won_in_time_by_either_colour(name: str, colour: bool) -> None:
    table, rng = solve(name), random.Random(5)
    moves = table.sure_placements()
    for place in rng.sample(np.flatnonzero(moves).tolist(), 25):
        king = rng.choice(list(chess.SquareSet(int(table.places.full[place]))))
        trial = play(
            table, start_fen(table, place, king, colour), rng.choice(list(KINGS.values())), rng, PATIENT
        )
        assert trial.mated
        assert trial.moves <= moves[place]


def hear(men: Men, known: Squares, move: chess.Move, said: Announcement) -> tuple[Men, Squares]:
    """The men and the king's squares after an answer; after a reply that takes nothing, if it is accepted."""
    heard = {king: judge(men, king, move) for king in known}
    if said.kind is Kind.ILLEGAL:
        return men, frozenset(king for king, would in heard.items() if would is None)
    after = moved(men, move)
    words = tuple(sorted(said.checks))
    replies = [would.replies for would in heard.values() if would is not None and would.words == words]
    return after, frozenset().union(*replies) - {square for _, square in after}


@pytest.mark.parametrize("colour", [chess.WHITE, chess.BLACK])
def test_the_kept_set_holds_the_king_and_only_what_was_heard(colour: bool) -> None:
    """Random tries; the same set is kept square by square with python-chess."""
    rng, table, checked = random.Random(6), solve("KRK"), 0
    for _ in range(12):
        place = rng.randrange(len(table.places.full))
        start = rng.choice(list(chess.SquareSet(int(table.places.full[place]))))
        game = Game(PATIENT, start_fen(table, place, start, colour), hidden_start=True)
        mirror = 0 if colour else 56
        men = tuple(
            (int(k), int(s))
            for k, s in zip(table.places.kinds[place], table.places.squares[place], strict=True)
        )
        king, known = KingSet(kinds_of(men)), possible(men)
        while game.to_play is not None and len(game.board().piece_map()) == 3 and game.plies < 24:
            if game.to_play != colour:
                game.ask(random_king(game, rng))
                continue
            king.update(game.view(colour))
            king.update(game.view(colour))  # a call too many changes nothing
            assert king.squares == board_of(known)
            square = game.board().king(not colour)
            assert square is not None
            assert king.squares >> (square ^ mirror) & 1
            action = rng.choice(np.flatnonzero(game.mask(colour)).tolist())
            said = game.ask(action)
            move = chess.Move(int(TRY_FROM[action]), int(TRY_TO[action]))
            men, known = hear(men, known, move, said)
            checked += 1
    assert checked > 40


def test_a_set_that_does_not_follow_is_refused() -> None:
    king = KingSet([0, 0, 0, 0, 1 << chess.H1, 0, 1 << chess.A1])
    with pytest.raises(ValueError, match="moves none of the men"):
        king.refuse(text_to_action("d2d4", chess.WHITE))
    with pytest.raises(ValueError, match="moves none of the men"):
        king.refuse(-1)
    with pytest.raises(ValueError, match="expected the men of a solved ending"):
        KingSet([0, 3 << chess.A2, 0, 0, 0, 0, 1 << chess.A1])
    game = Game(PATIENT, "8/8/8/3k4/8/8/8/KR6 w - - 0 1", hidden_start=True)
    with pytest.raises(ValueError, match="try -1 moves none"):
        king.update(game.view(chess.WHITE))


def test_a_gamble_is_sure_where_one_set_covers_all() -> None:
    table = solve("KRK")
    moves = table.sure_placements()
    place = int(np.flatnonzero(moves)[0])
    squares = table.places.squares[place]
    here = kinds_of(tuple(zip(table.places.kinds[place].tolist(), squares.tolist(), strict=True)))
    gamble = table.gamble(here, table.full(here), patience=1.0)
    assert gamble is not None
    assert gamble.promise == pytest.approx(1.0)


def test_a_gamble_promises_less_where_nothing_is_sure() -> None:
    table = solve("KRK")
    for place in np.flatnonzero(table.sure_placements() == 0)[::40]:
        kinds, squares = table.places.kinds[place].tolist(), table.places.squares[place].tolist()
        men = tuple(zip(kinds, squares, strict=True))
        gamble = table.gamble(kinds_of(men), table.full(kinds_of(men)), patience=1.0)
        assert table.best(kinds_of(men), table.full(kinds_of(men))) is None
        assert gamble is not None
        assert 0.0 < gamble.promise < 1.0


@pytest.mark.parametrize("king", KINGS)
def test_gambles_mate_most_of_the_time(king: str) -> None:
    found = run_trials(solve("KRK"), king, 30, seed=3)
    assert found["games"] == 30
    assert sum(found["ends"].values()) == 30  # type: ignore[attr-defined]
    assert found["mates"] >= 24  # type: ignore[operator]
    assert found == run_trials(solve("KRK"), king, 30, seed=3)


def test_no_trials_where_there_is_nothing_to_try() -> None:
    assert run_trials(solve("KQK"), "random", 10, seed=1) == {"games": 0}


def test_wilsons_interval() -> None:
    """Newcombe (1998), table I: 81 of 263 and 0 of 20."""
    assert wilson(81, 263) == pytest.approx([0.2553, 0.3662], abs=1e-4)
    assert wilson(0, 20) == pytest.approx([0.0, 0.1611], abs=1e-4)


class Generous(Table):
    """Leaves its rook to the king."""

    def best(self, kinds: Boards, king_set: int) -> Sure | None:
        return Sure(text_to_action("c5c4", chess.WHITE), 1)


def test_a_man_that_is_taken_ends_a_trial() -> None:
    table = Generous(*vars(solve("KRK")).values())
    trial = play(table, "8/8/8/2R5/8/1k6/8/7K w - - 0 1", KINGS["evading"], random.Random(1))
    assert trial == (Reason.MATERIAL, False, 1, 1)
