#!/usr/bin/env python3
"""run.py: "trundle run": what it prints and writes; --set, --until, --json, --resume, --plot, signals, full places."""
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import (FAILING, GOOD, INPUT, NUMERICAL, SIGNAL, SYSTEM, TRUNDLE, UNCOUNTED, USAGE, close, good, good_json, main, refused,  # noqa: E402
                 run, same, scene, write)

LONG = {"until: 0.2 s": "until: 100000 s", "interval: 1 ms": "interval: 1 s"}


# ---- what a run says at its end ----


def test_words_at_the_end():
    text = good("run", scene())
    assert "ball        slips from the start, sticks at 0.098 s\n" in text, text
    assert "ran         0.2 s in 200 steps of 0.001 s with moreau; reached 0.2 s; took " in text, text
    assert "ball.speed = 0.71428571 m/s" in text, text
    assert "every step converged" in text, text
    assert "results     ball.run/run.h5, ball.run/summary.json\n" in text, text
    same(sorted(p.name for p in pathlib.Path("ball.run").iterdir() if p.suffix in (".h5", ".json")),
         ["run.h5", "summary.json"])


ROW = """trundle: 1
title: Three rows of balls on each other
pairs: [{default: none}]
bodies: {floor: {kind: fixed, shape: plane}}
fill:
  low: {place: {lattice: {first: [-15, 0, 0.5], spacing: [1, 1, 1], count: [31, 1, 1]}}, body: BALL}
  middle: {place: {lattice: {first: [-10, 0, 1.5], spacing: [1, 1, 1], count: [21, 1, 1]}}, body: BALL}
  high: {place: {lattice: {first: [-5, 0, 2.5], spacing: [1, 1, 1], count: [11, 1, 1]}}, body: BALL}
steppers: {cone: {step: 1 ms}}
record: {until: 1 ms}
""".replace("BALL", "{shape: {sphere: {radius: 0.5}}, density: 1}")


ROD = """trundle: 1
title: A rod falls over
laws: {dry: {coulomb: {slide: 0.3}, rolling: {roll: 1 mm, spin: 1 mm}}}
pairs: [{default: dry, restitution: 0.3}]
bodies:
  floor: {kind: fixed, shape: plane}
  rod: {shape: {capsule: {radius: 0.1, length: 0.4}}, density: 1000, position: [0, 0, 0.3], velocity: [1 m/s, 0, 0]}
steppers: {cone: {step: 1 ms}}
record: {until: 1 s}
"""


def test_first_is_said_of_the_first_only():
    """It slips and rolls from the start: later slips are not the first, and roll that ends need not have ended before."""
    pathlib.Path("rod.yaml").write_text(ROD)
    text = good("run", "rod.yaml", "--out", "none")
    assert re.search(r"rod +slips from the start, sticks at \S+ s, slips again at \S+ s, ", text), text
    assert "rolls again" in text and "stops rolling at" in text and "first slips" not in text, text


def test_a_heap_with_empty_quadrants_has_no_spread():
    pathlib.Path("row.yaml").write_text(ROW)
    text = good("run", "row.yaml")
    assert re.search(r"heap +angle of repose \d+\.\d deg \(line over \d+ rings of the flank\), ", text), text
    text = good("analyze", "row.run")
    assert re.search(r"angle of repose \d+\.\d+ deg: line over \d+ rings of the flank\n", text), text


def test_a_pure_number_and_one_without_a_value():
    text = good("run", "rolling-disk/flat-sliding", "--out", "none", "--until", "1 ms", "--set",
                "record.probes=[disk.disk.chi]")
    assert "disk.disk.chi has no value\n" in text, text
    same(text.count("slips from the start"), 1)  # three contacts, said once
    text = good("run", "rolling-disk/coulomb", "--out", "none", "--until", "1 ms", "--set",
                "record.probes=[disk.disk.chi]")
    assert re.search(r"disk\.disk\.chi = [0-9.e-]+\n", text), text


