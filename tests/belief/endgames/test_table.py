"""The solved endings against the known figures and against the definition."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ks_env.belief.endgames import ENDINGS, Table, ending_named, ending_of, solve
from ks_env.belief.endgames.ending import Ending
from ks_env.belief.endgames.placements import list_placements
from ks_env.belief.endgames.solver import solve_sets
from tests.belief.endgames.oracle import (
    Men,
    Squares,
    answers,
    board_of,
    kinds_of,
    move_of,
    moved,
    possible,
    wins,
)

QUICK = ("KQK", "KRK")


def men_of(table: Table, place: int) -> Men:
    squares = table.places.squares[place]
    return tuple((int(k), int(s)) for k, s in zip(table.places.kinds[place], squares, strict=True))


def men(*names: str) -> Men:
    """Men from words such as "Kb4"."""
    pieces = [(chess.Piece.from_symbol(name[0]).piece_type, chess.parse_square(name[1:])) for name in names]
    return tuple(pieces)


def check_figures(ending: Ending) -> None:
    moves = solve(ending).sure_placements()
    sure = moves[moves > 0]
    assert (len(moves), len(sure), sure.min(), sure.max()) == ending.known


@pytest.mark.parametrize("name", [*QUICK, "KPK"])
def test_the_known_figures_come_out(name: str) -> None:
    check_figures(ending_named(name))


@pytest.mark.long
@pytest.mark.parametrize("name", ["KBBK", pytest.param("KBNK", marks=pytest.mark.timeout(1200))])
def test_the_known_figures_come_out_with_two_men(name: str) -> None:
    check_figures(ending_named(name))


@pytest.mark.long
def test_the_examples_of_ferguson() -> None:
    table = solve("KBBK")
    winning, hopeless = men("Kb4", "Bb3", "Bc3"), men("Kd4", "Bd5", "Be5")
    assert table.moves(kinds_of(winning), board_of(possible(winning))) == 27
    assert table.moves(kinds_of(hopeless), board_of(possible(hopeless))) is None


def test_solving_twice_gives_the_same() -> None:
    table, again = solve("KRK"), solve_sets(ending_named("KRK"))
    wins = table.wins._asdict()
    assert all(np.array_equal(wins[name], array) for name, array in again._asdict().items())


def check_by_the_definition(name: str, depth: int, count: int, seed: int) -> None:
    """Stored sets win in their depth and no sooner; with a square more, exactly as the table says."""
    table = solve(name)
    own = table.wins.depths[: table.wins.first[table.places.own]]
    owner = np.repeat(np.arange(len(table.places.full)), np.diff(table.wins.first))
    rng = np.random.default_rng(seed)
    for i in rng.choice(np.flatnonzero(own == depth), count, replace=False):
        here = men_of(table, int(owner[i]))
        king_set = frozenset(chess.SquareSet(int(table.wins.sets[i])))
        assert wins(here, king_set, depth)
        assert not wins(here, king_set, depth - 1)
        if depth < 3:
            check_maximal(table, here, king_set, depth)


@pytest.mark.parametrize("name", [*QUICK, "KPK"])
@pytest.mark.parametrize(("depth", "count"), [(1, 5), (2, 3)])
def test_stored_sets_win_in_their_depth_and_no_sooner(name: str, depth: int, count: int) -> None:
    check_by_the_definition(name, depth, count, seed=1)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("name", ["KQK", "KRK", "KBBK", "KBNK", "KPK"])
@pytest.mark.parametrize(("depth", "count"), [(1, 20), (2, 10), (3, 3)])
def test_more_stored_sets_win_in_their_depth_and_no_sooner(name: str, depth: int, count: int) -> None:
    check_by_the_definition(name, depth, count, seed=4)


def check_maximal(table: Table, here: Men, king_set: Squares, depth: int) -> None:
    """A square more wins in the same depth exactly if the table says so."""
    for square in sorted(possible(here) - king_set)[::15]:
        larger = king_set | {square}
        moves = table.moves(kinds_of(here), board_of(larger))
        assert wins(here, larger, depth) == (moves is not None and moves <= depth)


def lines(
    table: Table, here: Men, king_set: Squares, left: int, seen: dict[tuple[Men, Squares], int]
) -> None:
    """Follow the table's tries through every answer of the referee: each line mates in the moves promised."""
    if not king_set or seen.get((here, king_set), 99) <= left:
        return
    seen[here, king_set] = left
    choice = table.best(kinds_of(here), board_of(king_set))
    assert choice is not None
    assert choice.moves <= left
    move = move_of(here, choice.action)
    refused, by_words = answers(here, king_set, move)
    assert len(refused) < len(king_set)
    lines(table, here, refused, choice.moves, seen)
    for replies in by_words.values():
        assert replies is not None  # neither stalemate nor a man that may be taken
        lines(table, moved(here, move), replies, choice.moves - 1, seen)


