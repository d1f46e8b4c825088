# Everything that is done with Faultline, one rule each. `make help` lists them.
SWIFT ?= swift
JOBS ?= 2
TOOL = .build/release/faultline
RUNS ?= 5000
SEED ?= 1
PROFILE ?= current
CASES ?= 200
TIME ?= 30m
COUNT ?= 200
PREFIX ?= /usr/local
DRAW ?= 1

# Builds the tool.
.PHONY: build
build:
	$(SWIFT) build -c release -j $(JOBS) --product faultline

# Copies the tool and the package to PREFIX/share/faultline, with a link in PREFIX/bin.
.PHONY: install
install: build
	Fixtures/CI/install.sh $(TOOL) "$(PREFIX)"

# Builds the tests and the executables that they run, in release like the tool. 'swift test' would also build the tool of the build plugin, and nine modules a second time for it.
.PHONY: tests
tests:
	$(SWIFT) build -c release -j $(JOBS) --product FaultlinePackageTests

# Builds and runs every test, all scenarios included.
.PHONY: test
test: tests
	$(SWIFT) test -c release --skip-build --parallel

# Runs the tests of Fixtures/Example, a package that uses Faultline in its own tests. It shares the built modules, but not the build plan.
.PHONY: example
example:
	SWIFT="$(SWIFT)" Fixtures/CI/test-package.sh Fixtures/Example -j $(JOBS)

# Runs the tests that the documentation shows, in the example and in two packages outside of this one, and compares their reports.
.PHONY: documented
documented: build
	SWIFT="$(SWIFT)" JOBS=$(JOBS) Tests/documented-packages.sh $(TOOL)

# Runs the tests of Fixtures/Bookshelf, an app's tests as they are written for Apple's Core Data, with product CoreData. Linux only.
.PHONY: bookshelf
bookshelf:
	SWIFT="$(SWIFT)" Fixtures/CI/test-package.sh Fixtures/Bookshelf -j $(JOBS)

# Measures how repeated tests, Thread Sanitizer, Hypothesis and Faultline find the bugs of Fixtures/Beside, and writes the tables of the page BesideOthers. Linux only.
.PHONY: beside
beside:
	SWIFT="$(SWIFT)" JOBS=$(JOBS) Tests/beside.py $(ARGS)

# Exports all scenarios as Swift tests to .build/exported, compiles them with product CoreData and runs each. Linux only.
.PHONY: exported
exported: build
	SWIFT="$(SWIFT)" JOBS=$(JOBS) Tests/exported-tests.sh $(TOOL)

# Writes a calibration package to .build/calibration and runs it: on a Mac with Apple's Core Data, on Linux with product CoreData, to check package and report.
.PHONY: calibration
calibration: build
ifeq ($(shell uname),Darwin)
	$(TOOL) calibration --to .build/calibration
	SWIFT="$(SWIFT)" .build/calibration/calibrate || [ $$? = 1 ]
	@echo "to keep the report: $(TOOL) facts --observed .build/calibration/report.json"
else
	SWIFT="$(SWIFT)" JOBS=$(JOBS) Tests/calibration-test.sh $(TOOL)
endif

# Runs the promises of Fixtures/Promises on the stacks that break them and on the stacks that keep them.
.PHONY: promises
promises: build
	Tests/promises.sh $(TOOL)

# A campaign over Fixtures/Models and generated models, or over MODEL; RUNS, SEED, PROFILE, ARGS.
.PHONY: fuzz
fuzz: build
	$(TOOL) fuzz --runs $(RUNS) --seed $(SEED) --profile $(PROFILE) $(if $(MODEL),--model "$(MODEL)") $(ARGS)

# Lists the marks, rare branches of the engine, that 50,000 runs under all profiles do not reach.
.PHONY: coverage
coverage: build
	$(TOOL) coverage $(ARGS)

# Runs one seed or scenario again: make replay SEED=0x… MODEL=… PROFILE=…, or FILE=….
.PHONY: replay
replay: build
	$(TOOL) replay $(if $(FILE),"$(FILE)",$(SEED) --profile $(PROFILE) $(if $(MODEL),--model "$(MODEL)")) $(ARGS)

# Checks every scenario.
.PHONY: scenarios
scenarios: build
	$(TOOL) scenario check Scenarios

# Writes all scenarios as a site to .build/book: pictures, and an index by subject, fact, quirk and invariant.
.PHONY: book
book: build
	$(TOOL) scenario book Scenarios --to .build/book

# Rewrites the transcript of FILE, and shows what changed.
.PHONY: record
record: file-named build
	$(TOOL) scenario record "$(FILE)"
	@git diff --stat -- "$(FILE)" 2>/dev/null || true

.PHONY: file-named
file-named:
	@test -n "$(FILE)" || { echo "make record takes a file: make record FILE=path/to/some.scenario"; exit 1; }

# Writes Scenarios/FACTS.md: what is known about Core Data, which scenario or test shows it, and what reports in Fixtures/Observed say.
.PHONY: facts
facts: build
	$(TOOL) facts --write

# Writes Scenarios/STACKS.md: which violations each stack of Fixtures/Stacks allows.
.PHONY: stacks
stacks: build
	$(TOOL) stacks --write $(ARGS)

