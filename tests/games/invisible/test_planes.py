"""The table of planes of invisible chess, and each plane of it in a game in which it says something."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import numpy as np
import pytest

from ks_env.core.planes import markdown_table
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.observation import SHAPE, write_observation
from ks_env.games.invisible.planes import KINDS, PLANES, TABLE
from tests.seats import observe_game
from tests.starts import draw_start

W, B = chess.WHITE, chess.BLACK
HIDDEN = ("2B v 2B", "Q v none", "P v 2P", "none v none", "2R 2N v Q", "4P N B R Q v 8P 2N 2B 2R Q")


def played(hidden: str, fen: str, *tries: str, choice: int = 0) -> InvisibleGame:
    game = InvisibleGame(hidden, fen=fen, choice=choice)
    for uci in tries:
        game.ask(uci)
    return game


def plane(game: InvisibleGame, colour: bool, name: str) -> np.ndarray:
    planes: np.ndarray = observe_game(game, colour)[TABLE.channel(name)]
    return planes


def marked(game: InvisibleGame, colour: bool, name: str) -> dict[str, int]:
    """Squares of a plane that are not 0, by their absolute names."""
    flat = plane(game, colour, name).reshape(64)
    return {chess.square_name(s if colour else s ^ 56): int(flat[s]) for s in range(64) if flat[s]}


def value(game: InvisibleGame, colour: bool, name: str) -> int:
    """The one value of a constant plane."""
    values = set(plane(game, colour, name).reshape(64).tolist())
    assert len(values) == 1, f"{name} is not constant"
    return int(values.pop())


def on(squares: str) -> dict[str, int]:
    return dict.fromkeys(squares.split(), 1)


def random_game(rng: random.Random) -> InvisibleGame:
    """From a start that has the hidden men."""
    while True:
        try:
            return InvisibleGame(rng.choice(HIDDEN), fen=draw_start(rng))
        except ValueError:  # there are not so many
            continue


# -- the table -----------------------------------------------------------------------------------------------


def test_names_are_unique_and_indexed() -> None:
    assert len(set(TABLE.names)) == TABLE.count == len(PLANES) == SHAPE[0]
    assert [TABLE.channel(name) for name in TABLE.names] == list(range(TABLE.count))
    assert all(plane.text and 1 <= plane.high <= 255 for plane in PLANES)
    with pytest.raises(ValueError, match="unknown plane 'age'; expected one of own pawns, own knights"):
        TABLE.channel("age")
    assert len(markdown_table(TABLE).splitlines()) == TABLE.count + 2


def test_bounds_and_constants_in_random_games() -> None:
    reached = np.zeros(TABLE.count, np.int64)
    constant = np.array([row.constant for row in PLANES])
    for seed in range(60):
        rng = random.Random(f"invisible planes {seed}")
        game = random_game(rng)
        for _ in range(120):
            if game.to_play is None:
                break
            legal = sorted(game.legal())
            shapes = np.flatnonzero(game.mask(game.to_play, "own-board")).tolist()
            game.ask(rng.choice(legal if rng.random() < 0.6 else shapes))
            for colour in chess.COLORS:
                out = np.full((TABLE.count, 64), 255, np.uint8)
                write_observation(game.view(colour), out)  # every byte is written
                assert (out <= TABLE.high[:, None]).all()
                assert (out == observe_game(game, colour).reshape(TABLE.count, 64)).all()
                assert (out[constant].min(1) == out[constant].max(1)).all()
                reached = np.maximum(reached, out.max(1))
    silent = {name for name, most in zip(TABLE.names, reached.tolist(), strict=True) if most == 0}
    assert silent <= {"hidden pawn checks", "hidden pawn attacks"}, silent


def test_legal_tries_are_informed_and_informed_ones_on_the_own_board() -> None:
    decisions = 0
    for seed in range(60):
        rng = random.Random(f"invisible masks {seed}")
        game = random_game(rng)
        for _ in range(80):
            if game.to_play is None:
                break
            informed, own = (
                set(np.flatnonzero(game.mask(game.to_play, level)).tolist())
                for level in ("informed", "own-board")
            )
            legal = game.legal()
            assert legal
            assert legal <= informed <= own
            decisions += 1
            game.ask(rng.choice(sorted(own if rng.random() < 0.4 else legal)))
    assert decisions > 2000


# -- plane by plane ------------------------------------------------------------------------------------------

MEN = "r1bqk1n1/pp5p/8/8/8/8/P5PP/1NBQK2R w K - 0 1"


@pytest.mark.parametrize("kind", chess.PIECE_TYPES)
def test_men(kind: int) -> None:
    """One's own by kind, and those of the opponent that are seen."""
    game, board = played("b1 c1 v Q", MEN), chess.Board(MEN)
    name = chess.piece_name(kind) + ("" if kind == chess.KING else "s")
    hidden = {W: on("b1 c1"), B: on("d8")}
    for colour in chess.COLORS:
        own = {chess.square_name(s): 1 for s in board.pieces(kind, colour)}
        assert marked(game, colour, f"own {name}") == own
        assert marked(game, not colour, f"their {name}") == {
            square: 1 for square in own if square not in hidden[colour]
        }
        assert marked(game, colour, "own hidden men") == marked(game, colour, "exposed") == hidden[colour]


