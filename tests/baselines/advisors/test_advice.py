"""The advisors' figures by hand and by brute force: expected utility, seek and hide."""

from __future__ import annotations

import copy
import random
from collections import defaultdict
from collections.abc import Iterator

import chess
import numpy as np
import pytest
from ks_baselines.advisors import AdvisorsPlayer
from scipy import stats

from ks_env.belief.joint import Joint
from ks_env.core.layout import TRUTH
from ks_env.core.position import refresh
from ks_env.core.start import fill_truth
from ks_env.games.invisible import INVISIBLE_CHESS
from ks_env.games.invisible.game import INVISIBLE, InvisibleGame
from ks_env.games.opening import Opening
from tests.baselines.advisors.positions import Position, position_of
from tests.baselines.advisors.test_outcomes import expected_utilities, two_boards
from tests.belief.joint.games import ask_random, joints_of, new_game
from tests.belief.joint.oracle import Hypothesis
from tests.oracle import actions
from tests.oracle.invisible_seat import Heard

GONE = 64


def advisors(**parameters: float) -> AdvisorsPlayer:
    return AdvisorsPlayer("test", depth=1, noise=0.0, **parameters)  # type: ignore[arg-type]


def played(
    seed: int, hidden: str, tries: int, player: AdvisorsPlayer, fen: str = chess.STARTING_FEN
) -> Iterator[tuple[InvisibleGame, Position]]:
    """Own turns of the player in a random game: its advice is asked and not followed."""
    rng = random.Random(seed)
    game = new_game(rng, hidden, fen)
    joints, colour = joints_of(game, 4096), chess.WHITE
    player.begin(Opening.of(game, colour, seed))
    for _ in range(tries):
        if game.to_play is None:
            return
        joints[colour].follow(game.view(colour))
        if game.to_play == colour:
            yield game, position_of(game, joints)
        ask_random(rng, game)


# -- equation 1 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.9, 0.1)])
def test_expected_utility_of_two_boards(weights: tuple[float, float]) -> None:
    position = two_boards("none v b8", "1r2k3/8/8/8/8/2N5/8/R3K3 w Q - 0 1", {1: chess.D5}, {1: chess.A5})
    player = advisors(boards=4)
    fens = (chess.STARTING_FEN,)
    player.begin(Opening(INVISIBLE_CHESS, chess.WHITE, INVISIBLE, fens, position.view))
    record = player.joint.record
    for at in range(2):
        record["squares"][at], record["weight"][at] = position.joint.boards[at], weights[at]
        record["passed"][at] = -1
    record["count"] = 2
    advice = player.advise(position.view)
    first, second = (expected_utilities(position, at, 1) for at in range(2))
    for action, found in zip(advice.tries.tolist(), advice.strategic, strict=True):
        by_hand = (weights[0] * first[action] + weights[1] * second[action]) / 100  # pawns
        assert found == pytest.approx(by_hand, abs=1e-9)
    takes = actions.number_of(chess.Move.from_uci("c3d5"), chess.WHITE)
    assert first[takes] > second[takes] + 300


# -- seek ------------------------------------------------------------------------------------------------


def entropy_of(weights: list[float]) -> float:
    return float(stats.entropy(weights, base=2)) if len(weights) > 1 else 0.0


def set_up(position: Position, at: int) -> InvisibleGame:
    """The real referee before a board, with the seat's view as it is."""
    board, number = position.board(at)
    game = InvisibleGame("none v none")
    row = game.row()
    row["truth"] = np.zeros((), TRUTH)
    fill_truth(row["truth"], board)
    row["ids"][:] = 0
    for square, n in number.items():
        row["ids"][square] = n
    row["passed"] = -1 if board.ep_square is None else board.ep_square
    row["views"][0 if position.colour else 1] = position.view
    refresh(row["truth"])
    assert game.board().piece_map() == board.piece_map()
    return game


