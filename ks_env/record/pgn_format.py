"""Records as PGN that any reader takes: accepted moves are the main line, all else is in comments.

A comment stands behind the move that it leads to and holds tags, each in brackets::

    1. e4 { [%said 0 pawn tries] } 1... d5 { [%try a6a5 illegal] [%said 1 pawn try] }

==========  ======================================================================================
tag         meaning
==========  ======================================================================================
%start      before the first move: what both players heard; left out if nothing
%try        a try that was not played, in UCI text (or `any?`), and the answer, which only the mover
            heard
%overheard  the same, heard by both players
%said       what both players heard of the move; left out if nothing but that it was accepted
%other      directly behind one of these, for the rare case that the other player (at the start: the
            one who waits) heard something else: that, or `nothing`
==========  ======================================================================================

The words are those of `ks_env.record.words`. Tries of an unfinished turn follow the `%said` of the last
move, which is then always there. Other text in comments is ignored. There is no `Variant` header, because
python-chess takes it for the name of a set of chess rules and reports an error for one it does not know.
"""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import chess
import chess.pgn

from ks_env.core.announcement import REASON_TEXT, Announcement, Kind, Reason
from ks_env.record.game_record import SCHEMA_VERSION, GameRecord, Heard, RecordError, Try
from ks_env.record.ruleset_options import ruleset_from_options, ruleset_to_options
from ks_env.record.words import from_words, to_words
from ks_env.spaces.actions import action_to_move, move_to_action, text_to_action

VERSION_HEADER = "KriegspielSchema"
_TAG = re.compile(r"\[%(start|try|overheard|said|other) ([^\]]*)\]")
_NOTHING = "nothing"
_ACCEPTED = "accepted"
_PLAIN = f"[%said {_ACCEPTED}]"
FORFEIT = "forfeit"  # lost by what a player did, not by the rules: to the record the game is broken off
_TERMINATION = {Reason.NONE: "unterminated", **REASON_TEXT}


def to_pgn(record: GameRecord) -> str:
    """The record as the text of one PGN game, with a newline at the end.

    Raises:
        RecordError: an accepted move is no legal chess move.
    """
    game = chess.pgn.Game()
    for name, value in _headers(record).items():
        game.headers[name] = value.replace("\\", "\\\\").replace('"', '\\"')
    comments = _comments(record)
    game.comment = comments[0]
    node: chess.pgn.GameNode = game
    for move, comment in zip(_moves(record), comments[1:], strict=True):
        node = node.add_variation(move, comment=comment)
    return str(game.accept(chess.pgn.StringExporter())) + "\n"


def _headers(record: GameRecord) -> dict[str, str]:
    name, options = ruleset_to_options(record.ruleset)
    headers = {
        "Event": record.event,
        "Date": record.date,
        "White": record.white,
        "Black": record.black,
        "Result": record.result,
        "Termination": _TERMINATION[record.reason],
        VERSION_HEADER: str(SCHEMA_VERSION),
        "Ruleset": name,
        "Tries": str(len(record.tries)),
    }
    if record.start_fen != chess.STARTING_FEN:
        headers |= {"SetUp": "1", "FEN": record.start_fen}
    if record.hidden_start:
        headers["HiddenStart"] = "1"
    extras = {"RulesetOptions": options, "Seeds": dict(record.seeds), "Metadata": dict(record.metadata)}
    return headers | {key: json.dumps(value) for key, value in extras.items() if value}


def _moves(record: GameRecord) -> Iterator[chess.Move]:
    board = chess.Board(record.start_fen)
    for number, entry in enumerate(record.tries, 1):
        if not entry.accepted:
            continue
        move = _move_on(board, entry)
        if not board.is_legal(move):
            raise RecordError(
                f"try {number}: {entry.text()} was accepted but is no legal move in {board.fen()}"
            )
        board.push(move)
        yield move


def _move_on(board: chess.Board, entry: Try) -> chess.Move:
    plain = action_to_move(entry.action, entry.seat)
    promotes = board.piece_type_at(plain.from_square) == chess.PAWN
    return action_to_move(entry.action, entry.seat, promotes)


def _comments(record: GameRecord) -> list[str]:
    """The comment before the first move and behind every move."""
    turn = chess.Board(record.start_fen).turn
    comments = [[_heard_tags("start", _by_mover(record.start, turn))]]
    pending: list[str] = []
    for entry in record.tries:
        heard = _by_mover(entry.heard, entry.seat)
        if entry.accepted:
            comments.append([*pending, _heard_tags("said", heard)])
            pending = []
        else:
            pending.append(_try_tags(entry.text(), heard))
    if pending and len(comments) > 1:
        comments[-1] = [tags or _PLAIN for tags in comments[-1]]
    comments[-1] += pending
    return [" ".join(tags for tags in comment if tags) for comment in comments]


def _by_mover(heard: Heard, mover: bool) -> Heard:
    return heard if mover == chess.WHITE else (heard[1], heard[0])


def _words(heard: Announcement | None) -> str:
    return _NOTHING if heard is None else to_words(heard)


def _heard_tags(tag: str, heard: Heard) -> str:
    """`[%tag words]`, and what the other heard if that differs; empty if nothing was said."""
    words, other = _words(heard[0]), _words(heard[1])
    if words == other:
        return "" if words == _ACCEPTED else f"[%{tag} {words}]"
    return f"[%{tag} {words}] [%other {other}]"


