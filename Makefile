# The only commands a newcomer needs; `make help` lists them. POSIX sh, GNU make 4.3 or newer.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-long check bench coverage format lock browser lint types imports cases \
	tables schema duels gallery clean

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

VENV := .venv
BIN := $(VENV)/bin
# What a target needs installed: a stamp for each list, so that a second run installs nothing.
RUNTIME := $(VENV)/.runtime $(VENV)/.app
DEV := $(RUNTIME) $(VENV)/.tools
# The first Python on the path that is new enough; `make PYTHON=…` names another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
UV ?= uv
PYTEST = $(BIN)/python -m pytest -n auto
COMPILE = $(UV) pip compile -q --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header pyproject.toml --group build

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS='	' read -r t d; do printf '  %-10s %s\n' "$$t" "$$d"; done

# ------------------------------------------------------------------- the things one asks for

demo: $(RUNTIME) ## Install, fill a database with an example and serve it
	$(BIN)/arbitro demo $(if $(PORT),--port $(PORT))

test: lint types imports tables browser cases ## Run every check and test, the browser's too
	$(PYTEST) -m "not slow"

test-long: lint types imports tables browser cases ## The same, with the slow tests and many more random examples
	$(PYTEST) --hypothesis-profile=long

check: lint types imports tables ## The quick half: style, types, imports, tables, unit and architecture tests
	$(PYTEST) -m "not slow and not browser and not postgres" $(wildcard tests/unit tests/architecture)

bench: $(DEV) ## Measure against the goals
	$(BIN)/python -m pip install -q --require-hashes --no-deps -r requirements-bench.txt
	$(BIN)/python -m pytest -p no:xdist -s tests/bench

coverage: $(DEV) browser ## Run the tests and list the lines they never reach
	$(PYTEST) -m "not slow" --cov --cov-report=term

format: $(DEV) ## Rewrite the code in the one style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## Remove what make and the tests left behind
	rm -rf $(VENV) .arbitro build dist *.egg-info .coverage* htmlcov .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache .schemathesis test-results
	find app tests migrations -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# ---------------------------------------------------------------------------- their parts

lint: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(DEV)
	$(BIN)/mypy --strict app

imports: $(DEV)
	$(BIN)/lint-imports

tables: $(DEV)
	$(BIN)/arbitro lint-rules

browser: $(DEV)
	sh tests/browser.sh

# The cases run before pytest, so that pytest's summary closes the output.
cases: $(DEV)
	@if [ -n "$$(find tests/cases -name '*.json' 2>/dev/null | head -n 1)" ]; then \
		echo '$(BIN)/arbitro cases tests/cases'; $(BIN)/arbitro cases tests/cases; fi

# ------------------------------------------------------- installing: a stamp for each list

$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo 'Arbitro needs Python 3.11 or newer (make PYTHON=/path/to/python3 …).' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install -q --require-hashes -r requirements.txt
	@touch $@

# The runtime's versions and more.
$(VENV)/.tools: requirements-dev.txt | $(VENV)/.runtime
	$(BIN)/python -m pip install -q --require-hashes -r requirements-dev.txt
	@touch $@

# Arbitro itself, from this checkout: the hashed list brought all it needs, so no network.
$(VENV)/.app: pyproject.toml | $(VENV)/.runtime
	$(BIN)/python -m pip install -q --no-index --no-deps --no-build-isolation -e .
	@touch $@

# -------------------------------------------------------------------------------- upkeep

schema: $(DEV) ## Write the schema of case files anew, after an op was added
	$(BIN)/arbitro case-schema >static/schemas/cases.json

duels: $(DEV) ## Work out the matrix of the warriors anew, after a rule or table of duels was changed
	$(BIN)/arbitro duel-matrix >app/services/duel_matrix.json.new
	mv app/services/duel_matrix.json.new app/services/duel_matrix.json

gallery: $(DEV) browser ## Draw the pictures of the post templates anew, after one was changed
	$(BIN)/python -m tests.gallery

lock: ## Resolve the requirements anew (needs uv; UPGRADE=1 takes newer versions)
	$(COMPILE) $(if $(UPGRADE),--upgrade) -o requirements.txt
	$(COMPILE) $(if $(UPGRADE),--upgrade) --all-extras --group dev -c requirements.txt -o requirements-dev.txt
	@for f in requirements.txt requirements-dev.txt; do \
		{ echo '# Made by "make lock" from pyproject.toml; install with pip --require-hashes.'; cat $$f; } > $$f.new; \
		mv $$f.new $$f; done
