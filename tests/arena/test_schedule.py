"""Configs of studies, and what they make of games."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from ks_arena.sections import ConfigError, dump_section
from ks_arena.study.config import StudyConfig, check_player, load_study, read_starts
from ks_arena.study.schedule import field_of, jobs_of_pair, pair_seeds

STUDIES = sorted((Path(__file__).parents[2] / "configs/studies").glob("*.yaml"))
ENDING = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"


def study(tmp_path: Path, **keys: Any) -> StudyConfig:
    path = tmp_path / "study.yaml"
    usual = {
        "name": "test",
        "tournament": {"kind": "round-robin", "players": ["random", "capture"]},
        "games": 4,
    }
    path.write_text(yaml.safe_dump(usual | keys))
    return load_study(path)


def meetings(config: StudyConfig) -> list[tuple[str, str]]:
    return [(pairing.first, pairing.second) for pairing in field_of(config).pairings]


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_shipped_studies_load(path: Path) -> None:
    assert load_study(path).name == path.stem
    assert field_of(load_study(path)).pairings


def test_there_are_shipped_studies() -> None:
    assert "baselines" in {path.stem for path in STUDIES}


def test_a_round_robin_has_everybody_meet_once(tmp_path: Path) -> None:
    players = ["random", "capture", {"player": "random", "label": "again"}]
    config = study(tmp_path, tournament={"kind": "round-robin", "players": players})
    assert meetings(config) == [("random", "capture"), ("random", "again"), ("capture", "again")]
    assert field_of(config).players["again"].player == "random"


def test_a_gauntlet_has_each_challenger_meet_each_opponent(tmp_path: Path) -> None:
    gauntlet = {"kind": "gauntlet", "challengers": ["a", "b"], "against": ["c", "d"]}
    config = study(tmp_path, tournament=gauntlet)
    assert meetings(config) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]


def test_a_ladder_has_each_rung_meet_each_opponent(tmp_path: Path) -> None:
    ladder = {
        "kind": "ladder",
        "players": [{"label": "C", "player": "mcts:nodes={budget}"}, "b:k=1,nodes={budget}"],
        "budgets": [1000, 2000.5],
        "unit": "nodes",
        "against": "darkboard",
    }
    config = study(tmp_path, tournament=ladder)
    field = field_of(config)
    assert meetings(config) == [
        ("C at 1000", "darkboard"),
        ("C at 2000.5", "darkboard"),
        ("b:k=1,nodes=1000", "darkboard"),
        ("b:k=1,nodes=2000.5", "darkboard"),
    ]
    assert [pairing.budget for pairing in field.pairings] == [1000, 2000.5] * 2
    assert [pairing.series for pairing in field.pairings] == ["C", "C", "b:k=1,nodes", "b:k=1,nodes"]
    assert field.players["C at 2000.5"].player == "mcts:nodes=2000.5"


def test_a_player_of_a_ladder_may_count_budgets_in_its_own_measure(tmp_path: Path) -> None:
    players = [
        {"label": "C", "player": "c:nodes={budget}", "per_unit": 1600},
        {"label": "B", "player": "b:nodes={budget}"},
    ]
    ladder = {"kind": "ladder", "players": players, "budgets": [1, 2], "unit": "units", "against": "d"}
    field = field_of(study(tmp_path, tournament=ladder))
    assert field.players["C at 2"].player == "c:nodes=3200"
    assert field.players["B at 2"].player == "b:nodes=2"
    assert [pairing.budget for pairing in field.pairings] == [1, 2] * 2


def test_two_players_of_one_label_are_refused(tmp_path: Path) -> None:
    config = study(tmp_path, tournament={"kind": "round-robin", "players": ["random", "random"]})
    with pytest.raises(ConfigError, match="two players are called 'random'; give one of them a label"):
        field_of(config)


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"sead": 4}, r"sead: unknown key \(did you mean 'seed'"),
        ({"game": "go"}, "game: unknown game 'go'; expected one of Kriegspiel, .*InvisibleChess"),
        ({"game": "invisible"}, r"game: unknown game 'invisible' \(did you mean 'InvisibleChess'\?\)"),
        ({"game": "InvisibleChess", "hidden_start": True}, "a game of InvisibleChess cannot hide its start"),
        ({"games": 5}, "games: .*multiple of 2; found 5"),
        ({"games": 0}, "games: .*greater than or equal to 2"),
        ({"ruleset": "iccc"}, "unknown ruleset 'iccc'"),
        ({"ruleset_options": {"max_ply": 3}}, "unknown ruleset option 'max_ply'"),
        ({"start": "nonsense"}, "bad FEN 'nonsense'"),
        ({"limits": {"seconds_a_move": 0}}, "limits.seconds_a_move: .*greater than 0"),
        (
            {"limits": {"second_a_move": 1}},
            r"second_a_move: unknown key \(did you mean 'seconds_a_move'",
        ),
        ({"sprt": {"elo0": 5, "elo1": 5}}, "elo0 5.0 is not below elo1 5.0"),
        ({"name": ".."}, "name"),
        ({"tournament": {"kind": "knockout"}}, "knockout"),
        ({"tournament": {"kind": "round-robin", "players": ["random"]}}, "at least 2 items"),
        (
            {"tournament": {"kind": "gauntlet", "challenger": [], "against": ["random"]}},
            r"unknown key \(did you mean 'challengers'.*expected one of kind, challengers, against",
        ),
        (
            {
                "tournament": {
                    "kind": "ladder",
                    "players": ["mcts"],
                    "budgets": [1],
                    "unit": "nodes",
                    "against": ["random"],
                }
            },
            "'mcts' has no {budget} in it",
        ),
        (
            {
                "tournament": {
                    "kind": "ladder",
                    "players": ["mcts:nodes={budget}"],
                    "budgets": [2, 1],
                    "unit": "nodes",
                    "against": ["random"],
                }
            },
            "expected budgets in growing order",
        ),
        (
            {
                "tournament": {
                    "kind": "round-robin",
                    "players": ["random", {"player": "capture", "per_unit": 3}],
                }
            },
            "'capture' has no budget here: per_unit goes with the players of a ladder",
        ),
        (
            {"hidden_start": True, "start": [ENDING, ENDING.replace("w", "b")]},
            "hidden_start: .* must agree in side",
        ),
    ],
)
def test_a_wrong_key_or_value_is_named(tmp_path: Path, keys: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=rf"(?s)study\.yaml: .*{fault}"):
        study(tmp_path, **keys)


def test_starts_are_read_from_a_file_and_become_part_of_the_study(tmp_path: Path) -> None:
    file = tmp_path / "starts.fen"
    file.write_text(f'# endings\n{ENDING}  # rook\n\n4k3/8/8/8/8/8/8/Q3K3 w - - id "queen";\n')
    config = study(tmp_path, start_file=str(file))
    file.unlink()
    assert config.starts == (ENDING, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    again = tmp_path / "again.yaml"
    again.write_text(dump_section(config))
    assert load_study(again) == config
    with pytest.raises(ConfigError, match="start and start_file are both given"):
        study(tmp_path, start_file=str(file), start=ENDING)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "holds no position"),
        (f"{ENDING}\nx y z\n", "line 2: "),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "line 1: bad FEN"),
    ],
)
def test_a_bad_file_of_starts_is_named_with_its_line(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "starts.fen"
    file.write_text(text)
    with pytest.raises(ConfigError, match=f"starts.fen.*{fault}"):
        read_starts(file)
    with pytest.raises(ConfigError, match=r"none\.fen: cannot be read"):
        read_starts(tmp_path / "none.fen")


def test_players_are_looked_up_when_the_study_is_run_not_before(tmp_path: Path) -> None:
    config = study(tmp_path, tournament={"kind": "round-robin", "players": ["random", "nobody:depth=3"]})
    known, unknown = field_of(config).players.values()
    assert check_player(known) == "random"
    with pytest.raises(ConfigError, match="nobody"):
        check_player(unknown)


def test_seeds_are_apart() -> None:
    found = {seed for pairing in range(5) for pair in range(100) for seed in pair_seeds(7, pairing, pair)}
    assert len(found) == 1000
    assert all(0 <= seed < 2**32 for seed in found)


def test_a_hidden_start_is_told_to_the_job(tmp_path: Path) -> None:
    config = study(tmp_path, hidden_start=True, start=ENDING)
    (job, _) = jobs_of_pair(
        config, {"random": "random", "capture": "capture"}, field_of(config).pairings[0], 0
    )
    assert job.hidden
    assert job.alike == ((ENDING,), (ENDING,))


def test_a_job_holds_the_starts_that_each_seat_cannot_tell_apart(tmp_path: Path) -> None:
    start = [ENDING, ENDING.replace("4k3", "5k2"), ENDING.replace("R3K3", "R3KR2")]
    names = {"random": "random", "capture": "capture"}
    for hidden in (False, True):
        config = study(tmp_path, hidden_start=hidden, start=start, games=8)
        pairing = field_of(config).pairings[0]
        jobs = [job for pair in range(4) for job in jobs_of_pair(config, names, pairing, pair)]
        assert [job.fen for job in jobs[::2]] == [*start, start[0]]
        first, other = ((start[0], start[1]), (start[0], start[2])), ((start[0], start[1]), (start[1],))
        third = ((start[2],), (start[0], start[2]))
        expected = [first, other, third, first] if hidden else [((), ())] * 4
        assert [job.alike for job in jobs[::2]] == [job.alike for job in jobs[1::2]] == expected