def check_lines(table: Table, places: list[int]) -> int:
    seen: dict[tuple[Men, Squares], int] = {}
    moves = table.sure_placements()
    for place in places:
        here = men_of(table, place)
        lines(table, here, possible(here), int(moves[place]), seen)
    return len(seen)


@pytest.mark.parametrize("name", [*QUICK, "KPK"])
def test_every_line_from_sure_placements_mates_in_time(name: str) -> None:
    table = solve(name)
    sure = np.flatnonzero(table.sure_placements())
    assert check_lines(table, np.random.default_rng(2).choice(sure, 1).tolist()) > 100


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize(("name", "count"), [("KQK", 5), ("KRK", 10), ("KBBK", 5), ("KBNK", 1), ("KPK", 60)])
def test_every_line_from_more_placements_mates_in_time(name: str, count: int) -> None:
    table = solve(name)
    sure = np.flatnonzero(table.sure_placements())
    assert check_lines(table, np.random.default_rng(3).choice(sure, count).tolist()) > 100


def image(square: int, symmetry: int) -> int:
    """The square under one of the eight symmetries, by file and rank."""
    file, rank = square % 8, square // 8
    file, rank = (7 - file if symmetry & 1 else file), (7 - rank if symmetry & 2 else rank)
    return rank + 8 * file if symmetry & 4 else file + 8 * rank


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(QUICK), st.data(), st.integers(1, 7))
def test_all_images_of_a_set_win_in_the_same_moves(name: str, data: st.DataObject, symmetry: int) -> None:
    table = solve(name)
    place = data.draw(st.integers(0, len(table.places.full) - 1))
    some = data.draw(st.sets(st.integers(0, 63), min_size=1))
    here = men_of(table, place)
    king_set = possible(here) & some or possible(here)
    turned_men = tuple((kind, image(square, symmetry)) for kind, square in here)
    turned_set = frozenset(image(square, symmetry) for square in king_set)
    moves = table.moves(kinds_of(here), board_of(king_set))
    assert table.moves(kinds_of(turned_men), board_of(turned_set)) == moves
    assert table.full(kinds_of(turned_men)) == board_of(possible(turned_men))


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(QUICK), st.data())
def test_fewer_squares_never_take_more_moves(name: str, data: st.DataObject) -> None:
    table = solve(name)
    here = men_of(table, data.draw(st.integers(0, len(table.places.full) - 1)))
    full = possible(here)
    large = full & data.draw(st.sets(st.integers(0, 63), min_size=32)) or full
    small = large & data.draw(st.sets(st.integers(0, 63), min_size=16)) or large
    moves = [table.moves(kinds_of(here), board_of(s)) or 255 for s in (small, large)]
    assert moves[0] <= moves[1]


def test_every_placement_is_numbered_once() -> None:
    for ending in ENDINGS.values():
        places = list_placements(ending)
        assert places.own == ending.known[0]
        assert set(places.number[places.number >= 0].tolist()) == set(range(len(places.full)))


def test_endings_are_recognised_by_their_men() -> None:
    assert ending_of(kinds_of(men("Ka1", "Qb7"))) is ENDINGS["KQK"]
    assert ending_of(kinds_of(men("Ka1", "Bb1", "Nh8"))) is ENDINGS["KBNK"]
    assert ending_of(kinds_of(men("Ka1", "Bb1", "Bc1"))) is ENDINGS["KBBK"]
    assert ending_of(kinds_of(men("Ka1", "Bb1", "Bd1"))) is None  # the same colour
    assert ending_of(kinds_of(men("Ka1", "Pc2"))) is ENDINGS["KPK"]
    for other in (
        ("Ka1",),
        ("Ka1", "Nb1"),
        ("Ka1", "Rb1", "Rc1"),
        ("Ka1", "Qb1", "Pc2"),
        ("Qb1",),
        ("Ka1", "Pb1"),
    ):
        assert ending_of(kinds_of(men(*other))) is None


def test_bad_questions_are_refused_with_what_was_expected() -> None:
    table, here = solve("KRK"), kinds_of(men("Ka1", "Rb2"))
    with pytest.raises(ValueError, match="expected one of KQK, KRK, KBBK, KBNK, KPK"):
        ending_named("KNNK")
    with pytest.raises(ValueError, match="expected the men of KRK"):
        table.best(kinds_of(men("Ka1", "Qb2")), 1)
    with pytest.raises(ValueError, match="no square on which the bare king can stand"):
        table.best(here, 1 << chess.B7)
    with pytest.raises(ValueError, match="board of 64 bits"):
        table.best(here, -1)
    with pytest.raises(ValueError, match="7 boards"):
        table.best([0] * 6, 1)
    with pytest.raises(ValueError, match="patience is 0"):
        table.gamble(here, 1 << chess.H8, patience=0)
