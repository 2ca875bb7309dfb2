#!/usr/bin/env python3
"""sweep.py: "trundle sweep": cells equal single runs, bisection finds the analytic border, a killed sweep continues."""
import csv
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import (FAILING, INPUT, NUMERICAL, SIGNAL, SYSTEM, TRUNDLE, UNCOUNTED, USAGE, close, good, good_json, main, refused,  # noqa: E402
                 run, same, scene, write)

SLOPE = "examples/ball-up-slope"
FROM_REST = ["--set", "parameters.v0=0 m/s"]


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


# ---- cells: those of single runs, with their words ----


def test_cells_equal_single_runs():
    good("sweep", scene(), "--vary", "parameters.mu=0.1:0.4:4", "--vary", "parameters.v0=0.5:1.5 m/s:3", "--jobs", "2",
         "--out", "s")
    rows = table("s/sweep.csv")
    same(len(rows), 12)
    for row in rows[::5]:
        mu, v0 = float(row["parameters.mu"]), float(row["parameters.v0 [m/s]"])
        single = good_json("run", "ball.yaml", "--out", "none", "--set", f"parameters.mu={mu!r}", "--set",
                           f"parameters.v0={v0!r} m/s")
        same(float(row["ball.speed [m/s]"]), single["probes"]["ball.speed"]["value"], f"mu {mu}, v0 {v0}")
        stuck = 2 * v0 / (7 * mu * 9.81) < 0.199
        same(row["class"], "rolling" if stuck else "rolling-sliding", f"mu {mu}, v0 {v0}")


def test_words():
    rows = good_json("sweep", scene(), "--vary", "steppers.moreau.scheme=paper,midpoint", "--out", "s")["results"]
    same([r["at"]["steppers.moreau.scheme"] for r in rows], ["paper", "midpoint"])
    for row in rows:
        close(row["probes"]["ball.speed"], 5 / 7, 1e-12)


def test_mechanisms_are_classified_by_all_their_contacts():
    """A cart from rest rolls once sin(tilt) exceeds roll/radius cos(tilt), that is above 0.573 deg; a pendulum only hangs."""
    rows = good_json("sweep", "mechanisms/cart", "--vary", "parameters.tilt=0.4,0.8 deg", "--until", "0.05 s", "--out", "c")["results"]
    same([row["at"]["parameters.tilt"] for row in rows], ["0.4 deg", "0.8 deg"])  # one unit for both
    same([row["class"] for row in rows], ["rest", "rolling"])
    rows = good_json("sweep", "mechanisms/pendulum", "--vary", "steppers.moreau.step=1,2 ms", "--until", "0.1 s", "--out", "p")["results"]
    same([row["class"] for row in rows], ["hanging", "hanging"])


# ---- classes and borders: against analysis and a table ----


def test_classes_follow_the_analytic_borders():
    """Rest, rolling, sliding of a ball on a slope: tan(tilt) against roll/R, mu, (7 mu - 5 roll/R)/2."""
    rows = good_json("sweep", SLOPE, "--vary", "parameters.roll=4 mm:94 mm:7", "--vary", "parameters.tilt=2:42 deg:11",
                     *FROM_REST, "--until", "0.2 s", "--out", "s")["results"]
    same(len(rows), 77)
    for row in rows:
        roll, slope, mu = row["at"]["parameters.roll"] / 200, math.tan(math.radians(row["at"]["parameters.tilt"])), 0.25
        if slope < min(roll, mu):
            wanted = "rest"
        elif slope < max(mu, 3.5 * mu - 2.5 * roll):
            wanted = "rolling"
        else:
            wanted = "sliding" if roll > mu else "rolling-sliding"
        same(row["class"], wanted, str(row["at"]))
    tree = xml.etree.ElementTree.parse("s/map.svg")
    text = "".join(tree.getroot().itertext())
    for word in ("parameters.roll [mm]", "parameters.tilt [deg]", "rest (", "rolling (", "sliding ("):
        assert word in text, word
    red = [n for n in tree.iter() if n.get("stroke") == "#b2182b"]
    same(len(red), 2, "lines of the two analytic borders")


