"""The pool against exact information sets by brute force, and against the true board of random games."""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest
from ks_baselines.samplers.pool import Pool

from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.game import Game
from ks_env.games.opening import Opening
from ks_env.players import make_player
from tests.baselines.samplers.boards import TrueBoard, written_all
from tests.belief.metaposition.tightness import Study, bare_king_starts, few_men_start
from tests.starts import LISTED

MOST = 4_000


class Beside(Study):
    """A game in which a pool is followed beside the exact information set."""

    size = 60_000
    compared = 0
    pool: Pool | None = None

    def begin(self, fens: list[str]) -> Beside:
        opening = Opening(
            KRIEGSPIEL, self.seat == 0, self.ruleset, tuple(fens), self.view().copy(), 1, len(fens) > 1
        )
        self.pool = Pool(self.size)
        self.pool.begin(opening, self.rules[0])
        return self

    def compare(self) -> None:
        if int(self.game[0]["truth"]["side"]) != self.seat or self.pool is None:
            return
        self.pool.follow(self.view(), 7)
        exact, held = written_all(self.sets.truths, self.seat == 1), written_all(self.pool.boards)
        assert len(held) == self.pool.count, f"{self.where}: a board is there twice"
        if self.pool.whole:
            assert held == exact, f"{self.where}: {held ^ exact}"
        else:
            assert held <= exact, f"{self.where}: {held - exact}"
        self.compared += 1


@pytest.mark.parametrize("name", RULESETS)
def test_the_pool_is_the_information_set(name: str) -> None:
    rng = random.Random(name)
    compared = 0
    for n in range(6):
        fen = few_men_start(rng, 3, 8)
        study = Beside(RULESETS[name], [fen], 0, n % 2, n // 2 % 2, n, MOST).begin([fen])
        study.play(7)
        assert study.pool is not None
        assert study.pool.whole
        compared += study.compared
    fens = bare_king_starts(rng, "KBB")
    hidden = Beside(RULESETS[name], fens, rng.randrange(len(fens)), 0, 1, 3, MOST).begin(fens)
    hidden.play(10)
    assert compared + hidden.compared > 30


@pytest.mark.parametrize("size", [1, 40])
def test_a_small_pool_holds_boards_of_the_information_set(size: int) -> None:
    rng = random.Random(size)
    sampled = 0
    for n, name in enumerate(RULESETS):
        fen = few_men_start(rng, 12, 20)
        study = Beside(RULESETS[name], [fen], 0, n % 2, n // 2 % 2, n, MOST)
        study.size = size
        study.begin([fen]).play(4)
        assert study.pool is not None
        sampled += not study.pool.whole
    assert sampled >= 4


def test_a_pool_without_room_for_all_is_a_uniform_sample_of_them() -> None:
    """Of Black's 20 first moves d5 and f5 would have given White a pawn try.

    The tolerance is five standard deviations of how often one of 18 boards is among 8, in 400 pools.
    """
    game = Game()
    told = Opening.of(game, chess.WHITE)
    game.ask("e2e4")
    game.ask("e7e5")
    pool, often = Pool(8), Counter[str]()
    for seed in range(400):
        pool.begin(told, game.ruleset.record()[0])
        pool.follow(game.view(chess.WHITE), seed)
        assert pool.count == 8
        often.update(written_all(pool.boards))
    assert len(often) == 18
    share = 8 / 18
    assert all(abs(n - 400 * share) < 5 * (400 * share * (1 - share)) ** 0.5 for n in often.values()), often


@pytest.mark.parametrize("name", RULESETS)
def test_the_true_board_is_never_filtered_out(name: str) -> None:
    rng = random.Random(name)
    turns = refusals = 0
    for n in range(10):
        fen = chess.STARTING_FEN if n % 4 == 0 else rng.choice(LISTED)
        game = Game(RULESETS[name], fen)
        players = {colour: make_player(("random", "capture")[(n + colour) % 2]) for colour in (True, False)}
        for colour, player in players.items():
            player.begin(Opening.of(game, colour, n))
        boards = {colour: TrueBoard(game, colour) for colour in players}
        moved = {True: False, False: False}
        while game.to_play is not None and game.plies < 120:
            colour, plies = game.to_play, game.plies
            game.ask(players[colour].choose(game.view(colour)))
            if game.row()["truth"]["reason"]:
                break
            if game.plies == plies:
                boards[colour].hear_refusal(game)
                refusals += 1
            else:
                boards[not colour].hear_turn(game, moved[not colour])
                moved[colour] = True
                turns += 1
    assert turns > 250
    assert refusals > 60
