"""Entropies of chessboards and predictions of the referee, against python-chess and by hand."""

from pathlib import Path

import chess
import numpy as np
import pytest
from ks_arena.match.result import GameResult
from ks_arena.reproduce.chessboard import LAST, Turn, Turns, held, last_entropies, last_entropy, turns_of
from ks_arena.reproduce.measures import measure_row
from ks_arena.reproduce.metapositions import entropy_table, prediction_table, write_comparison
from ks_arena.reproduce.published import PublishedTable, Row, find_table, load_table
from ks_arena.reproduce.seats import SeatGame
from ks_arena.sections import check_section
from ks_arena.study.config import StudyConfig
from ks_arena.study.run import run_study
from ks_arena.study.study import Study
from rich.console import Console

from ks_env.core.actions import action_to_move
from tests.arena.standing import one_worker

PLAYERS = [{"label": "A", "player": "capture"}, {"label": "B", "player": "random"}]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Study:
    keys = {"name": "s", "games": 12, "tournament": {"kind": "round-robin", "players": PLAYERS}}
    path: Path = tmp_path_factory.mktemp("chessboard") / "s.sqlite"
    with one_worker():
        return run_study(check_section(StudyConfig, keys, "s"), path, console=Console(quiet=True))


def pawns_can_take(board: chess.Board) -> bool:
    return any(
        board.piece_type_at(move.from_square) == chess.PAWN and board.is_capture(move)
        for move in board.legal_moves
    )


def move_of(board: chess.Board, action: int) -> chess.Move:
    plain = action_to_move(action, board.turn)
    pawn = board.piece_type_at(plain.from_square) == chess.PAWN
    return action_to_move(action, board.turn, pawn and chess.square_rank(plain.to_square) in (0, 7))


def quiet_moves(game: GameResult) -> tuple[list[bool], list[bool]]:
    """Of every move of White and of Black: no capture, no check, and no pawn of the other side's can take."""
    board = chess.Board(game.start_fen)
    found: tuple[list[bool], list[bool]] = ([], [])
    for action in np.frombuffer(game.actions, "<i2").tolist():
        move = move_of(board, action)
        if move in board.legal_moves:
            seat, capture = (0 if board.turn else 1), board.is_capture(move)
            board.push(move)
            found[seat].append(not (capture or board.is_check() or pawns_can_take(board)))
    return found


def test_the_opponents_turn_is_silent_as_in_chess(played: Study) -> None:
    silent = told = 0
    for game in played.games():
        truth, found = quiet_moves(game), turns_of(game, played.config)
        for seat in (0, 1):
            assert [turn.move for turn in found[seat]] == list(range(1, len(found[seat]) + 1))
            answers = truth[1 - seat][seat:]  # Black's first answer is White's second move
            for turn, quiet in zip(found[seat], answers, strict=False):
                if turn.answer is not None:
                    assert turn.answer == quiet
                    silent += quiet
                    told += not quiet
    assert silent > 100 < told


def test_a_try_that_goes_as_assumed_is_played_and_gives_no_check(played: Study) -> None:
    right = 0
    for game in played.games():
        board, found, number = chess.Board(game.start_fen), turns_of(game, played.config), [0, 0]
        first = True
        for action in np.frombuffer(game.actions, "<i2").tolist():
            seat, move = (0 if board.turn else 1), move_of(board, action)
            legal = move in board.legal_moves
            if first:
                turn = found[seat][number[seat]]
                number[seat] += 1
                if turn.own:
                    assert legal
                    assert not board.gives_check(move)
                    right += 1
                if not legal:
                    assert turn.own is False
            if legal:
                board.push(move)
            first = legal
    assert right > 100


def test_entropies_are_of_the_players_own_turns(played: Study) -> None:
    for game in played.games():
        white, black = turns_of(game, played.config)
        assert 0 < white[0].entropy < white[3].entropy  # nothing is certain of men that have not been met
        means = [float(np.mean([turn.entropy for turn in turns[-LAST:]])) for turns in (white, black)]
        assert last_entropies(game, played.config, 1) == pytest.approx((means[1], means[0]))
    assert last_entropy(()) == 0.0


def test_the_share_of_winners_with_less_entropy_is_counted(played: Study) -> None:
    keys = {"kind": "less_entropy", "player": "A", "against": "B"}
    row = {"what": "x", "section": "y", "published": {"value": 50}, "study": "s", "measure": keys}
    lower = []
    for game in played.games():
        seat = 0 if game.white == "A" else 1
        if game.outcome == (1 if seat == 0 else -1):
            own, other = last_entropies(game, played.config, seat)
            lower.append(own < other)
    measured = measure_row(Row.model_validate(row), {"s": played})
    assert measured is not None
    assert measured.estimate is not None
    assert measured.estimate.value == pytest.approx(100 * np.mean(lower))


def turns(*said: tuple[bool | None, bool | None]) -> Turns:
    return tuple(Turn(11 + number, 1.0, own, answer) for number, (own, answer) in enumerate(said))


def test_a_prediction_holds_until_the_referee_says_something_else() -> None:
    game = turns((True, True), (True, False), (True, None))
    assert [held(game, 0, plies) for plies in range(1, 6)] == [True, True, True, False, False]
    assert [held(game, 2, plies) for plies in (1, 2)] == [True, None]
    assert held(turns((None, True)), 0, 1) is None
    lines = prediction_table("A", [game]).splitlines()
    assert "| 1 | 3 | 100 % |" in lines
    assert "| 2 | 2 | 50 % |" in lines


def test_the_comparison_has_every_study(played: Study, tmp_path: Path) -> None:
    table = load_table(find_table("metapositions-2007"))
    assert isinstance(table, PublishedTable)
    (file,) = write_comparison(tmp_path, table, [], {"s": played}, "")
    text = file.read_text()
    assert "## s: A v B" in text
    assert "referee says to B" in text
    won = [SeatGame(game, 0) for game in played.games() if game.outcome]
    lines = entropy_table([(each, turns_of(each.game, played.config)) for each in won]).splitlines()
    assert lines[-1].startswith(f"| the last ten, mean | {len(won)} |")
    assert lines[-1] in text
    assert entropy_table([]) == "Nobody won a game."