# Measures how fast everything is: a table, and bench.json and growth.svg in .build/bench; ARGS, as --only steps; PAGE=Tests/SPEED.md writes that page.
.PHONY: bench
bench: build
	$(SWIFT) build -c release -j $(JOBS) --product faultline-bench
	.build/release/faultline-bench --output .build/bench $(if $(PAGE),--page "$(PAGE)") $(ARGS)

# Measures the small state machine of Tests/Peers here and in other property-testing tools, and prints the ratios.
.PHONY: bench-peers
bench-peers:
	$(SWIFT) build -c release -j $(JOBS) --product faultline-bench
	mkdir -p .build/bench
	.build/release/faultline-bench --case broken
	Tests/Peers/run.sh > .build/bench/peers.json
	.build/release/faultline-bench --only small --peers .build/bench/peers.json

# Counts the instructions that each module spends on a step: a table in .build/bench/modules.txt.
.PHONY: bench-modules
bench-modules:
	$(SWIFT) build -c release -j $(JOBS) --product faultline-bench
	mkdir -p .build/bench
	Tests/modules.sh .build/release/faultline-bench > .build/bench/modules.txt
	@cat .build/bench/modules.txt

# Counts the instructions of fixed work and compares with Tests/instructions.txt; UPDATE=1 writes that file.
.PHONY: bench-instructions
bench-instructions:
	$(SWIFT) build -c release -j $(JOBS) --product faultline-bench
	Tests/instructions.sh .build/release/faultline-bench $(if $(UPDATE),--update) || [ $$? = 77 ]

# Builds .build/libfuzzer/faultline-libfuzzer, which takes the options of libFuzzer.
.PHONY: libfuzzer
libfuzzer:
	FAULTLINE_LIBFUZZER=1 $(SWIFT) build -c release -j $(JOBS) --product FaultlineFuzzer --scratch-path .build/libfuzzer
	$(SWIFT)c -sanitize=fuzzer .build/libfuzzer/release/libFaultlineFuzzer.a -o .build/libfuzzer/faultline-libfuzzer

# Has what 'make libfuzzer' builds find a planted bug from nothing.
.PHONY: libfuzzer-test
libfuzzer-test: libfuzzer
	Tests/libfuzzer-test.sh .build/libfuzzer/faultline-libfuzzer

# Packs .build/clusterfuzz/fuzzer.tar.gz, a black-box fuzzer for ClusterFuzz that needs no toolchain.
.PHONY: clusterfuzz
clusterfuzz:
	$(SWIFT) build -c release -j $(JOBS) --static-swift-stdlib --product faultline --scratch-path .build/clusterfuzz
	Fixtures/CI/clusterfuzz/pack.sh .build/clusterfuzz/release/faultline .build/clusterfuzz/fuzzer.tar.gz

# Tries changes of the engine on a campaign, on the scenarios and on its tests: Tests/MUTANTS.md. Takes long; COUNT says how many, DRAW which.
.PHONY: mutants
mutants:
	$(SWIFT) build -c release -j $(JOBS) --product faultline-mutants
	.build/release/faultline-mutants build .build/mutants --tests
	.build/release/faultline-mutants run .build/mutants --count $(COUNT) --draw $(DRAW) --scenarios --tests $(ARGS)

# Campaigns with options drawn at random, each in two processes, some in merged shards and in the debug build, for TIME: make soak TIME=30m SEED=7.
.PHONY: soak
soak: build
	$(SWIFT) build -j $(JOBS) --product faultline
	Tests/soak.sh .build/release/faultline .build/debug/faultline $(TIME) $(if $(filter command line environment,$(origin SEED)),$(SEED))

# Checks that the library uses nothing newer than the oldest systems of Apple's that Package.swift names.
.PHONY: availability
availability:
	Tests/availability.sh

# Runs the jobs of Fixtures/CI for clusters on this machine, those whose programs are installed here.
.PHONY: cluster-jobs
cluster-jobs: build
	for script in parallel slurm kubernetes clusterfuzz; do Tests/ClusterJobs/$$script.sh $(TOOL) || [ $$? = 77 ] || exit 1; done

# Measures how soon bugs are found and how small their examples get: Tests/QUALITY.md. Takes long; CASES says how many failures of each class.
.PHONY: quality
quality:
	FAULTLINE_QUALITY=$(CASES) $(SWIFT) test -c release --disable-testable-imports -j $(JOBS) --filter QualityPage

# One campaign in release and debug builds, two processes and two folders: one digest. Likewise one on an app's code.
.PHONY: determinism
determinism: build
	$(SWIFT) build -j $(JOBS) --product faultline
	Tests/determinism.sh .build/release/faultline .build/debug/faultline
	$(SWIFT) build -c release -j $(JOBS) --product faultline-bench
	$(SWIFT) build -j $(JOBS) --product faultline-bench
	Tests/code-determinism.sh .build/release/faultline-bench .build/debug/faultline-bench || [ $$? = 77 ]

# Lays out the code.
.PHONY: format
format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Fixtures/Calibration

# Checks that the code is laid out as 'make format' does it.
.PHONY: lint
lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Fixtures/Calibration

# Removes what was built.
.PHONY: clean
clean:
	rm -rf .build

# Lists these rules.
.PHONY: help
help:
	@awk '/^# /{text=substr($$0,3)} /^[a-z-]+:/{split($$1,name,":"); if (text) printf "%-19s %s\n", name[1], text; text=""}' Makefile

.DEFAULT_GOAL := build
