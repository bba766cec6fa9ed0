"""A page to step through a record: one HTML file that needs nothing else and asks for nothing.

The page holds the pictures' content as data, one frame a try, and draws it itself. A frame tells, for
each of the three views, only what changed since the frame before.
"""

import base64
import html
import json
import re
from pathlib import Path
from typing import Any, get_args

import chess
import chess.svg

from ks_env.core.announcement import Announcement, Kind, Reason
from ks_env.record import GameRecord, steps
from ks_env.record.game_record import Try
from ks_env.record.words import end_words
from ks_env.render.palette import AGE_STOPS, BOARD
from ks_env.render.scene import Scene, Viewpoint, announcement_line, make_scene

PAGE = Path(__file__).with_name("page")
_REFUSED = (Kind.ILLEGAL, Kind.NONSENSE)


def replay_html(record: GameRecord) -> str:
    """The page as text.

    Raises:
        RecordError: the record does not replay to the same announcements.
    """
    ended = "broken off" if record.reason is Reason.NONE else end_words(record.winner, record.reason)
    date = "" if "?" in record.date else f" · {record.date}"
    fields = {
        "title": html.escape(f"{record.white} – {record.black}, Kriegspiel"),
        "white": html.escape(record.white),
        "black": html.escape(record.black),
        "result": record.result.replace("1/2", "½").replace("-", "–"),
        "about": html.escape(f"{record.event}{date} · {record.ruleset.name} rules · {ended}"),
        "pieces": "".join(chess.svg.PIECES.values()),
        "style": _part("page.css"),
        "script": _part("page.js"),
        "data": _inline_json(page_data(record)),
    }
    return re.sub(r"@@(\w+)@@", lambda found: fields[found[1]], _part("page.html"))


def _inline_json(values: dict[str, Any]) -> str:
    """JSON without a `<`: a player's name might close the script element around it."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _part(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def page_data(record: GameRecord) -> dict[str, Any]:
    """What the page draws: colours, and one frame for the start and for every try.

    Raises:
        RecordError: the record does not replay to the same announcements.
    """
    before: dict[Viewpoint, dict[str, Any]] = {view: {} for view in get_args(Viewpoint)}
    frames = []
    number = chess.Board(record.start_fen).fullmove_number
    for entry, game in zip((None, *record.tries), steps(record), strict=True):
        frame = _about(entry) | {"number": number, "lines": _lines(record, entry), "views": {}}
        number += bool(entry and entry.accepted and entry.seat == chess.BLACK)
        for view, known in before.items():
            state = _state(make_scene(game, view))
            frame["views"][view] = {k: v for k, v in state.items() if k not in known or known[k] != v}
            before[view] = state
        frames.append(frame)
    board = {name.removeprefix("square "): colour for name, colour in BOARD.items()}
    return {"scale": AGE_STOPS, "board": board, "frames": frames}


def _about(entry: Try | None) -> dict[str, Any]:
    """What kind of frame this is; flags are left out where they are false."""
    if entry is None:
        return {}
    answer = entry.answer
    flags = {
        "moved": entry.accepted,
        "refused": answer.kind in _REFUSED,
        "captured": answer.captured is not None,
        "check": bool(answer.checks),
    }
    return {name: True for name, is_so in flags.items() if is_so}


def _lines(record: GameRecord, entry: Try | None) -> list[str | None]:
    """What the referee says, what White heard and what Black heard, as lines; None for nothing."""
    heard = record.start if entry is None else entry.heard
    full: Announcement | None = record.start[0] if entry is None else entry.answer
    assert full is not None, "somebody hears every answer"
    players = (
        None if a is None else announcement_line(a, c) for c, a in zip(chess.COLORS, heard, strict=True)
    )
    return [announcement_line(full, None), *players]


def _state(scene: Scene) -> dict[str, Any]:
    """A scene in values of JSON; squares are numbers, a1 = 0."""
    return {
        "board": scene.board.board_fen(),
        "status": scene.status,
        "to_play": None if scene.to_play is None else chess.COLOR_NAMES[scene.to_play],
        "last": None if scene.last is None else [scene.last.from_square, scene.last.to_square],
        "refused": [[move.from_square, move.to_square] for move in scene.refused],
        "captures": list(scene.captures),
        "king": scene.king,
        "check": list(scene.check),
        "tries": list(scene.said_tries),
    } | ({} if scene.ages is None else {"ages": base64.b64encode(scene.ages.tobytes()).decode()})
