"""The notebook runs from its first cell to its last."""

from pathlib import Path

import nbformat
import pytest

from research.notebook import TOUR, run


def shown(cell: nbformat.NotebookNode) -> set[str]:
    """The kinds of what a cell has shown."""
    return {kind for output in cell.get("outputs", ()) for kind in output.get("data", ())}


@pytest.mark.slow
def test_it_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(TOUR, as_version=4)  # type: ignore[no-untyped-call]
    kept = [shown(cell) for cell in notebook.cells]
    for cell in notebook.cells:  # a minute of training shows no more here than a second
        short = cell.source.replace("120_000", "4_096").replace('"games": 100', '"games": 4')
        cell.source = short.replace('"policy", 20', '"random", 2')
    run(notebook, tmp_path)
    assert [shown(cell) for cell in notebook.cells] == kept
    assert sum("image/svg+xml" in kinds for kinds in kept) == 3
    assert (tmp_path / "runs" / "tour" / "game.html").is_file()
