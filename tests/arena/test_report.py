"""Reports: every number is that of the games, whatever players are called and however little is played."""

import html
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ks_arena.match.result import GameResult, SeatWork
from ks_arena.report import words, write_report
from ks_arena.report.crosstable import Cell, CrossTable
from ks_arena.report.document import document
from ks_arena.report.ladder import draw_ladder
from ks_arena.report.page import page
from ks_arena.report.pictures import draw_crosstable, draw_ratings, draw_reasons
from ks_arena.report.style import DARK, LIGHT, Paper, on
from ks_arena.report.sums import summarise
from ks_arena.statistics.elo import elo_of
from ks_arena.statistics.pairs import points_interval
from ks_arena.statistics.sprt import SprtVerdict
from ks_arena.study.config import load_study
from ks_arena.study.records import one_line
from ks_arena.study.run import run_study
from ks_arena.study.scores import rungs
from ks_arena.study.study import Study
from matplotlib.image import imread

from tests.arena.made_up import drawn_study, game, ladder, round_robin, study_of
from tests.arena.standing import one_worker

NASTY = ["<script>x</script>", "a|b`*_c_*", "[l](http://e.org) $y_1$", "![i](x.png) \\", "~~n~~ &amp; #"]
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "strong", "em"),
    *("ul", "li", "table", "thead", "tbody", "tr", "th", "td", "div", "pre", "code"),
    *("figure", "picture", "source", "img", "br"),
}