def entropy_after(position: Position, at: int, action: int) -> float:
    """That of the distribution after the referee's answer to a try on the board."""
    game = set_up(position, at)
    game.ask(action)
    joint = Joint(len(position.joint.work.weight))
    joint._records[:] = position.joint._records
    joint.follow(game.view(position.colour))
    return joint.entropy()


def gain_by_brute_force(position: Position, action: int) -> float:
    """H(before) less the expected H(after), over everything that may be heard."""
    groups: dict[Heard, list[int]] = defaultdict(list)
    for at in range(position.joint.count):
        groups[position.heard(at, action)].append(at)
    after = 0.0
    for heard, boards in groups.items():
        weights = position.joint.weights[boards].tolist()
        # At the end of a game a distribution is left as it is: then only the words are counted
        left = entropy_of(weights) if heard.reason else entropy_after(position, boards[0], action)
        after += sum(weights) * left
    return position.joint.entropy() - after


@pytest.mark.parametrize(
    ("hidden", "fen"),
    [
        ("none v B", "2b1k3/1p1p4/8/8/3N4/8/P7/R3K2R w KQ - 0 1"),
        ("N v Q", "3qk3/3p4/8/8/8/5N2/P2P4/3QK3 w - - 0 1"),
        ("none v R N", "1n2k2r/7p/8/8/8/8/3P4/2B1K3 w - - 0 1"),
    ],
)
def test_seek_by_brute_force(hidden: str, fen: str) -> None:
    player, most, looked = advisors(boards=1, seek=1.0), 0.0, 0
    for _, position in played(3, hidden, 24, player, fen):
        advice = copy.copy(player.advise(position.view))
        if not 2 <= position.joint.count <= 60 or looked == 4:
            continue
        looked += 1
        for action, found in zip(advice.tries.tolist(), advice.seek, strict=True):
            assert found == pytest.approx(gain_by_brute_force(position, action), abs=1e-9)
            most = max(most, found)
    assert looked
    assert most > 0.1


def test_seek_is_never_negative_and_nothing_where_all_is_known() -> None:
    player = advisors(boards=1, seek=1.0)
    for _, position in played(4, "2N v none", 30, player):
        assert not player.advise(position.view).seek.any()
    for _, position in played(4, "2N v 2N B", 60, player):
        seek = player.advise(position.view).seek
        assert (seek >= 0).all()
        assert (seek <= position.joint.entropy() + 1e-9).all()


# -- hide ------------------------------------------------------------------------------------------------


def own_board(view: np.void, row: np.ndarray) -> chess.Board:
    """A board of the shadow: what is seen of own men, hidden men where the row says, and the opponent's."""
    board = chess.Board(None)
    for square in range(64):
        if view["men"][square] and not view["ids"][square]:
            board.set_piece_at(square, chess.Piece(int(view["men"][square]), chess.WHITE))
        if view["seen"][square]:
            board.set_piece_at(square, chess.Piece(int(view["seen"][square]), chess.BLACK))
    for n in range(1, 16):
        if view["unseen"][n] and view["placed"][n] >= 0:
            board.set_piece_at(int(view["placed"][n]), chess.Piece(int(view["unseen"][n]), chess.BLACK))
    kinds = {int(view["ids"][s]): int(view["men"][s]) for s in range(64) if view["ids"][s]}
    for n, square in enumerate(row.tolist()):
        if square < GONE:
            board.set_piece_at(square, chess.Piece(kinds[n], chess.WHITE))
    return board


def ways_of(board: chess.Board, square: int) -> list[int]:
    """Where a man may go for all that an onlooker knows, pins left out; own men are White here."""
    board.turn = chess.WHITE
    moves = board.generate_pseudo_legal_moves(from_mask=chess.BB_SQUARES[square])
    return sorted({move.to_square for move in moves})


