"""A process that makes a data set, to be killed: `python -m tests.train.data.generating CONFIG FILE`."""

import sys
from pathlib import Path

from ks_arena.sections import load_section
from ks_train.data.config import DataConfig
from ks_train.data.generate import generate

if __name__ == "__main__":
    generate(load_section(DataConfig, sys.argv[1]), Path(sys.argv[2]), workers=1)
