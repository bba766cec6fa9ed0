"""Everything that a seat is shown, as bytes; and what may differ behind its back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import chess

from ks_env.games.kriegspiel.announcement import Announcement
from ks_env.games.kriegspiel.game import Game
from tests.oracle import OracleGame
from tests.seats import observe_game

Probe = Callable[[Game, chess.Color], bytes]


def _own_board(game: Game, seat: chess.Color) -> bytes:
    """The board that the seat is given, each of its attributes."""
    return repr(sorted(vars(game.own_board(seat)).items())).encode()


def in_words(heard: Sequence[Announcement]) -> bytes:
    """The announcements in words."""
    return "\n".join(announcement.text() for announcement in heard).encode()


NOW: Final[Mapping[str, Probe]] = {
    "view record": lambda game, seat: game.view(seat).tobytes(),
    "observation": lambda game, seat: observe_game(game, seat).tobytes(),
    "informed mask": lambda game, seat: game.mask(seat, "informed").tobytes(),
    "own-board mask": lambda game, seat: game.mask(seat, "own-board").tobytes(),
    "own board": _own_board,
    "ages": lambda game, seat: game.ages(seat).tobytes(),
    "turn and result": lambda game, seat: repr((game.to_play, game.winner, game.reason, game.plies)).encode(),
}
HISTORY: Final[Mapping[str, Probe]] = {
    "announcements": lambda game, seat: repr(game.heard(seat)).encode(),
    "announcements in words": lambda game, seat: in_words(game.heard(seat)),
}
PROBES: Final[Mapping[str, Probe]] = {**NOW, **HISTORY}


class LeakError(AssertionError):
    """A seat is shown something by which it can tell two games apart that it heard the same of."""


def compare(games: Sequence[Game], seat: chess.Color, probes: Mapping[str, Probe] = PROBES) -> None:
    """Raise `LeakError` where a probe gives different bytes."""
    for name, probe in probes.items():
        shown, *others = (probe(game, seat) for game in games)
        for other in others:
            if shown != other:
                pairs = enumerate(zip(shown, other, strict=False))
                at = next((i for i, pair in pairs if len(set(pair)) > 1), -1)
                words = f"{name} of {chess.COLOR_NAMES[seat]} differs from byte {at} of {len(shown)} on"
                raise LeakError(words)


def hidden_state(game: OracleGame, seat: chess.Color) -> dict[str, object]:
    """The true state that the seat has not been told of, refused tries apart, in parts."""
    board, (men, black, white, _, castling, ep_square) = game.board, game.survey.key
    theirs = white if seat == chess.BLACK else black
    return {
        "placement": (men, black, white),
        "half-move clock": board.halfmove_clock,
        "repetition count": game.times_seen,
        "en passant available": ep_square is not None,
        "opponent's castling rights": castling
        & (chess.BB_RANK_8 if seat == chess.WHITE else chess.BB_RANK_1),
        "opponent's promotions": [(kind & theirs).bit_count() for kind in men],
        "legal tries": game.legal_bits() if game.to_play == seat else None,
    }