def test_bisection_finds_the_border():
    row = good_json("sweep", SLOPE, "--vary", "parameters.roll=10 mm,20 mm", "--bisect", "parameters.tilt=0.1:14 deg:0.0001",
                    "--on", "ball.velocity.x<-1e-9", *FROM_REST, "--out", "s")
    for result, roll in zip(row["results"], (0.010, 0.020)):
        close(result["border"], math.degrees(math.atan(roll / 0.2)), 0.0001, f"roll {roll}")
        assert result["runs"] > 10
    row = good_json("sweep", SLOPE, "--bisect", "parameters.tilt=0.1:14 deg:0.001", "--on", "class=rolling", *FROM_REST, "--out",
                    "c")["results"][0]
    close(row["border"], math.degrees(math.atan(0.05)), 0.001)


def test_against_a_table():
    """A sweep against its own table: no difference; against one that is off by known parts: these; cells it lacks are left out."""
    words = ["sweep", scene(), "--vary", "parameters.mu=0.1:0.4:4", "--probe", "ball.speed"]
    good(*words, "--out", "s")
    rows = table("s/sweep.csv")
    found = good_json(*words, "--out", "s", "--against", "s/sweep.csv")["against"]
    same(found, {"file": "s/sweep.csv", "column": "ball.speed", "cells": 4, "rms": 0, "most": 0, "most_at_cell": 3})
    parts = [0.02, None, -0.04, 0.01]
    lines = ["parameters.mu,ball.speed [m/s]"]
    lines += ["%r,%r" % (float(row["parameters.mu"]), float(row["ball.speed [m/s]"]) / (1 + part))
              for row, part in zip(rows, parts) if part is not None]
    pathlib.Path("other.csv").write_text("\n".join(lines) + "\n")
    found = good_json(*words, "--out", "s", "--against", "other.csv")["against"]
    same((found["cells"], found["most_at_cell"]), (3, 2))
    close(found["rms"], math.sqrt((0.02**2 + 0.04**2 + 0.01**2) / 3), 1e-9)
    close(found["most"], -0.04, 1e-9)
    told = good(*words, "--out", "s", "--against", "other.csv")
    assert "against    other.csv: ball.speed of 3 cells that it has differs by 2.65 % (rms), at most by -4 %, where parameters.mu = 0.3\n" in told, told
    refused(INPUT, "trundle sweep: other.csv does not have a column for the varied path 'parameters.v0'", "sweep", "ball.yaml", "--vary",
            "parameters.v0=1:2 m/s:2", "--out", "t", "--against", "other.csv")
    refused(INPUT, "trundle sweep: other.csv does not have a column for a border or probe of this sweep", "sweep", "ball.yaml", "--vary",
            "parameters.mu=0.1:0.2:2", "--probe", "ball.position.x", "--out", "t", "--against", "other.csv")
    pathlib.Path("bad.csv").write_text("parameters.mu,ball.speed [m/s]\n0.1,fast\n")
    refused(INPUT, "trundle sweep: bad.csv has a row with entries that are not numbers, which begins with '0.1'", *words, "--out", "t",
            "--against", "bad.csv")
    pathlib.Path("empty.csv").write_text("")
    refused(INPUT, "trundle sweep: empty.csv is empty", *words, "--out", "t", "--against", "empty.csv")
    refused(SYSTEM, "trundle sweep: cannot read none.csv: No such file or directory", *words, "--out", "t", "--against", "none.csv")
    assert not os.path.exists("t"), "nothing is begun before the table is read"


# ---- seeds ----


def test_seeds_need_a_parameter():
    done = run("sweep", scene(), "--seeds", "3", "--out", "s")
    same(done.returncode, INPUT)
    assert "seed" in done.stderr, done.stderr
    scene(swap={"mu: 0.3": "mu: 0.3 + 0*seed, seed: 1"})
    rows = good_json("sweep", "ball.yaml", "--seeds", "3", "--out", "s")["results"]
    same([r["at"]["parameters.seed"] for r in rows], [1, 2, 3])


