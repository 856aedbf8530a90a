# Everything a newcomer or a contributor needs. Each target makes .venv and installs what it lacks, once per change of pyproject.toml.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Compiled modules are kept whatever the environment says: most targets start many programs.
unexport PYTHONDONTWRITEBYTECODE
JOBS ?= 2
# One more than there are cores for them, since tests of browsers and of mail wait for others.
WORKERS ?= 3
SEED ?=
GAMES ?= 500
# Neighbours run in one process, so that what a module of tests prepares is made once.
SHARED := --dist worksteal
# What `make quick` runs; GAME=NAME adds another game. Left out are rooms in which most tests play whole games.
QUICK := $(addprefix tests/,protocol engine kit home mail cli umpire pictures tools rules/bridgehead)

.PHONY: quick slow-tests play clicks soak bombs season postgres postgres-install browser-install screenshots mail-servers mail-servers-install beat balance noretreat-mails stalingrad42-mails stargard-mails random long demo game-named mutants test check bench umpire-bench fuzz docs site maps pictures wheel-test axis-mails clean help

help:
	@echo "make demo        install, then play a whole game between two homes"
	@echo "make play        install, then play Bridgehead against the bot in your browser"
	@echo "make test        install what the tests need and run them"
	@echo "make quick       the fast tests, in about a minute: run it while you work (GAME=)"
	@echo "make slow-tests  measure all tests, and write anew which ones make quick leaves out"
	@echo "make check       format, lint, types, layers, schemas, documents in step"
	@echo "make wheel-test  build sdist and wheel, and try them outside the checkout with every installed Python"
	@echo "make bench       measure, and write the table of bench/README.md"
	@echo "make umpire-bench  the desk at full size: 10,000 mails, 400 audits; prints only"
	@echo "make fuzz        longer hypothesis and atheris runs"
	@echo "make bombs       what hostile files cost: time and memory of open, verify and mail sync"
	@echo "make mutants     change rules at random; do the tests that are named for them fail? (GAME=, SEED=)"
	@echo "make axis-mails, noretreat-mails, stalingrad42-mails, stargard-mails  count the mails of whole games into the games' READMEs (python -m tools.mails)"
	@echo "make random      play hundreds of random games of one game, and check its invariants (GAME=noretreat)"
	@echo "make long        run every case of every test: an hour or more"
	@echo "make beat        play the sensible bot of a game against the random one, on each side (GAME=, GAMES=, SEED=)"
	@echo "make balance     play two sensible bots against each other: who wins, how, and the spread of scores (GAME=, GAMES=, SEED=)"
	@echo "make soak        play whole games of every installed game through unreliable mail (GAMES=, SEED=)"
	@echo "make clicks      play whole games by random clicks on the board, and type the same orders (GAME=, SEED=)"
	@echo "make season      play a tournament of 64 bots over six rounds, with unreliable mail and unreliable players"
	@echo "make maps        make the maps of the hex games anew from open geodata, with pictures"
	@echo "make pictures    draw the boards and the report that the documents show, and the outlines of the world"
	@echo "make mail-servers  install Dovecot and Postfix (Debian, as root) and run them on loopback"
	@echo "make postgres    install PostgreSQL (Debian, as root) and run a server of its own on a socket"
	@echo "make browser-install  install Chromium, Firefox and the fonts that the tests of pages need (Debian, as root)"
	@echo "make screenshots  take the pictures anew with which these tests compare"
	@echo "make docs        write the pages of commands, modules and reason codes, and the schemas, from the code"
	@echo "make site        build the documents as a site in build/site, with the commands, a gallery and replays"
	@echo "make clean       remove what the targets above have made"

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "pbem needs Python 3.11 or newer. Name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.ready-run: pyproject.toml | $(BIN)/python
	@$(PIP) -e .
	@touch $@

$(VENV)/.ready-test: pyproject.toml | $(BIN)/python
	@$(PIP) -e '.[test]'
	@touch $@ $(VENV)/.ready-run

$(VENV)/.ready-dev: pyproject.toml | $(BIN)/python
	@$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.ready-test $(VENV)/.ready-run

$(VENV)/.ready-bench: pyproject.toml | $(BIN)/python
	@$(PIP) -e '.[bench]'
	@touch $@

$(VENV)/.ready-fuzz: pyproject.toml | $(BIN)/python
	@$(PIP) -e '.[test]'
	@$(PIP) -e '.[fuzz]' || echo "atheris is not to be had for this Python; the hypothesis targets run without it."
	@touch $@

$(VENV)/.ready-docs: pyproject.toml | $(BIN)/python
	@$(PIP) -e '.[docs]'
	@touch $@

$(VENV)/.ready-maps: pyproject.toml | $(BIN)/python
	@$(PIP) -e '.[maps]'
	@touch $@

