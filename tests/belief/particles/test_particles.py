"""`Particles` in play: the same for the same seed, honest about itself, right about what it is asked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest

from ks_env.belief.encoders import make_encoder
from ks_env.belief.inputs import SeatPlanes
from ks_env.belief.particles import Care, Particles, SquareModel, make_model, shipped_model, uniform_model
from ks_env.belief.particles.encoder import BOARDS, PLANES, ParticlesEncoder
from ks_env.core.ruleset import RULESETS
from ks_env.core.start import to_board
from ks_env.core.tables import ANY, TRY_FROM, TRY_TO
from ks_env.envs.vector import GameVectorEnv
from ks_env.games import kriegspiel
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.planes import COUNT
from ks_env.games.opening import Opening

Array = np.ndarray[Any, Any]


def begun(game: Game, colour: bool, boards: int = 100, **options: Any) -> Particles:
    particles = Particles(boards, **options)
    particles.begin(kriegspiel.opening(colour, game.ruleset, game.start_fen))
    return particles


def played(seed: int, tries: int, ruleset: str = "icc") -> Iterator[Game]:
    """One game of random tries, after each of them."""
    rng, game = random.Random(seed), Game(RULESETS[ruleset])
    for _ in range(tries):
        yield game
        if game.to_play is None:
            return
        game.ask(rng.choice(np.flatnonzero(game.mask(game.to_play)).tolist()))


def test_the_same_seed_gives_the_same_bytes() -> None:
    made: list[Particles] = []
    for game in played(1, 120):
        if not made:
            made = [begun(game, chess.WHITE, seed=seed) for seed in (3, 3, 4)]
        for each in made:
            each.follow(game.view(chess.WHITE))
        before = made[0].record.tobytes()
        made[0].follow(game.view(chess.WHITE))  # again: nothing changes
        assert made[0].record.tobytes() == before == made[1].record.tobytes()
    assert not made[0].exact
    assert made[0].record["men"].tobytes() != made[2].record["men"].tobytes()
    assert made[0].sample(9).tobytes() == made[1].sample(9).tobytes()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_true_men_stay_possible(ruleset: str) -> None:
    """Measured: of the men of random games, those whose square some board of 1,000 has for their kind."""
    found = total = 0
    seats: dict[bool, Particles] = {}
    for game in played(5, 100, ruleset):
        if not seats:
            seats = {colour: begun(game, colour, 1000) for colour in chess.COLORS}
        for colour, particles in seats.items():
            particles.follow(game.view(colour))
            chances = particles.chances()
            for square, man in game.board().piece_map().items():
                if man.color != colour:
                    total += 1
                    found += chances[man.piece_type, square if colour else square ^ 56] > 0
    assert found > 0.95 * total


def test_shares_and_answers_are_counted_over_boards() -> None:
    looked = 0
    for game in played(8, 60):
        if looked == 0:
            particles = begun(game, chess.WHITE, 50, model=shipped_model())
        particles.follow(game.view(chess.WHITE))
        looked += 1
        boards = [to_board(truth) for truth in particles.boards()]
        shares = np.zeros((7, 64))
        for board, weight in zip(boards, particles.weights, strict=True):
            for square, man in board.piece_map().items():
                if man.color == chess.BLACK:
                    shares[[0, man.piece_type], square] += weight
        assert particles.chances() == pytest.approx(shares)
        maps = particles.maps()
        assert maps[0] == pytest.approx(shares[6], abs=1e-5)
        assert maps[2] == pytest.approx(shares[2:6].sum(axis=0), abs=1e-5)
        assert particles.effective_size == pytest.approx(1 / (particles.weights**2).sum())
        if game.to_play != chess.WHITE or looked % 5:
            continue
        tries = np.flatnonzero(game.mask(chess.WHITE))
        tries = tries[tries != ANY][:10]
        for action, (legal, captures, checks) in zip(tries, particles.answers(tries), strict=True):
            start, end = int(TRY_FROM[action]), int(TRY_TO[action])
            answers = np.zeros(3)
            for board, weight in zip(boards, particles.weights, strict=True):
                moves = [m for m in board.legal_moves if (m.from_square, m.to_square) == (start, end)]
                if moves:
                    answers += weight * np.array([1, board.is_capture(moves[0]), board.gives_check(moves[0])])
            assert legal == pytest.approx(answers[0])
            if answers[0] and not (end >= 56 and game.board().piece_type_at(start) == chess.PAWN):
                assert [captures, checks] == pytest.approx(answers[1:] / answers[0])
    assert looked > 40


class _Always:
    """A policy: the opponent makes one try if it is legal."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end, self.asked = start, end, 0

    def weigh(self, boards: Array, view: Any, tries: Array, count: Array, out: Array) -> None:
        self.asked += len(boards)
        for i, number in enumerate(count):
            wanted = (TRY_FROM[tries[i, :number]] == self.start) & (TRY_TO[tries[i, :number]] == self.end)
            out[i, :number] = 0.001 + wanted