def test_seeds_have_a_mean():
    """Probe x = v t with v = 1 + seed/10 or 2 + seed/10 m/s in free flight: mean and deviation of arithmetic progressions, by group."""
    scene(swap={"mu: 0.3": "mu: 0.3, v: 1, seed: 1", "velocity: [v0, 0, 0]": "velocity: [(v + seed/10) * 1 m/s, 0, 0]"})
    words = ("sweep", "ball.yaml", "--vary", "parameters.v=1,2", "--seeds", "3", "--probe", "ball.position.x", "--out", "none")
    document = good_json(*words, "--set", "gravity=[0, 0, 0]")
    same([m["at"]["parameters.v"] for m in document["means"]], ["1", "2"])
    for m, at in zip(document["means"], (1.2, 2.2)):
        x = [r["probes"]["ball.position.x"] for r in document["results"] if str(r["at"]["parameters.v"]) == m["at"]["parameters.v"]]
        mean = sum(x) / 3
        probe = m["probes"]["ball.position.x"]
        same((probe["n"], probe["failed"], probe["valueless"]), (3, 0, 0))
        assert abs(probe["mean"] - mean) < 1e-12 and abs(probe["deviation"] - (x[2] - x[0]) / 2) < 1e-12, (probe, x)
        assert abs(mean / document["results"][0]["time"] - at) < 1e-9, (mean, at)
    text = good(*words, "--set", "gravity=[0, 0, 0]")
    assert re.search(r"^  mean +parameters\.v = 1: ball\.position\.x = [\d.]+ \+- [\d.]+ m \(n = 3\)$", text, re.M), text
    text = good("sweep", "ball.yaml", "--vary", "parameters.v=0.1:0.5:3", *words[4:])  # the middle is 0.30000000000000004
    assert re.search(r"^ +parameters\.v = 0\.3: ball\.position\.x = ", text, re.M), text


def test_seeds_without_a_value_are_counted():
    """The ball touches the table for some seeds only, so that contact.slip has no value for the others: n is said everywhere."""
    scene(swap={"mu: 0.3": "mu: 0.3, v: 1, seed: 1", "position: [0, 0, 0.1 m]": "position: [0, 0, '0.1 m + max(seed - 3, 0) * 1 m']"})
    words = ("sweep", "ball.yaml", "--vary", "parameters.v=1,2", "--seeds", "5", "--until", "10 ms")
    for m in good_json(*words, "--out", "s")["means"]:
        slip, speed = m["probes"]["contact.slip"], m["probes"]["ball.speed"]
        same((slip["n"], slip["failed"], slip["valueless"]), (3, 0, 2))
        same((speed["n"], speed["failed"], speed["valueless"]), (5, 0, 0))
    text = good(*words, "--out", "none")
    assert re.search(r"contact\.slip = \S+ \+- \S+ m/s \(n = 3 of 5: 2 without a value\)$", text, re.M), text
    rows = table("s/means.csv")
    same([(row["contact.slip n [-]"], row["contact.slip valueless [-]"], row["ball.speed n [-]"]) for row in rows],
         [("3", "2", "5")] * 2)
    cells = table("s/sweep.csv")
    for row in rows:
        of = [float(c["contact.slip [m/s]"]) for c in cells if c["parameters.v"] == row["parameters.v"]]
        of = [x for x in of if x == x]
        close(float(row["contact.slip mean [m/s]"]), sum(of) / 3, 1e-12)
    assert b"contact.slip n" in pathlib.Path("s/means.h5").read_bytes()


# ---- files: killed, torn, interrupted sweeps; nothing overwritten ----


def test_without_files():
    before = set(os.listdir("."))
    table = good("sweep", scene(), "--vary", "parameters.mu=0.1,0.2", "--out", "none")
    assert "results" not in table, table
    rows = good_json("sweep", "ball.yaml", "--vary", "parameters.mu=0.1,0.2", "--out", "none")
    same(rows["out"], None)
    same(len(rows["results"]), 2)
    same(set(os.listdir(".")) - before, {"ball.yaml"})


