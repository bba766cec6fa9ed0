"""Playing a record again: the referee must give the same answers."""

from collections.abc import Iterator
from typing import Any, TypeVar

import chess

from ks_env.games.record import AnyRecord, seat_index
from ks_env.games.under_way import GameUnderWay
from ks_env.games.words import RecordError

G = TypeVar("G", bound=GameUnderWay[Any])


def replay(record: AnyRecord[Any, G]) -> G:
    """The game after all tries of the record, every announcement being the same.

    Raises:
        RecordError: naming the first try that is answered otherwise, both answers, and who hears them.
    """
    *_, game = steps(record)
    return game


def steps(record: AnyRecord[Any, G]) -> Iterator[G]:
    """The game at the start and after every try: `len(record.tries) + 1` times the same object.

    Raises:
        RecordError: as for `replay`, when the iteration gets there.
    """
    try:
        game = record.new_game()
    except ValueError as error:
        raise RecordError(f"start: {error}") from error
    _compare("start", record.start, (game.heard(chess.WHITE)[0], game.heard(chess.BLACK)[0]))
    yield game
    for number, entry in enumerate(record.tries, 1):
        name = f"try {number} ({entry.text()} by {chess.COLOR_NAMES[entry.seat].capitalize()})"
        game.ask(entry.action)
        _compare(name, entry.heard, game.log()[-1])
        yield game


def _compare(name: str, recorded: Any, replayed: Any) -> None:
    for colour in chess.COLORS:
        was, now = recorded[seat_index(colour)], replayed[seat_index(colour)]
        if was != now:
            listener = chess.COLOR_NAMES[colour].capitalize()
            raise RecordError(
                f"{name}: the record has {listener} hear {_words(was)}, on replay it is {_words(now)}"
            )


def _words(heard: Any) -> str:
    return "nothing" if heard is None else repr(heard.text())
