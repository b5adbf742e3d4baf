# Everything runs in a virtual environment of its own, made on first use.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test fuzz docs lint check clean

# The installed package is a copy: a change of a source file makes it anew.
SOURCES = $(shell find hermes_plaso formatters -name '*.py' -o -name '*.yaml' -o -name '*.txt') \
	setup.cfg setup.py pyproject.toml hermes_plaso.pth

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python $(SOURCES)
	rm -rf build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[test]'
	touch $@

# Makes a timeline of the bundled image and shows the story it tells.
demo: $(VENV)/.installed
	$(BIN)/python docs/demo.py

# Runs all tests.
test: $(VENV)/.installed
	$(BIN)/python -m pytest $(PYTEST_ARGUMENTS)

# Tries FUZZ times as much as the tests do, and something else each time.
FUZZ ?= 100
fuzz: $(VENV)/.installed
	HERMES_PLASO_FUZZ=$(FUZZ) $(BIN)/python -m pytest tests/fuzzing

check: $(VENV)/.installed
	$(BIN)/hermes-plaso check

# Builds the pages of docs/ in build/site, and checks their links.
docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[docs]'
	$(BIN)/mkdocs build --quiet --strict

lint: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[lint]'
	$(BIN)/black --check hermes_plaso tests test_data docs benchmarks setup.py
	$(BIN)/ruff check --quiet hermes_plaso tests test_data docs benchmarks setup.py
	$(BIN)/yamllint --strict formatters hermes_plaso

clean:
	rm -rf $(VENV) build *.egg-info