def test_every_class_has_a_word_in_the_table():
    """The HDF5 file counts classes: a pendulum that hangs is the last of them."""
    good("sweep", "mechanisms/pendulum", "--vary", "steppers.moreau.step=1,2 ms", "--until", "0.1 s", "--out", "p")
    assert b"failed|rest|flat|rolling|sliding|rolling-sliding|flying|hanging\0" in pathlib.Path("p/sweep.h5").read_bytes()


def test_a_killed_sweep_goes_on():
    words = ["sweep", scene(), "--vary", "parameters.mu=0.1:0.4:30", "--vary", "parameters.v0=0.5:1.5 m/s:20", "--until",
             "10 s", "--jobs", "2"]
    good(*words, "--out", "whole")
    log = pathlib.Path("parts/sweep.log")
    kills = 0
    for attempt in range(5):
        before = log.stat().st_size if log.exists() else 0
        process = subprocess.Popen(env=UNCOUNTED, args=[TRUNDLE, *words, "--out", "parts"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (log.stat().st_size if log.exists() else 0) <= before:
            time.sleep(0.001)
        time.sleep(0.005 * attempt)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    assert kills >= 2, "the sweep is too short to be killed"
    good(*words, "--out", "parts")
    same(table("parts/sweep.csv"), table("whole/sweep.csv"))
    logged = [line.split()[0] for line in pathlib.Path("parts/sweep.log").read_text().splitlines() if line[0].isdigit()]
    same(len(logged), len(set(logged)), "a cell was computed twice")


def test_a_torn_log_line_is_dropped():
    words = ["sweep", scene(), "--vary", "parameters.mu=0.1:0.4:4", "--out", "s"]
    good(*words)
    whole = pathlib.Path("s/sweep.csv").read_text()
    log = pathlib.Path("s/sweep.log")
    log.write_text(log.read_text()[:-25])
    done = run(*words)
    same((done.returncode, done.stderr), (0, "trundle: 3 of 4 cells are in s already\n"))
    same(pathlib.Path("s/sweep.csv").read_text(), whole)


def test_interrupt_says_how_to_go_on():
    process = subprocess.Popen([TRUNDLE, "sweep", scene(), "--vary", "parameters.mu=0.1:0.4:400", "--until", "400 s", "--out",
                                "s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (os.path.exists("s/sweep.log") and os.path.getsize("s/sweep.log") > 0):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    same((process.returncode, out), (SIGNAL, ""), err)
    assert re.fullmatch(r"trundle: stopped with \d+ of 400 cells in s; the same command continues\n", err), err


def test_another_sweep_is_not_overwritten():
    good("sweep", scene(), "--vary", "parameters.mu=0.1:0.4:4", "--out", "s")
    refused(INPUT, "trundle sweep: s holds another sweep; give another --out or remove it", "sweep", "ball.yaml", "--vary",
            "parameters.mu=0.1:0.4:5", "--out", "s")


def test_one_sweep_at_a_time():
    """A second sweep in the folder is refused while the first runs, whatever it sweeps; the lock ends with the process."""
    words = ["sweep", scene(), "--vary", "parameters.mu=0.1:0.4:400", "--until", "400 s", "--out", "s"]
    process = subprocess.Popen(env=UNCOUNTED, args=[TRUNDLE, *words, "--jobs", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (os.path.exists("s/sweep.log") and os.path.getsize("s/sweep.log") > 0):
        time.sleep(0.01)
    for end in ("20 s", "1 s"):
        refused(INPUT, "trundle sweep: s: another sweep is writing its results there", *words[:5], end, "--out", "s")
    process.kill()
    process.wait()
    refused(INPUT, "trundle sweep: s holds another sweep; give another --out or remove it", *words[:5], "1 s", "--out", "s")


def test_tables_without_a_log_stay():
    words = ["sweep", scene(), "--vary", "parameters.mu=0.1:0.4:4", "--out", "s"]
    good(*words)
    before = pathlib.Path("s/sweep.csv").read_bytes()
    os.remove("s/sweep.log")
    refused(INPUT, "trundle sweep: s holds sweep.csv of a sweep without its log; give another --out or remove it", *words)
    same((pathlib.Path("s/sweep.csv").read_bytes(), os.path.exists("s/sweep.log")), (before, False))


def test_failed_cells_are_told():
    """The other cells are kept, the first sentence is shown, and the exit code is that of a failed run."""
    write("stone.yaml", FAILING)
    done = run("sweep", "stone.yaml", "--vary", "steppers.moreau.step=0.294 s,1 ms", "--until", "0.588 s", "--out", "s")
    same(done.returncode, NUMERICAL, done.stderr)
    assert done.stderr.startswith("trundle: 1 cells failed, the first: step 1 (t = 0.294 s): step is 0.294 s, too long for body 'stone'"), done.stderr
    same([row["class"] == "failed" for row in table("s/sweep.csv")], [True, False])


def test_places_that_cannot_be_written():
    words = ["sweep", scene(), "--vary", "parameters.mu=0.1:0.4:2", "--vary", "parameters.v0=0.5:1.5 m/s:2", "--out"]
    os.makedirs("log/sweep.log")
    refused(SYSTEM, "trundle: cannot write log/sweep.log: Is a directory", *words, "log")
    os.makedirs("map/map.svg")
    done = run(*words, "map")
    same((done.returncode, done.stderr), (SYSTEM, "trundle: cannot write map/map.svg: Is a directory\n"))
    same(len(table("map/sweep.csv")), 4)


# ---- wrong options ----


def test_wrong_options():
    scene()
    refused(USAGE, "trundle sweep: nothing to vary; give --vary, --bisect or --seeds (trundle help sweep)", "sweep",
            "ball.yaml")
    refused(USAGE, "trundle sweep: --vary needs path=a:b:n with n of 2 or more, or path=x,y,z, not 'parameters.mu=1:2'",
            "sweep", "ball.yaml", "--vary", "parameters.mu=1:2")
    refused(USAGE, "trundle sweep: --vary needs path=a:b:n with n of 2 or more, or path=x,y,z, not 'parameters.v0=1 m/s:2 "
            "km/h:3'", "sweep", "ball.yaml", "--vary", "parameters.v0=1 m/s:2 km/h:3")
    refused(USAGE, "trundle sweep: --bisect and --on belong together", "sweep", "ball.yaml", "--on", "ball.speed")
    for bisect, on, sentence in (
            ("0.1:0.2:0", "ball.speed", "--bisect needs path=a:b:tolerance, not 'parameters.mu=0.1:0.2:0'"),
            ("0.1:0.2", "ball.speed", "--bisect needs path=a:b:tolerance, not 'parameters.mu=0.1:0.2'"),
            ("0.1:0.2:0.01", "ball.speed>fast", "--on needs a probe, PROBE>value, PROBE<value or class=word, not 'ball.speed>fast'"),
            ("0.1:0.2:0.01", "class=sitting",
             "--on needs class=rest, flat, rolling, sliding, rolling-sliding, flying or hanging, not 'class=sitting'")):
        refused(USAGE, f"trundle sweep: {sentence}", "sweep", "ball.yaml", "--bisect", f"parameters.mu={bisect}", "--on", on)
    refused(USAGE, "trundle sweep: at most 6 values can be varied", "sweep", "ball.yaml", *["--vary", "parameters.mu=0.1"] * 7)
    refused(USAGE, "trundle sweep: the grid has 1e+10 cells, must have at most 1e8", "sweep", "ball.yaml", "--vary",
            "parameters.mu=0.1:0.2:100000", "--vary", "parameters.v0=1:2 m/s:100000")
    refused(USAGE, "trundle sweep: at most 63 probes", "sweep", "ball.yaml", "--vary", "parameters.mu=0.1,0.2",
            *["--probe", "ball.speed"] * 64)
    refused(INPUT, "trundle sweep: any.csv can be compared only with grids of numbers", "sweep", "ball.yaml", "--vary",
            "steppers.moreau.scheme=midpoint,paper", "--against", "any.csv")
    done = run("sweep", "ball.yaml", "--vary", "parameters.nu=1:2:3")
    same(done.returncode, INPUT)
    assert "nu" in done.stderr, done.stderr
    done = run("sweep", "ball.yaml", "--vary", "laws.felt.coulomb.slide=-1:1:3")
    same(done.returncode, INPUT, done.stderr)


main(globals())
