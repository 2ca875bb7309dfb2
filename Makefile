# A thin wrapper over the CMake presets: every target does all its set-up. The work is done in tools/ and cmake/.
PREFIX ?= /usr/local
BUILD := build/release
JOBS := $(shell nproc)

# Only a fresh build tree looks at it.
export CMAKE_GENERATOR = $(if $(shell command -v ninja),Ninja,Unix Makefiles)

.PHONY: all setup demo check check-more random coverage viewer wasm playground playground-figures gallery report-figures python install \
        uninstall bench bench-peers format clean

all: setup
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build --preset release -j $(JOBS)

setup:
	@tools/setup.sh

# The coin of the README: what happened in words, where its energy went as a picture.
demo: all
	@$(BUILD)/bin/trundle run examples/euler-disk --plot --out build/demo --force
	@echo "pictures: build/demo/energy.svg build/demo/probes.svg"
	@$(BUILD)/bin/trundle report build/demo

check:
	@tools/setup.sh packages packages-check packages-python
	@tools/check

# Random scenes with further seeds, and under the sanitizers: what "make check" has no time for.
check-more:
	@tools/setup.sh packages packages-check packages-wasm packages-python
	@tools/check more

# Random scenes by hand: make random SEED=5 SECONDS=400 takes an hour (nine properties, 400 s each).
SEED ?= $(shell date +%s)
SECONDS ?= 60
random:
	@tools/setup.sh packages packages-check
	@SECONDS_EACH=$(SECONDS) tools/check random-$(SEED)

# Which lines and branches of src, io and app the tests run (all but the long and the random ones), per folder; PAGE=docs/measurements/coverage.md
# writes the tables there too. "tools/coverage" prints the numbers of the lines that no test ran.
COUNTED := $(addprefix build/coverage/CMakeFiles/,trundle_objects.dir trundle_io_objects.dir trundle_program.dir)
coverage:
	@tools/setup.sh packages packages-check
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage -j $(JOBS)
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage -j $(JOBS) >build/coverage.log || { cat build/coverage.log; failed=1; }; \
	    tools/coverage . $(COUNTED) $(if $(PAGE),--page $(PAGE)); exit $$failed

# viewer/report.html, the template of reports, and viewer/playground.html, the shell of the playground, from viewer/src; users never need Node.
viewer:
	@tools/viewer build

# build/wasm/trundle.wasm: the library for browsers, with the same bits.
wasm:
	@tools/setup.sh packages packages-wasm
	@tools/wasm build

# build/playground.html: Trundle in one page, for any browser, without a server or a network.
playground: wasm
	@node tools/playground.mjs . build/wasm/trundle.wasm build/playground.html

# Size of the page, time of the module over the program, first moving picture.
playground-figures: all playground
	@tools/viewer install
	@node tools/playground_figures.mjs . $(BUILD)/bin/trundle

# Reports of the example scenes in build/gallery, pictures of them in docs/guide/.
gallery: all
	@tools/gallery $(BUILD)/bin/trundle

# What reports cost, beside what they are meant to.
report-figures: all
	@tools/viewer install
	@tools/report_figures $(BUILD)/bin/trundle

# The Python package: a wheel in build/wheel, installed into the environment build/venv.
python:
	@tools/setup.sh packages packages-python
	@tools/python build

install: all
	@cmake --install $(BUILD)

uninstall:
	@cmake --build $(BUILD) --target uninstall

# The benchmark scenes, then every program of bench/bench_*.c.
bench: all
	@$(BUILD)/bin/trundle bench
	@for program in $(notdir $(basename $(wildcard bench/bench_*.c))); do $(BUILD)/bin/$$program || exit 1; done

# Trundle beside other programs on the same work (docs/measurements/peers.md, whose table it writes); WORKS=W2,W3 does some of it only.
bench-peers:
	@tools/setup.sh packages packages-peers
	@cmake --preset release -DTRUNDLE_PEERS=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@bench/peers/run.py --bin $(BUILD)/bin --quick
	@bench/peers/run.py --bin $(BUILD)/bin --json build/peers/peers.json $(if $(WORKS),--works $(WORKS),--page docs/measurements/peers.md)

format:
	@tools/check_format --fix

clean:
	@rm -rf build
