"""`python -m ks_env.belief.endgames --table` prints the solved endings beside the known figures."""

import argparse
import sys
from pathlib import Path

from ks_env.belief.endgames.ending import ENDINGS, ending_named
from ks_env.belief.endgames.report import report


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected a number from 0 up, got {number}")
    return number


def _ending(text: str) -> str:
    try:
        return ending_named(text).name
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def parser() -> argparse.ArgumentParser:
    """The command line."""
    out = argparse.ArgumentParser(prog="python -m ks_env.belief.endgames", description=__doc__)
    out.add_argument("--table", nargs="*", type=_ending, metavar="ENDING", required=True, help="default: all")
    out.add_argument("--trials", type=_count, default=0, help="games of each kind and ending; default none")
    out.add_argument("--timed", action="store_true", help="solve anew for the time it takes")
    out.add_argument("--result", type=Path, help="write the figures to this file, such as endgames.json")
    return out


def main() -> int:
    """Run the command; 1 if a figure differs from the known one."""
    asked = parser().parse_args()
    return 0 if report(asked.table or list(ENDINGS), asked.trials, asked.timed, asked.result) else 1


if __name__ == "__main__":
    sys.exit(main())
