"""The truth stays within every metaposition, whatever is played and however often it is followed."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from ks_env.belief.metaposition import METAPOSITION, follow, opening, possible
from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.game import Game
from ks_env.players.registry import make_player
from tests.belief.metaposition import containment
from tests.belief.metaposition.containment import (
    FAULTS,
    Starts,
    check_game,
    check_player_game,
    contradiction,
    hidden_starts,
    public_starts,
)

PAIRS = ((0, 0), (1, 1), (0, 1), (1, 0))  # random and capture
HIDDEN = (("KQ", "k"), ("KRP", "kp"), ("KNPP", "kbpp"), ("KR", "krn"))
PLACES = sorted(FAULTS.index(name) for name in FAULTS[2:])


@pytest.fixture(scope="module")
def fens() -> list[str]:
    return public_starts(random.Random(3), 30)


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("often", [True, False], ids=["after every answer", "in own turns"])
def test_public_starts(name: str, often: bool, fens: list[str]) -> None:
    starts = Starts(RULESETS[name], fens)
    plies = sum(check_game(starts, PAIRS[seed % 4], seed, often=often)[0] for seed in range(120))
    assert plies > 5_000


@pytest.mark.parametrize("name", RULESETS)
def test_hidden_starts(name: str) -> None:
    for n, (men, theirs) in enumerate(HIDDEN):
        starts = Starts(RULESETS[name], hidden_starts(random.Random(n), men, theirs, 12), hidden=True)
        for seed in range(12):
            check_game(starts, PAIRS[seed % 4], seed, often=seed % 2 == 0)


@pytest.mark.parametrize("name", ["icc", "english"])
def test_players_in_python(name: str) -> None:
    players = make_player("capture"), make_player("random")
    plies, tries = check_player_game(RULESETS[name], players, chess.STARTING_FEN, 5, often=True)
    assert tries >= plies > 20


def after_moves(moves: list[str]) -> tuple[np.ndarray, Game]:
    """White's metaposition after these moves from the usual start."""
    game, record = Game(), np.zeros(1, METAPOSITION)
    record[0] = opening([chess.STARTING_FEN], True)
    for move in moves:
        game.ask(move)
        assert follow(record[0], game.view(True), game.ruleset.record()[0])
    return record, game


def test_following_again_forgets_nothing() -> None:
    """The rules of a turn are applied again: they may conclude a little more from each other, never less."""
    record, game = after_moves(["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"])
    before = record.copy()
    assert follow(record[0], game.view(True), game.ruleset.record()[0])
    assert not (record["ghosts"] & ~before["ghosts"]).any()
    for field in ("own", "age", "most", "file_pawns", "file_least", "stamp", "rights", "their_rights"):
        assert (record[field] == before[field]).all(), field


def test_a_view_too_far_ahead_is_refused() -> None:
    game, record = Game(), np.zeros(1, METAPOSITION)
    record[0] = opening([chess.STARTING_FEN], True)
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        game.ask(move)
    before = record.tobytes()
    assert not follow(record[0], game.view(True), game.ruleset.record()[0])
    assert record.tobytes() == before


# The checker itself: whatever is taken from a metaposition is missed


def test_each_ghost_that_is_dropped_is_missed() -> None:
    record, game = after_moves(["e2e4", "d7d5", "g1f3", "d5e4"])
    truth = game.row()["truth"]
    assert contradiction(record[0], truth) == 0
    for square, piece in game.board().piece_map().items():
        if piece.color == chess.BLACK:
            worse = record.copy()
            worse["ghosts"][0, piece.piece_type] &= ~np.uint64(1 << square)
            assert FAULTS[contradiction(worse[0], truth)] == "a ghost", square


@pytest.mark.parametrize(
    ("field", "index", "value", "fault"),
    [
        ("ghosts", 0, 0, "an empty square"),
        ("own", 0, 0, "own men"),
        ("own", 2, 0, "own men"),
        ("most", 0, 15, "the number of men"),
        ("most", 0, 17, "the number of men"),
        ("most", 5, 0, "men of a kind"),
        ("file_pawns", 4, 0, "most pawns of a file"),
        ("file_least", 3, 1, "least pawns of a file"),
        ("their_rights", None, 1, "castling rights"),
    ],
)
def test_each_part_that_is_wrong_is_missed(field: str, index: int | None, value: int, fault: str) -> None:
    record, game = after_moves(["e2e4", "d7d5", "g1f3", "d5e4"])
    if index is None:
        record[field][0] = value
    else:
        record[field][0, index] = value
    assert FAULTS[contradiction(record[0], game.row()["truth"])] == fault


def test_a_game_with_a_wrong_opening_fails() -> None:
    starts = Starts(RULESETS["icc"], [chess.STARTING_FEN])
    check_game(starts, (0, 0), 1, often=True)
    starts.records["ghosts"][:, 1, 2] &= ~np.uint64(1 << 57)  # Black forgets the knight on b1
    with pytest.raises(AssertionError, match=r"seed 1.*seat 1, ply 0: a ghost is contradicted"):
        check_game(starts, (0, 0), 1, often=True)


def test_games_of_python_players_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(fens: list[str], colour: bool) -> np.ndarray:
        record = opening(fens, colour).copy()
        record["most"][3] = 1
        return record

    monkeypatch.setattr(containment, "opening", wrong)
    players = make_player("random"), make_player("random")
    with pytest.raises(AssertionError, match="men of a kind is contradicted"):
        check_player_game(RULESETS["icc"], players, chess.STARTING_FEN, 1, often=False)


def test_a_metaposition_is_wider_than_the_truth() -> None:
    record, _ = after_moves(["e2e4", "d7d5", "g1f3", "g8f6"])
    assert int(possible(record[0])).bit_count() > 16
