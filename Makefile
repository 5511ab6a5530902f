# The front door. `make help` lists what it can do; the real build is CMake's (CMakeLists.txt).

BUILD   ?= build
CHECKED ?= build-checked
TSAN    ?= build-tsan
FUZZ_TIME ?= 600
UNITY   ?= ON
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)
# Tests wait for each other, for sockets and for deadlines: one process more than there are cores.
WORKERS ?= $(shell expr $(JOBS) + 1)
PEERS   ?= ../shared/peers
PYTEST_ARGS ?=
RACES ?=
BENCH_ARGS ?=

build_dir := $(abspath $(BUILD))
checked_dir := $(abspath $(CHECKED))
tsan_dir  := $(abspath $(TSAN))
stage     := $(build_dir)/stage
python    := $(build_dir)/venv/bin/python
# A file of tests stays in one process, so that what its tests share is made once; the order is that
# of tests/conftest.py.
pytest     = $(python) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)
# Unit tests share nothing, so that each may run in any process, and wait most of the time.
pytest_units = $(python) -m pytest -n $(shell expr 2 \* $(JOBS)) $(PYTEST_ARGS)
units     := tests/runtime/test_runtime.py::test_unit_tests tests/protocols/test_core.py \
             tests/par/test_par.py::test_against_counting
run_ninja  = cmake --build $(1) --parallel $(JOBS)
comma     := ,
# By a name of its own: a line that says $(MAKE) is executed by `make -n`, too.
ahead      = $(MAKE) --no-print-directory
configure_sanitized = test -f $(1)/build.ninja || cmake -S . -B $(1) -G Ninja \
  -DSHINAR_SIDLC=$(build_dir)/bin/sidlc -DSHINAR_UNITY=$(UNITY) $(2) \
  >$(build_dir)/$(notdir $(1)).log || \
  { cat $(build_dir)/$(notdir $(1)).log; rm -rf $(1); exit 1; }
configure_checked = $(call configure_sanitized,$(checked_dir),-DSHINAR_SANITIZE=address$(comma)undefined \
  -DSHINAR_FUZZ=ON -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)
install_stage = cmake --install $(1) --prefix $(1)/stage >$(1)/stage.log || \
                { cat $(1)/stage.log; exit 1; }

.DEFAULT_GOAL := all
.PHONY: all installed help bootstrap configure stage demo test thorough matrix pythons javas sanitize sanitize-units sanitize-fortran races build-checked build-checked-units build-tsan build-sanitized run-sanitized-units run-races soak fuzz bench bench-layers bench-transports bench-fairness bench-mpi bench-mxn bench-patterns bench-peers abi install install-java lint format clean

all: configure  ## configure and build everything (the default)
	@$(call run_ninja,$(build_dir)) --target all test_programs

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Variables: BUILD=build JOBS=$(JOBS) PREFIX=$(PREFIX) DESTDIR= PYTEST_ARGS= BENCH_ARGS= PEERS=$(PEERS) FUZZ_TIME=$(FUZZ_TIME) UNITY=$(UNITY)"

bootstrap:  ## install the packages that are missing and the Python environment
	@SHINAR_BUILD=$(build_dir) scripts/bootstrap.sh

demo: installed  ## run the heat equation across two processes and in one
	@$(python) examples/heat/demo.py --stage $(stage) --work $(build_dir)/demo

# While tests wait, the builds with sanitizers are made. What fails there fails again, and is shown,
# in the steps that follow.
test: stage  ## run the tests, and unit tests and fuzzers with sanitizers, in short forms
	@nice -n 19 $(ahead) build-sanitized >$(build_dir)/ahead.log 2>&1 & \
	  ahead=$$!; trap 'kill $$ahead 2>/dev/null' INT TERM; \
	  SHINAR_SHORT=1 SHINAR_BUILD=$(build_dir) $(pytest) tests; \
	  status=$$?; wait $$ahead; exit $$status
	@$(MAKE) --no-print-directory run-sanitized-units
	@$(MAKE) --no-print-directory run-races RACES="-m threads"

thorough: stage  ## run all tests (tests/thorough.txt), and all with sanitizers that may be
	@SHINAR_BUILD=$(build_dir) $(pytest) tests
	@$(MAKE) --no-print-directory sanitize
	@$(MAKE) --no-print-directory races

matrix: stage  ## run the conformance suite, every language with every other; docs/conformance.md
	@$(python) tests/matrix/matrix.py --stage $(stage) --work $(build_dir)/tests/matrix

pythons: stage  ## run the Python binding's tests with every other Python that is here
	@$(python) scripts/pythons.py --stage $(stage) --work $(build_dir)/pythons

javas: stage  ## run the Java binding's tests with every JDK, 17 or newer, that is here
	@SHINAR_BUILD=$(build_dir) $(python) scripts/javas.py $(PYTEST_ARGS)

# libFuzzer is clang's, so all that ASan and UBSan check is: one build for both.
sanitize: all  ## build runtime, protocols and fuzzers with ASan and UBSan, and run their tests
	@$(MAKE) --no-print-directory build-checked
	@$(call install_stage,$(checked_dir))
	@SHINAR_BUILD=$(checked_dir) SHINAR_SANITIZED=1 $(pytest) -m sanitized tests || \
	  test $$? -eq 5  # PYTEST_ARGS may have selected none of these

sanitize-units: all  ## run the unit tests of runtime and protocols, and their fuzzers, with ASan and UBSan
	@$(MAKE) --no-print-directory run-sanitized-units

# The same folder of tests as ever, whose programs gcc builds: clang has no Fortran.
sanitize-fortran: stage  ## run the Fortran binding's tests with gcc's ASan and UBSan
	@SHINAR_BUILD=$(build_dir) SHINAR_SANITIZED_FORTRAN=1 $(pytest) tests/fortran/test_fortran.py

