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
%lost       of invisible chess, behind a null move (`--`): the impossible try that lost the turn, and the
            answer
%other      directly behind one of these, for the rare case that the other player (at the start: the
            one who waits) heard something else: that, or `nothing`
==========  ======================================================================================

The words are those of the game (`words` in its folder). A header `Game` names the game unless it is
Kriegspiel; invisible chess has a header `HiddenMen` with the squares of the hidden men at the start. Tries of
an unfinished turn follow the `%said` of the last move, which is then always there. Other text in comments is
ignored. Moves that are not legal in chess, as where kings are captured, are written by the rules of the game
(`Notation.board`); readers that know chess alone stop there. There is no `Variant` header, because
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

from ks_env.core.actions import action_to_move, move_to_action, text_to_action
from ks_env.core.answers import REASON_TEXT, Kind, Reason
from ks_env.games import DEFAULT_GAME, GameDefinition, game_named
from ks_env.games.definition import Notation
from ks_env.games.record import SCHEMA_VERSION, AnyRecord, AnyTry
from ks_env.games.words import RecordError
from ks_env.record.ruleset_options import ruleset_from_options, ruleset_to_options

Record = AnyRecord[Any, Any]

VERSION_HEADER = "KriegspielSchema"
GAME_HEADER = "Game"  # left out for Kriegspiel
_TAG = re.compile(r"\[%(start|try|overheard|said|lost|other) ([^\]]*)\]")
_NOTHING = "nothing"
_ACCEPTED = "accepted"
_PLAIN = f"[%said {_ACCEPTED}]"
_TERMINATION = {Reason.NONE: "unterminated", **REASON_TEXT}

Heard = tuple[Any, Any]  # announcements of either game: what White heard, what Black heard


def to_pgn(record: Record) -> str:
    """The record as the text of one PGN game, with a newline at the end.

    Raises:
        RecordError: an accepted move is not legal in the game.
    """
    game = chess.pgn.Game()
    game.headers = _Headers(game.headers)
    for name, value in _headers(record).items():
        game.headers[name] = value.replace("\\", "\\\\").replace('"', '\\"')
    comments = _comments(record)
    game.comment = comments[0]
    node: chess.pgn.GameNode = game
    for move, comment in zip(_moves(record), comments[1:], strict=True):
        node = node.add_variation(move, comment=comment)
    return str(game.accept(chess.pgn.StringExporter())) + "\n"


def _headers(record: Record) -> dict[str, str]:
    game = record.definition
    name, options = ruleset_to_options(record.ruleset, game)
    headers = {
        "Event": record.event,
        "Date": record.date,
        "White": record.white,
        "Black": record.black,
        "Result": record.result,
        "Termination": _termination(record),
        VERSION_HEADER: str(SCHEMA_VERSION),
        "Ruleset": name,
        "Tries": str(len(record.tries)),
    }
    if record.start_fen != chess.STARTING_FEN:
        headers |= {"SetUp": "1", "FEN": record.start_fen}
    if game.id != DEFAULT_GAME:
        headers[GAME_HEADER] = game.id
    if record.EXTRA is not None and record.extra:
        headers[record.EXTRA[1]] = "1" if record.extra is True else record.extra
    extras = {"RulesetOptions": options, "Seeds": dict(record.seeds), "Metadata": dict(record.metadata)}
    return headers | {key: json.dumps(value) for key, value in extras.items() if value}


def _termination(record: Record) -> str:
    """Why the game ended, such as `checkmate` or `Black resigned`."""
    if record.ended is None:
        return _TERMINATION[record.reason]
    words = record.ended.partition(": ")[2] or record.ended
    return "".join(letter if letter.isprintable() else " " for letter in words)


def _moves(record: Record) -> Iterator[chess.Move]:
    board = record.definition.notation.board(record.start_fen)
    tries: tuple[AnyTry[Any], ...] = record.tries
    for number, entry in enumerate(tries, 1):
        if not entry.ends_turn:
            continue
        move = _move_on(board, entry) if entry.accepted else chess.Move.null()
        if move and not board.is_legal(move):
            raise RecordError(
                f"try {number}: {entry.text()} was accepted but is not a legal move in {board.fen()}"
            )
        board.push(move)
        yield move


def _move_on(board: chess.Board, entry: AnyTry[Any]) -> chess.Move:
    plain = action_to_move(entry.action, entry.seat)
    promotes = board.piece_type_at(plain.from_square) == chess.PAWN
    return action_to_move(entry.action, entry.seat, promotes)


