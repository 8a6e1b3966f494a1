# The commands of the house; `make help` lists them. Each sets up what it needs first.
#
# PYTHON   the interpreter that .venv is made with, 3.11 or newer (unless told: the one it was made with, else python3)
# VENV     where it goes
# HANDS    make demo: end by itself after so many hands
# FAULT    make demo: let every hand go wrong, with these in turn
# SPEED    make demo: how many times faster than in life people act
# MINUTES  make soak: how long
# SUITE    make installed: which Debian, bookworm (12) or trixie (13)

VENV ?= .venv
made_with := $(shell cat "$(VENV)/.python" 2>/dev/null)
PYTHON ?= $(or $(and $(made_with),$(shell command -v "$(made_with)")),python3)
HANDS ?=
FAULT ?=
SPEED ?=
# Arguments for pytest: make test PYTEST="tests/engine -k burn"
PYTEST ?=
MINUTES ?= 20
SUITE ?= bookworm

run := $(VENV)/bin/python

.DEFAULT_GOAL := help
.PHONY: help setup test lint types tests reference libusb demo bench prove soak pages docs lock clean

help: ## list these commands
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 14

setup: ## make .venv with the locked versions; nothing when all is there
	@locks/install "$(PYTHON)" "$(VENV)"

test: lint types tests ## everything that must be green before a commit: lint, format, types, tests

lint: setup ## lint and format, as they are: changes nothing
	@$(run) -m ruff check --quiet .
	@$(run) -m ruff format --quiet --check . || { echo "make lint: not formatted: $$($(run) -m ruff format --check . | sed -n 's/^Would reformat: //p' | xargs); run $(VENV)/bin/ruff format ." >&2; exit 1; }

types: setup ## mypy, strict
	@$(run) -m mypy

tests: setup lint types ## the test suite
	@$(run) -m pytest --numprocesses 2 --dist worksteal $(PYTEST)

reference: ## build the reference shuffler in C, and run its own tests under sanitizers
	@$(MAKE) --no-print-directory -s -C firmware-protocols/shuffler/v1/reference all test

libusb: setup ## a reader through the real libusb (needs Debian's umockdev and libusb-1.0-0)
	@$(run) -m bench.libusb

demo: setup ## a simulated table in real time; make demo HANDS=3 ends by itself
	@$(run) -m dealerbox.simulate.demo $(if $(HANDS),--hands $(HANDS)) $(if $(FAULT),--fault $(FAULT)) $(if $(SPEED),--speed $(SPEED))

bench: setup ## one JSON line per figure
	@locks/install "$(PYTHON)" "$(VENV)" bench
	@$(run) -m bench

# `make prove secrecy`: what is named after prove is no target then, but the proofs that are asked for.
ifeq (prove,$(firstword $(MAKECMDGOALS)))
proofs := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
.PHONY: $(proofs)
$(filter-out reference,$(proofs)): ;@:
endif

prove: setup reference ## the long proofs: every reachable state, thousands of hands, the journal under fire; make prove secrecy for one
	@$(run) -m bench.prove $(proofs)

soak: setup ## a night in 20 minutes: every kind of fault 1,000 times, then over the wires; MINUTES=5 for less
	@$(run) -m bench.soak $(MINUTES)

pages: setup ## write docs/law.md, verdicts.md, incidents.md, codes.md, dealer.md and the logs of tests/incidents anew
	@$(run) -m bench.law
	@$(run) -m bench.closure.verdicts
	@$(run) -m bench.incidents
	@$(run) -m bench.codes
	@$(run) -m bench.dealer

docs: setup ## build the docs as web pages in build/docs; every link and picture is checked
	@locks/install "$(PYTHON)" "$(VENV)" docs
	@$(run) -m sphinx --quiet --fail-on-warning --keep-going --builder html docs build/docs

lock: ## write locks/ anew from pyproject.toml (needs uv)
	@locks/make

deb: setup ## Debian packages in dist/, for amd64 and arm64, Debian 12 and 13
	@deb/make $(run)

installed: deb ## those installed, started, upgraded and removed in a fresh Debian (needs mmdebstrap, and root); SUITE=trixie
	@deb/fresh $(SUITE)

clean: ## remove what these commands made
	@$(MAKE) --no-print-directory -s -C firmware-protocols/shuffler/v1/reference clean
	rm -rf "$(VENV)" build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.venv*' -prune -exec rm -rf {} +
