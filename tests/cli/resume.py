#!/usr/bin/env python3
"""resume.py: what "trundle run --resume" says of foreign and damaged files, full and closed places; kills of the program."""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import GOOD, INPUT, SOURCE, SYSTEM, TRUNDLE, UNCOUNTED, USAGE, good, main, refused, run, same, scene  # noqa: E402

RESULTS, SNAPSHOT = pathlib.Path("out/run.h5"), pathlib.Path("out/snapshot.tru")
RESUME = ("run", "ball.yaml", "--out", "out", "--resume")


def half():
    """Half a run in the folder `out`."""
    shutil.rmtree("out", ignore_errors=True)
    good("run", scene(), "--out", "out", "--until", "100 ms")


def refuse(sentence, code=INPUT, words=RESUME):
    """Refused with this sentence, and the folder is as it was."""
    def content():
        return {p.name: p.read_bytes() for p in pathlib.Path("out").iterdir() if p.is_file()}
    before = content()
    refused(code, f"trundle: {sentence}", *words)
    same(content(), before, "the folder after a refusal")


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 0x55
    path.write_bytes(data)


def test_snapshots():
    half()
    flip(SNAPSHOT, 300)
    refuse("out/snapshot.tru: is damaged: it does not match its checksum")
    half()
    SNAPSHOT.write_bytes(SNAPSHOT.read_bytes()[:700])
    refuse("out/snapshot.tru: is damaged: it ends too early")
    half()
    SNAPSHOT.write_bytes(SNAPSHOT.read_bytes() + b"more")
    refuse("out/snapshot.tru: is damaged: it has extra bytes at its end")
    SNAPSHOT.write_bytes(b"\x89PNG\r\n\x1a\n" * 100)
    refuse("out/snapshot.tru: is not a snapshot of trundle")
    SNAPSHOT.write_bytes(b"TRUSNAP1" + bytes(100))
    refuse("out/snapshot.tru: is a snapshot of format 1, this version of trundle reads format 3")
    SNAPSHOT.unlink()
    refuse("out/snapshot.tru: is missing, so out/run.h5 cannot be resumed", SYSTEM)


def test_snapshot_of_another_scene():
    half()
    hashes = [json.loads(good("check", "ball.yaml", "--json", *words))["scene_hash"]
              for words in ((), ("--set", "parameters.mu=0.4"))]
    refuse(f"out/snapshot.tru: belongs to another scene (hash {hashes[0]}, this one has {hashes[1]})",
           words=(*RESUME, "--set", "parameters.mu=0.4"))


def test_results():
    half()
    data = RESULTS.read_bytes()
    RESULTS.write_bytes(b"no results")
    refuse("out/run.h5: is not an HDF5 file")
    RESULTS.write_bytes(data[:len(data) // 2])
    refuse("out/run.h5: is not an HDF5 file")
    RESULTS.unlink()
    refuse("out/run.h5: is missing, but the snapshot next to it refers to it")
    RESULTS.mkdir()
    refuse("out/run.h5: is not an HDF5 file")


def test_one_byte_of_the_results():
    """A byte anywhere: refused with a sentence, or it was one that holds nothing and the end is the same."""
    half()
    whole = json.loads(good("run", "ball.yaml", "--out", "whole", "--json"))
    files = {p: p.read_bytes() for p in (RESULTS, SNAPSHOT)}
    seed = int(os.environ.get("TRU_SEED", 20050117))
    print(f"TRU_SEED={seed}")
    draw = random.Random(seed)
    damaged = 0
    quiet = pathlib.Path("leaks").absolute()  # HDF5 itself forgets a node of a file that it gives up on
    quiet.write_text("leak:libhdf5\n")
    environment = {**os.environ, "LSAN_OPTIONS": f"suppressions={quiet}:print_suppressions=0"}
    for _ in range(40):
        for path, data in files.items():
            path.write_bytes(data)
        flip(RESULTS, draw.randrange(len(files[RESULTS])))
        done = run(*RESUME, "--json", env=environment)
        if done.returncode == GOOD:
            same(json.loads(done.stdout)["state_hash"], whole["state_hash"])
        else:
            damaged += 1
            same((done.returncode, done.stdout, done.stderr.count("\n")), (INPUT, "", 1), done.stderr)
            assert done.stderr.startswith("trundle: out/run.h5: is "), done.stderr
    assert damaged > 4, damaged


def test_full_disk():
    """A place with room for 40 kB in a file: a sentence, exit code 4, and the run continues when there is room again."""
    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))
    scene(swap={"until: 0.2 s": "until: 3 s, snapshots: 0.001 s"})
    refused(SYSTEM, "trundle: out/run.h5: cannot be written: File too large", "run", "ball.yaml", "--out", "out",
            preexec_fn=small)
    resumed = json.loads(good(*RESUME, "--json"))
    whole = json.loads(good("run", "ball.yaml", "--out", "whole", "--json"))
    for key in ("state_hash", "events", "probes", "steps"):
        same(resumed[key], whole[key], key)