def _comments(record: Record) -> list[str]:
    """The comment before the first move and behind every move."""
    turn = chess.Board(record.start_fen).turn
    speech = record.definition.notation
    comments = [[_heard_tags("start", _said(speech, record.start, turn))]]
    pending: list[str] = []
    for entry in record.tries:
        said = _said(speech, entry.heard, entry.seat)
        if entry.ends_turn:
            tag = "said" if entry.accepted else f"lost {entry.text()}"
            comments.append([*pending, _heard_tags(tag, said)])
            pending = []
        else:
            pending.append(_try_tags(entry.text(), said))
    if pending and len(comments) > 1:
        comments[-1] = [tags or _PLAIN for tags in comments[-1]]
    comments[-1] += pending
    return [" ".join(tags for tags in comment if tags) for comment in comments]


def _by_mover(heard: Heard, mover: bool) -> Heard:
    return heard if mover == chess.WHITE else (heard[1], heard[0])


def _said(speech: Notation, heard: Heard, mover: bool) -> tuple[str, str]:
    """What the mover and the other player heard, in words."""
    to_words = speech.phrases.to_words
    mine, other = (_NOTHING if one is None else to_words(one) for one in _by_mover(heard, mover))
    return mine, other


def _heard_tags(tag: str, said: tuple[str, str]) -> str:
    """`[%tag words]`, and what the other heard if that differs; empty if nothing was said."""
    mine, other = said
    if mine == other:
        return "" if mine == _ACCEPTED else f"[%{tag} {mine}]"
    return f"[%{tag} {mine}] [%other {other}]"


def _try_tags(move: str, said: tuple[str, str]) -> str:
    mine, other = said
    if other == _NOTHING:
        return f"[%try {move} {mine}]"
    overheard = f"[%overheard {move} {mine}]"
    return overheard if mine == other else f"{overheard} [%other {other}]"


def from_pgn(text: str) -> Record:
    """The first game of a PGN text that `to_pgn` wrote.

    Raises:
        RecordError: naming what is wrong and what was expected.
    """
    return next(games_from_pgn(text))


def games_from_pgn(text: str) -> Iterator[Record]:
    """Every game of a PGN text; at least one.

    Raises:
        RecordError: naming the game by its number where there are several.
    """
    handle = io.StringIO(text)
    game = _next_game(handle)
    if game is None:
        raise RecordError("no PGN game; expected headers and moves")
    number = 1
    while game is not None:
        following = _next_game(handle)
        try:
            yield _record(game)
        except RecordError as error:
            several = number > 1 or following is not None
            raise RecordError(f"game {number}: {error}" if several else str(error)) from error
        game, number = following, number + 1


def _next_game(handle: io.StringIO) -> chess.pgn.Game | None:
    try:
        return chess.pgn.read_game(handle, Visitor=_Builder)
    except Exception as error:  # of brackets that do not match, python-chess raises whatever it meets
        raise RecordError(f"damaged moves: expected PGN: {type(error).__name__}: {error}") from error


