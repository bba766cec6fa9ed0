"""Which men are hidden: `"2B v 1R"` in words, and the choices of men that fit them."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess

from ks_env.games.invisible.layout import MOST_HIDDEN

MOST_STARTS = 5000
VERSUS = re.compile(r"\s+(?:v|vs|against)\.?\s+")
NOTHING = ("", "-", "none", "n.i.", "0")
LETTERS = {symbol.upper(): kind for kind, symbol in enumerate(chess.PIECE_SYMBOLS) if symbol}
FORM = 'such as "2B", "BB", "Q R", "c1 f1", "8P", or "none"'

Choice = tuple[int, ...]  # squares of the hidden men of one colour, in order of their numbers


@dataclass(frozen=True, slots=True)
class HiddenMen:
    """The hidden men of one colour: kinds, of which the referee draws the men, or squares.

    Attributes:
        kinds: chess kinds, in growing order; empty where squares are named.
        squares: python-chess squares in the start position.
    """

    kinds: tuple[int, ...] = ()
    squares: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "HiddenMen":
        """Hidden men in words: letters with or without a number before them, or squares; commas are optional.

        Raises:
            ValueError: the text has none of these forms, names a king, or more than 15 men.
        """
        plain = text.replace(",", " ").strip()
        if plain.lower() in NOTHING:
            return cls()
        parts = plain.split()
        if all(re.fullmatch("[a-h][1-8]", part) for part in parts):
            squares = sorted({chess.parse_square(part) for part in parts})
            if len(squares) != len(parts):
                raise ValueError(f"hidden men {text!r}: a square is named twice")
            men = cls(squares=tuple(squares))
        else:
            men = cls(kinds=tuple(sorted(_kinds(text, parts))))
        if len(men.kinds) + len(men.squares) > MOST_HIDDEN:
            raise ValueError(f"hidden men {text!r}: expected {MOST_HIDDEN} at most")
        return men

    def text(self) -> str:
        """The form that `parse` takes."""
        if self.squares:
            return " ".join(chess.square_name(square) for square in self.squares)
        count = Counter(self.kinds)
        return " ".join(f"{n}{chess.piece_symbol(k).upper()}" for k, n in count.items()) or "none"

    def choices(self, board: chess.Board, colour: bool) -> Iterator[Choice]:
        """All choices of men of the colour that fit, as squares in growing order in the colour's own frame.

        Raises:
            ValueError: there are not so many men of a kind, or no man on a named square, or a king.
        """
        mirror = 0 if colour else 56
        if self.squares:
            for square in self.squares:
                piece = board.piece_at(square)
                if piece is None or piece.color != colour or piece.piece_type == chess.KING:
                    raise ValueError(
                        f"no man of {chess.COLOR_NAMES[colour]} that can be hidden stands on "
                        f"{chess.square_name(square)}"
                    )
            yield tuple(sorted((s for s in self.squares), key=lambda s: s ^ mirror))
            return
        groups = [
            itertools.combinations(_men(board, colour, kind, count), count)
            for kind, count in Counter(self.kinds).items()
        ]
        for chosen in itertools.product(*groups):
            yield tuple(sorted((s for group in chosen for s in group), key=lambda s: s ^ mirror))

    def count(self, board: chess.Board, colour: bool) -> int:
        """How many choices there are."""
        if self.squares:
            return 1
        return math.prod(
            math.comb(len(board.pieces(kind, colour)), n) for kind, n in Counter(self.kinds).items()
        )


def _kinds(text: str, parts: list[str]) -> Iterator[int]:
    for part in parts:
        if not re.fullmatch(r"(\d*[A-Z])+", part):
            raise ValueError(f"hidden men {text!r}: {part!r} is not understood; expected {FORM}")
        for number, letter in re.findall(r"(\d*)([A-Z])", part):
            if letter not in LETTERS or letter == "K":
                raise ValueError(
                    f"hidden men {text!r}: {letter!r} cannot be hidden; expected P, N, B, R or Q"
                )
            if len(number) > 2:  # before a list of that length is made
                raise ValueError(f"hidden men {text!r}: expected {MOST_HIDDEN} at most")
            yield from [LETTERS[letter]] * int(number or 1)


def _men(board: chess.Board, colour: bool, kind: int, count: int) -> list[int]:
    men = list(board.pieces(kind, colour))
    if len(men) < count:
        raise ValueError(
            f"{count} hidden {chess.piece_name(kind)}s of {chess.COLOR_NAMES[colour]} asked for; "
            f"there are {len(men)} in the start position"
        )
    return men


def choice_text(white: Choice, black: Choice) -> str:
    """One choice of men in the form that `parse_both` takes: `"c1 f1 v a8"`."""
    return " v ".join(HiddenMen(squares=tuple(sorted(choice))).text() for choice in (white, black))


def parse_both(text: str) -> tuple[HiddenMen, HiddenMen]:
    """Hidden men of White and of Black from `"2B v 1R"`.

    Raises:
        ValueError: the text has not this form.
    """
    white, v, black = VERSUS.sub(" v ", text.strip()).partition(" v ")
    if not v:
        raise ValueError(
            f"hidden men {text!r}: expected White's and Black's, such as '2B v 1R' or 'Q v none'"
        )
    return HiddenMen.parse(white), HiddenMen.parse(black)


def both_texts(text: str) -> tuple[str, str]:
    """White's and Black's in their usual form; where one side's are given, the other has the same.

    Raises:
        ValueError: the text is not understood.
    """
    men = parse_both(text) if VERSUS.search(text) else (HiddenMen.parse(text),) * 2
    return men[0].text(), men[1].text()


def on_squares(text: str) -> bool:
    """Whether a side's hidden men are named by their squares."""
    return bool(HiddenMen.parse(text).squares)


def all_choices(board: chess.Board, white: HiddenMen, black: HiddenMen) -> list[tuple[Choice, Choice]]:
    """Every choice of men for both colours: one of them is drawn for each game.

    Raises:
        ValueError: no choice fits, or more than 5,000 do.
    """
    number = white.count(board, chess.WHITE) * black.count(board, chess.BLACK)
    if number > MOST_STARTS:
        raise ValueError(
            f"{number} choices of hidden men fit {white.text()!r} v {black.text()!r}; "
            f"expected {MOST_STARTS} at most: name their squares"
        )
    return list(itertools.product(white.choices(board, chess.WHITE), black.choices(board, chess.BLACK)))


def check_men(texts: Sequence[str], fens: Sequence[str]) -> None:
    """Refuse hidden men that a start position has not, or that leave too many choices for any two players.

    Args:
        texts: the hidden men of each player, who may have either colour.
        fens: start positions.

    Raises:
        ValueError: they do not fit.
    """
    men = [HiddenMen.parse(text) for text in texts]
    for fen in fens:
        board = chess.Board(fen)
        most = []
        for colour in chess.COLORS:
            for each in men:
                next(each.choices(board, colour))
            most.append(max(each.count(board, colour) for each in men))
        if most[0] * most[1] > MOST_STARTS:
            raise ValueError(
                f"{most[0] * most[1]} choices of hidden men fit; expected {MOST_STARTS} at most for any two"
                " players: name their squares"
            )