def after_hidden(player: AdvisorsPlayer, view: np.void, action: int) -> dict[bytes, float]:
    """The shadow after a hidden man's try, in Python."""
    start, end, under = actions.STEPS[action]
    number, kind = int(view["ids"][start]), int(view["men"][start])
    becomes = kind if kind != chess.PAWN or end < 56 else under or chess.QUEEN
    truth = own_board(view, np.array([_at(view, n) for n in range(16)]))
    sideways = kind == chess.PAWN and (start ^ end) & 7 != 0  # takes something, seen or not
    takes = truth.color_at(end) == chess.BLACK or sideways
    check = _checks(truth, start, end, becomes)
    found: dict[bytes, float] = defaultdict(float)
    for row, weight in zip(player.shadow.boards, player.shadow.weights, strict=True):
        square = int(row[number])
        if square == GONE:
            continue
        board = own_board(view, row)
        if takes and board.color_at(end) is None:
            board.set_piece_at(end, chess.Piece(chess.KNIGHT, chess.BLACK))
        ways = ways_of(board, square)
        for way in ways:
            fits = way == end if takes else board.color_at(way) is None
            last = kind == chess.PAWN and way >= 56
            if fits and last == (becomes != kind) and _checks(board, square, way, becomes) == check:
                moved = row.copy()
                moved[number] = way
                found[moved.tobytes()] += weight / len(ways)
    return found


def _at(view: np.void, number: int) -> int:
    squares = np.flatnonzero(view["ids"] == number)
    return int(squares[0]) if number and len(squares) else GONE


def _checks(board: chess.Board, start: int, end: int, kind: int) -> bool:
    """Whether the man attacks the opponent's king from there."""
    board = board.copy()
    board.remove_piece_at(start)
    board.set_piece_at(end, chess.Piece(kind, chess.WHITE))
    king = board.king(chess.BLACK)
    assert king is not None
    return king in board.attacks(end)


def after_visible(player: AdvisorsPlayer, action: int) -> list[float]:
    start, end, _ = actions.STEPS[action]
    way = {*chess.SquareSet.between(start, end), end}
    boards = zip(player.shadow.boards, player.shadow.weights, strict=True)
    return [weight for row, weight in boards if not way & set(row.tolist())]


def change_by_brute_force(player: AdvisorsPlayer, view: np.void, action: int) -> float:
    if view["ids"][actions.STEPS[action].source]:
        weights = list(after_hidden(player, view, action).values())
    else:
        weights = after_visible(player, action)
    return entropy_of(weights) - player.shadow.entropy() if weights else 0.0


@pytest.mark.parametrize("hidden", ["Q v 2N", "2N v Q", "B R v none", "2P B v N"])
def test_hide_by_brute_force(hidden: str) -> None:
    fen = "rnbqkbnr/1pp2pp1/8/8/8/8/1PP2PP1/RNBQKBNR w KQkq - 0 1"
    player, looked, largest = advisors(boards=1, hide=1.0), 0, 0.0
    for _, position in played(5, hidden, 50, player, fen):
        advice = player.advise(position.view)
        assert np.isfinite(advice.hide).all()
        if player.shadow.count > 40 or looked == 8:
            continue
        looked += 1
        for action, found in zip(advice.tries.tolist(), advice.hide, strict=True):
            expected = change_by_brute_force(player, position.view, action)
            assert found == pytest.approx(expected, abs=1e-9), (actions.STEPS[action], str(position.view))
            largest = max(largest, found)
    assert looked > 2
    assert largest > 1


def test_nothing_to_hide() -> None:
    player = advisors(boards=1, hide=1.0)
    for _, position in played(6, "none v 2N", 30, player):
        assert not player.advise(position.view).hide.any()


def test_hypotheses_are_the_real_position_where_nothing_is_hidden() -> None:
    """The tests' own tool: the board set up from a view is that of the referee."""
    player = advisors(boards=1)
    for game, position in played(8, "2N v none", 30, player):
        board, number = position.board(0)
        assert board.piece_map() == game.board().piece_map()
        assert Hypothesis(board, number).squares_of(chess.WHITE) == game.hidden_squares(chess.WHITE)
