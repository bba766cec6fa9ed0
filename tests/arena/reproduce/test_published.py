"""The published tables are complete and say what the papers say; a wrong table is refused by its key."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from ks_arena.reproduce.published import PublishedTable, Row, all_tables, find_table, load_table
from ks_arena.sections import ConfigError

TABLES = {path.stem: load_table(path) for path in all_tables()}


def units(n: int) -> str:
    """A budget of Ciancarini and Favini's (2010) Figure 10 in our units."""
    return "1 unit" if n == 1 else f"{n} units"


FIGURES = [  # table, how `what` begins, relation, value, upper end
    ("metapositions-2007", "Darkboard v random mover, wins", "=", 94.8, None),
    ("metapositions-2007", "Darkboard v random mover, losses", "range", 0, 0.05),
    (
        "metapositions-2007",
        "Darkboard v random mover that always captures when it can, wins",
        "=",
        79.3,
        None,
    ),
    (
        "metapositions-2007",
        "Darkboard v random mover that always captures when it can, losses",
        "range",
        0,
        0.05,
    ),
    (
        "metapositions-2007",
        "Darkboard v random mover that always captures when it can, draws by stalemate or repetition",
        "=",
        20.7,
        None,
    ),
    ("metapositions-2007", "Darkboard, tries a move", "=", 1.415, None),
    ("metapositions-2007", "Darkboard v Monte Carlo (HS family)", "=", 75, None),
    ("metapositions-2007", "Non-silent umpire in the middle game", "range", 20, 30),
    *[("tree-search-2010", f"A v Darkboard at {units(s)}", "<", 2, None) for s in (1, 2, 4, 8)],
    ("tree-search-2010", "A v random mover", "=", 50, None),
    ("tree-search-2010", "B, k = 1, far ahead of the other B at 1 unit", ">", 0, None),
    *[
        ("tree-search-2010", f"B, k = {k}, v Darkboard at {units(s)}", ">", 0, None)
        for k in (7, 10)
        for s in (4, 8)
    ],
    *[("tree-search-2010", f"B, k = 3, not the best B at {units(s)}", "<", 0, None) for s in (1, 2, 4, 8)],
    *[("tree-search-2010", f"C v Darkboard at {units(s)}", ">", 100, None) for s in (1, 2, 4, 8)],
    *[
        ("tree-search-2010", f"C v Darkboard at {units(s)}, wins for each loss", "range", 2.5, 3.5)
        for s in (1, 2, 4, 8)
    ],
    ("tree-search-2010", "C against B, k = 1, nodes in the same time", "range", 10, 20),
    ("samplers", "HS v AOSP", ">", 50, None),
    ("samplers", "AOSP v LOS", ">", 50, None),
    ("samplers", "LOS v random mover", ">", 50, None),
    (
        "advisors-2001",
        "The winner is the less uncertain player, 2 bishops (White) v 1 bishop (Black), won by W",
        "=",
        99.47,
        None,
    ),
    (
        "advisors-2001",
        "The winner is the less uncertain player, 2 bishops (White) v 1 bishop (Black), won by B",
        "<",
        99.47,
        None,
    ),
]

MEN = ["1B", "1N", "1R", "1Q", "2B", "2N", "2R", "none"]
TABLE_1 = """
   -  61.0 65.0 35.0 17.2 41.5 43.6 89.8
 39.0   -  53.4 39.2 13.2 37.4 27.6 89.0
 35.0 46.6   -  38.2 25.4 34.4 27.4 93.0
 65.0 60.8 61.8   -  43.8 41.4 47.6 93.0
 82.8 86.8 74.6 56.2   -  72.0 57.6 95.6
 58.5 62.6 65.6 58.6 28.0   -  45.8 96.2
 56.4 72.4 72.6 52.4 42.4 54.2   -  98.2
 10.2 11.0  7.0  7.0  4.4  3.8  1.8   -
"""
TABLE_2 = {  # by advisor and weight: an invisible queen each, an invisible bishop each
    ("hide", "0.5"): (57.2, 78.4),
    ("hide", "5"): (61.3, 82.7),
    ("hide", "50"): (13.6, 18.5),
    ("seek", "0.5"): (50.1, 51.2),
    ("seek", "5"): (55.0, 51.2),
    ("seek", "50"): (47.6, 55.2),
}