class Reader(HTMLParser):
    """The tags of a page, the text of its cells, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        if tag not in ("meta", "source", "img", "br"):
            self.open.append(tag)
        if tag in ("td", "th", "h1"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and {"td", "th", "h1"} & set(self.open):
            self.cells[-1] += data


def tables(text: str) -> list[list[list[str]]]:
    """Cells of the Markdown tables; of those of a made-up study no cell has a bar in it."""
    found = re.findall(r"(?:^\|.*\|\n?)+", text, re.MULTILINE)
    return [[line.strip("| ").split(" | ") for line in each.splitlines()] for each in found]


def section(text: str, heading: str) -> str:
    return text.split(f"## {heading}\n")[1].split("\n## ")[0]


@pytest.fixture
def three(tmp_path: Path) -> Study:
    strengths = {"A": 100.0, "B": 0.0, "C": -50.0}
    return drawn_study(round_robin("ABC", 40), tmp_path / "s", strengths)


def test_repeated_games_are_counted_once(tmp_path: Path) -> None:
    tries = [(b"ab", b"ab"), (b"ab", b"cd"), (b"ab", b"cd"), (b"ab", b"cd")]
    starts = [chess.STARTING_FEN] * 3 + ["rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR b KQkq - 0 1"]
    games = [
        game(
            (0, pair, leg),
            ("A", "B"),
            1 - 2 * leg,
            "checkmate",
            actions=tries[pair][leg],
            start_fen=starts[pair],
        )
        for pair in range(4)
        for leg in (0, 1)
    ]
    text = document(summarise(study_of(round_robin("AB", 8), tmp_path / "s", games)))
    heading, _, row = tables(section(text, "Scores"))[0]
    assert row[heading.index("distinct")] == "5"  # one as White, two as Black, and both from the other start


def test_scores_are_those_of_the_games(three: Study) -> None:
    text = document(summarise(three))
    rows = {tuple(row[:2]): row for row in tables(section(text, "Scores"))[1][2:]}
    for pairing in three.pairings:
        points = [game.first_points for game in three.games(pairing.index)]
        row = rows[pairing.first, pairing.second]
        assert row[2] == "40"
        assert row[3] == words.results(points.count(1), points.count(0.5), points.count(0))
        assert row[4] == words.percent(sum(points) / 40)
        counts = np.bincount((2 * np.add(points[::2], points[1::2])).astype(int), minlength=5)
        interval = points_interval(counts)
        assert row[5] == words.share_interval(interval)
        assert row[6] == words.elo(elo_of(sum(points) / 40))
        assert row[7] == words.elo_interval((elo_of(interval[0]), elo_of(interval[1])))


def cell(table: CrossTable, row: str, column: str) -> Cell:
    found = table.cell(row, column)
    assert found is not None
    return found


def test_a_cross_table_is_its_own_mirror(three: Study) -> None:
    table = CrossTable(three.labels, summarise(three).scores)
    assert table.rows == table.columns == ("A", "B", "C")
    for row in table.rows:
        assert table.cell(row, row) is None
        for column in set(table.columns) - {row}:
            mine, theirs = cell(table, row, column), cell(table, column, row)
            assert mine.points is not None
            assert theirs.points is not None
            assert mine.interval is not None
            assert theirs.interval is not None
            assert mine.results == theirs.results[::-1]
            assert mine.points + theirs.points == pytest.approx(1)
            assert np.add(mine.interval, theirs.interval[::-1]) == pytest.approx(1)


def test_a_gauntlet_has_the_challengers_in_rows(tmp_path: Path) -> None:
    study = drawn_study(ladder(["x", "y"], [100, 200], ["d", "e"], 4), tmp_path / "s", {})
    table = CrossTable(study.labels, summarise(study).scores)
    assert table.columns == ("d", "e")
    assert len(table.rows) == 4
    assert all(sum(cell(table, row, column).results) == 4 for row in table.rows for column in table.columns)


def test_work_is_summed_by_player(tmp_path: Path) -> None:
    fast, slow = SeatWork(10, 15, 1.0, 0.5, None), SeatWork(11, 11, 20.0, 4.0, 3300)
    games = [
        game((0, 0, 0), ("A", "B"), 1, "checkmate", plies=21, spoken=7, work=(fast, slow), seconds=25.0),
        game((0, 0, 1), ("A", "B"), -1, "forfeit", plies=0, spoken=0, fault="raised", seconds=5.0),
    ]
    study = study_of(round_robin("AB", 2), tmp_path / "s", games)
    summary = summarise(study)
    a, b = summary.players["A"], summary.players["B"]
    assert (a.games, a.moves, a.tries, a.slowest, a.nodes) == (2, 10, 15, 0.5, None)
    assert (b.nodes_a_move, b.slowest) == (300, 4.0)
    assert b.seconds_a_move == pytest.approx(20.4 / 11)
    assert a.tries_a_move == 1.5
    assert a.spoken_share == pytest.approx(7 / 21)
    assert (a.faults, b.faults) == (Counter(), Counter(raised=1))
    assert summary.arena_share == pytest.approx(1 - 21.8 / 30)
    players = {row[0]: row for row in tables(section(document(summary), "Players"))[0][2:]}
    assert players["B"] == ["B", "2", "1.000", "1.85 s", "300", "4 s", "33.3 %", "1"]
    assert "- B, 1 ×: raised" in document(summary)


def test_the_ends_of_games_add_up(three: Study) -> None:
    text = section(document(summarise(three)), "How games ended")
    (headings, _, *rows) = tables(text)[0]
    played = Counter(game.reason for game in three.games())
    for number, heading in enumerate(headings[2:], 2):
        assert heading.split(": ")[1] in played
        assert any(int(row[number]) for row in rows)
    assert sum(int(cell) for row in rows for cell in row[2:]) == 120


@pytest.mark.parametrize("played", [0, 1, 2, 5])
def test_a_study_in_progress_says_how_far_it_is(tmp_path: Path, played: int) -> None:
    games = [game((0, n // 2, n % 2), ("A", "B"), 0, "plies") for n in range(played)]
    study = study_of(round_robin("ABC", 10), tmp_path / "s", games)
    text = document(summarise(study))
    assert f"**In progress**: {played} of 30 games" in text
    assert ("the other game of the pair is missing" in text) == bool(played % 2)
    rows = tables(section(text, "Scores"))[1][2:]
    assert rows[1] == ["A", "C", "0 of 10", *"––––––––"]
    assert "no games" in text
    assert re.search(r"Not rated, .* C\.", text)


def test_verdicts_of_sequential_tests(tmp_path: Path) -> None:
    config = round_robin("ABC", 40, sprt={"elo0": 0, "elo1": 50})
    games = [
        game((p, n // 2, n % 2), ("AAB"[p], "BCC"[p]), 1 - 2 * (n % 2), "checkmate")
        for p in (0, 2)
        for n in range(8)
    ]
    study = study_of(config, tmp_path / "s", games, p0=SprtVerdict("H1", 4, 2.95))
    text = document(summarise(study))
    verdicts = [row[-1] for row in tables(section(text, "Scores"))[1][2:]]
    assert verdicts == ["H1 after 4 pairs, LLR 2.95", "–", "not yet"]
    assert "sequential test | Elo 0 v 50" in text


def test_two_players_are_not_rated(tmp_path: Path) -> None:
    summary = summarise(drawn_study(round_robin("AB", 20), tmp_path / "s", {"A": 100}))
    assert summary.ratings == ()
    assert "Ratings" not in document(summary)
    write_report(summary.study, tmp_path / "report")
    assert not (tmp_path / "report" / "ratings.png").exists()


def test_what_ratings_are_worth_little_for_is_said(tmp_path: Path) -> None:
    few = []
    for n in range(60):
        outcome = CYCLE[n // 20] * (n % 20 == 0)
        few.append(game((n // 20, n // 2 % 10, n % 2), PAIRS[n // 20], outcome, "checkmate"))
    assert "**Only 3 of these games were decisive**" in report_of(few, tmp_path / "few")
    never_lost = []
    for n in range(60):
        outcome = UNBEATEN[n // 20][n % 2]
        never_lost.append(game((n // 20, n // 2 % 10, n % 2), PAIRS[n // 20], outcome, "checkmate"))
    assert "**The games alone determine no ratings**" in report_of(never_lost, tmp_path / "never")
    plenty = drawn_study(round_robin("ABC", 200), tmp_path / "plenty", {"A": 50}, draws=0.3)
    assert "**" not in document(summarise(plenty)).split("## Ratings")[1].split("## How")[0]


CYCLE = (1, -1, 1)  # A beats B, C beats A, B beats C
PAIRS = (("A", "B"), ("A", "C"), ("B", "C"))
# White's outcome by leg: A wins one game of a pair against B and C and draws the other, B and C draw.
UNBEATEN = ((1, 0), (1, 0), (0, 0))


def report_of(games: list[GameResult], path: Path) -> str:
    return document(summarise(study_of(round_robin("ABC", 20), path, games)))


def test_a_sequential_test_is_told_to_lean(tmp_path: Path) -> None:
    study = study_of(round_robin("AB", 20, sprt={"elo0": 0, "elo1": 50}), tmp_path / "s", [])
    assert "its interval is too short" in document(summarise(study))


def test_undefeated_players_have_open_ends(tmp_path: Path) -> None:
    everything = drawn_study(round_robin("ABC", 20), tmp_path / "s", {"C": -1e6}, draws=0)
    text = document(summarise(everything))
    assert "+∞)" in text
    assert "An open end" in text
    assert "**The games alone determine no ratings**" in text
    assert "nan" not in text.lower()
    assert "inf" not in text.replace("informed", "")


def test_zero_is_where_the_games_leave_least_open(tmp_path: Path) -> None:
    everything = drawn_study(round_robin("ABCD", 20), tmp_path / "all", {"D": -1e6}, draws=0)
    (ratings,) = summarise(everything).ratings
    assert ratings.anchor == "A"
    assert {label for label in "ABCD" if not np.isfinite(ratings[label].interval).all()} == {"D"}
    climb = summarise(drawn_study(ladder(["x"], [1, 2], ["d"], 20), tmp_path / "s", {"x at 2": 1e6}))
    assert climb.ratings[0].anchor == "d"
    assert "Zero is d." in document(climb)


def test_groups_that_never_met_are_rated_apart(tmp_path: Path) -> None:
    games = [
        game((p, n // 2, n % 2), pair, n % 3 - 1, "plies")
        for p, pair in ((0, ("A", "B")), (5, ("C", "D")))
        for n in range(6)
    ]
    summary = summarise(study_of(round_robin("ABCD", 6), tmp_path / "s", games))
    assert [each.labels for each in summary.ratings] == [("A", "B"), ("C", "D")]
    assert "cannot be compared" in document(summary)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), labels=st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=4, unique=True))
def test_any_labels_and_any_few_games_make_a_sound_page(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, labels: list[str]
) -> None:
    """What comes from outside ends up as text, in Markdown and in HTML."""
    config = round_robin(labels, 4)
    games = []
    index = 0
    for i, first in enumerate(labels):
        for second in labels[i + 1 :]:
            for n in range(data.draw(st.integers(0, 4))):
                outcome = data.draw(st.sampled_from([1, 0, -1]))
                fault = data.draw(st.none() | st.text(max_size=20)) if outcome else None
                reason = "forfeit" if fault is not None else "checkmate" if outcome else "stalemate"
                games.append(game((index, n // 2, n % 2), (first, second), outcome, reason, fault=fault))
            index += 1
    study = study_of(config, tmp_path_factory.mktemp("s") / "s", games)
    read = Reader(page(document(summarise(study)), config.name, {}, 10))
    assert set(read.tags) <= ALLOWED
    assert not read.open
    shown = {" ".join(cell.split()) for cell in read.cells}
    assert {" ".join(one_line(label).split()) for label in labels} <= shown


def test_nasty_labels_are_shown_as_they_are(tmp_path: Path) -> None:
    study = drawn_study(round_robin(NASTY, 4), tmp_path / "s", {})
    write_report(study, tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    read = Reader(text)
    assert set(read.tags) <= ALLOWED
    assert set(NASTY) <= set(read.cells)
    assert not re.search(r"https?://(?!e\.org)", text)
    sources = [value for name, value in read.attributes if name in ("src", "srcset", "href")]
    assert len(sources) == 6
    assert all(source is not None and source.startswith("data:image/png;base64,") for source in sources)


@pytest.mark.parametrize(("players", "share", "paper"), [(12, 1, LIGHT), (2, 0.3, DARK), (5, 0, DARK)])
def test_pictures_of_few_and_many_players_with_long_labels(
    tmp_path: Path, players: int, share: float, paper: Paper
) -> None:
    labels = [f"{name} {'long ' * 9}{number}" for number in range(4) for name in NASTY][:players]
    summary = summarise(drawn_study(round_robin(labels, 4), tmp_path / "s", {}, share))
    with on(paper):
        for figure in (
            draw_crosstable(CrossTable(labels, summary.scores), paper),
            draw_ratings(summary.ratings, paper),
            draw_reasons(summary, paper),
        ):
            figure.savefig(tmp_path / "p.png", dpi=40)
            assert imread(tmp_path / "p.png").std() > 0.01  # something is drawn


def test_a_ladder_has_a_line_for_each_series_and_a_panel_for_each_opponent(tmp_path: Path) -> None:
    config = ladder(["x", "y", "z"], [1000, 2000, 4000], ["d", "e"], 20)
    draws = drawn_study(config, tmp_path / "all", {"x at 4000": 300.0})
    games = [
        each for each in draws.games() if not each.white.startswith("z") and not each.black.startswith("z")
    ]
    study = study_of(config, tmp_path / "s", games)
    summary = summarise(study)
    with on(LIGHT):
        figure = draw_ladder(rungs(summary.scores), "nodes", LIGHT)
        figure.savefig(tmp_path / "p.png", dpi=40)
    panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["against d", "against e"]
    for axes, opponent in zip(panels, "de", strict=True):
        container: Any = axes.containers[0]  # of error bars
        line = container.lines[0]
        scores = [s for s in summary.scores if s.pairing.series == "x" and s.pairing.second == opponent]
        assert line.get_ydata() == pytest.approx([score.points for score in scores])
        low, high = axes.get_ylim()
        assert all(low <= end <= high for score in scores for end in score.interval or ())
    rows = tables(section(document(summary), "Score against budget"))[0]
    assert rows[0][2] == "nodes"
    assert [row[2] for row in rows[2:8:2]] == ["1,000", "2,000", "4,000"]
    assert [row[3] for row in rows[2:]] == ["20"] * 12 + ["0"] * 6


def test_all_files_are_written_and_none_left_aside(tmp_path: Path) -> None:
    study = drawn_study(ladder(["x"], [100, 200], ["d"], 4), tmp_path / "s", {})
    write_report(study, tmp_path / "new" / "folder")
    names = {"report.md", "report.html", "crosstable.png", "ratings.png", "reasons.png", "ladder.png"}
    assert {each.name for each in (tmp_path / "new" / "folder").iterdir()} == names
    text = (tmp_path / "new" / "folder" / "report.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+\.png)\)", text)) == {name for name in names if name.endswith(".png")}
    summary = document(summarise(study))
    assert summary == text


def test_what_is_said_to_play_it_again_is_the_config(three: Study, tmp_path: Path) -> None:
    text = document(summarise(three))
    assert "ks tournament made-up.yaml" in text
    found = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    (tmp_path / "again.yaml").write_text(found[1], encoding="utf-8")
    assert load_study(tmp_path / "again.yaml") == three.config


def test_games_of_several_versions_are_told(tmp_path: Path) -> None:
    games = [game((0, 0, n), ("A", "B"), 0, "plies", versions=f'{{"ks-env": "0.{n}"}}') for n in (0, 1)]
    text = document(summarise(study_of(round_robin("AB", 2), tmp_path / "s", games)))
    assert "not all played with the same versions" in text
    assert "1 game: ks-env 0.0." in text


def test_a_report_of_games_that_were_played(tmp_path: Path) -> None:
    config = round_robin("AB", 2, ruleset_options={"max_plies": 40})
    with one_worker():
        study = run_study(config, tmp_path / "study.sqlite")
    write_report(study, tmp_path)
    text = html.unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "Finished: 2 games" in text
    tries = sum(game.work[0].tries + game.work[1].tries for game in study.games())
    moves = sum(game.plies for game in study.games())
    assert tries >= moves
    assert Path(tmp_path / "crosstable.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("value", "text"), [(123.4, "123 s"), (2.5, "2.5 s"), (0.0125, "12.5 ms"), (2e-6, "2 µs"), (None, "–")]
)
def test_times(value: float | None, text: str) -> None:
    assert words.seconds(value) == text


@given(st.text(max_size=60), st.integers(5, 40))
def test_shortened_labels_keep_both_ends(text: str, longest: int) -> None:
    short = words.shortened(text, longest)
    assert len(short) <= max(longest, 0)
    assert short == one_line(text) or (short[0], short[-1]) == (
        one_line(text)[0],
        one_line(text)[-1],
    )
