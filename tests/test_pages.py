"""Every Python block of the README and the docs runs as it stands."""

import re
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)


def blocks() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, block in enumerate(BLOCK.findall(page.read_text()), 1):
            found.append((f"{page.name}-{number}", block))
    return found


@pytest.mark.parametrize(("name", "code"), blocks(), ids=[name for name, _ in blocks()])
def test_block_runs(name: str, code: str) -> None:
    torch.set_num_threads(1)
    # a run of hours shows no more here than one of a few steps
    code = re.sub(r"\.learn\([\d_]+\)", ".learn(2_048)", code)
    exec(compile(code, name, "exec"), {})  # raises where the page is wrong


def test_there_are_blocks() -> None:
    assert len(blocks()) >= 8
