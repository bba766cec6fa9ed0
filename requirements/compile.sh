#!/usr/bin/env bash
# Write requirements/lock.txt from pyproject.toml. `make lock` calls it with BIN set to pip-tools' folder.
set -euo pipefail
cd "$(dirname "$0")/.."

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT

"$BIN/pip-compile" --quiet --all-extras --allow-unsafe --strip-extras --no-header \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
    --output-file "$fresh" pyproject.toml

{
    echo "# All dependencies, every extra included, pinned for Python 3.11. Made by \`make lock\`; do not edit."
    echo "# The Makefile reads it as constraints (pip install -c), so that a target installs only its own part."
    # A local version such as 2.13.0+cpu exists on one machine only; the public one is found on all.
    sed -E 's/^([A-Za-z0-9._-]+==[^+[:space:]]+)\+[A-Za-z0-9.]+/\1/' "$fresh"
} > requirements/lock.txt
