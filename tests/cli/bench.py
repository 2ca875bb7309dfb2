#!/usr/bin/env python3
"""bench.py: "trundle bench": the state a benchmark ends in is that of `trundle run`; names, units, machine data."""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, SANITIZED, SOURCE, TRUNDLE, USAGE, good, good_json, main, refused, same  # noqa: E402


RELEASE = "build/release/bin"


def entries(text):
    """"a: 1, b: '{c: 2, d: 3}'" -> {"a": "1", "b": "{c: 2, d: 3}"}"""
    return {key: value.strip("'") for key, value in re.findall(r"([\w.]+): ('[^']*'|[^,]+)(?:, |$)", text)}


def listed():
    """Benchmarks of bench/bench.yaml: name -> (scene, {path: value})."""
    found = {}
    for part in (SOURCE / "bench/bench.yaml").read_text().split("  - name: ")[1:]:
        sets = re.search(r"set: \{(.*)\}", part)
        found[part.split()[0]] = (re.search(r"scene: (\S+)", part)[1],
                                  entries(sets[1]) if sets else {})
    return found


def test_make_bench_runs_programs_that_exist():
    """What `make bench` calls in the build tree is there; without bench/bench_*.c that is the program alone."""
    build = pathlib.Path(TRUNDLE).resolve().parent
    recipe = subprocess.run(["make", "-n", "bench"], cwd=SOURCE, check=True, capture_output=True, text=True).stdout
    assert f"{RELEASE}/trundle bench\n" in recipe, recipe
    sources = [p.stem for p in (SOURCE / "bench").glob("bench_*.c")]
    loop, = re.findall(r"^for program in (.*?);", recipe, re.M)
    same(loop.split(), sources, "programs of make bench")
    for name in re.findall(rf"{RELEASE}/(\w+)", recipe):
        assert (build / name).exists(), name


def test_hashes_equal_those_of_run():
    results = {r["name"]: r for r in good_json("bench", "onebody")["results"]}
    compared = 0
    for name, (scene, sets) in listed().items():
        if not name.startswith("onebody"):
            continue
        words = [w for path, value in sets.items() for w in ("--set", f"{path}={value}")]
        same(results[name]["hash"], good_json("run", scene, "--out", "none", *words)["state_hash"], name)
        assert results[name]["value"] > 0 and results[name]["unit"], name
        assert results[name]["measurements"] >= 3 and results[name]["spread"] >= 0, name
        compared += 1
    assert compared >= 2


def test_machine():
    document = good_json("bench", "onebody.paper")
    machine = document["machine"]
    for key in ("cpu", "processors", "frequency_guess_ghz", "triad_gb_per_s", "system", "compiler", "version"):
        assert machine[key], key
    triads = [machine["triad_start_gb_per_s"], machine["triad_end_gb_per_s"]]
    assert min(triads) > 0 and max(triads) == machine["triad_gb_per_s"], machine
    same([r["name"] for r in document["results"]], ["machine.triad_gb_per_s", "onebody.paper.ns_per_step"])


def test_text():
    text = good("bench", "onebody.midpoint")
    assert re.search(r"^onebody\.midpoint\.ns_per_step +\S+ +ns/step +\d+ % +[0-9a-f]{16} .*\(best of \d+\)$", text, re.M), text
    assert re.search(r"GB/s before and [\d.]+ GB/s after \(triad", text), text


def test_steps_by_part():
    """Parts of a step add up to it, up to the differences of medians, and the state is that of `trundle run`."""
    row = good_json("bench", "pile.2000.parts")["results"][1]
    sets = listed()["pile.2000.parts_ms"][1]
    words = [w for path, value in sets.items() for w in ("--set", f"{path}={value}")]
    run = good_json("run", "cone/gravel-pile", "--stepper", "relaxed", "--out", "none", "--profile", *words)
    same(row["hash"], run["state_hash"])
    parts = [float(x) for x in re.search(r"contacts ([\d.]+), packing ([\d.]+), sweeps ([\d.]+), the rest ([\d.]+) ms", row["note"]).groups()]
    assert min(parts) > 0 and row["measurements"] == 60 and 0.3 < sum(parts) / row["value"] < 3.0, row
    times = run["profile"]
    assert all(times[k] > 0 for k in ("collide_s", "pack_s", "solve_s", "other_s")), times
    assert abs(sum(times.values()) - run["wall_time"]) < 1e-6 * run["wall_time"] + 1e-9, (times, run["wall_time"])


def test_beside_the_steps():
    """Starting the program and reading a large scene; that every figure is one above zero, not how large."""
    results = {r["name"]: r for r in good_json("bench", "start", "read.20000.memory")["results"]}
    for name, unit in (("start.ms", "ms"), ("read.20000.memory", "x file")):
        same(results[name]["unit"], unit)
        assert results[name]["value"] > 0 and int(results[name]["hash"], 16) != 0, results[name]


def test_parts_of_a_step():
    """A small settled heap: every figure is there, all of the same state, which `trundle run` reaches too."""
    sets = listed()["grow.1000.bytes_per_sphere"][1]
    results = {r["name"]: r for r in good_json("bench", "grow.1000.")["results"]}
    words = [w for path, value in sets.items() for w in ("--set", f"{path}={value}")]
    hash = good_json("run", "bench/slumping-block", "--out", "none", *words)["state_hash"]
    for name, unit in (("grow.1000.ns_per_contact_update", "ns"), ("grow.1000.bytes_per_sphere", "bytes")):
        same((results[name]["unit"], results[name]["hash"]), (unit, hash))
        assert results[name]["value"] > 0 or SANITIZED, results[name]
    assert results["grow.1000.ns_per_contact_update"]["measurements"] >= 3, results
    each = results["grow.1000.bytes_per_sphere"]
    parts = [int(n) for n in re.findall(r"[a-z] (-?\d+)(?=,|$)", each["note"])]
    assert len(parts) >= 8 and (abs(sum(parts) - each["value"]) < len(parts) or SANITIZED), each


def test_parts_of_another():
    """What a row is divided by is measured with it, unasked."""
    names = [r["name"] for r in good_json("bench", "pile.2000.exact_over")["results"]]
    same(names, ["machine.triad_gb_per_s", "pile.2000.parts_ms", "pile.2000.exact_over_relaxed"])


def test_unknown():
    refused(USAGE, "trundle bench: no benchmark begins with 'onebdy'", "bench", "onebdy")


main(globals())
