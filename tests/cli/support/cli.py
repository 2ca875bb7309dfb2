"""cli.py: runs the program for the tests of tests/cli: exact sentences, exit codes, JSON, small scenes.

A test file defines functions test_*; main(globals()) runs each in an empty folder of its own. TRUNDLE is the program,
TRUNDLE_SOURCE_DIR the source tree; arguments choose tests by name."""
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

TRUNDLE = os.path.abspath(os.environ["TRUNDLE"])
SOURCE = pathlib.Path(os.environ["TRUNDLE_SOURCE_DIR"])

# A sanitized program counts its memory itself, and its library cannot be linked into a plain program.
SANITIZED = b"__asan_init" in (pathlib.Path(TRUNDLE).parent.parent / "lib/libtrundle.so").read_bytes()

GOOD, USAGE, INPUT, NUMERICAL, SYSTEM, SIGNAL = range(6)

BALL = """\
trundle: 1
title: A ball
parameters: {mu: 0.3, v0: 1 m/s}
laws:
  felt: {coulomb: {slide: mu}}
pairs:
  - {default: felt}
bodies:
  table: {kind: fixed, shape: plane}
  ball:
    shape: {sphere: {radius: 0.1 m}}
    mass: 1 kg
    position: [0, 0, 0.1 m]
    velocity: [v0, 0, 0]
steppers:
  moreau: {step: 1 ms}
record: {until: 0.2 s, interval: 1 ms, probes: [ball.speed, contact.slip]}
"""


def run(*words, **options):
    """The program with these words; text in and out."""
    options.setdefault("timeout", 120)
    return subprocess.run([TRUNDLE, *map(str, words)], capture_output=True, text=True, **options)


def good(*words, **options):
    """A run that must succeed; what it printed."""
    done = run(*words, **options)
    assert done.returncode == GOOD, f"{words}: exit {done.returncode}: {done.stderr}"
    return done.stdout


def good_json(*words, **options):
    """A run that must succeed and print one JSON document and nothing else."""
    return json.loads(good(*words, "--json", **options), parse_constant=lambda word: 1 / 0)


def refused(code, sentence, *words, **options):
    """A run that must end with this exit code, this text on stderr, nothing on stdout."""
    done = run(*words, **options)
    same(done.returncode, code, f"exit code of {words}: {done.stderr}")
    same(done.stderr, sentence + "\n", f"stderr of {words}")
    same(done.stdout, "", f"stdout of {words}")


def same(found, wanted, what=""):
    assert found == wanted, f"{what}\n  found:  {found!r}\n  wanted: {wanted!r}"


def close(found, wanted, tolerance, what=""):
    assert abs(found - wanted) <= tolerance, f"{what}: {found} is not {wanted} within {tolerance}"


def write(name, text):
    pathlib.Path(name).write_text(text)
    return name


def scene(name="ball.yaml", text=BALL, **changes):
    """Write a scene; changes replace texts that must occur: old=new pairs as a dict under `swap`."""
    for old, new in changes.get("swap", {}).items():
        assert old in text, f"{old!r} is not in the scene"
        text = text.replace(old, new, 1)
    return write(name, text)


def main(module):
    names = [name for name, value in module.items() if name.startswith("test_") and inspect.isfunction(value)]
    chosen = [name for name in names if name in sys.argv[1:]] or names
    failed = []
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                module[name]()
            except Exception:  # the others still run
                failed.append(name)
                print(f"{name}:")
                traceback.print_exc(file=sys.stdout)
            os.chdir("/")
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed {' '.join(failed)}")
    sys.exit(1 if failed else 0)
