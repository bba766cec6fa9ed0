"""Several runs in one picture."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ks_train.commands.main import app
from ks_train.judge import curves as curve
from matplotlib.figure import Figure
from typer.testing import CliRunner

RUN = CliRunner()


def row(opponent: str, rate: float, **more: Any) -> dict[str, Any]:
    return {"opponent": opponent, "win_rate": rate, "win_rate_95": (rate - 0.1, rate + 0.1)} | more


def finished(folder: Path, name: str, opponents: tuple[str, ...]) -> Path:
    summary = {
        "name": name,
        "timesteps": 300,
        "series": [row(opponent, 0.6) for opponent in opponents],
        "evaluations": [row(o, 0.1 * i, timesteps=100 * i) for i in (1, 2) for o in opponents],
    }
    folder.mkdir()
    (folder / "summary.json").write_text(json.dumps(summary))
    return folder


def test_a_panel_for_each_opponent_and_a_line_for_each_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Figure] = []

    def kept(*sizes: Any, **options: Any) -> Figure:
        drawn.append(Figure(*sizes, **options))
        return drawn[-1]

    monkeypatch.setattr(curve, "Figure", kept)
    runs = [
        finished(tmp_path / "a", "plain", ("random", "capture")),
        finished(tmp_path / "b", "memory", ("random",)),
    ]
    out = tmp_path / "both.png"
    result = RUN.invoke(app, ["curves", *map(str, runs), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_bytes()[1:4] == b"PNG"
    first, second = drawn[0].axes
    assert [line.get_label() for line in first.lines] == ["plain: 95 % band", "memory: 95 % band"]
    assert first.lines[0].get_xydata().tolist() == [[100, 0.1], [200, 0.2], [300, 0.6]]  # type: ignore[union-attr]
    assert [line.get_label() for line in second.lines] == ["plain: 95 % band"]


def test_runs_of_one_name_are_a_median_in_a_band(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Figure] = []

    def kept(*sizes: Any, **options: Any) -> Figure:
        drawn.append(Figure(*sizes, **options))
        return drawn[-1]

    monkeypatch.setattr(curve, "Figure", kept)
    summaries = []
    for i, rate in enumerate((0.2, 0.9, 0.4)):
        folder = finished(tmp_path / str(i), "same", ("random",))
        summary = json.loads((folder / "summary.json").read_text())
        summary["series"][0]["win_rate"] = rate
        summaries.append(summary)
    curve.draw_runs(summaries, tmp_path / "seeds.png")
    (axes,) = drawn[0].axes
    (line,) = axes.lines
    assert line.get_label() == "same: 3 runs, median"
    assert line.get_xydata().tolist() == [[100, 0.1], [200, 0.2], [300, 0.4]]  # type: ignore[union-attr]
    (band,) = axes.collections
    heights = np.asarray(band.get_paths()[0].vertices)
    assert (heights[:, 1].min(), heights[:, 1].max()) == (0.1, 0.9)


def test_folders_that_hold_no_finished_run(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["curves", str(tmp_path)])
    assert result.exit_code == 2
    assert "summary.json: cannot be read: No such file or directory; expected a finished run" in result.stderr
    (tmp_path / "summary.json").write_text("{}")
    result = RUN.invoke(app, ["curves", str(tmp_path)])
    assert "is not the summary of a run: 'name'" in result.stderr
