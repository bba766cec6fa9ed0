"""One decision of a recorded game, put to a player that can say why it would try what.

A player can be explained if it has the method `explain` of `Explains`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import chess
from ks_baselines.explained import Explanation, TryExplained

from ks_env.core.actions import action_to_move, action_to_text
from ks_env.core.answers import Reason
from ks_env.core.tables import ANY
from ks_env.games import serves
from ks_env.games.opening import Opening
from ks_env.games.under_way import GameUnderWay
from ks_env.players.protocol import Player, listener
from ks_env.players.registry import make_player
from ks_env.record import AnyTry, Record, steps
from ks_env.render.following import Follower, can_follow, followed

MOVE = re.compile(r"(?P<number>\d+)(?:(?P<colour>[wb])(?P<nth>\d*))?")
MOVES = 'the number of a try, or a move such as "23w", "23b" or "23w2" (the second try of that turn)'


@runtime_checkable
class Explains(Player, Protocol):
    """A player that says why it would try what.

    It may have a method `watch(view)`, called instead of `choose` in turns that were decided before.
    """

    def explain(self, view: Any, most: int) -> Explanation[TryExplained]:
        """The decision of this turn, at most so many tries of it; changes nothing that is told later."""


@dataclass(frozen=True)
class Decision:
    """A moment of a game in which a seat was to try.

    Attributes:
        number: the try's number in the record, from 1; one more than there are where the game was broken off.
        game: at that moment.
        follower: both seats' metapositions then; None in a game that they cannot follow.
        seat: whose turn it is.
        tried: what was tried in the record; None where it was broken off.
    """

    number: int
    game: GameUnderWay[Any]
    follower: Follower | None
    seat: bool
    tried: AnyTry[Any] | None


def find_try(record: Record, move: str) -> int:
    """The number of the try, from 1, that a user means.

    Raises:
        ValueError: it is neither a number nor a move, or the record has no such try.
    """
    found = MOVE.fullmatch(move.strip().lower())
    if found is None:
        raise ValueError(f"move {move!r} is not understood; expected {MOVES}")
    most = len(record.tries) + (record.reason is Reason.NONE)
    if found["colour"] is None:
        number = int(found["number"])
        if not 1 <= number <= most:
            raise ValueError(f"there is no try {number}; expected 1 to {most}")
        return number
    wanted = (int(found["number"]), found["colour"] == "w")
    turn = [i for i, at in enumerate(_turns(record)[:most], 1) if at == wanted]
    nth = int(found["nth"] or 1)
    if not turn:
        first, last = _turns(record)[0], _turns(record)[most - 1]
        raise ValueError(
            f"there is no move {move!r}; expected one from {_turn_name(first)} to {_turn_name(last)}"
        )
    if not 1 <= nth <= len(turn):
        raise ValueError(f"move {_turn_name(wanted)} has {len(turn)} tries; expected one of them, not {nth}")
    return turn[nth - 1]


def _turns(record: Record) -> list[tuple[int, bool]]:
    """The move number and the colour of every try, and of the next one."""
    board = chess.Board(record.start_fen)
    number, colour = board.fullmove_number, board.turn
    turns = [(number, colour)]
    for entry in record.tries:
        if entry.ends_turn:
            number, colour = number + (not colour), not colour
        turns.append((number, colour))
    return turns


def _turn_name(turn: tuple[int, bool]) -> str:
    return f"{turn[0]}{'w' if turn[1] else 'b'}"


def decide(
    record: Record, number: int, name: str, most: int, seed: int
) -> tuple[Decision, Explanation[TryExplained]]:
    """Follow a game up to a try as the player to make it, and ask the player for its reasons.

    Args:
        record: the game.
        number: of the try, from 1.
        name: of the player.
        most: how many tries to explain.
        seed: of the player.

    Raises:
        RecordError: the record does not replay to the same announcements.
        ValueError: a player that does not exist, does not play the game or cannot be explained; a hidden
            start.
    """
    player = make_player(name)
    if not isinstance(player, Explains):
        raise ValueError(f"player {name!r} cannot be explained: it has no method `explain`; try darkboard")
    watch = getattr(player, "watch", player.choose)
    if not serves(player, record.definition):
        raise ValueError(f"player {name!r} does not play {record.definition.name}")
    seat = _turns(record)[number - 1][1]
    heard, hear = 0, listener(player)
    for answered, (game, follower) in enumerate(_followed(record)):
        if answered == 0:
            player.begin(Opening.of(game, seat, seed))
        for announcement in game.heard(seat)[heard:] if hear is not None else ():
            hear(announcement)
        heard = len(game.heard(seat))
        if answered == number - 1:
            tried = record.tries[answered] if answered < len(record.tries) else None
            return Decision(number, game, follower, seat, tried), player.explain(game.view(seat), most)
        if game.to_play is seat:
            watch(game.view(seat))
    raise AssertionError("find_try gives tries of the record alone")


def _followed(record: Record) -> Iterator[tuple[GameUnderWay[Any], Follower | None]]:
    if can_follow(record.definition):
        yield from followed(record)
    else:
        yield from ((game, None) for game in steps(record))


# ---- lines in words


def line_words(board: chess.Board, line: Sequence[int | None], seat: bool) -> list[str]:
    """Own tries one after the other, as text much like SAN.

    Args:
        board: own men; not changed.
        line: tries in the seat's frame.
        seat: whose they are.
    """
    board, words = board.copy(stack=False), []
    board.turn = seat
    for action in line:
        if action is None or action == ANY:
            words.append("?" if action is None else "any?")
            continue
        move = action_to_move(action, seat)
        words.append(move_words(board, move))
        if board.piece_at(move.from_square):
            board.push(move)
            board.push(chess.Move.null())  # the same side again, and nothing to take en passant
    return words


def try_words(board: chess.Board, action: int, seat: bool) -> str:
    """One try in such words."""
    return line_words(board, [action], seat)[0]


def move_words(board: chess.Board, move: chess.Move) -> str:
    """A move on a board of own men alone; a capture is seen of pawns only."""
    man = board.piece_type_at(move.from_square)
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    if man is None:
        return move.uci()
    if man == chess.PAWN:
        target = end if start[0] == end[0] else f"{start[0]}x{end}"
        last = chess.square_rank(move.to_square) in (0, 7)
        return target + (f"={chess.piece_symbol(move.promotion or chess.QUEEN).upper()}" if last else "")
    return board.san(move)


def uci(action: int, seat: bool) -> str:
    """A try as UCI text."""
    return action_to_text(action, seat)
