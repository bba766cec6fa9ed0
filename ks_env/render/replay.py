"""A page to step through a record: one HTML file that needs nothing else and asks for nothing.

The page holds the pictures' content as data, one frame a try, and draws it itself. A frame tells, for
each of the three views, only what changed since the frame before. A player's view has its metaposition too,
as seven boards and an age a square, unless the start was hidden, and if asked for what the belief network
predicts, and where that, or a person's own ghosts, was wrong.
"""

import base64
import html
import json
import re
from pathlib import Path
from typing import Any, get_args

import chess
import chess.svg

from ks_env.core.answers import Kind, Reason
from ks_env.core.ruleset import Ruleset
from ks_env.games.record import AnyTry
from ks_env.games.scene import Scene, Viewpoint, announcement_line, make_scene
from ks_env.games.under_way import GameUnderWay
from ks_env.games.words import end_words
from ks_env.record import Record, steps
from ks_env.render.belief_data import NOTHING, by_square, change
from ks_env.render.errors_told import ErrorsTold, Guesses
from ks_env.render.following import Follower, can_follow
from ks_env.render.ghost_svg import PLACES
from ks_env.render.ghosts import FAINTEST, STRONGEST, Ghosts
from ks_env.render.palette import AGE_STOPS, BOARD, GHOST_AGE_STOPS
from ks_env.render.predicted import Predictor

PAGE = Path(__file__).with_name("page")
_REFUSED = (Kind.ILLEGAL, Kind.NONSENSE)


def replay_html(record: Record, beliefs: bool = True, predicted: bool = False, **more: Any) -> str:
    """The page as text.

    Args:
        record: the game.
        beliefs: with the players' metapositions. A game with a hidden start has none, since they depend on
            the placements that were declared, which a record does not hold; nor have other games.
        predicted: with the men that the belief network predicts, where there are metapositions.
        **more: see `page_html`.

    Raises:
        RecordError: the record does not replay to the same announcements.
    """
    guesses = more.pop("guesses", None)
    return page_html(record, page_data(record, beliefs, predicted, guesses), **more)


def page_html(record: Record, data: dict[str, Any], state: str = "", **more: Any) -> str:
    """The page of what `page_data` gives, or `Frames` of a game that is still going on.

    Args:
        record: the game, for its names and how it ended.
        data: what the page draws.
        state: how it stands, in words; by default how it ended.
        **more: values of JSON that the page knows: `explained`, answers of `ks_play.explaining` by number of
            the try; where it is served, `ask` with `players` (address, names) to ask for more of them, `live`
            (address) for more frames, and `links` ([words, address] each).
    """
    by_rules = "broken off" if record.reason is Reason.NONE else end_words(record.winner, record.reason)
    ended = record.ended or by_rules
    date = "" if "?" in record.date else f" · {record.date}"
    fields = {
        "title": html.escape(f"{record.white} – {record.black}, {record.definition.name}"),
        "white": html.escape(record.white),
        "black": html.escape(record.black),
        "result": record.result.replace("1/2", "½").replace("-", "–"),
        "about": html.escape(f"{record.event}{date} · {rules_words(record.ruleset)} · {state or ended}"),
        "pieces": "".join(chess.svg.PIECES.values()),
        "style": _part("palette.css") + _part("page.css") + _part("study.css"),
        "script": _part("page.js")
        + (_part("served.js") if {"ask", "live", "links"} & more.keys() else "")
        + _part("study.js"),
        "data": _inline_json(data | more),
    }
    return re.sub(r"@@(\w+)@@", lambda found: fields[found[1]], _part("page.html"))


def rules_words(ruleset: Ruleset) -> str:
    """A ruleset as people name it, such as `ICC rules`."""
    acronym = ruleset.name in ("icc", "rand")
    return f"{ruleset.name.upper() if acronym else ruleset.name.replace('-', ' + ').capitalize()} rules"


