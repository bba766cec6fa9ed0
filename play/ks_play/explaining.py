"""What an engine would have tried, and why: asked of games that are over, in a process of its own.

An answer is a dict of JSON values: `chosen` (the try in words), `reason`, and `tries`, the best first, each
with `text`, `value`, `components` by name and `line`, the assumed own tries.
"""

import asyncio
from collections import OrderedDict
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ks_train.belief.explain import decide, line_words

from ks_env.core.answers import Reason
from ks_env.players.registry import class_of, parse_name, players_of
from ks_env.record import Record, from_json, to_json
from ks_play.engines import PREPARING, EngineError, Process
from ks_play.refusals import Refusal
from ks_play.setup import checked
from ks_play.worker import serve

MOST_KEPT = 2000  # answers
MOST_WAITING = 8  # questions
MOST_TRIES = 5  # explained at once


class Question(NamedTuple):
    """A try of a game, put to a player.

    Attributes:
        record: the game, JSON.
        number: of the try, from 1.
        player: its name with parameters.
        seed: of the player.
    """

    record: str
    number: int
    player: str
    seed: int


def can_explain(name: str) -> bool:
    """Whether a registered player says why it would try what."""
    return hasattr(class_of(name), "explain")


def who_explains(record: Record, engines: tuple[str | None, ...]) -> list[str]:
    """Players to ask about a game: its own engines first, with their parameters."""
    if record.start_was_hidden:
        return []  # what a seat held possible is not in the record of a hidden start
    own = [name for name in engines if name is not None and can_explain(parse_name(name)[0])]
    ready = [name for name in players_of(record.definition) if can_explain(name)]
    return list(dict.fromkeys([*own, *ready]))


class Explainer:
    """One process that explains, and what it has answered.

    Args:
        limit: seconds for a question, as an engine's for a try; loading comes on top.
        strangers: see `settle`.
    """

    def __init__(self, limit: float, *, strangers: bool) -> None:
        self._limit, self._strangers = limit, strangers
        self._process = Process(work)
        self._answers: OrderedDict[tuple[str, int, str], dict[str, Any]] = OrderedDict()
        self._waiting = 0

    def answered(self, game: str) -> dict[int, list[dict[str, Any]]]:
        """What has been answered of a game, by number of the try; the page's `explained`."""
        found: dict[int, list[dict[str, Any]]] = {}
        for (key, number, player), answer in self._answers.items():
            if key == game:
                found.setdefault(number, []).append({"player": player, **answer})
        return found

    async def ask(self, game: str, record: Record, number: Any, player: Any, seed: int = 1) -> dict[str, Any]:
        """What a player would try in a game that is over, and why.

        Args:
            game: names the game, for what is kept.
            record: it.
            number: of the try, from 1.
            player: its name with parameters.
            seed: of the player.

        Raises:
            ValueError: there is no such try or player.
            EngineError: the player raised, took too long or died.
            Refusal: too many questions wait.
        """
        last = len(record.tries) + (record.reason is Reason.NONE)
        if type(number) is not int or not 1 <= number <= last:
            raise ValueError(f"number is {number!r}; expected that of a try, from 1 to {last}")
        if not isinstance(player, str) or len(player) > 200:
            raise ValueError("player: expected a name")
        if record.start_was_hidden:
            raise ValueError("the start was hidden; no player explains its tries in such a game")
        checked(player, record.definition, self._strangers)
        key = (game, number, player)
        if key not in self._answers:
            self._keep(key, await self._think(Question(to_json(record), number, player, seed)))
        return self._answers[key]

    async def _think(self, question: Question) -> dict[str, Any]:
        if self._waiting >= MOST_WAITING:
            raise Refusal(f"{MOST_WAITING} questions wait already; ask again in a while", 503)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            kind, value = await loop.run_in_executor(self._process.thread, self._ask, question)
        finally:
            self._waiting -= 1
        if kind == "fault":
            raise EngineError(str(value))
        answer: dict[str, Any] = value
        return answer

    def _ask(self, question: Question) -> tuple[str, Any]:
        self._process.start()
        return self._process.ask(question, self._limit + PREPARING)

    def _keep(self, key: tuple[str, int, str], answer: dict[str, Any]) -> None:
        self._answers[key] = answer
        while len(self._answers) > MOST_KEPT:
            self._answers.popitem(last=False)

    def close(self) -> None:
        """End the process."""
        self._process.close()


# ---- the process


def work(connection: "Connection[Any, Any]") -> None:
    """The process: answer each question."""
    serve(connection, explained, told=ValueError)


def explained(question: Question) -> dict[str, Any]:
    """The answer to a question; see above.

    Raises:
        ValueError: the player cannot be explained.
    """
    record = from_json(question.record)
    decision, explanation = decide(record, question.number, question.player, MOST_TRIES, question.seed)
    board, seat = decision.game.own_board(decision.seat), decision.seat
    return {
        "chosen": line_words(board, [explanation.chosen], seat)[0],
        "reason": explanation.reason,
        "tries": [
            {
                "text": line_words(board, [entry.action], seat)[0],
                "value": float(entry.value),
                "components": {name: float(value) for name, value in entry.components.items()},
                "line": line_words(board, entry.line, seat),
            }
            for entry in explanation.tries
        ],
    }
