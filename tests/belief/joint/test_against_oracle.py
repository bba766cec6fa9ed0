"""`Joint` against whole games of python-chess, board by board and weight by weight."""

import random

import chess
import pytest

from ks_env.belief.joint import Joint
from tests.belief.joint.oracle import JointOracle, Key
from tests.invisible_duel import InvisibleDuel, draw_try
from tests.starts import LISTED, draw_start

MOST = 120  # boards that the oracle follows in reasonable time
START = chess.STARTING_FEN
GAMES = [
    ("B v B", START, 6),
    ("Q v Q", START, 5),
    ("N v N", START, 4),
    ("2N v B", START, 4),
    ("R v 2B", START, 4),
    ("e2 v d7", START, 6),
    ("e2 d2 v d7 e7", START, 4),
    # a hidden pawn beside pawns that may take it in passing, or have just made their double step
    ("d2 f2 v e4", "4k3/2p3p1/8/8/4p3/8/3P1P2/4K3 w - - 0 1", 8),
    ("e5 v d7 f7", "4k3/3p1p2/8/4P3/8/8/2P3P1/4K3 b - - 0 1", 8),
    # promotions
    ("a7 v h2", "1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1", 8),
    ("P v none", "2n1k3/1P5P/8/8/8/8/1p5p/4K1N1 b - - 0 1", 6),
    # castling with hidden rooks, past hidden men, and out of check
    ("R v R", "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", 8),
    ("2R v B", "r2bk2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", 4),
    ("N v R", "r3k1nr/8/8/8/8/8/8/RN2K2R w KQkq - 0 1", 4),
    # pins, checks from hidden men
    ("Q v Q", "3qk3/8/8/8/8/8/4N3/3QK3 w - - 0 1", 6),
    ("B N v R", "4k2r/4p3/8/b7/8/2N5/3P4/R3KB2 b - - 0 1", 4),
]


def weights_of(joint: Joint) -> dict[Key, float]:
    passed = joint.record["passed"]
    rows = [(*row.tolist(), int(p)) for row, p in zip(joint.boards, passed, strict=False)]
    assert len(set(rows)) == joint.count
    return dict(zip(rows, joint.weights.tolist(), strict=True))


def compare(joint: Joint, oracle: JointOracle) -> None:
    found, expected = weights_of(joint), oracle.weights()
    how = oracle.duel._how()
    assert found.keys() == expected.keys(), (
        found.keys() - expected.keys(),
        expected.keys() - found.keys(),
        how,
    )
    for key, weight in expected.items():
        assert found[key] == pytest.approx(weight, abs=1e-9), how
    assert joint.exact


def play(rng: random.Random, hidden: str, fen: str, tries: int) -> int:
    """Compare after every answer; how many boards there were at most."""
    duel = InvisibleDuel(hidden, fen, max_tries=12)
    pairs = []
    for colour in chess.COLORS:
        joint = Joint(4096)
        joint.begin(duel.ours.view(colour))
        pairs.append((joint, JointOracle(duel, colour)))
    most = 0
    for _ in range(tries):
        for _, oracle in pairs:
            oracle.before()
        duel.ask(draw_try(rng, duel))
        if duel.oracle.reason:
            break
        for joint, oracle in pairs:
            oracle.hear()
            joint.follow(duel.ours.view(oracle.colour))
            compare(joint, oracle)
            most = max(most, joint.count)
        if most > MOST:
            break
    return most


@pytest.mark.parametrize(("hidden", "fen", "games"), GAMES)
def test_same_boards_and_weights(hidden: str, fen: str, games: int) -> None:
    rng = random.Random(f"{hidden} {fen}")
    most = [play(rng, hidden, fen, 40) for _ in range(games)]
    assert max(most) > 1


def few_men(rng: random.Random, board: chess.Board, colour: chess.Color) -> str:
    """At most two, so that the oracle keeps up."""
    men = [s for s in chess.SquareSet(board.occupied_co[colour]) if board.piece_type_at(s) != chess.KING]
    return " ".join(chess.square_name(s) for s in rng.sample(men, min(rng.randrange(3), len(men)))) or "none"


@pytest.mark.slow
def test_any_start() -> None:
    """Starts made for promotions, en passant, castling, checks and pins, and drawn ones."""
    compared = 0
    for number in range(100):
        rng = random.Random(f"joint from any start {number}")
        fen = rng.choice(LISTED) if rng.random() < 0.6 else draw_start(rng)
        board = chess.Board(fen)
        if board.is_valid():
            hidden = " v ".join(few_men(rng, board, colour) for colour in chess.COLORS)
            compared += play(rng, hidden, fen, 40) > 1
    assert compared > 20
