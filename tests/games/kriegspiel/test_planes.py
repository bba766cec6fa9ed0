"""The table of planes, and each plane of it in a game in which it says something."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import numpy as np
import pytest

from ks_env.core.planes import markdown_table
from ks_env.core.ruleset import RULESETS
from ks_env.envs.solo import GameEnv
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.observation import SHAPE, write_observation
from ks_env.games.kriegspiel.planes import CHANNEL, COUNT, PLANES, TABLE
from tests.seats import observe_game
from tests.starts import draw_start

W, B = chess.WHITE, chess.BLACK


def played(ruleset: str, fen: str, *tries: str) -> Game:
    game = Game(RULESETS[ruleset], fen)
    for uci in tries:
        game.ask(uci)
    return game


def plane(game: Game, colour: bool, name: str) -> np.ndarray:
    planes: np.ndarray = observe_game(game, colour)[TABLE.channel(name)]
    return planes


def marked(game: Game, colour: bool, name: str) -> dict[str, int]:
    """Squares of a plane that are not 0, by their absolute names."""
    flat = plane(game, colour, name).reshape(64)
    squares = {square: int(flat[square]) for square in range(64) if flat[square]}
    return {chess.square_name(s if colour else s ^ 56): n for s, n in squares.items()}


def value(game: Game, colour: bool, name: str) -> int:
    """The one value of a constant plane."""
    values = set(plane(game, colour, name).reshape(64).tolist())
    assert len(values) == 1, f"{name} is not constant"
    return int(values.pop())


# -- the table -----------------------------------------------------------------------------------------------


def test_names_are_unique_and_indexed() -> None:
    assert len(set(TABLE.names)) == COUNT == len(PLANES) == len(TABLE.high)
    assert [TABLE.channel(name) for name in TABLE.names] == list(range(COUNT))
    assert [CHANNEL[name] for name in TABLE.names] == list(range(COUNT))
    assert all(plane.text and 1 <= plane.high <= 255 for plane in PLANES)


def test_an_unknown_name() -> None:
    with pytest.raises(ValueError, match="unknown plane 'own pawn'; expected one of own pawns, own knights"):
        TABLE.channel("own pawn")


def test_the_docs_table_has_every_plane() -> None:
    lines = markdown_table(TABLE).splitlines()[2:]
    assert len(lines) == COUNT
    for number, (line, row) in enumerate(zip(lines, PLANES, strict=True)):
        assert line.startswith(f"| {number} | {row.name} | 0..{row.high}, ")
        assert row.text in line


def test_bounds_are_those_of_the_table() -> None:
    high = GameEnv().engine.high
    assert high.shape == SHAPE
    assert high.dtype == np.uint8
    assert (high == TABLE.high[:, None, None]).all()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_bounds_and_constants_in_random_games(ruleset: str) -> None:
    reached = np.zeros(COUNT, np.int64)
    constant = np.array([row.constant for row in PLANES])
    for seed in range(12):
        rng = random.Random(f"planes {ruleset} {seed}")
        game = Game(RULESETS[ruleset], draw_start(rng))
        for _ in range(150):
            if game.to_play is None:
                break
            legal = sorted(game.legal())
            shapes = np.flatnonzero(game.mask(game.to_play, "own-board")).tolist()
            game.ask(rng.choice(legal if rng.random() < 0.7 and legal else shapes))
            for colour in chess.COLORS:
                out = np.full((COUNT, 64), 255, np.uint8)
                write_observation(game.view(colour), out)  # every byte is written
                assert (out <= TABLE.high[:, None]).all()
                assert (out == observe_game(game, colour).reshape(COUNT, 64)).all()
                assert (out[constant].min(1) == out[constant].max(1)).all()
                reached = np.maximum(reached, out.max(1))
    silent = {name for name, most in zip(TABLE.names, reached.tolist(), strict=True) if most == 0}
    assert silent <= SILENT[ruleset] | RARE, silent


# Planes of which a ruleset says nothing, and those that a short random run may miss
SILENT = {
    "icc": {
        "own pawns with a try",
        "their pawns with a try",
        "refusals heard",
        "promotion heard",
        "any",
        "their any",
    },
    "berkeley": {
        "own pawns with a try",
        "their pawns with a try",
        "pawn tries",
        "their pawn tries",
        "pawns taken",
        "pieces taken",
        "promotion heard",
        "any",
        "their any",
    },
    "cincinnati": {"own pawns with a try", "their pawns with a try", "promotion heard", "any", "their any"},
    "rand": {"pawn tries", "their pawn tries", "any", "their any"},
}
SILENT["berkeley-any"] = SILENT["berkeley"] - {"any", "their any"}
SILENT["english"] = SILENT["berkeley-any"]
RARE = {"promotion heard", "gave knight check", "knight check", "any", "their any"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_ruleset_does_not_say_is_never_shown(ruleset: str) -> None:
    for seed in range(6):
        rng = random.Random(f"silent {ruleset} {seed}")
        game = Game(RULESETS[ruleset], draw_start(rng))
        for _ in range(80):
            if game.to_play is None:
                break
            game.ask(rng.choice(sorted(game.legal())))
            for colour, name in ((c, n) for c in chess.COLORS for n in SILENT[ruleset]):
                if name != "any":
                    assert not plane(game, colour, name).any()


# -- plane by plane ------------------------------------------------------------------------------------------

MEN = "1nbqk2r/pp6/8/8/8/8/5PPP/RNB1K3 w - - 0 1"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("own pawns", chess.PAWN),
        ("own knights", chess.KNIGHT),
        ("own bishops", chess.BISHOP),
        ("own rooks", chess.ROOK),
        ("own queens", chess.QUEEN),
        ("own king", chess.KING),
    ],
)
def test_own_men(name: str, kind: int) -> None:
    game, board = Game(fen=MEN), chess.Board(MEN)
    for colour in chess.COLORS:
        expected = {chess.square_name(s): 1 for s in board.pieces(kind, colour)}
        assert marked(game, colour, name) == expected


def test_planes_are_seen_from_the_own_side() -> None:
    """Rank 0 is the own back rank, file 0 the a-file for both."""
    game = Game(fen=MEN)
    assert plane(game, W, "own rooks")[0, 0] == 1
    assert plane(game, B, "own rooks")[0, 7] == 1
    assert plane(game, B, "own queens")[0, 3] == 1
    assert plane(game, B, "own pawns")[1, :2].tolist() == [1, 1]


def test_age() -> None:
    game = played("icc", chess.STARTING_FEN, "g1f3", "e7e5", "f3g1", "e5e4")
    ages = {chess.square_name(s): int(n) for s, n in enumerate(game.ages(W)) if n}
    assert marked(game, W, "age") == ages
    assert (ages["e4"], ages["f3"], ages["d8"]) == (2, 1, 2)
    assert marked(game, B, "age")["e2"] == 2


@pytest.mark.parametrize(
    ("ruleset", "move", "said"),
    [
        ("icc", "e4d5", 2),
        ("icc", "b2c3", 1),
        ("english", "e4d5", 3),
        ("rand", "b2c3", 1),
        ("berkeley", "b2c3", 3),
    ],
)
def test_lost_and_took(ruleset: str, move: str, said: int) -> None:
    game = played(ruleset, "4k3/p7/8/3n4/4P3/2p5/1P6/4K3 w - - 0 1", move)
    assert marked(game, W, "took") == marked(game, B, "lost") == {move[2:]: said}
    assert not marked(game, W, "lost")
    assert not marked(game, B, "took")
    game.ask("a7a6")
    assert marked(game, W, "took") == {move[2:]: said}  # still the own last move
    assert marked(game, W, "lost") == {}
    game.ask("e1e2")
    assert not marked(game, W, "took")
    assert not marked(game, B, "lost")


def test_pawns_with_a_try() -> None:
    game = played("rand", "4k3/8/8/2p1p3/8/8/1P1P4/4K3 b - - 0 1", "e8d8", "d2d4")
    assert marked(game, B, "own pawns with a try") == {"c5": 1, "e5": 1}
    assert marked(game, W, "their pawns with a try") == {"c5": 1, "e5": 1}
    assert not marked(game, W, "own pawns with a try")
    game.ask("d8d7")
    assert marked(game, W, "own pawns with a try") == {"d4": 1}
    assert marked(game, B, "their pawns with a try") == {"d4": 1}
    assert not marked(game, B, "own pawns with a try")


def test_refused_tries() -> None:
    game = played("icc", "4k3/7p/8/8/r7/8/8/R3K3 w - - 0 1", "a1a5", "a1a7", "e1e5", "a1a5")
    assert marked(game, W, "refused from") == {"a1": 2}  # what was hopeless, or repeated, is not among them
    assert marked(game, W, "refused to") == {"a5": 1, "a7": 1}
    assert not marked(game, B, "refused from")
    game.ask("a1a4")
    assert not marked(game, W, "refused from")
    assert not marked(game, W, "refused to")


@pytest.mark.parametrize(
    ("fen", "checks"),
    [
        ("4k3/8/8/8/8/8/1r6/4K3 b - - 0 1", ("b2b1", {"rank"})),
        ("4k3/3r4/8/8/8/8/8/4K3 b - - 0 1", ("d7e7", {"file"})),
        ("4k3/7p/8/8/8/8/1b6/4K3 b - - 0 1", ("b2c3", {"long diagonal"})),
        ("4k3/p7/8/6b1/8/8/8/4K3 b - - 0 1", ("g5h4", {"short diagonal"})),
        ("4k3/7p/8/8/1n6/8/8/4K3 b - - 0 1", ("b4d3", {"knight"})),
        ("4k3/4r3/8/8/4n3/8/8/4K3 b - - 0 1", ("e4d6", {"file"})),
        ("4k3/4r3/8/8/4n3/8/8/4K3 b - - 0 1", ("e4c3", {"file"})),
        ("4k3/4r3/8/8/4b3/8/8/4K3 b - - 0 1", ("e4g6", {"file"})),
        ("4k3/4r3/8/4b3/8/8/8/4K3 b - - 0 1", ("e5c3", {"file", "long diagonal"})),
        ("4k3/4r3/8/4n3/8/8/8/4K3 b - - 0 1", ("e5f3", {"file", "knight"})),
    ],
)
def test_checks(fen: str, checks: tuple[str, set[str]]) -> None:
    move, types = checks
    game = played("icc", fen, move)
    for name in ("rank", "file", "long diagonal", "short diagonal", "knight"):
        assert value(game, W, f"{name} check") == (name in types)
        assert value(game, B, f"gave {name} check") == (name in types)
        assert value(game, B, f"{name} check") == 0
        assert value(game, W, f"gave {name} check") == 0
    game.ask(sorted(game.legal())[0])
    assert not any(value(game, W, f"{name} check") for name in ("rank", "file", "knight", "long diagonal"))


@pytest.mark.parametrize(("ruleset", "said"), [("icc", 2), ("cincinnati", 1), ("rand", 0), ("berkeley", 0)])
def test_numbers_of_pawn_tries(ruleset: str, said: int) -> None:
    game = played(ruleset, "4k3/8/8/2p1p3/8/8/3P4/4K3 w - - 0 1", "d2d4")
    assert value(game, B, "pawn tries") == value(game, W, "their pawn tries") == said
    assert value(game, W, "pawn tries") == value(game, B, "their pawn tries") == 0


@pytest.mark.parametrize(
    ("move", "king_side", "queen_side"), [("h1g1", 0, 1), ("a1b1", 1, 0), ("e1e2", 0, 0)]
)
def test_own_rights(move: str, king_side: int, queen_side: int) -> None:
    game = Game(fen="r3k3/7p/8/8/8/8/8/R3K2R w KQq - 0 1")
    assert (value(game, W, "king side right"), value(game, W, "queen side right")) == (1, 1)
    assert (value(game, B, "king side right"), value(game, B, "queen side right")) == (0, 1)
    game.ask(move)
    assert (value(game, W, "king side right"), value(game, W, "queen side right")) == (king_side, queen_side)
    assert (value(game, B, "king side right"), value(game, B, "queen side right")) == (0, 1)


@pytest.mark.parametrize(("ruleset", "pawns", "pieces"), [("icc", 1, 2), ("rand", 1, 2), ("english", 0, 0)])
def test_men_taken(ruleset: str, pawns: int, pieces: int) -> None:
    fen = "4k3/p7/8/3n4/4P3/2p5/1P6/4Kb2 w - - 0 1"
    game = played(ruleset, fen, "e4d5", "a7a6", "b2c3", "a6a5", "e1f1")
    assert value(game, W, "pawns taken") == pawns
    assert value(game, W, "pieces taken") == pieces
    assert value(game, W, "men taken") == 3
    assert value(game, B, "men taken") == 0


def test_move_number_and_its_saturation() -> None:
    game = played("icc", chess.STARTING_FEN, "e2e4")
    assert value(game, W, "move number") == value(game, B, "move number") == 1
    game.ask("e7e5")
    assert value(game, W, "move number") == value(game, B, "move number") == 2
    assert value(Game(fen="4k3/8/8/8/8/8/8/R3K3 w - - 0 3000"), W, "move number") == 255


def test_fifty_bound() -> None:
    game = played("icc", chess.STARTING_FEN, "g1f3", "e7e5", "f3g1")
    assert (value(game, W, "fifty bound"), value(game, B, "fifty bound")) == (3, 1)


def test_refusals_heard() -> None:
    game = played("cincinnati", chess.STARTING_FEN, "e1e5", "d1d5", "e2e3")
    assert value(game, B, "refusals heard") == 2
    assert value(game, W, "refusals heard") == 0
    game.ask("e7e5")
    assert (value(game, B, "refusals heard"), value(game, W, "refusals heard")) == (0, 0)


def test_promotion_heard() -> None:
    game = played("rand", "8/1P5k/8/8/8/8/8/4K3 w - - 0 1", "b7b8r")
    assert (value(game, B, "promotion heard"), value(game, W, "promotion heard")) == (1, 0)
    game.ask("h7h6")
    game.ask("e1e2")
    assert value(game, B, "promotion heard") == 0


def test_last_answer_and_any() -> None:
    game = Game(RULESETS["english"], "4k3/8/8/3p4/4P3/8/1P6/R3K3 w - - 0 1")
    seen = [(value(game, W, "last answer"), value(game, W, "any"))]
    for uci in ("any?", "a1a2", "b2a3", "a1a2"):
        game.ask(uci)
        seen.append((value(game, W, "last answer"), value(game, W, "any")))
    # "a1a2" while a capture is owed is refused under the only word that this ruleset has for it
    assert seen == [(0, 0), (4, 1), (1, 1), (1, 3), (3, 0)]
    said = played("berkeley", chess.STARTING_FEN, "a1a5")
    assert value(said, W, "last answer") == 2
    assert (value(game, B, "last answer"), value(game, B, "any")) == (0, 0)
    other = played("berkeley-any", chess.STARTING_FEN, "any?")
    assert (value(other, W, "last answer"), value(other, W, "any")) == (5, 2)


def test_their_any() -> None:
    game = Game(RULESETS["english"], "4k3/8/8/3p4/4P3/8/1P6/R3K3 w - - 0 1")
    seen = [value(game, B, "their any")]
    for uci in ("any?", "b2a3", "a1a2", "any?", "d5e4"):
        game.ask(uci)
        seen.append(value(game, B, "their any"))
    assert seen == [0, 1, 1, 1, 1, 0]  # of the opponent's last turn, until the own move
    assert value(game, W, "their any") == 1
    assert value(played("berkeley-any", chess.STARTING_FEN, "any?"), B, "their any") == 2
    assert value(played("berkeley-any", chess.STARTING_FEN, "e2e4"), B, "their any") == 0


def test_black_and_to_move() -> None:
    game = Game()
    assert [value(game, c, "black") for c in (W, B)] == [0, 1]
    assert [value(game, c, "to move") for c in (W, B)] == [1, 0]
    game.ask("e2e4")
    assert [value(game, c, "black") for c in (W, B)] == [0, 1]
    assert [value(game, c, "to move") for c in (W, B)] == [0, 1]
    over = played("icc", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    assert [value(over, c, "to move") for c in (W, B)] == [0, 0]


def test_every_plane_has_its_test() -> None:
    """Each name of the table is asked for above, by itself or as one of a family."""
    text = Path(__file__).read_text(encoding="utf-8").split("# -- plane by plane")[1]
    families = ("rank", "file", "long diagonal", "short diagonal", "knight")
    known = {f"{name} check" for name in families} | {f"gave {name} check" for name in families}
    assert [name for name in TABLE.names if name not in known and f'"{name}"' not in text] == []
