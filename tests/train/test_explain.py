"""`ks explain` goes to the right moment, asks the player what it would know, and says it in words."""

import json
import random
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from ks_baselines.explained import Explanation, TryExplained
from ks_train.belief.explain import Explains, decide, find_try, line_words
from ks_train.commands.main import app
from typer.testing import CliRunner

from ks_env.core.actions import text_to_action
from ks_env.core.ruleset import BERKELEY, ICC
from ks_env.core.tables import ANY
from ks_env.games.invisible.game import InvisibleGame
from ks_env.games.invisible.record import InvisibleRecord
from ks_env.games.kriegspiel.game import Game
from ks_env.games.kriegspiel.record import GameRecord
from ks_env.games.opening import Opening
from ks_env.players.kernel_player import KernelPlayer
from ks_env.players.registry import make_player
from ks_env.record import save, steps
from tests.record.random_records import random_game

RUN = CliRunner()
TALKER = "tests.train.test_explain:talker"


class Talker(KernelPlayer):
    """Plays like `random`, and explains its first tries by their number; notes what it was shown."""

    def __init__(self) -> None:
        super().__init__("talker", 0)
        self.shown: list[bytes] = []
        self.told: list[str] = []
        LATEST.append(self)

    def choose(self, view: np.void) -> int:
        self.shown.append(view.tobytes())
        return super().choose(view)

    def hear(self, announcement: Any) -> None:
        self.told.append(announcement.text())

    def explain(self, view: np.void, most: int) -> Explanation[TryExplained]:
        self.shown.append(view.tobytes())
        tries = tuple(
            TryExplained(a, 1.5 - i, {"calm": 1.0, f"part {i}": 0.5 - i}, (a,))
            for i, a in enumerate(text_to_action(t, view["seat"] == 0) for t in ("b8c6", "g8f6"))
        )
        return Explanation(tries[0].action, "search", tries[:most])


class Watcher(Talker):
    """Only looks at turns that were decided before."""

    def __init__(self) -> None:
        super().__init__()
        self.watched: list[bytes] = []

    def watch(self, view: np.void) -> None:
        self.watched.append(view.tobytes())


LATEST: list[Talker] = []


def talker() -> Talker:
    return Talker()


def played(*tries: str, ruleset: Any = ICC) -> GameRecord:
    game = Game(ruleset)
    for text in tries:
        game.ask(text)
    return GameRecord.from_game(game)


RECORD = played("e2e4", "d7d5", "e4f5", "f1g3", "e4d5", "e7d6", "d8d5")


@pytest.mark.parametrize(
    ("move", "number"),
    [
        ("1w", 1),
        ("1b", 2),
        ("2w", 3),
        ("2W1", 3),
        ("2w3", 5),
        ("2b", 6),
        ("2b2", 7),
        ("3w", 8),
        ("1", 1),
        ("8", 8),
    ],
)
def test_moves_and_tries_are_found(move: str, number: int) -> None:
    assert find_try(RECORD, move) == number


@pytest.mark.parametrize(
    ("move", "wanted"),
    [
        ("e4", "move 'e4' is not understood; expected the number of a try, or a move such as"),
        ("0", "there is no try 0; expected 1 to 8"),
        ("9", "there is no try 9; expected 1 to 8"),
        ("3b", "there is no move '3b'; expected one from 1w to 3w"),
        ("2w4", "move 2w has 3 tries; expected one of them, not 4"),
        ("2w0", "move 2w has 3 tries; expected one of them, not 0"),
    ],
)
def test_moves_that_are_not_there_are_refused(move: str, wanted: str) -> None:
    with pytest.raises(ValueError, match=wanted):
        find_try(RECORD, move)


def test_a_finished_game_has_no_decision_after_its_end() -> None:
    mate = played("f2f3", "e7e5", "g2g4", "d8h4")
    assert find_try(mate, "2b") == 4
    with pytest.raises(ValueError, match="there is no try 5; expected 1 to 4"):
        find_try(mate, "5")
    with pytest.raises(ValueError, match="there is no move '3w'; expected one from 1w to 2b"):
        find_try(mate, "3w")


