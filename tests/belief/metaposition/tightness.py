"""How much larger a metaposition is than the information set, turn by turn of a game."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import chess
import numpy as np

from ks_env.belief.metaposition import METAPOSITION, follow, opening
from ks_env.core.answers import MOVED
from ks_env.core.ruleset import Ruleset
from ks_env.core.tries import MOST_TRIES
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.judge import judge
from ks_env.games.kriegspiel.layout import View
from ks_env.games.kriegspiel.start import start_rows
from ks_env.players.kernel import choice_kernel
from tests.belief.metaposition.containment import FAULTS, alike, contradiction
from tests.belief.metaposition.information_sets import Followed, draw_legal, first_excluded

Array = np.ndarray[Any, Any]
choose = choice_kernel(KRIEGSPIEL.kernels)


@dataclass
class Turn:
    """An own turn before its first try.

    Attributes:
        number: of the own turn, from 1.
        positions: in the information set.
        known: pairs (kind, square) that occur in the information set, for each kind; entry 0: squares that
            are empty in some position.
        claimed: the same for the metaposition.
        states: log10 of the positions that Ciancarini and Favini (2007) count, the product of the
            pseudo-pieces of all squares.
    """

    number: int
    positions: int
    known: list[int]
    claimed: list[int]
    states: float


@dataclass
class Followings:
    """What came of a game: the turns that were measured, and whether the king's squares were exact."""

    turns: list[Turn] = field(default_factory=list)
    loose_kings: list[str] = field(default_factory=list)


def log_states(record: Array) -> float:
    """log10 of the product over squares of how many pseudo-pieces may stand there.

    See Ciancarini and Favini (2007, §2).
    """
    ghosts = [int(board) for board in record["ghosts"]]
    total = 0.0
    for square in range(64):
        if not int(record["own"][0]) >> square & 1:
            total += math.log10(max(1, sum(board >> square & 1 for board in ghosts)))
    return total


def sizes(boards: Array) -> list[int]:
    return [int(board).bit_count() for board in boards]


def endless(ruleset: Ruleset) -> Ruleset:
    """The ruleset without draws by repetition and fifty moves, which a candidate's history decides."""
    return replace(ruleset, threefold=False, fifty_moves=False)


def few_men_start(rng: random.Random, least: int, most: int) -> str:
    """A position with so many men from random play that likes captures."""
    while True:
        board = chess.Board()
        for _ in range(200):
            moves = list(board.legal_moves)
            captures = [move for move in moves if board.is_capture(move)]
            board.push(rng.choice(captures if captures and rng.random() < 0.4 else moves))
            if not any(board.legal_moves) or board.is_insufficient_material():
                break
            if least <= len(board.piece_map()) <= most and rng.random() < 0.1:
                return board.fen(en_passant="fen")


def bare_king_starts(rng: random.Random, men: str) -> list[str]:
    """White's men (its king first) somewhere, Black's king on each square where it is not in check."""
    while True:
        squares = rng.sample(range(64), len(men))
        if men != "KBB" or sum((s + s // 8) % 2 for s in squares[1:]) == 1:
            break
    board, fens = chess.Board(None), []
    for square, symbol in zip(squares, men, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    for square in chess.SquareSet(~board.occupied):
        placed = board.copy()
        placed.set_piece_at(square, chess.Piece.from_symbol("k"))
        if placed.is_valid() and not placed.is_check():
            fens.append(placed.fen())
    return fens


class Study:
    """One game in which a seat's information set and metaposition are followed side by side.

    Args:
        ruleset: the rules.
        fens: public start (one) or the declared placements.
        k: which of them is played.
        seat: whose knowledge is followed.
        player: kernel player of that seat; the opponent draws from its legal tries.
        seed: of both.
        most: candidates at most.
    """

    def __init__(
        self, ruleset: Ruleset, fens: Sequence[str], k: int, seat: int, player: int, seed: int, most: int
    ) -> None:
        self.ruleset, self.seat, self.player = endless(ruleset), seat, player
        self.rules = self.ruleset.record()
        starts = start_rows(list(fens), self.ruleset, hidden=len(fens) > 1)
        known = [i for i in range(len(fens)) if i == k or alike(starts, i, k, seat)]
        self.game = starts[k : k + 1].copy()
        rng = np.random.default_rng(seed)
        self.random = rng.integers(1, 2**63, 1).astype(np.uint64)
        self.draws = rng.integers(0, 2**62, 10_000).astype(np.uint64)
        self.scratch = np.zeros(MOST_TRIES, np.int16)
        self.history = np.zeros(self.ruleset.history, np.uint64)
        self.record = np.zeros(1, METAPOSITION)
        self.record[0] = opening([fens[i] for i in known], seat == 0)
        view = self.game["views"][0, seat]
        self.sets = Followed(starts["truth"][known], seat, view, self.rules, most)
        self.where = f"{ruleset.name}, {fens[k]}, seat {seat}, seed {seed}"
        self.found = Followings()
        self.enough = True

    def play(self, turns: int) -> Followings:
        """Play so many own turns, or until the game is over or the candidates are too many."""
        number = 0
        while self.game[0]["truth"]["reason"] == 0 and self.enough:
            if int(self.game[0]["truth"]["side"]) == self.seat:
                number += 1
                self.compare()
                self.measure(number)
                if number == turns:
                    break
                self.own_turn()
            else:
                self.opponent_turn()
        return self.found

    def view(self) -> View:
        view: View = self.game["views"][0, self.seat]
        return view

    def judge(self, action: int) -> int:
        return int(judge(self.game[0], self.history, self.rules[0], action))

    def own_turn(self) -> None:
        while True:
            action = int(choose(self.player, self.view(), self.rules[0], self.random, 0, self.scratch))
            answer = self.judge(action)
            if self.game[0]["truth"]["reason"]:
                return
            if answer == MOVED:
                self.sets.own_move(action, self.view())
                self.compare()
                return
            self.sets.turn(self.view())
            self.compare()

    def opponent_turn(self) -> None:
        action = int(draw_legal(self.game[0]["truth"], self.draws, self.scratch))
        self.draws = self.draws[1:]
        assert self.judge(action) == MOVED
        if not self.game[0]["truth"]["reason"]:
            self.enough = self.sets.opponent_move(self.view())

    def compare(self) -> None:
        """The true position is in the information set, and that in the metaposition."""
        m, truths = self.record[0], self.sets.truths
        assert follow(m, self.view(), self.rules[0]), self.where
        assert self.game[0]["truth"]["key"] in truths["key"], f"{self.where}: the information set is wrong"
        first = int(first_excluded(m, truths))
        if first >= 0:
            fault = FAULTS[contradiction(m, truths[first])]
            raise AssertionError(f"{self.where}: {fault} of candidate {first} is contradicted")
        if m["most"][0] == 1:
            union = int(self.sets.union()[6])
            if union != int(m["ghosts"][6]):
                self.found.loose_kings.append(
                    f"{self.where}: {int(m['ghosts'][6]):#x} for {union:#x}, stamp {m['stamp']}"
                )

    def measure(self, number: int) -> None:
        self.found.turns.append(
            Turn(
                number,
                len(self.sets.truths),
                sizes(self.sets.union()),
                sizes(self.record[0]["ghosts"]),
                log_states(self.record[0]),
            )
        )
