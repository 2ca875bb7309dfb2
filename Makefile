# A thin wrapper over the CMake presets: every target does all its set-up. The work is done in tools/ and cmake/.
PREFIX ?= /usr/local
BUILD := build/release
JOBS := $(shell nproc)

.PHONY: all check install uninstall bench format clean

all:
	@tools/setup.sh
	@export CMAKE_GENERATOR=Ninja; cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build --preset release -j $(JOBS)

check:
	@tools/setup.sh
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
