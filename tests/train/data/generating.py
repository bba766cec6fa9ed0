"""A process that makes a data set, to be killed: `python -m tests.train.data.generating CONFIG FILE`."""

import sys
from pathlib import Path

from ks_train.data.config import load_data_config
from ks_train.data.generate import generate

if __name__ == "__main__":
    generate(load_data_config(sys.argv[1]), Path(sys.argv[2]), workers=1)