def test_any_policy_may_be_the_model() -> None:
    """Tries are numbered from the opponent's side: e7-e5 of Black is e2-e4 there."""
    game, policy = Game(), _Always(chess.E2, chess.E4)
    particles = begun(game, chess.WHITE, model=policy)
    for move in ("g1f3", "e7e5"):
        game.ask(move)
        particles.follow(game.view(chess.WHITE))
    assert policy.asked == 1
    assert particles.exact
    assert particles.chances()[chess.PAWN, chess.E5] == pytest.approx(1.001 / 1.02, abs=1e-6)


def test_a_policy_that_excludes_what_happened_runs_dry_and_says_so() -> None:
    class Never(_Always):
        def weigh(self, boards: Array, view: Any, tries: Array, count: Array, out: Array) -> None:
            out[:] = 0

    game = Game()
    particles = begun(game, chess.WHITE, 20, model=Never(0, 0))
    for move in ("e2e4", "e7e5"):
        game.ask(move)
        particles.follow(game.view(chess.WHITE))
    assert particles.dry == 1
    assert not particles.consistent  # no board fits, as this opponent cannot move at all
    assert not particles.exact
    game.ask("g1f3")
    particles.follow(game.view(chess.WHITE))
    assert len(particles.sample(5)) == 5


def test_hidden_starts_are_equally_likely() -> None:
    krk = [f"8/8/8/{row}/8/8/8/KR6 w - - 0 1" for row in ("3k4", "4k3", "5k2")]
    env = GameVectorEnv(6, "random", seat="white", encoder="particles", start=krk, hidden_start=True)
    planes = env.reset(seed=1)[0]["observation"][:, COUNT:]
    assert (planes == planes[0]).all()
    assert planes[0, 5].ravel()[[chess.D5, chess.E5, chess.F5]].tolist() == [85, 85, 85]
    assert (planes[0, -1] == 255).all()


@pytest.mark.parametrize("seat", [chess.WHITE, chess.BLACK])
def test_planes_are_those_of_a_filter(seat: bool) -> None:
    encoder = make_encoder("particles")
    assert isinstance(encoder, ParticlesEncoder)
    planes, particles = SeatPlanes(encoder), None
    for game in played(2, 60):
        if particles is None:
            particles = begun(game, seat, BOARDS)
            planes.begin(kriegspiel.opening(seat, game.ruleset))
        particles.follow(game.view(seat))
        shown = planes.planes(game.view(seat), game.ruleset.record()[0])[COUNT:]
        assert len(shown) == len(PLANES)
        wanted = np.minimum(particles.chances()[1:] * 255 + 0.5, 255).astype(np.uint8)
        assert (shown[:6].reshape(6, 64) == wanted).all()
        size = 1 if particles.exact else particles.effective_size / BOARDS
        assert (shown[6] == int(size * 255 + 0.5)).all()


def test_what_cannot_be_followed_is_refused() -> None:
    game = Game()
    particles = begun(game, chess.WHITE)
    game.ask("e2e4")
    particles.follow(game.view(chess.WHITE))
    with pytest.raises(ValueError, match="answers are to its own tries"):
        particles.answers(np.array([1]))
    for move in ("e7e5", "g1f3", "b8c6"):
        game.ask(move)
    with pytest.raises(ValueError, match="cannot follow this view"):
        particles.follow(Game(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 9").view(chess.WHITE))
    with pytest.raises(ValueError, match="call begin first"):
        Particles(5).follow(game.view(chess.WHITE))
    with pytest.raises(ValueError, match="InvisibleChess; expected Kriegspiel"):
        Particles(5).begin(Opening.of(InvisibleGame("N v N"), chess.WHITE))
    planes = SeatPlanes(ParticlesEncoder())
    planes.begin(kriegspiel.opening(chess.WHITE, game.ruleset))
    with pytest.raises(ValueError, match="particle filter of row 0 cannot follow its view"):
        planes.planes(game.view(chess.WHITE), game.ruleset.record()[0])


def test_bad_settings_are_named() -> None:
    with pytest.raises(ValueError, match="0 boards; expected 1 to 131072"):
        Particles(0)
    with pytest.raises(ValueError, match="stir is 2; expected 0 to 1"):
        Care(stir=2)
    with pytest.raises(ValueError, match="steps is -1"):
        Care(steps=-1)
    with pytest.raises(ValueError, match="unknown model 'x'; expected one of uniform, profile"):
        make_model("x")
    with pytest.raises(ValueError, match="expected finite values above 0"):
        SquareModel(np.zeros((2, 1, 7, 64)))
    with pytest.raises(ValueError, match="expected \\(2, T, 7, 64\\)"):
        SquareModel(np.ones((1, 1, 7, 64)))
    assert isinstance(make_model("uniform"), type(uniform_model()))