class _Headers(chess.pgn.Headers):
    """Headers by which python-chess finds the board of the game, on which moves are written and read."""

    def variant(self) -> type[chess.Board]:
        try:
            return game_named(self.get(GAME_HEADER, DEFAULT_GAME)).notation.board
        except ValueError:  # the record's reader says so
            return chess.Board


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Collects the errors of a game instead of logging them."""

    def begin_headers(self) -> chess.pgn.Headers:
        self.game.headers = _Headers({})
        return self.game.headers

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _record(game: chess.pgn.Game) -> Record:
    version = game.headers.get(VERSION_HEADER)
    if version != str(SCHEMA_VERSION):
        found = "none" if version is None else repr(version)
        raise RecordError(f"header {VERSION_HEADER}: expected {str(SCHEMA_VERSION)!r}, found {found}")
    headers = {key: re.sub(r"\\(.)", r"\1", value) for key, value in game.headers.items()}
    try:
        played = game_named(headers.get(GAME_HEADER, DEFAULT_GAME))
    except ValueError as error:
        raise RecordError(f"header {GAME_HEADER}: {error}") from error
    if game.errors:
        raise RecordError(f"damaged moves: {game.errors[0]}")
    start, tries = _answers(game, played.notation)
    try:
        expected = int(headers.get("Tries", ""))
    except ValueError:
        raise RecordError(f"header Tries: expected a number, found {headers.get('Tries')!r}") from None
    if expected != len(tries):
        raise RecordError(f"truncated: expected {expected} tries, found {len(tries)}")
    record = _made(played, headers, start, tries)
    for name, value in (("Result", record.result), ("Termination", _termination(record))):
        if headers.get(name) != value:
            raise RecordError(
                f"header {name}: expected {value!r} by the announcements, found {headers.get(name)!r}"
            )
    return record


def _made(
    game: GameDefinition, headers: dict[str, str], start: Heard, tries: tuple[AnyTry[Any], ...]
) -> Record:
    values: dict[str, Any] = {
        "ruleset": ruleset_from_options(
            headers.get("Ruleset", ""), _json_header(headers, "RulesetOptions"), game
        ),
        "start_fen": headers.get("FEN", chess.STARTING_FEN),
        "start": start,
        "tries": tries,
        "seeds": _json_header(headers, "Seeds"),
        "metadata": _json_header(headers, "Metadata"),
    }
    for name in ("White", "Black", "Event", "Date"):
        if name not in headers:
            raise RecordError(f"header {name}: expected text, found none")
        values[name.lower()] = headers[name]
    record = game.notation.record
    if record.EXTRA is not None and (given := headers.get(record.EXTRA[1])) is not None:
        values[record.EXTRA[0]] = given == "1" or given
    return record(**values)


def _json_header(headers: dict[str, str], name: str) -> dict[str, Any]:
    try:
        value = json.loads(headers.get(name, "{}"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"header {name}: expected JSON: {error}") from error
    if not isinstance(value, dict):
        raise RecordError(f"header {name}: expected a JSON object, found {headers[name]!r}")
    return value


def _answers(game: chess.pgn.Game, speech: Notation) -> tuple[Heard, tuple[AnyTry[Any], ...]]:
    turn = game.board().turn
    opening = _tagged(game.comment)
    if not opening or opening[0].name != "start":
        opening.insert(0, _Tag("start", _ACCEPTED))
    start = opening[0].heard(speech, Kind.START, turn, None)
    tries = list(_entries(speech, opening[1:], None, turn))
    for node in game.mainline():
        tags = _tagged(node.comment)
        if not {"said", "lost"} & {tag.name for tag in tags}:
            tags.append(_Tag("said", _ACCEPTED))
        tries += _entries(speech, tags, node.move, not node.turn())
    return start, tuple(tries)


@dataclass
class _Tag:
    """A tag of a comment, and the text of the `%other` behind it."""

    name: str
    text: str
    other: str | None = None

    def heard(
        self, speech: Notation, plain: Kind, mover: bool, action: int | None, said: str | None = None
    ) -> Heard:
        said = self.text if said is None else said
        told = self.other or (_NOTHING if self.name == "try" else said)
        other = None if told == _NOTHING else speech.phrases.from_words(told, plain, mover, None)
        return _by_mover((speech.phrases.from_words(said, plain, mover, action), other), mover)

    def tried(self, turn: bool) -> tuple[int, str]:
        """The try that the tag names, and the words behind it."""
        text, _, said = self.text.partition(" ")
        try:
            return text_to_action(text, turn), said
        except ValueError as error:
            raise RecordError(f"[%{self.name} {self.text}]: {error}") from error


def _tagged(comment: str) -> list[_Tag]:
    tags: list[_Tag] = []
    for name, text in _TAG.findall(" ".join(comment.split())):
        if name != "other":
            tags.append(_Tag(name, text))
        elif tags:
            tags[-1].other = text
    return tags


def _entries(
    speech: Notation, tags: list[_Tag], move: chess.Move | None, turn: bool
) -> Iterator[AnyTry[Any]]:
    """The tries of one comment, and among them the move, or the lost turn, in front of it."""
    for tag in tags:
        if tag.name == "said" and move:
            action = move_to_action(move, turn)
            yield AnyTry(turn, action, tag.heard(speech, Kind.MOVED, turn, action))
            turn, move = not turn, None
        elif tag.name == "lost" and move == chess.Move.null():
            action, said = tag.tried(turn)
            yield AnyTry(turn, action, tag.heard(speech, Kind.LOST, turn, action, said))
            turn, move = not turn, None
        elif tag.name in ("try", "overheard"):
            action, said = tag.tried(turn)
            yield AnyTry(turn, action, tag.heard(speech, Kind.ILLEGAL, turn, action, said))
        else:
            raise RecordError(f"[%{tag.name} {tag.text}] is out of place")