def test_the_player_is_shown_and_told_what_its_seat_knows_and_no_more() -> None:
    record = GameRecord.from_game(random_game(BERKELEY, 4, 60))
    number = len(record.tries) - 3
    decision, _ = decide(record, number, TALKER, 1, 1)
    seat, player, game = decision.seat, LATEST[-1], Game(BERKELEY)
    shown = []
    for entry in record.tries[: number - 1]:
        if game.to_play is seat:
            shown.append(game.view(seat).tobytes())
        game.ask(entry.action)
    assert player.shown == [*shown, game.view(seat).tobytes()]
    assert player.told == [announcement.text() for announcement in game.heard(seat)]
    assert decision.tried == record.tries[number - 1]
    assert decision.game.board() == game.board()
    assert isinstance(player, Explains)


def test_a_player_may_watch_what_was_decided_before() -> None:
    decide(RECORD, 8, f"{__name__}:Watcher", 1, 1)
    player = LATEST[-1]
    assert isinstance(player, Watcher)
    assert (len(player.watched), len(player.shown)) == (4, 1)  # tries of move 1 and 2, then its decision


def test_a_line_in_words() -> None:
    board = chess.Board("8/P6p/8/8/8/8/4P3/R3K2R w KQ - 0 1")
    board.set_piece_at(chess.D3, chess.Piece(chess.KNIGHT, chess.WHITE))
    board.set_piece_at(chess.F3, chess.Piece(chess.KNIGHT, chess.WHITE))
    board.remove_piece_at(chess.H7)
    before = board.fen()
    line = [text_to_action(t, True) for t in ("d3e5", "e1g1", "f1d1", "a7b8n", "e2f3", "b8c6")]
    words = ["Nde5", "O-O", "Rfd1", "axb8=N", "exf3", "Nbc6"]
    assert line_words(board, [*line[:4], ANY, None, *line[5:]], True) == [*words[:4], "any?", "?", "Nbc6"]
    assert board.fen() == before
    assert line_words(
        chess.Board(), [text_to_action("e7e5", False), text_to_action("g8f6", False)], False
    ) == [
        "e5",
        "Nf6",
    ]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    save(RECORD, tmp_path / "game.pgn")
    return tmp_path / "game.pgn"


def test_the_report(game: Path, tmp_path: Path) -> None:
    picture = tmp_path / "believed.svg"
    done = RUN.invoke(app, ["explain", str(game), "2b", "--player", TALKER, "--picture", str(picture)])
    assert done.exit_code == 0, done.output
    for words in (
        "Move 2, Black to play · try 6 of the record",
        "Tried in the game: exd6 · illegal",
        f"{TALKER} would try: Nc6 · by its search",
        "Nc6 Nf6",
        "value 1.5 0.5",
        "calm 1.00 1.00",
        "part 1 · -0.50",
        "h g f e d c b a",
        "opponent: 16 men left",
    ):
        assert words in " ".join(done.output.split()), words
    assert "Black believes" in picture.read_text(encoding="utf-8")


def test_json_says_the_same(game: Path) -> None:
    done = RUN.invoke(app, ["explain", str(game), "5", "--player", TALKER, "--best", "1", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["try"], told["move"], told["seat"], told["tried"]) == (5, 2, "white", "e4d5")
    assert told["answer"] == RECORD.tries[4].answer.text()
    assert [entry["try"] for entry in told["tries"]] == ["b8c6"]
    assert told["tries"][0]["components"] == {"calm": 1.0, "part 0": 0.5}
    assert int(told["metaposition"]["may_be"]["pawn"], 16) >> chess.D5 & 1
    assert len(told["metaposition"]["ages"]) == 64


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["99w"], "there is no move '99w'"),
        (["1w", "--player", "random"], "player 'random' cannot be explained"),
        (["1w", "--player", "nobody"], "'nobody' is not a player"),
        (["1w", "--player", TALKER, "--picture", "x.gif"], "expected a file name that ends in .svg or .png"),
        (["1w", "--player", TALKER, "--picture", "none/x.svg"], "there is no folder none"),
    ],
)
def test_faults_are_said_plainly(game: Path, arguments: list[str], wanted: str) -> None:
    assert wanted in failure([str(game), *arguments])