@pytest.mark.parametrize("figure", FIGURES, ids=[f"{table}-{what}" for table, what, *_ in FIGURES])
def test_every_published_figure_has_a_row(figure: tuple[str, str, str, float, float | None]) -> None:
    table, what, relation, value, to = figure
    rows = [row.published for row in TABLES[table].rows if row.what.startswith(what)]
    assert (relation, value, to) in [(each.relation, each.value, each.to) for each in rows]


def test_figures_of_few_games_say_so() -> None:
    (olympiad,) = [row for row in TABLES["metapositions-2007"].rows if "Monte Carlo" in row.what]
    assert olympiad.published.games == 8
    assert all(row.published.games == 500 for row in TABLES["advisors-2001"].rows if "Table" in row.section)


def test_the_win_percentages_of_invisible_men() -> None:
    cells = [line.split() for line in TABLE_1.split("\n") if line]
    rows = {
        (row.measure.player, row.measure.against): row.published.value
        for row in TABLES["advisors-2001"].rows
        if row.section == "Table 1" and row.measure is not None
    }
    assert len(rows) == 28
    for i, first in enumerate(MEN):
        for j, second in enumerate(MEN):
            if i != j:
                mine = rows[first, second] if i < j else 100 - rows[second, first]
                assert mine == pytest.approx(float(cells[i][j]))


def test_the_effect_of_the_advisors() -> None:
    rows = [row for row in TABLES["advisors-2001"].rows if row.section == "Table 2"]
    assert len(rows) == 12
    for row in rows:
        assert row.measure is not None
        advisor, weight = row.measure.player.split()
        assert row.what.startswith(f"Move {advisor} advisor at weight {weight}, an invisible ")
        assert row.published.value == TABLE_2[advisor, weight]["bishop" in row.what]


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_fit_to_be_shown(name: str) -> None:
    table = TABLES[name]
    whats = [row.what for row in table.rows]
    assert len(set(whats)) == len(whats)
    seeds = [config.seed for config in table.studies.values()]
    assert len(set(seeds)) == len(seeds)  # otherwise different studies would share their players' luck
    used = {study for row in table.rows for study, _, _ in row.sides}
    apart = ("captures-told", "centipawns", "gnu-chess-told", "sixteen")
    beyond = {key for key in table.studies if table.comparison and key.startswith(apart)}
    assert used == set(table.studies) - beyond  # these have no published figure; the comparison shows them


ROW: dict[str, Any] = {
    "what": "wins",
    "section": "§1",
    "published": {"value": 50},
    "study": "duel",
    "measure": {"kind": "wins", "player": "capture", "against": "random"},
}
TABLE: dict[str, Any] = {
    "title": "t",
    "source": "s",
    "studies": {
        "duel": {"games": 4, "tournament": {"kind": "round-robin", "players": ["capture", "random"]}}
    },
    "rows": [ROW],
}


def measure(**keys: Any) -> dict[str, Any]:
    return {"rows": [ROW | {"measure": ROW["measure"] | keys}]}