def _try_tags(move: str, heard: Heard) -> str:
    words, other = _words(heard[0]), _words(heard[1])
    if other == _NOTHING:
        return f"[%try {move} {words}]"
    overheard = f"[%overheard {move} {words}]"
    return overheard if words == other else f"{overheard} [%other {other}]"


def from_pgn(text: str) -> GameRecord:
    """The first game of a PGN text that `to_pgn` wrote.

    Raises:
        RecordError: naming what is wrong and what was expected.
    """
    return next(games_from_pgn(text))


def games_from_pgn(text: str) -> Iterator[GameRecord]:
    """Every game of a PGN text; at least one.

    Raises:
        RecordError: naming the game by its number where there are several.
    """
    handle = io.StringIO(text)
    game = chess.pgn.read_game(handle, Visitor=_Builder)
    if game is None:
        raise RecordError("no PGN game; expected headers and moves")
    number = 1
    while game is not None:
        following = chess.pgn.read_game(handle, Visitor=_Builder)
        try:
            yield _record(game)
        except RecordError as error:
            several = number > 1 or following is not None
            raise RecordError(f"game {number}: {error}" if several else str(error)) from error
        game, number = following, number + 1


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Collects the errors of a game instead of logging them."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _record(game: chess.pgn.Game) -> GameRecord:
    version = game.headers.get(VERSION_HEADER)
    if version != str(SCHEMA_VERSION):
        found = "none" if version is None else repr(version)
        raise RecordError(f"header {VERSION_HEADER}: expected {str(SCHEMA_VERSION)!r}, found {found}")
    if game.errors:
        raise RecordError(f"damaged moves: {game.errors[0]}")
    headers = {key: re.sub(r"\\(.)", r"\1", value) for key, value in game.headers.items()}
    start, tries = _answers(game)
    try:
        expected = int(headers.get("Tries", ""))
    except ValueError:
        raise RecordError(f"header Tries: expected a number, found {headers.get('Tries')!r}") from None
    if expected != len(tries):
        raise RecordError(f"truncated: expected {expected} tries, found {len(tries)}")
    record = GameRecord(
        ruleset=ruleset_from_options(headers.get("Ruleset", ""), _json_header(headers, "RulesetOptions")),
        start_fen=headers.get("FEN", chess.STARTING_FEN),
        hidden_start=headers.get("HiddenStart") == "1",
        start=start,
        tries=tries,
        **{name.lower(): headers[name] for name in ("White", "Black", "Event", "Date")},
        seeds=_json_header(headers, "Seeds"),
        metadata=_json_header(headers, "Metadata"),
    )
    if record.reason is Reason.NONE and headers.get("Termination") == FORFEIT:
        return record  # no announcement tells its result
    for name, value in (("Result", record.result), ("Termination", _TERMINATION[record.reason])):
        if headers.get(name) != value:
            raise RecordError(
                f"header {name}: expected {value!r} by the announcements, found {headers.get(name)!r}"
            )
    return record


def _json_header(headers: dict[str, str], name: str) -> dict[str, Any]:
    try:
        value = json.loads(headers.get(name, "{}"))
    except json.JSONDecodeError as error:
        raise RecordError(f"header {name}: expected JSON: {error}") from error
    if not isinstance(value, dict):
        raise RecordError(f"header {name}: expected a JSON object, found {headers[name]!r}")
    return value


def _answers(game: chess.pgn.Game) -> tuple[Heard, tuple[Try, ...]]:
    turn = game.board().turn
    opening = _tagged(game.comment)
    if not opening or opening[0].name != "start":
        opening.insert(0, _Tag("start", _ACCEPTED))
    start = opening[0].heard(Kind.START, turn, None)
    tries = list(_entries(opening[1:], None, turn))
    for node in game.mainline():
        tags = _tagged(node.comment)
        if "said" not in [tag.name for tag in tags]:
            tags.append(_Tag("said", _ACCEPTED))
        tries += _entries(tags, node.move, not node.turn())
    return start, tuple(tries)


@dataclass
class _Tag:
    """A tag of a comment, and the text of the `%other` behind it."""

    name: str
    text: str
    other: str | None = None

    def heard(self, plain: Kind, mover: bool, action: int | None, words: str | None = None) -> Heard:
        words = self.text if words is None else words
        told = self.other or (_NOTHING if self.name == "try" else words)
        other = None if told == _NOTHING else from_words(told, plain, mover, None)
        return _by_mover((from_words(words, plain, mover, action), other), mover)


def _tagged(comment: str) -> list[_Tag]:
    tags: list[_Tag] = []
    for name, text in _TAG.findall(" ".join(comment.split())):
        if name != "other":
            tags.append(_Tag(name, text))
        elif tags:
            tags[-1].other = text
    return tags


def _entries(tags: list[_Tag], move: chess.Move | None, turn: bool) -> Iterator[Try]:
    """The tries of one comment, and among them the move in front of it."""
    for tag in tags:
        if tag.name == "said" and move is not None:
            action = move_to_action(move, turn)
            yield Try(turn, action, tag.heard(Kind.MOVED, turn, action))
            turn, move = not turn, None
        elif tag.name in ("try", "overheard"):
            tried, _, words = tag.text.partition(" ")
            try:
                action = text_to_action(tried, turn)
            except ValueError as error:
                raise RecordError(f"[%{tag.name} {tag.text}]: {error}") from error
            yield Try(turn, action, tag.heard(Kind.ILLEGAL, turn, action, words))
        else:
            raise RecordError(f"[%{tag.name} {tag.text}] is out of place")
