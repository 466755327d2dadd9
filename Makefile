# Every target prints what it does and fails loudly. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

STRATEGIES := tests/strategies
RECORDING_DIR := $(or $(CARGO_TARGET_DIR),target)/demo

.PHONY: help setup demo test bench soak check

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup: ## check for what the build needs beside cargo, and install it where that is allowed
	@bash .ci/setup

demo: setup ## release build, then a chain that writes, prices, expires and removes documents
	@echo '== build (the first build compiles RocksDB and takes some minutes)'
	@cargo build --release --locked -p drive-abci
	@mkdir -p $(RECORDING_DIR)
	@echo '== notes: five notes an hour for ten days, each gone two weeks after it was written'
	@rm -f $(RECORDING_DIR)/notes.jsonl # a recording is never overwritten
	@cargo run --release --locked --quiet -p drive-abci -- simulate $(STRATEGIES)/notes.yaml --record $(RECORDING_DIR)/notes.jsonl
	@echo '== flood: 2,000 one-hour documents of one block time, removed oldest first, 128 a block'
	@cargo run --release --locked --quiet -p drive-abci -- simulate $(STRATEGIES)/flood.yaml
	@echo '== replay: every app hash of the recorded chain again'
	@cargo run --release --locked --quiet -p drive-abci -- replay $(RECORDING_DIR)/notes.jsonl

test: setup ## every test of the workspace
	@echo '== tests'
	@cargo test --workspace --locked

bench: setup ## what the cleanup, the full path and a node under consensus cost, as ratios of one run
	@echo '== ratios (release build)'
	@cargo bench --locked --quiet -p benches --bench ratios
	@cargo bench --locked --quiet -p benches --bench node

soak: setup ## what takes minutes: hundreds of kills of chains and of nodes, 2,000 blocks on four nodes, a million live documents
	@echo '== kills: a running chain is killed again and again, and ends as its undisturbed twin'
	@CRASH_KILLS=$(or $(CRASH_KILLS),400) CRASH_SEED=$(or $(CRASH_SEED),2026) cargo test --locked -p drive-abci --test crash -- --nocapture
	@echo '== node kills: a node under consensus is killed again and again, and ends as its undisturbed twin'
	@NODE_KILLS=$(or $(NODE_KILLS),200) NODE_SEED=$(or $(NODE_SEED),2026) cargo test --locked -p drive-abci --test node_crash -- --nocapture
	@echo '== a block of ten thousand transitions'
	@HOSTILE_TRANSITIONS=10000 cargo test --locked -p drive-abci --test node_hostile ten_thousand
	@echo '== four nodes: rounds, restarts and replays, one app hash at every height'
	@HARNESS_BLOCKS=$(or $(HARNESS_BLOCKS),2000) HARNESS_SEED=$(or $(HARNESS_SEED),2026) cargo test --locked -p platform-tests --test determinism -- --nocapture
	@echo '== a million documents (built once, kept in the target folder)'
	@cargo bench --locked --quiet -p benches --bench soak

check: setup ## formatting, lints, documentation, the light client without RocksDB, licences
	@echo '== formatting'
	@cargo fmt --all --check
	@echo '== lints'
	@cargo clippy --workspace --all-targets --locked -- -D warnings
	@echo '== documentation'
	@RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked --quiet
	@echo '== the rules of the house'
	@cargo test --locked --quiet -p platform-tests --test tidy
	@echo '== the proof verifier builds without RocksDB'
	@cargo test --locked --quiet -p drive --no-default-features --features verify --test light_client
	@tree=$$(cargo tree --locked -p drive --no-default-features --features verify -e normal,build) \
	    && ! printf '%s' "$$tree" | grep -q rocksdb
	@echo '== licences and advisories'
	@if command -v cargo-deny >/dev/null 2>&1; then cargo deny --locked check; else echo 'cargo-deny is not installed: skipped'; fi
