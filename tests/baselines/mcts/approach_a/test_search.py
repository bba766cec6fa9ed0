"""The tree of approach A: its sums, its playouts against python-chess, and its keys."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.mcts import MctsAPlayer, mcts_a_player
from ks_baselines.mcts.approach_a.constants import DEFAULT
from ks_baselines.mcts.approach_a.playout import (
    GOES_ON,
    NO_MOVE,
    clear_winner,
    pseudo_random_move,
    result,
    simulate,
    without_moves,
)
from ks_baselines.mcts.approach_a.search import answer_key, turn_key
from ks_baselines.mcts.explain import children

from ks_env.core.position import play, refresh
from ks_env.core.ruleset import ICC, RAND, RULESETS
from ks_env.core.start import to_board
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.start import start_row

C = DEFAULT.record()[0]
RULES = ICC.record()[0]


def truth_of(fen: str) -> Any:
    return start_row(fen)["truth"].copy()


def searched(nodes: int, moves: tuple[str, ...] = ()) -> MctsAPlayer:
    """A player after one decision as White."""
    game, player = Game(), mcts_a_player(nodes=nodes)
    player.begin(kriegspiel.opening(True, ICC, chess.STARTING_FEN, 4))
    for move in moves:
        if game.to_play:
            player.look(game.view(True))
        game.ask(move)
    player.think(game.view(True), player.look(game.view(True)))
    return player


def test_values_and_visits_add_up_through_the_tree() -> None:
    player = searched(6000, ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"))
    tree, ended, checked = player.trees[0], 0, 0
    assert tree.nodes[0]["visits"] == 6000
    assert tree.used[0] > 500
    for index in range(int(tree.used[0])):
        node = tree.nodes[index]
        entries = tree.moves[node["first"] : node["first"] + node["tried"]]
        untried = tree.moves[node["first"] + node["tried"] : node["first"] + node["count"]]
        assert (entries["visits"] > 0).all()
        assert (untried["visits"] == 0).all()
        assert (untried["child"] == -1).all()
        missing = int(node["visits"]) - int(entries["visits"].sum())  # mated on the board there
        assert missing >= 0
        ended += missing
        for entry in entries:
            below = children(tree, entry)
            rest = int(entry["visits"]) - sum(int(child["visits"]) for child in below)
            assert rest >= 1  # the game of its expansion, and those that ended with the move or the reply
            ended += rest - 1
            tried = [tree.moves[child["first"] : child["first"] + child["tried"]] for child in below]
            mated = sum(int(child["visits"]) for child in below) - sum(int(t["visits"].sum()) for t in tried)
            results = sum(float(t["total"].sum()) for t in tried)
            assert abs(float(entry["total"]) - results) <= rest + mated + 1e-2
            assert float(entry["value"]) == pytest.approx(
                float(entry["total"]) / int(entry["visits"]), abs=1e-5
            )
            assert -1 <= entry["value"] <= 1
            assert len({int(child["key"]) for child in below}) == len(below)
            checked += 1
    assert checked > 3000
    assert ended < 60  # 1 % of the iterations: few games end within the tree


def test_all_legal_moves_of_the_root_are_expanded_first() -> None:
    tree = searched(20).trees[0]
    assert int(tree.nodes[0]["tried"]) == 20
    assert (tree.moves[:20]["visits"] == 1).all()


def test_moves_that_are_legal_on_no_board_are_not_visited() -> None:
    game, player = Game(fen="4k3/8/8/8/8/3p4/3P4/4K3 w - - 0 1"), mcts_a_player(nodes=200)
    player.begin(kriegspiel.opening(True, ICC, game.start_fen, 0))
    player.choose(game.view(True))
    entries = player.trees[0].moves[: player.trees[0].nodes[0]["count"]]
    visits = {(int(e["move"]) & 63, int(e["move"]) >> 6 & 63): int(e["visits"]) for e in entries}
    board = chess.Board(game.start_fen)
    legal = {(move.from_square, move.to_square) for move in board.legal_moves}
    assert {move for move, times in visits.items() if times} == legal
    assert set(visits) - legal  # a king's move next to the pawn, at least


def test_playouts_are_legal_games_and_end_as_they_should() -> None:
    random, endings = np.array([5], np.uint64), set()
    for _ in range(12):
        truth, board = truth_of(chess.STARTING_FEN), chess.Board()
        value = GOES_ON
        while value == GOES_ON:
            move = pseudo_random_move(truth, random, C)
            if move == NO_MOVE:
                assert not any(board.legal_moves)
                value = without_moves(truth, RULES)
                break
            played = chess.Move(move & 63, move >> 6)
            if board.piece_type_at(played.from_square) == chess.PAWN and played.to_square % 56 < 8:
                played.promotion = chess.QUEEN
            assert board.is_legal(played)
            board.push(played)
            play(truth, move & 63, move >> 6, 0)
            refresh(truth)
            assert to_board(truth).board_fen() == board.board_fen()
            value = result(truth, RULES, True)
        endings.add(end_of_game(board, float(value)))
    assert "adjudicated" in endings


def end_of_game(board: chess.Board, value: float) -> str:
    """Why the game ended, its value held against it."""
    if board.is_checkmate():
        assert value == (-1 if board.turn else 1)
        return "mate"
    if board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100:
        assert value == 0
        return "draw"
    loser = value < 0
    assert value != 0
    assert int(board.occupied_co[loser]).bit_count() == 1
    return "adjudicated"


@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("4k3/8/8/8/8/8/8/q3K3 w - - 0 1", -1),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", 1),
        ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1", None),
        ("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", None),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", None),
    ],
)
def test_standard_endings(fen: str, value: float | None) -> None:
    truth = np.zeros(1, start_row()["truth"].dtype)[0]
    board = chess.Board(fen)
    for square, piece in board.piece_map().items():
        seat = 0 if piece.color else 1
        truth["kinds"][piece.piece_type] |= np.uint64(1 << square)
        truth["seats"][seat] |= np.uint64(1 << square)
    assert clear_winner(truth) == (GOES_ON if value is None else value)


def test_an_ending_that_stands_already_is_played_out() -> None:
    random = np.array([3], np.uint64)
    values = [
        float(simulate(truth_of("7k/8/8/8/8/8/8/1QK5 w - - 0 1"), random, RULES, False, C)) for _ in range(60)
    ]
    assert set(values) == {0.0, 1.0}  # fifty moves, a stalemate or a lost queen; and a mate by chance


def test_stalemate_is_what_the_ruleset_says() -> None:
    truth = truth_of("k7/8/1Q6/8/8/8/8/4K3 w - - 0 1")
    play(truth, chess.E1, chess.E2, 0)
    refresh(truth)
    assert pseudo_random_move(truth, np.array([1], np.uint64), C) == NO_MOVE
    assert without_moves(truth, RULES) == 0
    assert without_moves(truth, RAND.record()[0]) == 1


def test_captures_are_taken_back_and_pawn_tries_made_almost_always() -> None:
    random = np.array([9], np.uint64)
    taken = truth_of("4k3/8/8/3p4/8/2N5/8/R3K2R w - - 0 1")
    play(taken, chess.C3, chess.D5, 0)
    refresh(taken)
    assert pseudo_random_move(taken, random, C) != NO_MOVE  # nobody can: any move
    guarded = truth_of("3rk3/4n3/8/3p4/8/2N5/7P/R3K2R w - - 0 1")
    play(guarded, chess.C3, chess.D5, 0)
    refresh(guarded)
    back = [pseudo_random_move(guarded, random, C) == chess.E7 | chess.D5 << 6 for _ in range(2000)]
    assert 0.93 < np.mean(back) < 0.98
    tries = truth_of("4k3/8/8/3p4/4P3/8/8/R3K2R w - - 0 1")
    made = [pseudo_random_move(tries, random, C) == chess.E4 | chess.D5 << 6 for _ in range(2000)]
    assert 0.93 < np.mean(made) < 0.98


def keys_after(fen: str, moves: tuple[str, str], ruleset: str) -> int:
    """The key of an own move and a reply on this board."""
    truth, rules = truth_of(fen), RULESETS[ruleset].record()[0]
    key = 0
    for i, text in enumerate(moves):
        move = chess.Move.from_uci(text)
        play(truth, move.from_square, move.to_square, 0)
        refresh(truth)
        key |= turn_key(truth, rules) if i else answer_key(truth, rules, move.to_square)
    return int(key)


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_keys_tell_messages_apart_and_nothing_else(ruleset: str) -> None:
    start = chess.STARTING_FEN
    assert keys_after(start, ("e2e4", "g8f6"), ruleset) == keys_after(start, ("e2e4", "a7a5"), ruleset)
    tried = keys_after(start, ("e2e4", "d7d5"), ruleset)
    silent = RULESETS[ruleset].pawn_tries == 0
    assert (tried == keys_after(start, ("e2e4", "a7a5"), ruleset)) == silent
    pawn, knight = (f"4k3/8/8/3{man}4/8/2N5/8/R3K2R w - - 0 1" for man in "pn")
    same = keys_after(pawn, ("c3d5", "e8d8"), ruleset) == keys_after(knight, ("c3d5", "e8d8"), ruleset)
    assert same != RULESETS[ruleset].kind_said
    lost = {
        keys_after("4k3/8/8/8/1b6/P1N5/8/R3K2R w - - 0 1", ("h1g1", m), ruleset)
        for m in ("b4a3", "b4c3", "b4d6")
    }
    assert len(lost) == 3