races: all  ## build runtime and protocols with TSan, and run their unit tests
	@$(MAKE) --no-print-directory run-races

soak: stage  ## the long forms of the tests of load and faults: many clients, calls, kills, cuts
	@SHINAR_BUILD=$(build_dir) SHINAR_SOAK=1 $(pytest) tests/protocols -k "many or counted or crowds or Secret"
	@SHINAR_BUILD=$(build_dir) SHINAR_SOAK=1 $(pytest) tests/mixtures
	@SHINAR_BUILD=$(build_dir) SHINAR_SOAK=1 $(pytest) tests/java -k becomes
	@SHINAR_BUILD=$(build_dir) SHINAR_SOAK=1 $(pytest) tests/compiler/test_growth.py \
	  tests/compiler/test_hostile_input.py -k "growth or every_byte"

fuzz: all  ## feed FUZZ_TIME seconds of nonsense to the front end, to frames, to arguments
	@$(configure_checked)
	@$(call run_ninja,$(checked_dir)) --target fuzzers
	@$(python) tests/fuzz/fuzzing.py --build $(checked_dir) --seconds $(FUZZ_TIME)

bench: stage  ## measure calls in process and across processes beside their yardsticks
	@$(python) bench/run.py --stage $(stage) --work $(build_dir)/bench --json $(build_dir)/bench.json $(BENCH_ARGS)

bench-layers: stage  ## measure where the time of a remote call goes, type by type
	@$(python) bench/layers.py --stage $(stage) --work $(build_dir)/bench $(BENCH_ARGS)

bench-transports: stage  ## measure calls by size over each transport, and draw them
	@$(python) bench/transports.py --stage $(stage) --work $(build_dir)/bench $(BENCH_ARGS)

bench-fairness: stage  ## measure what a hostile client costs honest ones
	@$(python) bench/fairness.py --program $(build_dir)/bin/protocols_fairness $(BENCH_ARGS)

bench-mpi: stage  ## measure remote calls and MPI's messages, alone and both at once
	@$(python) bench/mpi.py --stage $(stage) --work $(build_dir)/bench-mpi $(BENCH_ARGS)

bench-mxn: stage  ## measure what redistributing arrays costs a rank, for programs of up to 100,000 ranks
	@$(python) bench/mxn.py --stage $(stage) --work $(build_dir)/bench $(BENCH_ARGS)

bench-patterns: stage  ## measure messages of ranks to their neighbours between stages of work, by calls and by MPI
	@$(python) bench/patterns.py --stage $(stage) --work $(build_dir)/bench-mpi $(BENCH_ARGS)

bench-peers: stage  ## measure remote calls beside other systems, where their benchmark is (PEERS=)
	@$(python) bench/peers.py --stage $(stage) --work $(build_dir)/bench-peers --peers $(PEERS) $(BENCH_ARGS)

abi: stage  ## record the binary interface of libsidl, when it is meant to change
	@abidw --no-corpus-path --no-comp-dir-path --no-show-locs --drop-private-types \
	  --headers-dir runtime/c/include --headers-dir $(build_dir)/gen/sidl \
	  --out-file runtime/c/abi/libsidl-$$(uname -m).abi $(stage)/lib/libsidl.so

install: configure  ## install under PREFIX (and DESTDIR)
	@$(call run_ninja,$(build_dir))
	@DESTDIR=$(DESTDIR) cmake --install $(build_dir) --prefix $(PREFIX)

install-java: stage  ## put shinar.jar, with sources and documentation, into the local Maven repository
	@scripts/install_java.sh $(stage) $(build_dir)/java-documentation

lint: bootstrap  ## check format and style of all sources, change nothing
	@PYTHON=$(python) scripts/lint.sh

format: bootstrap  ## format all sources
	@PYTHON=$(python) scripts/format.sh

clean:  ## remove what was built; the Python environment stays
	@rm -rf $(checked_dir) $(tsan_dir)
	@if [ -d $(build_dir) ]; then find $(build_dir) -mindepth 1 -maxdepth 1 ! -name venv -exec rm -rf {} +; fi

# ---- steps of the above ----------------------------------------------------------------------------

configure: bootstrap
	@test -f $(build_dir)/build.ninja || cmake -S . -B $(build_dir) -G Ninja -DSHINAR_UNITY=$(UNITY)

# The builds with sanitizers, with the compiler of the one without.
build-checked:
	@$(configure_checked)
	@$(call run_ninja,$(checked_dir)) --target all test_programs

build-tsan:
	@$(call configure_sanitized,$(tsan_dir),-DSHINAR_SANITIZE=thread)
	@$(call run_ninja,$(tsan_dir)) --target runtime_tests protocols_tests

build-checked-units:
	@$(configure_checked)
	@$(call run_ninja,$(checked_dir)) --target runtime_tests protocols_tests par_tests fuzz_frames fuzz_arguments

run-sanitized-units: build-checked-units
	@SHINAR_BUILD=$(checked_dir) SHINAR_SANITIZED=1 $(pytest_units) $(units) tests/fuzz || \
	  test $$? -eq 5  # PYTEST_ARGS may have selected none of these

run-races: build-tsan
	@SHINAR_BUILD=$(tsan_dir) $(pytest_units) $(RACES) $(units) || test $$? -eq 5

build-sanitized:
	@$(MAKE) --no-print-directory build-checked-units
	@$(MAKE) --no-print-directory build-tsan

# An installation inside the build folder: what examples, tests and benchmarks are built against,
# by the same door that users come in.
stage: all
	@$(call install_stage,$(build_dir))

# The same without what only tests need.
installed: configure
	@$(call run_ninja,$(build_dir))
	@$(call install_stage,$(build_dir))