SLANTED = """trundle: 1
laws: {rough: {coulomb: {slide: 0.5}}}
pairs: [{default: rough, restitution: 1}]
bodies:
  floor: {kind: fixed, shape: plane}
  rod: {shape: {capsule: {radius: 1 cm, length: 1 m}}, mass: 1 kg, orientation: {axis: y, angle: -0.6 rad}, position: [0, 0, 0.5 m],
        velocity: [-1 m/s, 0, -1 m/s]}
steppers: {newton: {cone: {step: 1 ms}}, poisson: {cone: {step: 1 ms, impact: poisson}}}
record: {until: 0.15 s}
"""


# ---- remarks: what the user should know of a run ----


def test_energy_that_grew_is_a_remark():
    pathlib.Path("rod.yaml").write_text(SLANTED)
    words = {s: good("run", "rod.yaml", "--out", "none", "--stepper", s) for s in ("newton", "poisson")}
    ledger = good_json("run", "rod.yaml", "--out", "none")["ledger"]
    grown = ledger["kinetic"] + ledger["potential"] - ledger["start"]
    assert grown > 0.0 and f"the energy grew by {grown:.3g} J: Newton's" in words["newton"], words
    assert "remark" not in words["poisson"], words
    remarks = good_json("run", "rod.yaml", "--out", "a")["remarks"]
    same(len(remarks), 1)
    assert remarks[0].startswith(f"the energy grew by {grown:.3g} J: Newton's") and remarks[0] in words["newton"], remarks
    same(json.loads(pathlib.Path("a/summary.json").read_text())["remarks"], remarks)
    same(good_json("run", "rod.yaml", "--out", "none", "--stepper", "poisson")["remarks"], [])


def test_the_story_is_told_once():
    """Terminal, run --json, summary.json and report have the same sentences; none is in percent of round-off."""
    for name, until in (("examples/euler-disk", "0.5 s"), ("examples/bouncing-balls", "3 s"), ("cone/stack-10", "0.1 s")):
        text = good("run", name, "--until", until, "--out", "a", "--force")
        story = json.loads(pathlib.Path("a/summary.json").read_text())["story"]
        same(good_json("run", name, "--until", until, "--out", "none")["story"], story)
        lines = [line[2:] for line in text.splitlines()[1:-2]]
        told = [f"{line['label']:<{lines[0].index('  ')}}".strip() + " " + line["text"] for line in story]
        same([" ".join(re.sub("; took .*", "", line).split()) for line in lines],
             [" ".join(line.split()) for line in told])
        for line in story:
            assert line["label"] != "dissipated" or "-" not in re.sub(r"e-\d+", "", line["text"]), line


FREE = """trundle: 1
title: A box turns in free flight
pairs: [{default: none}]
bodies: {box: {shape: {box: {size: [1 cm, 3 cm, 6 cm]}}, density: 1000, angular_velocity: [1 rad/s, 2 rad/s, 60 rad/s]}}
steppers: {moreau: {step: STEP}}
record: {until: UNTIL}
"""


def test_digits_and_shares_are_sensible():
    """Ends beside a step are told in at most nine digits, whatever the step; nothing is lost in free flight."""
    for step, until in ((1e-4, 0.80005), (3e-4, 0.1), (0.7e-3, 0.1), (1e-3, 0.2), (1.1e-3, 1.0 / 3)):
        pathlib.Path("box.yaml").write_text(FREE.replace("STEP", f"{step!r} s").replace("UNTIL", f"{until!r} s"))
        told = good("run", "box.yaml", "--out", "none")
        document = good_json("run", "box.yaml", "--out", "none")
        reached = re.fullmatch(r"reached (\S+) s", document["stopped"])[1]
        assert len(re.sub(r"\D", "", reached).lstrip("0")) <= 9, reached
        close(float(reached), document["time"], 1e-8 * document["time"])
        assert re.search(r"dissipated +none\n", told) and "%" not in told, told


SQUEEZED = """trundle: 1
laws: {rubber: {coulomb: {slide: 0.5}}}
pairs: [{default: rubber}]
bodies:
  table: {kind: fixed, shape: plane}
  lid: {kind: driven, shape: plane, position: [0, 0, 99.9 mm], orientation: {axis: x, angle: 180 deg}}
  ball: {shape: {sphere: {radius: 50 mm}}, mass: 1 kg, position: [0, 0, 49.95 mm]}
motions: [{body: lid, velocity: [0.2 m/s, 0, 0]}]
steppers: {cone: {step: 1 ms}}
record: {until: 20 ms, probes: [ball.velocity.x]}
"""


