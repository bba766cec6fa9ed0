# Every target builds what it needs: a virtual environment in .venv, filled from requirements/lock.txt.
# A stamp file for each set of packages makes the second call free of charge.

PYTHON ?= python3
ARGS   ?=

VENV := .venv
BIN  := $(VENV)/bin
LOCK := requirements/lock.txt
PATHS := ks_env arena baselines train play tests benchmarks research examples

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help train test test-players test-rest test-belief test-tools test-bounds coverage check format bench plugins fuzz docs lock clean

help:  ## Show this list
	@awk 'BEGIN {FS = ":.*##"} /^[a-z]+:.*##/ {printf "  make %-8s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

train: $(VENV)/.stamp-train  ## Train the quickstart policy and evaluate it
	$(BIN)/ks train configs/quickstart.yaml $(ARGS)

test: test-players test-rest test-tools test-belief test-bounds  ## Run the tests, and the kernels' tests with array bounds checked

# Parts, the longest first: `make -j2` begins the next when one ends, so that both cores are busy to the end.
PLAYERS := tests/baselines tests/arena tests/train
BELIEF  := tests/belief
TOOLS   := $(addprefix tests/,benchmarks research record render) $(wildcard tests/test_*.py)

test-players: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -q $(PLAYERS) $(ARGS)

test-rest: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -q $(patsubst %,--ignore=%,$(PLAYERS) $(BELIEF) $(TOOLS)) $(ARGS)

test-belief: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -q $(BELIEF) $(ARGS)

test-tools: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest -q $(TOOLS) $(ARGS)

# The tests of the cache and of mypy run no kernel of a game, but many processes.
test-bounds: $(VENV)/.stamp-dev
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q tests/core $(addprefix --ignore=tests/core/test_,jit.py kept_kernels.py record.py)

coverage: $(VENV)/.stamp-dev  ## Run the tests and report what no test runs; kernels take twice as long to compile
	$(BIN)/python -m pytest -q --cov $(ARGS)

check: $(VENV)/.stamp-dev  ## Lint, format check, types, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy examples
	$(BIN)/lint-imports

format: $(VENV)/.stamp-dev  ## Put the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.stamp-bench  ## Measure speed beside the peers (ARGS go to benchmarks.run)
	$(BIN)/python -m benchmarks.run $(ARGS)

plugins: $(VENV)/.stamp-bench  ## Train in each framework, in an environment of its own (ARGS go to benchmarks.plugins)
	$(BIN)/python -m benchmarks.plugins --out docs/results/plugins $(ARGS)

fuzz: $(VENV)/.stamp-dev  ## Odd inputs for every parser and public call, and random games against python-chess
	$(BIN)/python -m tests.fuzzers $(ARGS)
	$(BIN)/python -m tests.fuzz

docs: $(VENV)/.stamp-docs  ## Build the documentation into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

lock: $(VENV)/.stamp-lock  ## Pin all dependencies anew in requirements/lock.txt
	BIN=$(abspath $(VENV)/lock/bin) requirements/compile.sh

clean:  ## Remove the virtual environment and everything built
	rm -rf $(VENV) build dist *.egg-info htmlcov .coverage .coverage.* docs/_build docs/_generated
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find $(wildcard $(PATHS)) -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------- the environment

$(VENV)/.stamp-train: EXTRAS := train,arena,render
$(VENV)/.stamp-dev:   EXTRAS := train,arena,data,ray,render,play,dev
$(VENV)/.stamp-bench: EXTRAS := train,arena,render,bench
$(VENV)/.stamp-docs:  EXTRAS := train,arena,render,docs

$(VENV)/.stamp-train $(VENV)/.stamp-dev $(VENV)/.stamp-bench $(VENV)/.stamp-docs: pyproject.toml $(LOCK) | $(BIN)/python
	@echo "Installing ks-env[$(EXTRAS)] into $(VENV) (once; PyTorch makes it a large download) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	    --constraint $(LOCK) --editable '.[$(EXTRAS)]'
	@touch $@

$(VENV)/.stamp-lock: requirements/compile.sh | $(BIN)/python
	@$(BIN)/python -m venv $(VENV)/lock
	@$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check pip-tools==7.6.2
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "ks-env needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
	           "Name another one with: make PYTHON=python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
