"""Ten positions that teach Kriegspiel by playing, under the real referee. A request carries all tries."""

from typing import Any, NamedTuple

import chess

from ks_env.core.actions import text_to_action
from ks_env.core.answers import Reason
from ks_env.games import game_named
from ks_env.games.under_way import GameUnderWay
from ks_play.told import told

MOST_TRIES = 40


class Lesson(NamedTuple):
    """One position, played with White.

    Attributes:
        title: short.
        task: what is to be done.
        start: FEN.
        goal: what has to come, in this order: a try such as "e1g1", or what was answered ("illegal", "moved",
            "captured", "check", "mate").
        says: what is said to a try or an answer, or to what comes "early", before what the goal asks for; the
            first that fits.
        replies: Black's moves while they are legal; any other after them.
    """

    title: str
    task: str
    start: str
    goal: tuple[str, ...]
    says: dict[str, str]
    replies: tuple[str, ...] = ()


LESSONS = (
    Lesson(
        "A refused try",
        "You see your own men alone. Push your pawn, d4 to d5, and hear what the referee says. Then move.",
        "4k3/8/8/3p4/3P4/8/8/4K3 w - - 0 1",
        ("illegal", "moved"),
        {
            "illegal": "Refused: something you cannot see stands on d5. It is still your turn, and by these"
            " rules Black does not hear that you tried. The cross reminds you. Now make another move.",
            "early": "Accepted, since nothing was in its way. Start again, and push the pawn first.",
            "moved": "The move is played. Refusals cost nothing, and they tell you where men stand.",
        },
    ),
    Lesson(
        "A capture is announced",
        "There is a black pawn somewhere on the d-file. Move the queen up the file until she takes it.",
        "4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1",
        ("captured",),
        {
            "captured": "The referee says to both of you where a capture was made, and whether it was a pawn"
            " or a piece; not what captured.",
            "illegal": "Refused: the pawn is in the way, so it stands nearer. Try a shorter move.",
            "moved": "Accepted in silence: nothing was captured. Go further up the file.",
        },
    ),
    Lesson(
        "Check has a direction",
        "Give check with the rook.",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        ("check",),
        {
            "check": "The referee names the direction of a check: rank, file, long or short diagonal, or"
            " knight. You know now that the king stands on the rook’s rank or file.",
            "illegal": "Refused. Try another move of the rook.",
            "moved": "No check was announced, so the king is not on a line of the rook. Try the eighth rank.",
        },
        ("e8d8", "d8e8"),
    ),
    Lesson(
        "Pawn tries",
        "The referee has said that you have a pawn try: one of your pawns can take something. Find which"
        " way.",
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        ("captured",),
        {
            "captured": "Found. Pawn captures are tried only when they were announced; with none announced"
            " you need not look for any.",
            "illegal": "Refused: there is nothing to take on that side. It must be the other one.",
            "moved": "A move without capture. The chance is gone; start again.",
        },
        ("d5e4",),
    ),
    Lesson(
        "En passant",
        "Black has moved, and a pawn try is announced. Your pawn is on e5: what can it take? Nothing has"
        " been captured, so think of a pawn that has gone two steps.",
        "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
        ("captured",),
        {
            "captured": "En passant. The referee names the square of the pawn that was taken.",
            "illegal": "Refused: no pawn passed on that side.",
            "moved": "En passant is possible at once or never. Start again.",
        },
        ("d7d5",),
    ),
    Lesson(
        "Promotion",
        "Move the pawn to the last rank and choose what it becomes.",
        "8/P6k/8/8/8/8/8/K7 w - - 0 1",
        ("a7a8",),
        {
            "a7a8": "Promoted. By these rules Black hears nothing of it: to him it is one more silent move.",
            "moved": "That was the king. The pawn is one step from the last rank.",
        },
    ),
    Lesson(
        "Castling through what you cannot see",
        "Castle: move the king two squares, e1 to g1. Then move something else if you have to.",
        "4k3/8/8/8/2b5/8/8/4K2R w K - 0 1",
        ("e1g1", "moved"),
        {
            "illegal": "Refused, and the way is free of your own men. So a man stands there, or one of the"
            " squares that the king passes is attacked. Which one you are not told. Make another move.",
            "early": "Accepted, but you have not tried to castle. Start again.",
            "moved": "Played. A refused castling is news too: from somewhere f1 or g1 is covered.",
        },
    ),
    Lesson(
        "Beware of stalemate",
        "Black has a bare king, and it stands in the corner h8. Mate it with the queen; do not take away"
        " its last square without giving check.",
        "7k/5K2/8/8/8/8/6Q1/8 w - - 0 1",
        ("mate",),
        {
            "mate": "Mate.",
            "stalemate": "Stalemate: the king had no square left and was not in check. A draw. Start again.",
            "illegal": "Refused: your king would stand beside his.",
            "moved": "Not yet. Look for a check from the h-file, or beside the king where your own protects"
            " the queen.",
        },
        ("h8h7", "h7h8"),
    ),
    Lesson(
        "Mating a bare king",
        "The king is at a8. Take b8 and b7 away from it with your own king, then mate with the rook.",
        "k7/8/2K5/8/8/8/8/1R6 w - - 0 1",
        ("mate",),
        {
            "mate": "Mate. Against a bare king you win by steps after which you know where it is.",
            "stalemate": "Stalemate: a draw. Start again.",
            "illegal": "Refused. A refused king’s move tells that the other king is near, or that a man"
            " stands there.",
            "c6c7": "Now the king has one square, a7. Where does the rook give check to it there?",
            "check": "Check, but the king can leave. Watch from where it was announced.",
            "moved": "Possible, but slow. Your king belongs on c7.",
        },
        ("a8a7", "a7a8"),
    ),
    Lesson(
        "Reading announcements",
        "Black has moved. Read what you heard: what was taken, where, and is your king in check? Then take"
        " back.",
        "4k3/8/8/8/8/2b5/3N4/3QK3 b - - 0 1",
        ("captured",),
        {
            "captured": "Right: whatever took your man stood on the square that was named, and it stands"
            " there no more. This is all the language of the referee. Play a game now.",
            "illegal": "Refused: you are in check, so you have to answer it. The man that gives it stands on"
            " the square that was named.",
            "moved": "You are safe, and a piece behind. Start again, and take on the square that was named.",
        },
        ("c3d2",),
    ),
)