def test_paper_says_that_spinning_bodies_gain_energy():
    box = "{shape: {box: {size: [1 cm, 3 cm, 6 cm]}}, mass: 0.1 kg, position: [0, 0, 50], angular_velocity: [30, 40, 33]}"
    pathlib.Path("spin.yaml").write_text(
        "trundle: 1\nlaws: {floor: {coulomb: {slide: 0.3}}}\npairs: [{default: floor}]\nbodies:\n"
        f"  floor: {{kind: fixed, shape: plane}}\n  box: {box}\ngravity: 0 m/s^2\n"
        "steppers: {paper: {moreau: {step: 1 ms, scheme: paper}}, moreau: {step: 1 ms}}\nrecord: {until: 1 s}\n")
    said = "scheme paper of moreau takes the gyroscopic torque at the start of the step"
    assert said in good("run", "spin.yaml", "--stepper", "paper", "--out", "none")
    assert "remark" not in good("run", "spin.yaml", "--stepper", "moreau", "--out", "none")


def test_a_coarse_step_is_a_remark():
    ball = "{shape: {sphere: {radius: 0.1 m}}, mass: 0.5 kg, position: [0, 0, 0.5], velocity: [2, 0.5, 0]}"
    pathlib.Path("coarse.yaml").write_text(
        "trundle: 1\nlaws: {floor: {coulomb: {slide: 0.3}}}\npairs: [{default: floor}]\nbodies:\n"
        f"  floor: {{kind: fixed, shape: plane}}\n  ball: {ball}\nsteppers: {{moreau: {{step: 50 ms}}}}\nrecord: {{until: 1 s}}\n")
    run = ("run", "coarse.yaml", "--out", "none")
    assert "numerical errors restored 19.9 % of the lost energy (projection); take a smaller step" in good(*run), good(*run)
    assert "take a smaller step" not in good(*run, "--set", "steppers.moreau.step=1 ms")


def test_contacts_that_contradict_each_other_are_a_remark():
    pathlib.Path("squeezed.yaml").write_text(SQUEEZED)
    text = good("run", "squeezed.yaml", "--out", "none")
    assert "ball overlaps table and lid by 0.0001 m in total: it is squeezed between them; compliance in its pair" in text, text
    assert good_json("run", "squeezed.yaml", "--out", "none")["remarks"][0] in text, text
    done = run("run", "squeezed.yaml", "--out", "none", "--set", "steppers.cone.recover=velocity")
    same(done.returncode, 3)
    assert "step 1 (t = 0.001 s): contacts or joints contradict each other: one line of the energy ledger changes by " in done.stderr
    assert "free a joint, give the pair compliance or take a shorter step" in done.stderr, done.stderr
    soft = ("run", "squeezed.yaml", "--out", "none", "--until", "1 s", "--set", "pairs.0.compliance=1e-6 m/N")
    assert "every step converged" in good(*soft) and "squeezed" not in good(*soft)
    close(good_json(*soft)["probes"]["ball.velocity.x"]["value"], 0.1, 1e-12)  # half as fast as the lid


# ---- options: JSON, --set, --until, --stepper, events ----


def test_json_is_one_document():
    document = good_json("run", scene(), "--out", "none")
    for key in ("time", "steps", "wall_time", "ledger", "solver", "events", "probes", "state_hash", "motion_hash"):
        assert key in document, (key, list(document))
    close(document["time"], 0.2, 1e-12)
    same(document["steps"], 200)
    same(os.listdir("."), ["ball.yaml"])


def test_json_equals_summary():
    document = good_json("run", scene())
    summary = json.loads(pathlib.Path("ball.run/summary.json").read_text())
    for key in set(document) - {"wall_time", "out"}:
        same(document[key], summary[key], key)


def test_set_changes_the_run():
    speeds = [good_json("run", scene(), "--out", "none", "--set", f"parameters.v0={v}")["probes"]["ball.speed"]
              for v in ("1 m/s", "0.5 m/s", "1000 mm/s")]
    close(speeds[0]["value"], 5 / 7, 1e-12)
    close(speeds[1]["value"], 2.5 / 7, 1e-12)
    same(speeds[2], speeds[0])