def without(*keys: str, **more: Any) -> dict[str, Any]:
    return {"rows": [{key: value for key, value in ROW.items() if key not in keys} | more]}


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"titel": "t"}, "titel: unknown key (did you mean 'title'?"),
        ({"rows": []}, "rows: "),
        (measure(kind="win"), "rows.0.measure.kind: unknown kind 'win'; expected one of wins, losses"),
        (
            measure(player="nobody"),
            "row 'wins': 'nobody' does not meet 'random' in this study; expected one of capture v",
        ),
        (measure(budget=3), "row 'wins': 'capture' at 3 does not meet 'random'"),
        (measure(kind="lead"), "rivals go with lead and nodes_ratio, and with no other kind"),
        (measure(rivals=["random"]), "rivals go with lead and nodes_ratio, and with no other kind"),
        (measure(kind="nodes_ratio", rivals=["a", "b"]), "nodes_ratio compares with one rival, found 2"),
        (measure(moves=[1, 2]), 'go with the kind "spoken"'),
        (measure(kind="spoken", moves=[4, 2]), "moves are two numbers in order"),
        (measure(kind="wins", reasons=["STALEMATE"]), "reasons go with the kind"),
        (
            measure(kind="less_uncertain"),
            "row 'wins': less_uncertain is no measure of Kriegspiel; expected another kind",
        ),
        (measure(kind="draws", reasons=["stalemate"]), "unknown reason 'stalemate'"),
        (without("study", study="other"), "row 'wins': there is no study 'other'; expected one of duel"),
        (without("study"), "expected the study that is measured"),
        (without("measure"), "expected either a measure or, under unmeasured, why there is no measure"),
        (
            without(unmeasured="why"),
            "expected either a measure or, under unmeasured, why there is no measure",
        ),
        (without("measure", "study", unmeasured="why"), "a figure that is not measured has a unit"),
        (without(unit="%"), "the unit is that of the measure: %"),
        (
            without("published", published={"value": 1, "to": 2}),
            'the key "to" goes with the relation "range"',
        ),
        (without("published", published={"value": 1, "relation": "range"}), 'the key "to" goes with'),
        (
            without("published", published={"value": 3, "to": 2, "relation": "range"}),
            "the range ends at 2; expected",
        ),
        (without("published", published={"value": float("nan")}), "rows.0.published.value: "),
        (
            {"studies": {"duel": TABLE["studies"]["duel"] | {"sprt": {"elo0": 0, "elo1": 10}}}},
            "study 'duel' has an sprt",
        ),
        ({"studies": {"duel": TABLE["studies"]["duel"] | {"games": 3}}}, "studies.duel.games: "),
        ({"studies": {"du@el": TABLE["studies"]["duel"]}}, "studies.du@el"),
        ({"studies": {"duel": 3}}, "studies.duel: "),
        ({"studies": 3}, "studies: "),
        (
            {"pictures": [{"name": "figure-1", "studies": ["duel"], "unit": "nodes"}]},
            "picture 'figure-1': 'duel' is not a ladder of the table; expected some of none",
        ),
    ],
)
def test_what_is_wrong_in_a_table_is_named(tmp_path: Path, changes: dict[str, Any], wanted: str) -> None:
    path = tmp_path / "made-up.yaml"
    path.write_text(yaml.safe_dump(TABLE | changes))
    with pytest.raises(ConfigError) as error:
        load_table(path)
    assert str(path) in str(error.value)
    assert wanted in str(error.value)


def test_a_table_runs_no_code_that_the_user_has_not_allowed(tmp_path: Path) -> None:
    path = tmp_path / "made-up.yaml"
    place = {"player": "tests.arena.players:Quick", "label": "random", "isolated": False}
    tournament = TABLE["studies"]["duel"]["tournament"] | {"players": ["capture", place]}
    duel = TABLE["studies"]["duel"] | {"tournament": tournament}
    path.write_text(yaml.safe_dump(TABLE | {"studies": {"duel": duel}}))
    with pytest.raises(ConfigError, match="which is not run because a file says so"):
        load_table(path)


def test_studies_are_named_after_their_table(tmp_path: Path) -> None:
    path = tmp_path / "made-up.yaml"
    path.write_text(yaml.safe_dump(TABLE))
    table = load_table(path)
    assert isinstance(table, PublishedTable)
    assert table.studies["duel"].name == "made-up-duel"
    assert isinstance(table.rows[0], Row)


def test_tables_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where there is no folder of tables, those beside the sources are meant
    assert set(TABLES) == {"metapositions-2007", "tree-search-2010", "samplers", "advisors-2001"}
    assert find_table("metapositions-2007").is_file()
    assert find_table("own/table.yaml") == Path("own/table.yaml")
    with pytest.raises(
        ConfigError,
        match="unknown table 'mine'; expected one of advisors-2001, metapositions-2007, samplers",
    ):
        find_table("mine")
    (tmp_path / "configs" / "reproduce").mkdir(parents=True)
    (tmp_path / "configs" / "reproduce" / "mine.yaml").write_text(yaml.safe_dump(TABLE))
    assert [path.stem for path in all_tables()] == ["mine"]


def test_the_table_in_the_docs_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reproduction.md").read_text()
    (block,) = re.findall(r"^```yaml\n(.*?)^```", page, re.S | re.M)
    path = tmp_path / "own.yaml"
    path.write_text(block)
    assert load_table(path).rows[0].what == "capture v random, wins"
