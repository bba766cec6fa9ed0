"""Run `examples/tour.ipynb` and keep what its cells print and show: `python -m research.notebook`."""

import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parent.parent / "examples" / "tour.ipynb"


def run(notebook: nbformat.NotebookNode, folder: Path, seconds: float = 600.0) -> None:
    """Run all cells in a folder; what they print and show stands in the notebook afterwards.

    Args:
        notebook: it.
        folder: where its files go.
        seconds: that a cell may take.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell has raised.
    """
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=seconds, kernel_name="python3", resources=resources).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran, which differs every time


def main() -> None:
    """Run the notebook and write it."""
    notebook = nbformat.read(TOUR, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as folder:
        run(notebook, Path(folder))
    nbformat.write(notebook, TOUR)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
