# Everything here needs only Python 3.11+ (with venv), make and a package index.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help demo test bench soak lint types imports unit system lock clean

help: ## list the commands
	@grep -hE '^[a-z.]+:.*## ' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 12

.venv: .venv/.ready ## the environment alone

.venv/.ready: requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "tableside needs Python 3.11 or newer as '$(PYTHON)'; install it, or run: make PYTHON=/path/to/python3.11 ..." >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing; on Debian and Raspberry Pi OS run: sudo apt install python3-venv" >&2; exit 2; }
	@echo "Making .venv (once; about half a minute) ..."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes -r requirements-dev.lock || { \
	  rm -rf .venv; echo "The packages could not be installed; is a package index reachable?" >&2; exit 2; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . || { rm -rf .venv; exit 2; }
	@touch $@

demo: .venv/.ready ## a master and four tables (not there yet)
	@echo "The demo is not built yet; see README.md, State" >&2; exit 2

test: .venv/.ready lint types imports unit system ## all checks and tests

lint: .venv/.ready
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: .venv/.ready
	@$(BIN)/mypy

imports: .venv/.ready
	@$(BIN)/lint-imports

unit: .venv/.ready
	@$(BIN)/python -m pytest -q -n 2 -m "not system"

system: .venv/.ready
	@$(BIN)/python -m pytest -q -m system

bench: .venv/.ready ## the figures of the design, measured here
	@$(BIN)/python -m tests.bench

soak: .venv/.ready ## longer runs than the tests
	@$(BIN)/python -m pytest -q tests/soak

lock: ## renew requirements-dev.lock (needs uv)
	@uv pip compile -q --universal --python-version 3.11 --group dev --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" -o requirements-dev.lock pyproject.toml

clean: ## remove the environment and caches
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