def test_other_versions_and_hidden_starts_are_refused(game: Path, tmp_path: Path) -> None:
    text = game.read_text().replace('[KriegspielSchema "1"]', '[KriegspielSchema "99"]')
    (tmp_path / "later.pgn").write_text(text)
    assert "99" in failure([str(tmp_path / "later.pgn"), "1w", "--player", TALKER])
    hidden = Game(ICC, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", hidden_start=True)
    save(GameRecord.from_game(hidden), tmp_path / "hidden.json")
    assert "the start was hidden" in failure([str(tmp_path / "hidden.json"), "1w", "--player", TALKER])


def failure(arguments: list[str]) -> str:
    """The one line that a failing command says, on stderr."""
    result = RUN.invoke(app, ["explain", *arguments])
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    return line


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_darkboard_explains_what_it_would_choose(game: Path) -> None:
    decision, explanation = decide(RECORD, 8, "darkboard:metapositions=2000", 4, 1)
    assert decision.tried is None
    assert explanation.reason in ("search", "hard rule")
    first, told = decide(RECORD, 1, "darkboard:metapositions=2000", 4, 1)
    assert told.reason == "search"
    values = [entry.value for entry in told.tries]
    assert values == sorted(values, reverse=True)
    assert told.tries[0].action == told.chosen
    assert all(entry.line[0] == entry.action and entry.components for entry in told.tries)
    assert len(line_words(first.game.own_board(True), told.tries[0].line, True)) == len(told.tries[0].line)


@pytest.mark.parametrize(
    "player",
    [
        "mcts-a:nodes=300,threads=2",
        "mcts-b:k=3,nodes=300",
        "mcts-c:nodes=300,threads=2",
        "advantage-search:nodes=300,threads=2",
    ],
)
def test_tree_searches_are_explained(game: Path, player: str) -> None:
    told = RUN.invoke(app, ["explain", str(game), "1w", "--player", player])
    assert told.exit_code == 0, told.output
    assert "visits" in told.output


def chosen_by(player: str, record: Any, number: int, seed: int) -> int:
    """What the player tries there, when it is asked at each of its turns as in a game."""
    asked = make_player(player)
    for answered, game in enumerate(steps(record)):
        seat = record.tries[number - 1].seat
        if answered == 0:
            asked.begin(Opening.of(game, seat, seed))
        if game.to_play is seat:
            action = asked.choose(game.view(seat))
        if answered == number - 1:
            return action
    raise AssertionError


@pytest.mark.parametrize("player", ["policy", "policy:temperature=0"])
def test_the_policy_explains_what_it_would_choose(player: str) -> None:
    record = GameRecord.from_game(random_game(BERKELEY, 4, 40))
    for number in (1, 17, 40):
        decision, told = decide(record, number, player, 3, 5)
        assert told.chosen == chosen_by(player, record, number, 5)
        percent = [entry.value for entry in told.tries]
        assert percent == sorted(percent, reverse=True)
        assert 0 < percent[0] <= 100
        assert "accepted" in told.tries[0].components
        if player != "policy":
            assert told.tries[0].action == told.chosen
        assert decision.number == number


def test_the_advisors_of_invisible_chess_explain_what_they_would_choose(tmp_path: Path) -> None:
    game = InvisibleGame("N v B")
    draw = random.Random(3)
    while len(game.log()) < 24 and game.to_play is not None:
        game.ask(draw.choice(sorted(game.legal())))
    record = InvisibleRecord.from_game(game)
    for number in (1, 12, 23):
        decision, told = decide(record, number, "advisors:depth=1,hide=1,seek=1", 3, 2)
        assert decision.follower is None
        assert told.chosen == told.tries[0].action
        assert told.chosen == chosen_by("advisors:depth=1,hide=1,seek=1", record, number, 2)
        assert list(told.tries[0].components) == ["strategic, pawns", "hide, bits", "seek, bits"]
    save(record, tmp_path / "game.json")
    arguments = ["explain", str(tmp_path / "game.json"), "12", "--player", "advisors:depth=1"]
    done = RUN.invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "by its advice" in done.output
    assert "strategic, pawns" in done.output
    asked = json.loads(RUN.invoke(app, [*arguments, "--json"]).stdout)
    assert "metaposition" not in asked
    assert "draws a metaposition" in failure([*arguments[1:], "--picture", str(tmp_path / "x.svg")])
    assert "does not play" in failure([*arguments[1:3], "--player", "darkboard"])