def test_standard_output_full():
    for words in (("run", scene(), "--out", "none"), ("check", "ball.yaml"), ("list",), ("run", "ball.yaml", "--json")):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([TRUNDLE, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        same((done.returncode, done.stderr), (SYSTEM, "trundle: standard output: No space left on device\n"), words)


def test_places():
    scene()
    pathlib.Path("file").write_text("x")
    refused(SYSTEM, "trundle: file: cannot create the folder: File exists", "run", "ball.yaml", "--out", "file")
    refused(SYSTEM, "trundle: file: cannot create the folder: File exists", "run", "ball.yaml", "--out", "file/below")
    refused(USAGE, "trundle run: --out needs a value (trundle help run)", "run", "ball.yaml", "--out", "")
    if os.geteuid() != 0:  # root may write anywhere
        os.mkdir("closed", 0o500)
        refused(SYSTEM, "trundle: closed/out: cannot create the folder: Permission denied", "run", "ball.yaml", "--out",
                "closed/out")


def test_kill_9():
    """The program killed at random moments, the resuming one too; the end is that of a run that was left alone."""
    scene(swap={"until: 0.2 s": "until: 10 s, frames: 20 ms, snapshots: 0.1 s"})
    begun = time.monotonic()
    whole = json.loads(good("run", "ball.yaml", "--out", "whole", "--json"))
    life = time.monotonic() - begun
    seed = int(os.environ.get("TRU_SEED", 20050117))
    print(f"TRU_SEED={seed}")
    draw, killed = random.Random(seed), 0
    for attempt in range(24):  # a busy machine may let runs end before they are killed: at least four rounds, until four kills hit
        if attempt >= 4 and killed > 3:
            break
        shutil.rmtree("out", ignore_errors=True)
        for _ in range(3):
            process = subprocess.Popen(env=UNCOUNTED, args=[TRUNDLE, *RESUME], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(life * draw.random())
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        resumed = json.loads(good(*RESUME, "--json"))
        for key in ("state_hash", "events", "probes", "ledger", "solver", "steps"):
            same(resumed[key], whole[key], key)
    assert killed > 3, killed



def test_kill_9_while_bodies_leave():
    """The same of a hopper: bodies come and go, counts and masses with them; one thread or two."""
    hopper = (SOURCE / "scenes/cone/hopper.yaml", "--set", "record.snapshots=20 ms", "--out")
    begun = time.monotonic()
    whole = json.loads(good("run", *hopper, "whole", "--json"))
    life = time.monotonic() - begun
    same((whole["outlets"]["below"]["count"], whole["bodies"], whole["stopped"]), (120, 4, "every body has left"))
    same(whole["outlets"]["below"]["mass"], whole["probes"]["outlet(below).mass"]["value"])
    assert abs(whole["ledger"]["gap"]) < 1e-12, whole["ledger"]
    assert all(event["body"] for event in whole["events"]["first"]), "bodies that have left keep their names"
    seed = int(os.environ.get("TRU_SEED", 20050117))
    print(f"TRU_SEED={seed}")
    draw, killed = random.Random(seed), 0
    for threads in (1, 2, 1):
        shutil.rmtree("out", ignore_errors=True)
        words = ("run", *hopper, "out", "--resume", "--threads", str(threads))
        for _ in range(3):
            process = subprocess.Popen(env=UNCOUNTED, args=[TRUNDLE, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(life * draw.uniform(0.05, 0.5))
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        resumed = json.loads(good(*words, "--json"))
        for key in ("state_hash", "outlets", "events", "probes", "ledger", "solver", "steps"):
            same(resumed[key], whole[key], key)
    assert killed > 1, killed


main(globals())
