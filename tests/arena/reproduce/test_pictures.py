"""Figures of a paper, drawn from several ladders."""

import json
from pathlib import Path

from ks_arena.reproduce.outcome import write_outcomes
from ks_arena.reproduce.pictures import write_pictures
from ks_arena.reproduce.published import PublishedTable

from tests.arena.made_up import drawn_study, ladder


def test_a_picture_is_drawn_from_the_ladders_that_have_been_played(tmp_path: Path) -> None:
    configs = {key: ladder(["x"], budgets, ["d"], 20) for key, budgets in (("a", [1, 4]), ("b", [2, 8]))}
    row = {"what": "w", "section": "§", "published": {"value": 1}, "unit": "Elo", "unmeasured": "made up"}
    table = PublishedTable.model_validate(
        {
            "title": "t",
            "source": "s",
            "studies": configs,
            "rows": [row],
            "pictures": [{"name": "figure-1", "studies": ["a", "b"], "unit": "nodes"}],
        }
    )
    assert write_pictures(tmp_path, table, {}, {}) == []
    study = drawn_study(configs["a"], tmp_path / "a.sqlite", {})
    (file,) = write_pictures(tmp_path, table, {"a": study}, {})
    alone = file.read_bytes()
    assert file == tmp_path / "figure-1.png"
    assert alone.startswith(b"\x89PNG")
    other = drawn_study(configs["b"], tmp_path / "b.sqlite", {})
    write_pictures(tmp_path, table, {"a": study, "b": other}, {})
    both = file.read_bytes()
    assert both != alone

    write_outcomes(tmp_path, "results", table, [], {"b": other}, {})
    told = json.loads((tmp_path / "results.json").read_text())["studies"]
    write_pictures(tmp_path, table, {"a": study}, told)
    assert file.read_bytes() == both  # a study that is told of is drawn as one whose games are here