def take(number: int, tries: Any) -> dict[str, Any]:
    """A lesson after some tries.

    Args:
        number: of the lesson, from 1.
        tries: White's, such as ["e2e4"].

    Returns:
        What the seat is told, what is said to the latest try, and whether the goal is reached.

    Raises:
        ValueError: there is no such lesson, or a try is not one.
    """
    if not 1 <= number <= len(LESSONS):
        raise ValueError(f"there is no lesson {number}; expected 1 to {len(LESSONS)}")
    if (
        not isinstance(tries, list)
        or len(tries) > MOST_TRIES
        or not all(isinstance(each, str) for each in tries)
    ):
        raise ValueError(f"expected at most {MOST_TRIES} tries, such as e2e4")
    lesson = LESSONS[number - 1]
    definition = game_named("Kriegspiel")
    rules = definition.notation.rulesets["icc"]
    game = definition.play.for_match(lesson.start, rules, hidden_start=False, men=("", ""), draws=(0, 0))
    replies = list(lesson.replies)
    _reply(game, replies)
    goal, said = list(lesson.goal), ""
    for text in tries:
        if game.to_play is None or not goal:
            raise ValueError("the lesson is over; start it again")
        answer = game.ask(text_to_action(text, chess.WHITE))
        names = _names(game, text, answer)
        if goal[0] not in names:
            names.append("early")
        said = next((words for name, words in lesson.says.items() if name in names), "")
        if goal[0] in names:
            goal.pop(0)
        if goal:
            _reply(game, replies)
    return {
        "title": lesson.title,
        "task": lesson.task,
        "lessons": len(LESSONS),
        "says": said,
        "done": not goal,
        "told": told(game, chess.WHITE, 0, None),
    }


def _names(game: GameUnderWay[Any], text: str, answer: Any) -> list[str]:
    """By what a try and its answer can be called in a lesson."""
    kind = answer.kind.name.lower()
    names = [text[:4], "illegal" if kind == "nonsense" else kind]
    if answer.square is not None:
        names.append("captured")
    if answer.check:
        names.append("check")
    if game.reason in (Reason.CHECKMATE, Reason.STALEMATE):
        names.append("mate" if game.reason == Reason.CHECKMATE else "stalemate")
    return names


def _reply(game: GameUnderWay[Any], replies: list[str]) -> None:
    """Let Black move, if it is to."""
    if game.to_play is chess.BLACK:
        legal = game.legal()
        planned = text_to_action(replies.pop(0), chess.BLACK) if replies else -1
        game.ask(planned if planned in legal else min(legal))
