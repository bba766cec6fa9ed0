"""Games in which every metaposition is held against the truth after every answer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

import chess
import numpy as np

from ks_env.belief.metaposition import METAPOSITION, follow, opening, stamp_of
from ks_env.belief.metaposition.layout import Metaposition
from ks_env.core.bits import has
from ks_env.core.jit import kernel
from ks_env.core.layout import Rules, Truth
from ks_env.core.record import i8
from ks_env.core.ruleset import Ruleset
from ks_env.core.tries import MOST_TRIES
from ks_env.games import kriegspiel
from ks_env.games.kriegspiel import KRIEGSPIEL
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.judge import judge
from ks_env.games.kriegspiel.layout import GameRow, View
from ks_env.games.kriegspiel.start import start_rows
from ks_env.players.kernel import choice_kernel
from ks_env.players.protocol import Player, listener
from tests.starts import LISTED, random_start

Array = np.ndarray[Any, Any]
choose = choice_kernel(KRIEGSPIEL.kernels)

# What contradicts the truth, by number
FINE, MISSED, OWN_MEN, GHOST, EMPTY, MEN_LEFT, KIND_LEFT, FILE_PAWNS, FILE_LEAST, RIGHTS, BEHIND = range(11)
FAULTS: Final = (
    "nothing", "a view too far ahead", "own men", "a ghost", "an empty square", "the number of men",
    "men of a kind", "most pawns of a file", "least pawns of a file", "castling rights", "the stamp",
)  # fmt: skip
MOST_PLIES = 3000  # a game of Python players stops


@kernel
def contradiction(m: Metaposition, truth: Truth) -> int:
    """In what the metaposition of a seat excludes the true position: one of the numbers above."""
    seat = i8(m.seat)
    counts = np.zeros(7, np.int64)
    files = np.zeros(8, np.int64)
    for square in range(64):
        here = square ^ (56 * seat)
        man = i8(truth.men[square])
        kind = man & 7
        if kind == 0:
            if not has(m.ghosts[0], here):
                return EMPTY
        elif man >> 3 == seat:
            if not has(m.own[kind], here) or not has(m.own[0], here):
                return OWN_MEN
        else:
            if not has(m.ghosts[kind], here):
                return GHOST
            counts[kind] += 1
            counts[0] += 1
            files[here & 7] += kind == 1
    if counts[0] != m.most[0]:
        return MEN_LEFT
    for kind in range(1, 7):
        if counts[kind] > m.most[kind]:
            return KIND_LEFT
    for file in range(8):
        if files[file] > m.file_pawns[file]:
            return FILE_PAWNS
        if files[file] < m.file_least[file]:
            return FILE_LEAST
    theirs = (truth.rights >> (2 * (1 - seat))) & 3
    if theirs & ~m.their_rights:
        return RIGHTS
    return FINE


@kernel
def fault_of(m: Metaposition, view: View, truth: Truth, rules: Rules) -> int:
    """Follow the view; what contradicts the truth then."""
    if not follow(m, view, rules):
        return MISSED
    if m.stamp != stamp_of(view):
        return BEHIND
    return contradiction(m, truth)


@kernel
def play_and_check(
    game: GameRow,
    history: Array,
    rules: Rules,
    players: Array,
    records: Array,
    often: bool,
    scratch: Array,
    found: Array,
) -> int:
    """Play one game out; the first contradiction of a seat's metaposition, 0 for none.

    Args:
        game: GAME, begun.
        history: u8[H].
        rules: RULES.
        players: i8[2], the kernel player of each seat.
        records: METAPOSITION[2], the openings; overwritten.
        often: follow after every answer, else only when the seat is to move.
        scratch: i2[MOST_TRIES].
        found: i8[3]: the seat of the contradiction, plies played, tries made.
    """
    truth = game.truth
    while truth.reason == 0:
        mover = i8(truth.side)
        for seat in range(2):
            if often or seat == mover:
                fault = fault_of(records[seat], game.views[seat], truth, rules)
                if fault != FINE:
                    found[0] = seat
                    found[1] = truth.plies
                    return fault
        judge(
            game,
            history,
            rules,
            choose(players[mover], game.views[mover], rules, truth.random, mover, scratch),
        )
        found[2] += 1
    found[1] = truth.plies
    return FINE


class Starts:
    """Start positions of one ruleset, with the metapositions of both seats.

    Args:
        ruleset: the rules.
        fens: public starts, or with `hidden` the declared placements.
        hidden: a seat knows the placements that look alike to it, and that it is one of them.
    """

    def __init__(self, ruleset: Ruleset, fens: Sequence[str], *, hidden: bool = False) -> None:
        self.ruleset, self.fens = ruleset, list(fens)
        self.rows = start_rows(self.fens, ruleset, hidden=hidden)
        self.records = np.zeros((len(self.fens), 2), METAPOSITION)
        for k in range(len(self.fens)):
            for seat in (0, 1):
                known = [i for i in range(len(self.fens)) if i == k or (hidden and self.alike(i, k, seat))]
                self.records[k, seat] = opening([self.fens[i] for i in known], seat == 0)

    def alike(self, i: int, k: int, seat: int) -> bool:
        """Whether two starts look the same to a seat."""
        return alike(self.rows, i, k, seat)


def alike(rows: Array, i: int, k: int, seat: int) -> bool:
    """Whether two start rows look the same to a seat."""
    return bool(rows["views"][i, seat].tobytes() == rows["views"][k, seat].tobytes())


def check_game(starts: Starts, players: tuple[int, int], seed: int, *, often: bool) -> tuple[int, int]:
    """Play a game of kernel players from a start drawn by the seed; plies and tries that were checked.

    Raises:
        AssertionError: a metaposition does not contain the truth; with start, seed and ply.
    """
    rng = np.random.default_rng(seed)
    k = int(rng.integers(len(starts.fens)))
    game = starts.rows[k : k + 1].copy()
    game["truth"]["random"] = rng.integers(0, 2**63, (1, 3)).astype(np.uint64)
    history = np.zeros(starts.ruleset.history, np.uint64)
    history[0] = game["truth"]["key"][0]
    game["truth"]["past"] = 1
    found = np.zeros(3, np.int64)
    fault = play_and_check(
        game[0],
        history,
        starts.ruleset.record()[0],
        np.array(players),
        starts.records[k].copy(),
        often,
        np.zeros(MOST_TRIES, np.int16),
        found,
    )
    assert fault == FINE, (
        f"{starts.ruleset.name}, start {starts.fens[k]}, players {players}, seed {seed}, often {often}:"
        f" seat {found[0]}, ply {found[1]}: {FAULTS[fault]} is contradicted by the truth"
    )
    return int(found[1]), int(found[2])


def tell(player: Player, said: Announcement) -> None:
    """Let a player that listens hear an announcement."""
    hear = listener(player)
    if hear is not None:
        hear(said)


def check_player_game(
    ruleset: Ruleset, players: tuple[Player, Player], fen: str, seed: int, *, often: bool
) -> tuple[int, int]:
    """As `check_game`, with players in Python, White's first, from a public start.

    Raises:
        AssertionError: a metaposition does not contain the truth; with start, seed and ply.
    """
    game, rules, tries = Game(ruleset, fen), ruleset.record()[0], 0
    records = np.zeros(2, METAPOSITION)
    for seat, player in enumerate(players):
        records[seat] = opening([fen], seat == 0)
        player.begin(kriegspiel.opening(seat == 0, ruleset, fen, seed + seat))
        tell(player, game.heard(seat == 0)[0])
    while game.to_play is not None and game.plies < MOST_PLIES:
        row = game.row()
        for seat in (0, 1):
            if often or seat == int(row["truth"]["side"]):
                fault = fault_of(records[seat], row["views"][seat], row["truth"], rules)
                assert fault == FINE, (
                    f"{ruleset.name}, start {fen}, seed {seed}: seat {seat}, ply {game.plies}:"
                    f" {FAULTS[fault]} is contradicted by the truth"
                )
        mover = bool(game.to_play)
        game.ask(players[0 if mover else 1].choose(game.view(mover)))
        tries += 1
        for player, said in zip(players, game.log()[-1], strict=True):
            if said is not None:
                tell(player, said)
    return game.plies, tries


def public_starts(rng: random.Random, drawn: int) -> list[str]:
    """The usual start, as often as all others; the listed ones; and so many from random play."""
    others = [*LISTED, *(random_start(rng) for _ in range(drawn))]
    return [chess.STARTING_FEN] * len(others) + others


def hidden_starts(rng: random.Random, men: str, theirs: str, count: int) -> list[str]:
    """Placements with White's men on the same squares and Black's wherever they are not in check."""
    squares = rng.sample(range(8, 56), len(men))
    fens: list[str] = []
    while len(fens) < count:
        board = chess.Board(None)
        black = rng.sample([s for s in range(8, 56) if s not in squares], len(theirs))
        for square, symbol in zip([*squares, *black], men + theirs, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if board.is_valid() and not board.is_check() and any(board.legal_moves):
            fens.append(board.fen())
    return fens
