"""Every Python block of the README and the docs runs as it stands, and shell blocks name what there is.

What shell blocks do takes minutes to days; here each command has to be one, with these options, on modules,
files, extras and targets that are there.
"""

import importlib.util
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import typer.main
from ks_arena.shipped import config_names
from ks_train.commands.main import app

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RESULTS = sorted((ROOT / "docs" / "results").rglob("*.md"))
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


SHELL = re.compile(r"^```(?:sh|bash|shell)\n(.*?)^```", re.S | re.M)
NAMES = re.compile(r"^(?:[A-Z][A-Z0-9_]+=\S+\s+)+")  # settings before a command
PROGRAMS = {"apt", "cd", "git", "tensorboard"}  # whose arguments are not ours


def lines() -> Iterator[tuple[str, str]]:
    """Every command of a shell block, with the page's name."""
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", *RESULTS]:
        for block in SHELL.findall(page.read_text()):
            for line in block.replace("\\\n", " ").splitlines():
                for part in re.split(r"\s+(?:&&|\|)\s+", line):
                    text = part.strip()
                    if text and not text.startswith("#"):
                        yield str(page.relative_to(ROOT)), NAMES.sub("", text)


def check_ks(words: list[str]) -> None:
    """Refuse a command of `ks` that is not there, or an option that it does not have."""
    command: Any = typer.main.get_command(app)
    context = command.context_class(command, info_name="ks")
    while hasattr(command, "get_command"):
        context.allow_interspersed_args = False
        _, words, _ = command.make_parser(context).parse_args(list(words))
        if not words:
            return
        name, *words = words
        command = command.get_command(context, name)
        assert command is not None, f"ks has no command {name!r}"
        context = command.context_class(command, parent=context, info_name=name)
    values, rest, _ = command.make_parser(context).parse_args(list(words))
    assert not rest, f"{rest} is too much"
    config = values.get("config")
    if isinstance(config, str) and config.startswith("configs/"):
        assert (ROOT / config).is_file(), f"{config} is not there"
    elif isinstance(config, str) and not config.endswith(".yaml"):
        assert config in config_names(), f"{config} is no config that comes with the package"


def check_python(words: list[str]) -> None:
    """Refuse a module or a file that is not there."""
    if words[:1] == ["-m"]:
        module = words[1]
        assert module == "pip" or importlib.util.find_spec(module), f"there is no module {module}"
    elif words and words[0].endswith(".py"):
        assert (ROOT / words[0]).is_file(), f"there is no file {words[0]}"


def check_pip(words: list[str]) -> None:
    """Refuse an extra that the project does not have."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for wanted in re.findall(r"\[(.*?)\]", " ".join(words)):
        assert set(wanted.split(",")) <= set(extras), f"there is no extra {wanted}"


def check_make(words: list[str]) -> None:
    """Refuse a target that the Makefile does not have."""
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M)
    for word in words:
        assert word.startswith("-") or "=" in word or word in targets, f"make has no target {word}"


@pytest.mark.parametrize(("page", "text"), sorted(set(lines())))
def test_shell_names_what_there_is(page: str, text: str) -> None:
    program, *words = shlex.split(text, comments=True)
    program = Path(program).name
    if program == "ks":
        check_ks(words)
    elif program.startswith("python"):
        check_python(words)
    elif program.startswith("pip"):
        check_pip(words)
    elif program == "make":
        check_make(words)
    else:
        assert program in PROGRAMS or (ROOT / text.split()[0]).is_file(), f"{page}: what is {program}?"


def test_titles_are_unique() -> None:
    """Of the pages of the docs, by which they are found."""
    titles: dict[str, list[str]] = {}
    for page in [*PAGES[1:], *RESULTS]:
        (title, *_) = re.findall(r"^# (.*)$", page.read_text(), re.M)
        titles.setdefault(title, []).append(str(page.relative_to(ROOT)))
    assert {title: pages for title, pages in titles.items() if len(pages) > 1} == {}
