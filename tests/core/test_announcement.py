"""Announcements in words."""

from __future__ import annotations

import chess
import pytest

from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import RULESETS
from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game


@pytest.mark.parametrize(
    ("announcement", "text"),
    [
        (Announcement(Kind.START, chess.WHITE), "White to move"),
        (Announcement(Kind.START, chess.BLACK, tries=2), "Black to move: 2 pawn tries"),
        (Announcement(Kind.MOVED, chess.WHITE), "Black to move"),
        (Announcement(Kind.ILLEGAL, chess.WHITE, action=5), "illegal"),
        (Announcement(Kind.NONSENSE, chess.BLACK), "nonsense"),
        (Announcement(Kind.ANY_YES, chess.WHITE), "yes"),
        (Announcement(Kind.ANY_NO, chess.WHITE), "no"),
        (
            Announcement(Kind.MOVED, chess.BLACK, captured="pawn", square=chess.D5, tries=1),
            "White to move: pawn captured on d5, 1 pawn try",
        ),
        (
            Announcement(Kind.MOVED, chess.BLACK, captured="man", square=chess.D6, en_passant=True),
            "White to move: man captured en passant on d6",
        ),
        (
            Announcement(Kind.MOVED, chess.WHITE, checks=("file", "knight"), tries=0),
            "Black to move: file check, knight check",
        ),
        (
            Announcement(Kind.MOVED, chess.WHITE, promotion=True, try_squares=(chess.A2, chess.B7)),
            "Black to move: promotion, pawn tries from a2 b7",
        ),
        (
            Announcement(Kind.MOVED, chess.WHITE, checks=("rank",), winner=True, reason=Reason.CHECKMATE),
            "rank check, White wins: checkmate",
        ),
        (Announcement(Kind.MOVED, chess.WHITE, reason=Reason.STALEMATE), "draw: stalemate"),
        (Announcement(Kind.MOVED, chess.WHITE, reason=Reason.MATERIAL), "draw: insufficient material"),
        (Announcement(Kind.MOVED, chess.WHITE, reason=Reason.REPETITION), "draw: threefold repetition"),
        (Announcement(Kind.MOVED, chess.WHITE, reason=Reason.FIFTY_MOVES), "draw: fifty moves"),
        (Announcement(Kind.MOVED, chess.WHITE, reason=Reason.PLIES), "stopped: limit on plies"),
        (
            Announcement(Kind.ILLEGAL, chess.WHITE, winner=False, reason=Reason.TRIES),
            "illegal, Black wins: limit on tries",
        ),
    ],
)
def test_text(announcement: Announcement, text: str) -> None:
    assert announcement.text() == text


@pytest.mark.parametrize(
    ("ruleset", "text"),
    [
        ("icc", "White to move: piece captured on e4, 2 pawn tries"),
        ("berkeley", "White to move: man captured on e4"),
        ("berkeley-any", "White to move: man captured on e4"),
        ("cincinnati", "White to move: piece captured on e4, a pawn capture"),
        ("rand", "White to move: piece captured on e4, pawn tries from d3 f3"),
        ("english", "White to move: man captured on e4"),
    ],
)
def test_one_capture_in_every_ruleset(ruleset: str, text: str) -> None:
    game = Game(RULESETS[ruleset], "4k3/8/8/3p4/4N3/3P1P2/8/4K3 b - - 0 1")
    assert game.ask("d5e4").text() == text
    assert game.heard(chess.WHITE)[-1].text() == text