def test_a_hidden_man_that_moves() -> None:
    game = played("N v none", "4k3/7p/8/8/8/8/8/1N2K3 w - - 0 1")
    assert marked(game, B, "hidden knight stands") == marked(game, B, "hidden knight possible") == on("b1")
    game.ask("b1c3")
    assert marked(game, W, "exposed") == marked(game, B, "hidden knight stands") == {}
    assert len(marked(game, B, "hidden knight possible")) == 64 - 3  # off what Black sees
    assert marked(game, B, "hidden bishop possible") == {}
    assert (value(game, B, "their turn"), value(game, B, "their mover")) == (2, chess.KNIGHT)
    assert marked(game, B, "their from") == marked(game, B, "their to") == {}
    assert value(game, B, "their hidden knight count") == value(game, W, "own hidden knight count") == 1
    assert value(game, W, "their hidden knight count") == value(game, B, "own hidden knight count") == 0


def test_a_visible_man_that_moves() -> None:
    game = played("N v none", "4k3/7p/8/8/8/8/4P3/1N2K3 w - - 0 1", "e2e4")
    assert (marked(game, B, "their from"), marked(game, B, "their to")) == (on("e2"), on("e4"))
    assert marked(game, B, "passed") == on("e3")
    assert (value(game, B, "their turn"), value(game, B, "their mover")) == (1, 0)
    assert marked(game, W, "tried from") == on("e2")
    assert marked(game, W, "tried to") == on("e4")
    assert marked(game, B, "tried from") == {}


def test_captures() -> None:
    game = played("N v R", "4k3/7p/8/3r4/8/2N5/8/4K3 w - - 0 1")
    assert value(game, W, "their hidden rook count") == 1
    game.ask("c3d5")
    assert marked(game, W, "took") == marked(game, B, "lost") == {"d5": chess.ROOK}
    assert (value(game, W, "took hidden"), value(game, B, "took hidden")) == (1, 0)
    assert (value(game, W, "lost hidden"), value(game, B, "lost hidden")) == (0, 1)
    assert (value(game, W, "pieces taken"), value(game, W, "pawns taken")) == (1, 0)
    assert marked(game, W, "exposed") == marked(game, B, "hidden knight stands") == on("d5")
    assert value(game, W, "their hidden rook count") == value(game, B, "own hidden rook count") == 0


def test_a_lost_turn_and_its_try() -> None:
    game = played("none v R", "4k3/7p/8/r7/8/8/8/R3K3 b - - 0 1", "a5a3", "a1a5")
    assert value(game, W, "last answer") == 6
    assert value(game, B, "their turn") == 3
    assert (marked(game, W, "tried from"), marked(game, W, "tried to")) == (on("a1"), on("a5"))
    assert marked(game, B, "tried to") == on("a3")  # Black's own


def test_an_illegal_try_and_its_reasons() -> None:
    game = played("none v R", "4k3/7p/8/8/8/r7/8/3K4 b - - 0 1", "a3a2", "d1d2")
    assert (value(game, W, "last answer"), value(game, W, "why")) == (1, 3)
    assert value(game, W, "hidden rook attacks") == 1
    assert marked(game, W, "attackers") == {}
    assert (marked(game, W, "refused from"), marked(game, W, "refused to")) == (on("d1"), on("d2"))
    game.ask("d1d2")
    assert value(game, W, "last answer") == 2  # the same again
    seen = played("none v none", "4k3/7p/8/8/8/8/r7/3K4 w - - 0 1", "d1d2")
    assert value(seen, W, "last answer") == 1
    assert marked(seen, W, "attackers") == on("a2")


def test_checks() -> None:
    game = played("none v R", "4k3/7p/8/8/r7/8/8/4K3 b - - 0 1", "a4e4")
    assert (value(game, W, "checks"), value(game, W, "hidden rook checks")) == (1, 1)
    assert marked(game, W, "checkers") == {}
    assert (value(game, B, "gave checks"), marked(game, B, "givers")) == (1, on("e4"))
    seen = played("none v none", "4k3/7p/8/8/r7/8/8/4K3 b - - 0 1", "a4e4")
    assert marked(seen, W, "checkers") == on("e4")
    assert value(seen, W, "hidden rook checks") == 0


def test_counters_and_rights() -> None:
    game = played("none v none", "r3k3/p7/8/8/8/8/7P/R3K2R w KQq - 4 9", "a1b1")
    assert (value(game, W, "king side right"), value(game, W, "queen side right")) == (1, 0)
    assert (value(game, B, "king side right"), value(game, B, "queen side right")) == (0, 1)
    assert (value(game, W, "fifty"), value(game, B, "fifty")) == (5, 5)
    assert value(game, W, "move number") == 9
    assert [value(game, colour, "black") for colour in (W, B)] == [0, 1]
    assert [value(game, colour, "to move") for colour in (W, B)] == [0, 1]


def test_every_plane_has_its_test() -> None:
    """Each name of the table is asked for above, by itself or as one of a family."""
    text = Path(__file__).read_text(encoding="utf-8").split("# -- plane by plane")[1]
    families = ("{} stands", "{} possible", "{} checks", "{} attacks", "{} count")
    known = {f"hidden {form.format(kind)}" for form in families for kind in KINDS}
    known |= {f"{whose} {name}" for whose in ("own", "their") for name in known}
    known |= {name for name in TABLE.names if name.removeprefix("own ").removeprefix("their ") in MANY}
    assert [name for name in TABLE.names if name not in known and f'"{name}"' not in text] == []


MANY = {"pawns", "knights", "bishops", "rooks", "queens", "king"}
