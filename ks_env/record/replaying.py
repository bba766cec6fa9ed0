"""Playing a record again: the referee must give the same answers."""

from collections.abc import Iterator

import chess

from ks_env.core.announcement import Announcement
from ks_env.core.game import Game
from ks_env.record.game_record import GameRecord, Heard, RecordError, seat_index


def replay(record: GameRecord) -> Game:
    """The game after all tries of the record, every announcement being the same.

    Raises:
        RecordError: naming the first try that is answered otherwise, both answers, and who hears them.
    """
    *_, game = steps(record)
    return game


def steps(record: GameRecord) -> Iterator[Game]:
    """The game at the start and after every try: `len(record.tries) + 1` times the same object.

    Raises:
        RecordError: as for `replay`, when the iteration gets there.
    """
    try:
        game = Game(record.ruleset, record.start_fen, hidden_start=record.hidden_start)
    except ValueError as error:
        raise RecordError(f"start: {error}") from error
    _compare("start", record.start, (game.heard(chess.WHITE)[0], game.heard(chess.BLACK)[0]))
    yield game
    for number, entry in enumerate(record.tries, 1):
        name = f"try {number} ({entry.text()} by {chess.COLOR_NAMES[entry.seat].capitalize()})"
        game.ask(entry.action)
        _compare(name, entry.heard, game.log()[-1])
        yield game


def _compare(name: str, recorded: Heard, replayed: Heard) -> None:
    for colour in chess.COLORS:
        was, now = recorded[seat_index(colour)], replayed[seat_index(colour)]
        if was != now:
            listener = chess.COLOR_NAMES[colour].capitalize()
            raise RecordError(
                f"{name}: the record has {listener} hear {_words(was)}, on replay it is {_words(now)}"
            )


def _words(heard: Announcement | None) -> str:
    return "nothing" if heard is None else repr(heard.text())
