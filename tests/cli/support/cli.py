"""cli.py: runs the program for the tests of tests/cli: exact sentences, exit codes, JSON, small scenes.

A test file defines functions test_*; main(globals()) runs each in an empty folder of its own. TRUNDLE is the program,
TRUNDLE_SOURCE_DIR the source tree; arguments choose tests by name. A test that raises Skip(reason) is skipped. Like the test
programs in C (tests/kit/check_report.h), a script prints TAP and writes the JUnit file that TRU_JUNIT names."""
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback
from xml.sax.saxutils import escape, quoteattr

TRUNDLE = os.path.abspath(os.environ["TRUNDLE"])
SOURCE = pathlib.Path(os.environ["TRUNDLE_SOURCE_DIR"])

# A sanitized program counts its memory itself, and its library cannot be linked into a plain program.
SANITIZED = b"__asan_init" in (pathlib.Path(TRUNDLE).parent.parent / "lib/libtrundle.so").read_bytes()

# The environment of a process that is killed: a build with --coverage puts its counts aside, which may be cut short.
UNCOUNTED = dict(os.environ, GCOV_PREFIX=str(pathlib.Path(TRUNDLE).parent.parent / "uncounted"))

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

# A stone that falls through the floor in its first step: the run fails with a sentence.
FAILING = """\
trundle: 1
pairs: [{default: none, restitution: 0.97}]
bodies:
  floor: {kind: fixed, shape: plane}
  stone:
    shape: {ellipsoid: {semi_axes: [0.28057 m, 0.10711 m, 0.0509 m]}}
    mass: 5.7 kg
    position: [0, 0, 0.16235 m]
    orientation: [-0.86656, -0.36227, 0.33079, 0.09173]
steppers: {moreau: {step: 0.294 s}}
record: {until: 4 s}
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


class Skip(Exception):
    """Raised by a test that cannot run here; its text says why."""


class Result:
    """What became of one test: kind is "passed", "failed", "skipped", or "error" until it has ended."""

    def __init__(self, name):
        self.name, self.kind, self.text, self.seconds = name, "error", "", 0.0

    def tap(self, number):
        note = f" # SKIP {self.text}" if self.kind == "skipped" else ""
        return f"{'not ok' if self.kind in ('failed', 'error') else 'ok'} {number} - {self.name}{note}"

    def junit(self, suite):
        text = "".join(c if c in "\n\t" or 32 <= ord(c) < 127 else "?" for c in self.text)
        inside = {"passed": "", "failed": f"<failure message=\"failed\">{escape(text)}</failure>",
                  "skipped": f"<skipped message={quoteattr(text)}/>",
                  "error": "<error message=\"the script ended in this case\"/>"}[self.kind]
        return f"  <testcase classname=\"{suite}\" name=\"{self.name}\" time=\"{self.seconds:.3f}\">{inside}</testcase>\n"


def write_junit(results):
    """The file that TRU_JUNIT names; called before every test too, so that a killed script leaves the name of its last test."""
    path = os.environ.get("TRU_JUNIT")
    if not path:
        return
    suite = "cli." + pathlib.Path(sys.argv[0]).stem
    count = {kind: sum(r.kind == kind for r in results) for kind in ("failed", "error", "skipped")}
    aside = pathlib.Path(path + ".part")
    aside.write_text(f"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{suite}\" tests=\"{len(results)}\" "
                     f"failures=\"{count['failed']}\" errors=\"{count['error']}\" skipped=\"{count['skipped']}\" "
                     f"time=\"{sum(r.seconds for r in results):.3f}\">\n" + "".join(r.junit(suite) for r in results)
                     + "</testsuite>\n</testsuites>\n")
    aside.replace(path)


def run_test(function, result):
    """One test in an empty folder; the others run whatever becomes of it."""
    began = time.time()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            function()
            result.kind = "passed"
        except Skip as why:
            result.kind, result.text = "skipped", str(why)
        except Exception:
            result.kind, result.text = "failed", traceback.format_exc()
            print("".join(f"# {line}\n" for line in result.text.splitlines()), end="")
        os.chdir("/")
    result.seconds = time.time() - began


def main(module):
    """Exit code 0: all passed; 1: a test failed; 77: all were skipped (CTest knows it)."""
    names = [name for name, value in module.items() if name.startswith("test_") and inspect.isfunction(value)]
    chosen = [name for name in names if name in sys.argv[1:]] or names
    results = []
    print(f"TAP version 14\n1..{len(chosen)}", flush=True)
    for name in chosen:
        results.append(Result(name))
        write_junit(results)
        run_test(module[name], results[-1])
        print(results[-1].tap(len(results)), flush=True)
    write_junit(results)
    kinds = [r.kind for r in results]
    print(f"# {kinds.count('passed')} passed, {kinds.count('failed')} failed, {kinds.count('skipped')} skipped")
    sys.exit(1 if "failed" in kinds or not kinds else 0 if "passed" in kinds else 77)