def _inline_json(values: dict[str, Any]) -> str:
    """JSON without a `<`: a player's name might close the script element around it."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _part(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def page_data(
    record: Record, beliefs: bool = True, predicted: bool = False, guesses: Guesses | None = None
) -> dict[str, Any]:
    """What the page draws: colours, and one frame for the start and for every try.

    Args:
        record: the game.
        beliefs: see `replay_html`.
        predicted: see `replay_html`.
        guesses: by colour, the ghosts that a person had set after so many tries.

    Raises:
        RecordError: the record does not replay to the same announcements.
    """
    frames = Frames(record, beliefs, predicted, guesses)
    tries: tuple[AnyTry[Any], ...] = record.tries
    told = [frames.add(game, entry) for entry, game in zip((None, *tries), steps(record), strict=True)]
    return frames.colours() | {"frames": told}


class Frames:
    """The frames of a game, one by one, while it is played or played again.

    Args:
        record: of the game at its start, or later.
        beliefs, predicted, guesses: see `page_data`.
    """

    def __init__(
        self, record: Record, beliefs: bool = True, predicted: bool = False, guesses: Guesses | None = None
    ) -> None:
        self._record = record
        self._before: dict[Viewpoint, dict[str, Any]] = {view: {} for view in get_args(Viewpoint)}
        followed = can_follow(record.definition) and not record.start_was_hidden
        self._seats = _Beliefs(predicted) if beliefs and followed else None
        self._errors = ErrorsTold(guesses or {})
        self._number = chess.Board(record.start_fen).fullmove_number

    def colours(self) -> dict[str, Any]:
        """What the page has to know before the first frame."""
        board = {name.removeprefix("square "): colour for name, colour in BOARD.items()}
        data: dict[str, Any] = {"scale": AGE_STOPS, "board": board}
        ghosts = {"scale": GHOST_AGE_STOPS, "opacity": [FAINTEST, STRONGEST], "places": PLACES}
        return data if self._seats is None else data | {"ghosts": ghosts}

    def add(self, game: GameUnderWay[Any], entry: AnyTry[Any] | None) -> dict[str, Any]:
        """The next frame; to be called at the start and after every answer.

        Args:
            game: as it stands.
            entry: the try that was answered last; None at the start.
        """
        frame = _about(entry) | {"number": self._number, "lines": _lines(self._record, entry), "views": {}}
        self._number += bool(entry and entry.ends_turn and entry.seat == chess.BLACK)
        changes = self._seats.changes(game) if self._seats is not None else {}
        wrong = self._errors.changes(game, None if self._seats is None else self._seats.predictor)
        for view, known in self._before.items():
            state = scene_values(make_scene(game, view))
            told = {k: v for k, v in state.items() if k not in known or known[k] != v}
            frame["views"][view] = told | changes.get(view, {}) | wrong.get(view, {})
            self._before[view] = state
        return frame


class _Beliefs:
    """Both players' metapositions through a game, as what changed in each since the answer before.

    Args:
        predicted: also what the belief network predicts.
    """

    def __init__(self, predicted: bool) -> None:
        self._follower: Follower | None = None
        self._predicted = predicted
        self.predictor: Predictor | None = None
        self._told = dict.fromkeys(chess.COLORS, "")
        self._known = dict.fromkeys(chess.COLORS, NOTHING)
        self._most: dict[bool, list[int]] = {}

    def changes(self, game: Any) -> dict[str, dict[str, Any]]:
        """By viewpoint, what to add to its frame; to be called after every answer."""
        if self._follower is None:
            self._follower = Follower(game)
            self.predictor = Predictor(game) if self._predicted else None
        self._follower.update(game)
        if self.predictor is not None:
            self.predictor.update(game)
        return {chess.COLOR_NAMES[seat]: self._change(self._follower.ghosts(seat)) for seat in chess.COLORS}

    def _change(self, ghosts: Ghosts) -> dict[str, Any]:
        seat, squares, most = ghosts.seat, by_square(ghosts), list(ghosts.most)
        told = change(self._known[seat], squares)
        self._known[seat] = squares
        values = {"belief": told, "entropy": round(ghosts.entropy, 1)} if told else {}
        if self._most.get(seat) != most:
            self._most[seat] = values["most"] = most
        if self.predictor is not None and (told := self.predictor.as_text(seat)) != self._told[seat]:
            self._told[seat] = values["predicted"] = told
        return values


def _about(entry: AnyTry[Any] | None) -> dict[str, Any]:
    """What kind of frame this is; flags are left out where they are false."""
    if entry is None:
        return {}
    answer = entry.answer
    flags = {
        "moved": entry.ends_turn,
        "refused": answer.kind in _REFUSED,
        "lost": answer.kind is Kind.LOST,
        "captured": answer.square is not None,
        "check": answer.check,
    }
    return {name: True for name, is_so in flags.items() if is_so}


def _lines(record: Record, entry: AnyTry[Any] | None) -> list[str | None]:
    """What the referee says, what White heard and what Black heard, as lines; None for nothing."""
    heard = record.start if entry is None else entry.heard
    full = record.start[0] if entry is None else entry.answer
    assert full is not None, "somebody hears every answer"
    players = (
        None if a is None else announcement_line(a, c) for c, a in zip(chess.COLORS, heard, strict=True)
    )
    return [announcement_line(full, None), *players]


def scene_values(scene: Scene) -> dict[str, Any]:
    """A scene in values of JSON; squares are numbers, a1 = 0."""
    values: dict[str, Any] = {
        "board": scene.board.board_fen(),
        "status": scene.status,
        "to_play": None if scene.to_play is None else chess.COLOR_NAMES[scene.to_play],
        "last": None if scene.last is None else [scene.last.from_square, scene.last.to_square],
        "refused": [[move.from_square, move.to_square] for move in scene.refused],
        "captures": list(scene.captures),
        "king": scene.king,
        "check": list(scene.check),
        "tries": list(scene.said_tries),
        "marks": sorted(scene.marks),
        "shaded": list(scene.shaded),
        "shade_words": scene.shade_words,
        "empty_words": scene.empty_words,
        "legend": [[entry.brief, entry.sample] for entry in scene.legend],
        "note": scene.note,
    }
    if scene.ages is not None:
        values["ages"] = base64.b64encode(scene.ages.tobytes()).decode()
    return values