def test_kinds_of_events():
    """What is written is chosen; the summary counts, and stop conditions see, all of them; the motion is the same."""
    wanted = {"all": None, "stick": "[stick]", "empty": "[]", "no": "[none]"}
    found, states = {}, set()
    for name, kinds in wanted.items():
        path = scene(swap={"record: {": "stop_when: {event: {kind: stick}}\nrecord: {" + (f"events: {kinds}, " if kinds else "")})
        done = good_json("run", path, "--out", name)
        states.add(done["state_hash"])
        same(done["stopped"], "event stick", name)
        good("export", name, "--format", "csv", "--out", name + ".csv")
        found[name] = [line.split(",")[1] for line in pathlib.Path(name + ".csv/events.csv").read_text().splitlines()[1:]]
    same(len(states), 1, "the same motion")
    assert "stick" in found["all"] and len(set(found["all"])) > 1, found
    same(found["stick"], [kind for kind in found["all"] if kind == "stick"], "stick alone")
    same((found["empty"], found["no"]), ([], []), "no events")


def test_until():
    same(good_json("run", scene(), "--out", "none", "--until", "50 ms")["steps"], 50)
    same(good_json("run", "ball.yaml", "--out", "none", "--until", "0.3")["steps"], 300)


def test_stepper():
    done = run("run", scene(), "--stepper", "moroe", "--out", "none")
    same((done.returncode, done.stdout), (2, ""))
    assert "moreau" in done.stderr and "moroe" in done.stderr, done.stderr


# ---- folders: resuming, names, one writer, nothing overwritten ----


def test_resume_gives_the_same_state():
    whole = good_json("run", scene(), "--out", "whole")
    good("run", "ball.yaml", "--out", "parts", "--until", "80 ms")
    parts = good_json("run", "ball.yaml", "--out", "parts", "--resume", "--until", "200 ms")
    same(parts["state_hash"], whole["state_hash"])
    same(parts["motion_hash"], whole["motion_hash"])
    same(parts["probes"], whole["probes"])
    same(parts["events"], whole["events"])


def tree(folder):
    """Every file below a folder with its bytes."""
    return {str(p): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()}


def test_results_are_not_overwritten():
    """A folder with results is refused and left as it is, whole or interrupted, of this scene or another."""
    other = scene("other.yaml", swap={"title: A ball": "title: Another ball"})
    good("run", scene(), "--out", "a")
    before = tree("a")
    ways = "--resume continues it, --force replaces it"
    for path in ("ball.yaml", other):
        refused(INPUT, f"trundle: a holds a finished run of 'A ball'; {ways}", "run", path, "--out", "a")
        refused(INPUT, f"trundle: a holds a finished run of 'A ball'; {ways}", "run", path, "--out", "a", "--plot", "--json")
    same(tree("a"), before)
    os.remove("a/summary.json")
    refused(INPUT, f"trundle: a holds an interrupted run of 'A ball'; {ways}", "run", other, "--out", "a")
    os.remove("a/run.h5")
    refused(INPUT, f"trundle: a holds an interrupted run; {ways}", "run", other, "--out", "a")
    pathlib.Path("a/run.h5").write_bytes(b"not HDF5")
    refused(INPUT, f"trundle: a holds an interrupted run; {ways}", "run", other, "--out", "a")
    same(good_json("run", other, "--out", "a", "--force")["title"], "Another ball")
    same(good_json("run", other, "--out", "a", "--resume", "--until", "0.3 s")["steps"], 300)
    os.mkdir("empty")
    good("run", other, "--out", "empty")
    refused(USAGE, "trundle run: --resume continues a run and --force replaces it; give only one of them", "run", other, "--out", "a",
            "--resume", "--force")


def test_the_next_free_name():
    """Without --out every run gets a folder of its own and says which; --resume takes the last one."""
    scene()
    for folder in ("ball.run", "ball.2.run", "ball.3.run"):
        done = run("run", "ball.yaml", "--until", "50 ms")
        assert f"results     {folder}/run.h5, " in done.stdout, done.stdout
        same(done.stderr, "" if folder == "ball.run" else f"trundle: results go to {folder}\n")
    before = tree("ball.run")
    document = good_json("run", "ball.yaml", "--resume", "--until", "60 ms")
    same((document["out"], document["steps"]), ("ball.3.run", 60))
    same(tree("ball.run"), before)
    same(good_json("run", "ball.yaml", "--force")["out"], "ball.run")
    same(good_json("run", "ball.yaml", "--out", "none")["out"], None)


