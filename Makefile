# A thin wrapper over the CMake presets: every target does all its set-up. The work is done in tools/ and cmake/.
PREFIX ?= /usr/local
BUILD := build/release
JOBS := $(shell nproc)

# Only a fresh build tree looks at it.
export CMAKE_GENERATOR = $(if $(shell command -v ninja),Ninja,Unix Makefiles)

.PHONY: all setup check install uninstall bench format clean

all: setup
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build --preset release -j $(JOBS)

setup:
	@tools/setup.sh

check: setup
	@tools/check

install: all
	@cmake --install $(BUILD)

uninstall:
	@cmake --build $(BUILD) --target uninstall

bench: all
	@for program in $(BUILD)/bin/bench_*; do $$program || exit 1; done

format:
	@tools/check_format --fix

clean:
	@rm -rf build
