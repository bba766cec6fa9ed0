"""King and pawn: the table against chess where all is seen, the definition, and before the referee."""

from __future__ import annotations

import dataclasses
import random

import chess
import numpy as np
import pytest

from ks_env.belief.endgames import KingSet, Table, ending_named, solve
from ks_env.core.actions import text_to_action
from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import ICC
from ks_env.games.kriegspiel.game import Game
from research.endings import KINGS, play, start_fen
from tests.belief.endgames.oracle import Men, board_of, kinds_of, possible, wins, wins_next
from tests.belief.endgames.perfect import Wins, white_to_move

PATIENT = dataclasses.replace(ICC, threefold=False, fifty_moves=False)


@pytest.fixture(scope="module")
def table() -> Table:
    return solve("KPK")


def sets_of(table: Table, place: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return table.wins.sets[table.wins.first[place] : table.wins.first[place + 1]]


def men_at(table: Table, place: int) -> Men:
    king, pawn = table.places.squares[place].tolist()
    return (chess.KING, king), (chess.PAWN, pawn)


def board(seen: Wins) -> int:
    return board_of(frozenset(np.flatnonzero(seen).tolist()))


def test_chess_itself_is_the_known_one() -> None:
    """As in every tablebase: 163,328 positions with White to move, 124,960 of them won."""
    before, won = white_to_move()
    assert (int(before.sum()), int(won.sum())) == (163_328, 124_960)


def test_what_wins_unseen_wins_seen(table: Table) -> None:
    """Any set that wins has only squares that win in chess; one square known is less than all seen."""
    before, won = white_to_move()
    squares = known = 0
    for place in range(table.places.own):
        king, pawn = table.places.squares[place]
        assert int(table.places.full[place]) == board(before[king, pawn])
        covered = int(np.bitwise_or.reduce(sets_of(table, place)))
        assert covered & ~board(won[king, pawn]) == 0
        squares += int(won[king, pawn].sum())
        known += covered.bit_count()
    assert squares == 124_960 // 2
    assert known == 56_501


def test_parts_behind_the_pawn_are_the_tables_of_queen_and_rook(table: Table) -> None:
    first, begin = table.wins.first, table.places.own
    for name in ("KQK", "KRK"):
        other = solve(name)
        end = begin + len(other.places.full)
        assert np.array_equal(first[begin : end + 1] - first[begin], other.wins.first)
        assert np.array_equal(table.wins.sets[first[begin] : first[end]], other.wins.sets)
        assert np.array_equal(table.wins.depths[first[begin] : first[end]], other.wins.depths)
        begin = end
    assert begin == len(table.places.full)


def test_promoted_men_are_answered_for(table: Table) -> None:
    kinds = kinds_of(((chess.KING, chess.C3), (chess.ROOK, chess.D4)))
    assert table.best(kinds, table.full(kinds)) == solve("KRK").best(kinds, table.full(kinds))
    with pytest.raises(ValueError, match="expected the men of KPK"):
        table.best(kinds_of(((chess.KING, chess.C3), (chess.KNIGHT, chess.D4))), 1)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_few_squares_near_promotion_by_the_definition(table: Table, size: int) -> None:
    """All tries in every order, python-chess as the referee, to two moves."""
    rng, quick = random.Random(size), 0
    owner = np.repeat(np.arange(len(table.places.full)), np.diff(table.wins.first))
    early = np.flatnonzero((table.wins.depths < 3) & (owner < table.places.own)).tolist()
    early = [i for i in early if int(table.wins.sets[i]).bit_count() >= size]
    for i in rng.choices(early, k=12):
        here, stored = men_at(table, int(owner[i])), sorted(chess.SquareSet(int(table.wins.sets[i])))
        other = rng.sample(sorted(possible(here)), 1) if rng.random() < 0.5 else []
        king_set = frozenset([*other, *rng.sample(stored, size)][:size])
        moves = table.moves(kinds_of(here), board_of(king_set)) or 255
        for depth in (1, 2):
            assert wins(here, king_set, depth) == (moves <= depth)
        quick += moves <= 2
    assert quick > 0


def check_a_turn(table: Table, count: int, seed: int) -> tuple[int, int]:
    """For random sets of all sizes: one turn by brute force agrees with the table; how many win, and not."""
    rng, found = random.Random(seed), [0, 0]
    for _ in range(count):
        place = rng.randrange(table.places.own)
        here, full = men_at(table, place), possible(men_at(table, place))
        base = frozenset(chess.SquareSet(rng.choice([0, *sets_of(table, place).tolist()])))
        king_set = base | frozenset(rng.sample(sorted(full), rng.choice((1, 1, 2, 3))))
        moves = table.moves(kinds_of(here), board_of(king_set))
        if moves is None:
            assert not wins_next(here, king_set, 255, table)
        else:
            assert wins_next(here, king_set, moves, table)
            assert not wins_next(here, king_set, moves - 1, table)
        found[moves is None] += 1
    return found[0], found[1]


def test_each_turn_agrees_with_brute_force(table: Table) -> None:
    won, not_won = check_a_turn(table, 60, seed=1)
    assert won > 10
    assert not_won > 10


@pytest.mark.long
@pytest.mark.timeout(1500)
def test_more_turns_agree_with_brute_force(table: Table) -> None:
    check_a_turn(table, 3000, seed=2)


@pytest.mark.parametrize("king", KINGS)
@pytest.mark.parametrize("squares", [1, 3])
def test_the_referee_sees_mates_in_the_moves_promised(table: Table, squares: int, king: str) -> None:
    """Started with a set of few squares, the true one among them, and mated within its moves."""
    rng, played = random.Random(squares), 0
    while played < 10:
        place, colour = rng.randrange(table.places.own), bool(rng.randrange(2))
        kinds = kinds_of(men_at(table, place))
        chosen = rng.sample(sorted(possible(men_at(table, place))), squares)
        sure = table.best(kinds, board_of(frozenset(chosen)))
        if sure is not None:
            fen = start_fen(table, place, rng.choice(chosen), colour)
            trial = play(table, fen, KINGS[king], rng, PATIENT, board_of(frozenset(chosen)))
            assert trial.mated
            assert trial.moves <= sure.moves
            played += 1


def test_a_refused_pawn_tells_of_the_square_before_it() -> None:
    kinds = kinds_of(((chess.KING, chess.A1), (chess.PAWN, chess.E2)))
    king = KingSet(kinds)
    begun = king.squares
    king.refuse(text_to_action("e2d3", chess.WHITE))
    assert king.squares == begun  # a capture of nothing is refused always
    king.refuse(text_to_action("e2e4", chess.WHITE))
    assert king.squares == 1 << chess.E3 | 1 << chess.E4
    king.refuse(text_to_action("e2e3", chess.WHITE))
    assert king.squares == 1 << chess.E3


@pytest.mark.parametrize(("try_", "kind"), [("b7b8", chess.QUEEN), ("b7b8r", chess.ROOK)])
@pytest.mark.parametrize("colour", [chess.WHITE, chess.BLACK])
def test_a_promotion_makes_another_ending(try_: str, kind: int, colour: bool) -> None:
    fen = "8/1P6/1K6/8/4k3/8/8/8 w - - 0 1"
    position = chess.Board(fen) if colour else chess.Board(fen).mirror()
    game = Game(ICC, position.fen(), hidden_start=True)
    king = KingSet(game.view(colour)["kinds"])
    text = try_ if colour else try_.replace("7", "2").replace("b8", "b1")
    assert game.ask(text_to_action(text, colour)).kind is Kind.MOVED
    game.ask(min(game.legal()))
    king.update(game.view(colour))
    assert game.reason is Reason.NONE
    assert int(king.kinds[kind]) == 1 << chess.B8
    assert king.kinds[chess.PAWN] == 0
    square = game.board().king(not colour)
    assert square is not None
    assert king.squares >> (square ^ (0 if colour else 56)) & 1


def test_the_pawn_is_solved_with_what_it_becomes() -> None:
    assert [stage.name for stage in ending_named("kpk").stages] == ["KPK", "KQK", "KRK"]


@pytest.mark.long
@pytest.mark.timeout(1500)
def test_placements_won_in_chess_win_as_the_table_says_by_a_turn_of_brute_force(table: Table) -> None:
    """96 placements are won in chess wherever the king stands; no other can win unseen."""
    _, won = white_to_move()
    looked = 0
    for place, moves in enumerate(table.sure_placements().tolist()):
        here = men_at(table, place)
        if int(table.places.full[place]) & ~board(won[here[0][1], here[1][1]]):
            assert moves == 0
            continue
        assert not wins_next(here, possible(here), (moves or 256) - 1, table)
        assert not moves or wins_next(here, possible(here), moves, table)
        looked += 1
    assert looked == 96