def test_a_folder_has_one_writer():
    process = subprocess.Popen(env=UNCOUNTED, args=[TRUNDLE, "run", scene("long.yaml", swap=LONG), "--out", "a"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    while not os.path.exists("a/run.h5"):
        time.sleep(0.01)
    for way in ([], ["--resume"], ["--force"]):
        refused(INPUT, "trundle: a: another run is writing its results there", "run", "long.yaml", "--out", "a", *way)
    process.kill()  # the lock ends with the process
    process.wait()
    refused(INPUT, "trundle: a holds an interrupted run of 'A ball'; --resume continues it, --force replaces it", "run",
            "long.yaml", "--out", "a")
    good("run", "long.yaml", "--out", "a", "--resume", "--until", "1 s")


# ---- signals, and places that cannot be written ----


def test_a_hangup_leaves_a_snapshot():
    """A closing terminal sends SIGHUP twice; nohup has it ignored. Without --out the printed command names the folder."""
    process = subprocess.Popen([TRUNDLE, "run", scene("long.yaml", swap=LONG)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while not os.path.exists("long.run/run.h5"):
        time.sleep(0.01)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGHUP)
    err = process.communicate(timeout=60)[1]
    same(process.returncode, SIGNAL, err)
    found = re.fullmatch(r"trundle: stopped at (\S+) s, snapshot written; continue with: trundle (.*)\n", err)
    same(found[2], "run long.yaml --out long.run --resume")
    end = float(found[1]) + 0.5  # the signal may come before the first step
    close(good_json(*shlex.split(found[2]), "--until", f"{end} s")["time"], end, 1.1e-3)
    process = subprocess.Popen(env=UNCOUNTED, args=["nohup", TRUNDLE, "run", "long.yaml", "--out", "n"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    while not os.path.exists("n/run.h5"):
        time.sleep(0.01)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    same(process.poll(), None)
    process.kill()
    process.wait()


def test_signals_leave_a_snapshot():
    """Both signals; the printed command continues, spaces and quotes included."""
    for number, name, out in ((signal.SIGINT, "long.yaml", "a"), (signal.SIGTERM, "it's long.yaml", "b")):
        process = subprocess.Popen([TRUNDLE, "run", scene(name, swap=LONG), "--set", "parameters.v0=2 m/s", "--out", out],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(f"{out}/run.h5"):
            time.sleep(0.01)
        process.send_signal(number)
        printed, err = process.communicate(timeout=60)
        same((process.returncode, printed), (SIGNAL, ""), err)
        quoted = {"a": "long.yaml", "b": "'it'\\''s long.yaml'"}[out]
        found = re.fullmatch(r"trundle: stopped at ([0-9.e+]+) s, snapshot written; continue with: (.*)\n", err)
        same(found[2], f"trundle run {quoted} --set 'parameters.v0=2 m/s' --out {out} --resume")
        end = float(found[1]) + 0.5
        document = good_json(*shlex.split(found[2])[1:], "--until", f"{end} s")
        close(document["time"], end, 1.1e-3)


def test_signal_without_a_place():
    process = subprocess.Popen([TRUNDLE, "run", scene("long.yaml", swap=LONG), "--out", "none"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    err = process.communicate(timeout=60)[1]
    same(process.returncode, -signal.SIGTERM)
    assert re.fullmatch(r"trundle: stopped at \S+ s, nothing written\n", err), err


def test_places_that_cannot_be_written():
    scene()
    pathlib.Path("file").write_text("x")
    done = run("run", "ball.yaml", "--out", "file/below")
    same((done.returncode, done.stdout), (SYSTEM, ""), done.stderr)
    same(done.stderr, "trundle: file: cannot create the folder: File exists\n")
    if os.path.exists("/dev/full"):
        done = subprocess.run(f"'{TRUNDLE}' run ball.yaml --out none > /dev/full", shell=True, capture_output=True,
                              text=True, timeout=60)
        same(done.returncode, SYSTEM, done.stderr)


def test_a_failing_step_keeps_the_state_before_it():
    """Exit code 3, the sentence of the step, and a snapshot; --resume starts from it and fails in the same step."""
    write("stone.yaml", FAILING)
    sentence = run("run", "stone.yaml", "--out", "none").stderr.splitlines()[0]
    assert sentence.startswith("trundle: step 1 (t = 0.294 s): step is 0.294 s, too long for body 'stone' of size 0.281 m: it ends "), sentence
    refused(NUMERICAL, f"{sentence}\ntrundle: stopped at 0 s, nothing written", "run", "stone.yaml", "--out", "none")
    refused(NUMERICAL, f"{sentence}\ntrundle: the state before the failing step, at 0 s, is kept in r", "run", "stone.yaml", "--out", "r")
    same(sorted(os.listdir("r")), ["run.h5", "snapshot.tru"])
    refused(NUMERICAL, f"{sentence}\ntrundle: the state before the failing step, at 0 s, is kept in r", "run", "stone.yaml", "--out", "r",
            "--resume")


def test_pictures_that_cannot_be_written():
    """A folder stands where a picture should: the run is kept, the exit code says it."""
    os.makedirs("r/energy.svg")
    done = run("run", scene(), "--plot", "--out", "r")
    same((done.returncode, done.stderr), (SYSTEM, "trundle: cannot write r/energy.svg: Is a directory\n"))
    assert os.path.getsize("r/run.h5") > 0


def test_out_none_excludes():
    refused(USAGE, "trundle run: --resume needs a folder, but --out is none", "run", scene(), "--out", "none", "--resume")
    refused(USAGE, "trundle run: --plot needs a folder, but --out is none", "run", "ball.yaml", "--out", "none", "--plot")


def test_out_none_replaces_nothing():
    refused(USAGE, "trundle run: --force needs a folder, but --out is none", "run", scene(), "--out", "none", "--force")


# ---- plots, threads, progress, names of scenes ----


def test_plots_are_pictures_with_units():
    good("run", scene(), "--plot")
    for name, words in (("energy", ["energy [J]", "time [s]", "lost by sliding"]),
                        ("probes", ["velocity [m/s]", "time [s]", "ball.speed", "contact.slip"])):
        tree = xml.etree.ElementTree.parse(f"ball.run/{name}.svg")
        text = "\n".join("".join(node.itertext()) for node in tree.iter())
        for word in words:
            assert word in text, (name, word)
        paths = [node.get("d") for node in tree.iter() if node.tag.endswith("path") and node.get("fill") == "none"]
        assert any(d and d.count(" ") > 100 for d in paths), name


def test_threads_do_not_spin():
    """Waiting threads leave the processor to others, unless the user says how they wait."""
    for given in ({}, {"OMP_WAIT_POLICY": "active"}):
        clean = {k: v for k, v in UNCOUNTED.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
        going = subprocess.Popen([TRUNDLE, "run", "cone/gravel-pile", "--out", "none", "--threads", "2"],
                                 env={**clean, **given}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = False
        ends = time.monotonic() + (20 if not given else 0.5)
        while time.monotonic() < ends and not found:
            found = b"GOMP_SPINCOUNT=1000" in pathlib.Path(f"/proc/{going.pid}/environ").read_bytes()
            time.sleep(0.01)
        going.kill()
        going.wait()
        same(found, not given)


def test_threads_do_not_change_the_state():
    same(good_json("run", scene(), "--out", "none", "--threads", "2")["state_hash"],
         good_json("run", "ball.yaml", "--out", "none")["state_hash"])


def test_piped_progress_is_quiet():
    done = run("run", scene(), "--out", "none")
    same((done.returncode, done.stderr), (GOOD, ""))


def test_names_of_scenes():
    good("run", "examples/sliding-ball", "--out", "none")
    good("run", "ball-up-slope", "--out", "none")
    done = run("run", "spining-ball", "--out", "none")
    same(done.stderr, "trundle: no file 'spining-ball' and no scene of that name; the nearest is spinning-ball "
         "(trundle list scenes)\n")
    same(done.returncode, SYSTEM)
    refused(SYSTEM, "trundle: 2 scenes are called 'stack-10': write bench/stack-10, cone/stack-10", "check", "stack-10")


main(globals())
