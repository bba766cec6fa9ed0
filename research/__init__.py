"""Studies and tuners that are not installed: `python -m research.NAME`."""
