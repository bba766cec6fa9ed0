"""The protocol of players in processes of their own: one JSON object a line, in UTF-8.

`docs/protocol.md` describes it for those who write players. What is told is made of what the seat was told:
its VIEW record, its opening and its announcements, nothing else.
"""

import base64
import json
from typing import Annotated, Any, Literal

import chess
import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field, StrictBool, StrictStr, ValidationError

from ks_env.core.actions import action_to_text
from ks_env.core.tables import ANY, PAWN, TRIES, TRY_FROM
from ks_env.core.tries import INFORMED, MOST_TRIES
from ks_env.games import DEFAULT_GAME
from ks_env.games.opening import Opening
from ks_env.games.under_way import AnyAnnouncement
from ks_env.games.words import colour_name

VERSION = 1
Want = Literal["board", "tries", "numbers", "fields", "view"]  # to be told at every try
MOST_WORDS = 500  # characters of what a player raises


class FaultError(Exception):
    """A player has lost by what its process did; the words say what, in one line."""


def packed(message: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def unpacked(line: bytes) -> dict[str, Any]:
    """The message of a line.

    Raises:
        FaultError: it is no JSON object.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise FaultError(f"answered {_short(line)}; expected a JSON object in one line") from None
    if not isinstance(message, dict):
        raise FaultError(f"answered {_short(line)}; expected a JSON object in one line")
    return message


def words_of(error: BaseException) -> str:
    """What a player raised, in few words, which are the player's own code."""
    try:
        return f"{type(error).__name__}: {error}"[:MOST_WORDS]
    except BaseException:
        return type(error).__name__


def _short(line: bytes) -> str:
    text = ascii(line[:60].decode("utf-8", "replace"))
    return text if len(line) <= 60 else f"{text} and so on"


def opening_told(opening: Opening, wants: tuple[str, ...]) -> dict[str, Any]:
    """The message `begin`."""
    rules = {name: int(opening.ruleset.record()[name][0]) for name in opening.ruleset.record().dtype.names}
    told = {
        "type": "begin",
        "game": opening.game.id,
        "colour": colour_name(opening.colour).lower(),
        "ruleset": {"name": opening.ruleset.name, **rules},
        "fens": list(opening.fens),
        "hidden": opening.hidden,
        "seed": opening.seed,
    }
    if "view" in wants:
        told["view"] = view_text(opening.view)
    return told


def view_text(view: Any) -> str:
    """The bytes of a VIEW record in base64."""
    return base64.b64encode(view.tobytes()).decode()


def view_from(text: str, dtype: "np.dtype[Any]") -> Any:
    """The VIEW record again, np.void."""
    return np.frombuffer(bytearray(base64.b64decode(text)), dtype, count=1)[0]


class Teller:
    """Puts into words what one seat is to be told of one game.

    Args:
        opening: of the game.
        wants: what the player asked for, each a `Want`.
    """

    def __init__(self, opening: Opening, wants: tuple[str, ...]) -> None:
        self._wants = wants
        self._colour = opening.colour
        self._to_said = opening.game.notation.to_said
        self._list_tries = opening.game.kernels.list_tries
        self._rules = opening.ruleset.record()[0]
        self._found = np.zeros(MOST_TRIES, np.int16)

    def view(self, view: Any) -> dict[str, Any]:
        """The message `choose` of a VIEW record."""
        told: dict[str, Any] = {"type": "choose"}
        if "view" in self._wants:
            told["view"] = view_text(view)
        if "board" in self._wants:
            told["board"] = own_men(view, self._colour)
        if "tries" in self._wants or "numbers" in self._wants:
            count = self._list_tries(view, self._rules, INFORMED, self._found)
            numbers = self._found[:count].tolist()
            if "numbers" in self._wants:
                told["numbers"] = numbers
            if "tries" in self._wants:
                told["tries"] = [try_text(number, view, self._colour) for number in numbers]
        if "fields" in self._wants:
            told["fields"] = {name: view[name].tolist() for name in view.dtype.names}
        return told

    def heard(self, heard: AnyAnnouncement) -> dict[str, Any]:
        """The message `hear` of an announcement."""
        told = {"type": "hear", "by": colour_name(heard.by).lower(), "try": heard.action}
        return told | {"said": self._to_said(heard).model_dump(mode="json"), "text": heard.text()}


def own_men(view: Any, colour: bool) -> str:
    """The seat's own men as the first field of a FEN."""
    board, men = chess.BaseBoard.empty(), view["men"]
    for square in np.flatnonzero(men).tolist():
        board.set_piece_at(square if colour else square ^ 56, chess.Piece(int(men[square]), colour))
    return board.board_fen()


def try_text(number: int, view: Any, colour: bool) -> str:
    """UCI text of a try of the seat, or `any?`."""
    if number == ANY:
        return "any?"
    return action_to_text(number, colour, int(view["men"][int(TRY_FROM[number])]) == PAWN)


def checked_try(answer: Any) -> int | str:
    """The try of an answer: a number of the action space, or text.

    Raises:
        FaultError: it is neither.
    """
    if isinstance(answer, str) and len(answer) <= 8:
        return answer
    if isinstance(answer, int) and not isinstance(answer, bool):
        if 0 <= answer < TRIES:
            return answer
        raise FaultError(f"chose {str(answer)[:30]}; expected a try from 0 to {TRIES - 1}")
    raise FaultError(f"chose {ascii(answer)[:60]}; expected the number of a try or its UCI text")


Weighed = tuple[npt.NDArray[np.int16], npt.NDArray[np.float32]]


def checked_weighed(answer: Any) -> Weighed:
    """The tries i2[K] and values f4[K] of an answer.

    Raises:
        FaultError: it is neither.
    """
    parts = answer if isinstance(answer, dict) else {}
    try:
        tries, values = np.array(parts["tries"], np.int64), np.array(parts["values"], np.float64)
    except (KeyError, TypeError, ValueError, OverflowError):
        tries, values = np.zeros(1, np.int64), np.zeros(0)
    if tries.ndim != 1 or tries.shape != values.shape or not ((tries >= 0) & (tries < TRIES)).all():
        raise FaultError(f"weighed {ascii(answer)[:60]}; expected tries and as many values")
    with np.errstate(over="ignore"):  # beyond all measure is infinite
        return tries.astype(np.int16), values.astype(np.float32)


class Hello(BaseModel):
    """What a process says of its player; see the protocol."""

    type: Literal["hello"]
    protocol: Literal[1]  # VERSION
    name: Annotated[StrictStr, Field(min_length=1, max_length=200)] = "process"
    games: tuple[StrictStr, ...] = (DEFAULT_GAME,)
    wants: tuple[Want, ...] = ("board", "tries")
    hears: StrictBool = False
    weighs: StrictBool = False


def checked_hello(message: dict[str, Any]) -> Hello:
    """The answer to `hello`.

    Raises:
        FaultError: it is no such answer, or of another version.
    """
    try:
        return Hello.model_validate(message)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        if first["type"] == "missing":
            raise FaultError(f"answered without {where} to hello; expected it") from None
        found, wanted = ascii(first["input"])[:60], first["msg"].removeprefix("Input should be ")
        raise FaultError(f"answered {where} {found} to hello; expected {wanted}") from None
