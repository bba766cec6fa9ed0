"""The exact search against a bare king."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from ks_baselines.darkboard.bare_king import check_types, flights, hunt, new_kings, split
from ks_baselines.darkboard.components import controlled
from ks_baselines.darkboard.moves import end_of, generate, kind_of, pack, start_of

from ks_env.core.tables import QUEEN, ROOK
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from tests.baselines.darkboard.records import board, metaposition

CHECKS = ("rank", "file", "long diagonal", "short diagonal", "knight")


def chosen(own: str, kings: str) -> tuple[int, str]:
    m = metaposition(own, " ".join(f"K{s}" for s in kings.split()))[0]
    memory = new_kings()
    n = generate(m, memory.moves[0])
    move = int(memory.moves[0, hunt(memory, m, n, np.zeros(512))])
    return int(kind_of(move)), chess.square_name(start_of(move)) + chess.square_name(end_of(move))


def test_answers_are_those_of_the_referee() -> None:
    rng = np.random.default_rng(4)
    seen = 0
    while seen < 60:
        squares = [int(s) for s in rng.permutation(64)[:5]]
        names = [chess.square_name(s) for s in squares]
        m = metaposition(" ".join(f"{k}{s}" for k, s in zip("KQRN", names, strict=False)), f"K{names[4]}")
        kings = new_kings()
        kings.men[0] = m[0]
        n = generate(m[0], kings.moves[0])
        move = int(kings.moves[0, rng.integers(n)])
        chess_board = chess.Board(None)
        for kind, square in zip((6, 5, 4, 2), squares, strict=False):
            chess_board.set_piece_at(square, chess.Piece(kind, True))
        chess_board.set_piece_at(squares[4], chess.Piece(6, False))
        if not chess_board.is_valid() or chess_board.is_stalemate():
            continue
        seen += 1
        control = split(kings, 0, m[0]["ghosts"][6], move)
        group = int(np.flatnonzero(kings.sets[0])[0])
        game = Game(fen=chess_board.fen())
        said = game.ask(chess.square_name(start_of(move)) + chess.square_name(end_of(move)))
        assert (said.kind.name == "ILLEGAL") == (group == 32)
        if group != 32:
            assert group == sum(1 << CHECKS.index(check) for check in said.checks)
            legal = {m.to_square for m in game.board().legal_moves}
            free = int(flights(np.uint64(control), squares[4]))
            assert legal == set(chess.SquareSet(free))


def test_mate_in_one_is_played() -> None:
    assert chosen("Kg6 Ra7", "h8") == (ROOK, "a7a8")


def test_no_stalemate_and_no_loose_queen() -> None:
    m = metaposition("Kf6 Qd7 Pa2", "Kg8 Kh8")[0]
    memory = new_kings()
    n = generate(m, memory.moves[0])
    move = int(memory.moves[0, hunt(memory, m, n, np.zeros(512))])
    control = split(memory, 0, m["ghosts"][6], move)
    after = memory.men[1]
    for square in chess.SquareSet(int(memory.sets[0][0])):
        free = int(flights(np.uint64(control), square))
        assert free
        assert not free & int(after["own"][0])


@pytest.mark.parametrize("square", ["e1", "d4", "h8"])
def test_check_types_by_diagonal(square: str) -> None:
    m = metaposition("Ka8 Qa1", f"K{square}")[0]
    by = np.zeros(7, np.uint64)
    attacked = bool(np.uint64(controlled(m, by)) & board(square))
    assert (check_types(m, chess.parse_square(square)) != 0) == attacked
    assert pack(0, 63, QUEEN, 0) >> 12 & 15 == QUEEN


@pytest.mark.parametrize("own", ["Ke1 Qd1 Pa2", "Ke1 Ra1 Rh1", "Ke1 Qd1 Rh1 Pb2"])
def test_a_bare_king_is_mated(own: str) -> None:
    """Against a king that moves at random from anywhere, within fifty moves."""
    rng = np.random.default_rng(7)
    from ks_baselines.darkboard import darkboard_player

    for _ in range(2):
        men = {chess.parse_square(t[1:]): chess.Piece.from_symbol(t[0]) for t in own.split()}
        base = chess.Board(None)
        base.set_piece_map(men)
        starts = []
        for square in chess.SquareSet(~base.occupied & chess.BB_ALL):
            placed = base.copy()
            placed.set_piece_at(square, chess.Piece(6, False))
            if placed.is_valid():
                starts.append(placed.fen())
        game = Game(fen=str(rng.choice(starts)), hidden_start=True)
        player = darkboard_player()
        player.begin(Opening.of(game, True, fens=starts))
        while game.to_play is not None:
            if game.to_play:
                game.ask(player.choose(game.view(True)))
            else:
                game.ask(int(rng.choice(sorted(game.legal()))))
        assert (game.result, game.reason.name) == ("1-0", "CHECKMATE")