demo: $(VENV)/.ready-run
	@$(BIN)/pbem demo $(if $(SEED),--seed $(SEED))

clicks: $(VENV)/.ready-test
	@$(BIN)/python -m tests.gameboard.clicks $(if $(GAME),$(GAME) $(SEED))

play: $(VENV)/.ready-run
	@$(BIN)/python -m tools.play

test: $(VENV)/.ready-test
	@$(BIN)/python -m pytest -n $(WORKERS) $(SHARED)

quick: $(VENV)/.ready-test
	@$(BIN)/python -m pytest -n $(JOBS) $(SHARED) --quick $(QUICK) $(if $(GAME),tests/rules/$(GAME))

slow-tests: $(VENV)/.ready-test
	@rm -f build/costs.tsv && mkdir -p build
	@$(BIN)/python -m pytest -p no:xdist --costs build/costs.tsv
	@$(BIN)/python -m tools.slow_tests build/costs.tsv

check: $(VENV)/.ready-dev
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff check --quiet --preview --select PLC2701 tests
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo >/dev/null || $(BIN)/lint-imports
	@$(BIN)/python -m tools.check

wheel-test: $(VENV)/.ready-test
	@$(BIN)/python tools/wheel_test.py

bench: $(VENV)/.ready-bench
	@$(BIN)/python bench/run.py

umpire-bench: $(VENV)/.ready-bench
	@$(BIN)/python bench/run.py umpire-full

fuzz: $(VENV)/.ready-fuzz
	@$(BIN)/python -m tests.fuzz.run

bombs: $(VENV)/.ready-test
	@$(BIN)/python -m tools.bombs

mutants: $(VENV)/.ready-test
	@$(BIN)/python -m tools.mutants --jobs $(JOBS) $(if $(GAME),--game $(GAME)) $(if $(SEED),--seed $(SEED))

beat balance: game-named $(VENV)/.ready-test
	@$(BIN)/python -m tools.bots $@ $(GAME) --games $(GAMES) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

random: game-named $(VENV)/.ready-test
	@$(BIN)/python -m pytest -n $(WORKERS) $(SHARED) -m "long or slow" --whole --timeout 0 tests/rules/$(GAME)

long: $(VENV)/.ready-test
	@$(BIN)/python -m pytest -n $(WORKERS) $(SHARED) -m "long or slow" --whole --timeout 0

game-named:
	@test -n "$(GAME)" || { echo "Name an installed game: make $(MAKECMDGOALS) GAME=noretreat" >&2; exit 1; }

axis-mails: $(VENV)/.ready-test
	@$(BIN)/python -m tools.mails axis1941 --modes strict umpire open --players 2 3 5 --ways ahead --turns 50 --write

maps: $(VENV)/.ready-maps
	@$(BIN)/python -m tools.mapmaking --pictures

stargard-mails: $(VENV)/.ready-test
	@$(BIN)/python -m tools.mails stargard --modes strict umpire open --ways stops --presets "" ask-nothing \
		--option long_game=yes --per turn activations --write

stalingrad42-mails: $(VENV)/.ready-test
	@$(BIN)/python -m tools.mails stalingrad42 --modes strict umpire open --ways stops --presets "" --write

noretreat-mails: $(VENV)/.ready-test
	@$(BIN)/python -m tools.mails noretreat --modes strict umpire --ways stops ahead --presets "" ask-nothing --write

pictures: $(VENV)/.ready-maps $(VENV)/.ready-test
	@$(BIN)/python -m tools.worldmap
	@$(BIN)/python -m tools.pictures

soak: $(VENV)/.ready-test
	@$(BIN)/python -m tools.soak --memory --games $(GAMES) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))
	@$(BIN)/python -m tools.soak --games $(GAMES) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

mail-servers-install: $(VENV)/.ready-test
	@$(BIN)/python -m tools.mailservers install

mail-servers: $(VENV)/.ready-test
	@$(BIN)/python -m tools.mailservers run

season: $(VENV)/.ready-test
	@$(BIN)/python -m pytest -m long --timeout 0 tests/umpire/test_umpire_season.py

postgres-install: $(VENV)/.ready-test
	@$(BIN)/python -m tools.postgres install

postgres: $(VENV)/.ready-test
	@$(BIN)/python -m tools.postgres run

browser-install: $(VENV)/.ready-test
	@$(BIN)/python -m tools.browser

screenshots: $(VENV)/.ready-test
	@$(BIN)/python -m tests.browser.screens

docs: $(VENV)/.ready-test
	@$(BIN)/python -m tools.docs

site: $(VENV)/.ready-docs
	@$(BIN)/python -m tools.site

clean:
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache *.egg-info
