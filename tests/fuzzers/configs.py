"""YAML files of every kind."""

import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from ks_arena.ladder import LadderConfig
from ks_arena.reproduce.published import PublishedTable
from ks_arena.sections import ConfigError, load_section
from ks_arena.study.config import load_study
from ks_train.belief.training import BeliefTraining
from ks_train.data.config import DataConfig
from ks_train.learn.config import load_config
from ks_train.policy.files import Played

from tests.fuzzers import mutate
from tests.fuzzers.driver import Fuzzer
from tests.long_run import ROOT


def section(kind: Any) -> Callable[[Path], object]:
    return lambda path: load_section(kind, path)


KINDS: dict[str, tuple[tuple[str, ...], Callable[[Path], object]]] = {
    "a study": (("studies/baselines", "studies/mcts-c", "studies/levels"), load_study),
    "a ladder": (("ladders/package",), section(LadderConfig)),
    "a training": (("quickstart", "quickstart-planes", "league", "long", "pretrained-judged"), load_config),
    "a data set": (("datasets/belief", "datasets/engines", "datasets/teacher"), section(DataConfig)),
    "a published table": (("reproduce/samplers", "reproduce/advisors-2001"), section(PublishedTable)),
    "a belief network": (("belief/network",), section(BeliefTraining)),
    "a model's config": (("quickstart", "quickstart-planes"), section(Played)),
}


@cache
def text_of(name: str) -> str:
    return (ROOT / "configs" / f"{name}.yaml").read_text(encoding="utf-8")


@cache
def values_of(name: str) -> Any:
    return yaml.safe_load(text_of(name))


def draw(names: tuple[str, ...]) -> Callable[[random.Random], str]:
    def some(rng: random.Random) -> str:
        name = rng.choice(names)
        what = rng.random()
        if what < 0.005:  # PyYAML takes seconds for it
            return rng.choice("[{") * 100_000
        if what < 0.4:
            return mutate.text(rng, text_of(name))
        return yaml.safe_dump(mutate.plain(mutate.value(rng, values_of(name))))

    return some


def reading(load: Callable[[Path], object]) -> Callable[[str], None]:
    def read(given: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "config.yaml"
            path.write_text(given, encoding="utf-8", errors="surrogateescape")
            try:
                load(path)
            except ConfigError as refusal:
                if str(path) not in str(refusal):
                    raise AssertionError(f"the file is not named: {refusal}") from refusal
                raise

    return read


FUZZERS = [
    Fuzzer(f"YAML of {what}", draw(names), reading(load), (ConfigError,), tests=50)
    for what, (names, load) in KINDS.items()
]
