#!/usr/bin/env python3
"""report.py: trundle report: what the file carries, read back by other means, and what it says when something is missing."""
import base64
import json
import math
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import time
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import GOOD, INPUT, SYSTEM, TRUNDLE, UNCOUNTED, close, good, good_json, main, refused, run, same, scene  # noqa: E402

CONTACTS = {"record: {until: 0.2 s,": "record: {until: 0.2 s, frames: 10 ms, contacts: true,"}
FORMATS = {"u8": "B", "u16": "H", "u32": "I", "f32": "f", "f64": "d"}


def blocks(path):
    """Every block of a report: (meta, {name: values})."""
    found = []
    for text in re.findall(r'<script type="application/octet-stream" class="trundle">(.*?)</script>',
                           pathlib.Path(path).read_text(), re.S):
        data = zlib.decompress(base64.b64decode(text, validate=True))
        length = struct.unpack("<Q", data[:8])[0]
        meta = json.loads(data[8:8 + length])
        arrays = {name: unpack(data[8 + length:], entry) for name, entry in meta.get("arrays", {}).items()}
        found.append((meta, arrays))
    return found


def unpack(data, entry):
    letter, count = FORMATS[entry["type"]], entry["count"]
    size = struct.calcsize(letter)
    planes = [data[entry["offset"] + b * count:entry["offset"] + (b + 1) * count] for b in range(size)]
    sorted_bytes = b"".join(bytes(p[i] for p in planes) for i in range(count))
    values = list(struct.unpack(f"<{count}{letter}", sorted_bytes))
    if entry["delta"]:
        for i, z in enumerate(values):
            before = values[i - entry["delta"]] if i >= entry["delta"] else 0
            values[i] = (before + ((z >> 1) ^ -(z & 1))) % (1 << 8 * size)
    return values


def make(swap=CONTACTS, *options):
    good("run", scene(swap=swap), "--out", "out", "--force", *options)
    text = good("report", "out")
    assert re.fullmatch(r"report: out/report.html \(0\.\d+ MB\)\n", text), text
    return blocks("out/report.html")


# ---- what a report contains ----


def test_frames_are_those_of_the_ball():
    """It slides 0.2 s at mu = 0.3: its path is known in closed form until it rolls at t = 2 v0 / (7 mu g)."""
    [(meta, a)] = make()
    same([b["name"] for b in meta["bodies"]], ["table", "ball"])
    same(meta["shapes"][1]["type"], "sphere")
    same(meta["shapes"][1]["parameters"][0], 0.1)
    times = a["frames.time"]
    same(len(times), 21)
    low, step = meta["position_low"], meta["position_step"]
    stick = 2 / (7 * 0.3 * 9.81)
    for k, t in enumerate(times):
        x = low[0] + step[0] * a["frames.position"][3 * (2 * k + 1)]
        slid = min(t, stick)
        wanted = slid - 0.5 * 0.3 * 9.81 * slid * slid + 5 / 7 * (t - slid)
        close(x, wanted, 0.5 * step[0] + 3e-6, f"x at {t}")
        turn = 5 / 2 * 0.3 * 9.81 * slid * slid / 0.1 / 2 + 5 / 7 / 0.1 * (t - slid)
        q = quaternion(a, 2 * k + 1)
        close(abs(q[2]), abs(math.sin(turn / 2)), 2e-4, f"turn at {t}")


def quaternion(a, k):
    three = [(v - 32767) / 32767 / 2 ** 0.5 for v in a["frames.orientation"][3 * k:3 * k + 3]]
    q = list(three)
    q.insert(a["frames.largest"][k], max(0.0, 1 - sum(x * x for x in three)) ** 0.5)
    return q


def test_contacts_ledger_probes_events():
    [(meta, a)] = make()
    first = a["contacts.first"]
    same(len(first), 22)
    row = first[5]
    numbers = a["contacts.number"][21 * row:21 * row + 21]
    close(numbers[9] / 1e-3, 9.81, 1e-4, "normal force")
    close(abs(numbers[10]) + abs(numbers[11]), 0.3 * numbers[9], 1e-8, "friction impulse")
    same(a["contacts.stuck"][row] & 2, 0)
    total = [k + p for k, p in zip(a["ledger.kinetic"], a["ledger.potential"])]
    close(a["ledger.start"][-1] - total[-1], a["ledger.slide"][-1], 1e-6, "energy")
    same([p["name"] for p in meta["probes"]], ["ball.speed", "contact.slip"])
    close(a["probe.ball.speed"][-1], 5 / 7, 1e-6)
    kinds = [e[1] for e in meta["events"]]
    assert "slip" in kinds and "stick" in kinds, kinds
    same(meta["notes"], [])
    assert "coulomb" in meta["scene"] and json.loads(meta["summary"])["steps"] == 200


def test_nothing_is_loaded():
    make()
    text = pathlib.Path("out/report.html").read_text()
    page = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    same(re.findall(r"(?:src|href)=\"(?!data:)[^\"]*", page), [])
    same(re.findall(r"@import|url\((?!data:)", page), [])


# ---- files, and what is missing ----


def test_out_and_existing_file():
    make()
    same(good("report", "out", "--out", "x.html").split(" (")[0], "report: x.html")
    assert pathlib.Path("x.html").read_bytes() == pathlib.Path("out/report.html").read_bytes()
    refused(SYSTEM, "trundle: nowhere/x.html.part: cannot be written: No such file or directory", "report", "out", "--out",
            "nowhere/x.html")


def test_without_frames_or_contacts():
    [(meta, a)] = make({})
    same(meta["notes"][-1], "Contacts were not recorded (record: {contacts: true} in the scene): no contact points, "
         "arrows, paths or friction sets.")
    [(meta, a)] = make({"record: {until: 0.2 s,": "record: {until: 0.2 s, frames: 0 s,"})
    same(meta["notes"], ["There is no replay: no frames were recorded (record: {frames: 20 ms} in the scene)."])
    same(a["frames.time"], [])
    same(len(a["ledger.time"]), 201)


def test_without_some_events():
    [(meta, a)] = make({"record: {until: 0.2 s,": "record: {until: 0.2 s, events: [slip, none, stick],"})
    same(meta["notes"][-1], "Events of some kinds were not recorded (record: events in the scene): touch, lift, flat, rest, "
         "cross, handover.")


def test_without_probes():
    [(meta, a)] = make({"probes: [ball.speed, contact.slip]": "probes: []"})
    same(meta["probes"], [])
    same(len(a["ledger.time"]), 201)


# ---- runs that are not finished, foreign or damaged ----


def test_a_run_still_being_written():
    """Stopped by a signal is what a reader sees of a run that has not ended: no summary, the writer's mark in the file."""
    long = scene(swap={"until: 0.2 s,": "until: 1e6 s, frames: 10 ms,"})
    process = subprocess.Popen(env=UNCOUNTED, args=[TRUNDLE, "run", long, "--out", "out"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            time.sleep(0.1)
            if os.path.exists("out/run.h5") and os.path.getsize("out/run.h5") > 200000:
                break
        good("report", "out")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    [(meta, a)] = blocks("out/report.html")
    same(meta["notes"][0], "This run has not finished: the report shows what was written so far.")
    same(meta["summary"], "")
    assert len(a["frames.time"]) > 1 and len(a["frames.position"]) == 6 * len(a["frames.time"])


def test_foreign_and_damaged_files():
    make()
    refused(SYSTEM, "trundle: none/run.h5: cannot be opened: No such file or directory", "report", "none")
    os.mkdir("text")
    pathlib.Path("text/run.h5").write_text("not HDF5")
    refused(INPUT, "trundle: text/run.h5: is not an HDF5 file, or is damaged", "report", "text")
    whole = pathlib.Path("out/run.h5").read_bytes()
    os.mkdir("half")
    pathlib.Path("half/run.h5").write_bytes(whole[:len(whole) // 2])
    done = run("report", "half")
    same((done.returncode, done.stdout), (INPUT, ""))
    assert re.fullmatch(r"trundle: half/run.h5: is (not an HDF5 file, or is damaged|not a file of trundle's results|"
                        r"damaged: \S+ cannot be read)\n", done.stderr), done.stderr


def test_every_byte_of_damage_is_survived():
    """Whatever is overwritten: a report or a sentence, never a crash."""
    make()
    whole = bytearray(pathlib.Path("out/run.h5").read_bytes())
    os.mkdir("bad")
    for k in range(24):
        broken = bytearray(whole)
        at = k * len(whole) // 24
        broken[at:at + 64] = bytes((k * 37 + i * 101) % 256 for i in range(64))
        pathlib.Path("bad/run.h5").write_bytes(broken)
        done = run("report", "bad", "--out", "bad.html")
        assert done.returncode in (GOOD, INPUT), (k, done.returncode, done.stderr)
        assert bool(done.stderr) == (done.returncode == INPUT), done.stderr


def test_template_is_needed():
    make()
    os.mkdir("data")
    environment = dict(os.environ, TRUNDLE_DATA=os.path.abspath("data"))
    refused(SYSTEM, "trundle: viewer/report.html, which comes with the program, was not found", "report", "out",
            env=environment)
    os.mkdir("data/viewer")
    pathlib.Path("data/viewer/report.html").write_text("<html></html>")
    refused(INPUT, f"trundle: {os.path.abspath('data')}/viewer/report.html: is not a report template", "report", "out",
            env=environment)


def page_of(path):
    found = blocks(path)
    [page] = [meta for meta, _ in found if meta["kind"] == "page"]
    return page, [meta for meta, _ in found if meta["kind"] == "run"]


# ---- reports of other commands ----


def test_report_of_a_comparison():
    text = good("compare", "sliding-ball", "--report", "c.html")
    assert text.splitlines()[-1].startswith("report: c.html ("), text
    page, runs = page_of("c.html")
    same([t["title"] for t in page["tables"]][0], "Orders of convergence")
    data = good_json("compare", "sliding-ball", "--report", "d.html")
    same(len(page["curves"]), len(data["probes"]))
    same(page["curves"][0]["series"][0]["value"][-1], data["probes"][0]["methods"][0]["value"])
    same([r["label"] for r in runs], [m["method"] for m in data["probes"][0]["methods"]])
    assert "sets" in runs[0] and not any("Contacts were not" in n for n in runs[0]["notes"])


def test_report_of_papers():
    good("papers", "elementary", "--report", "p.html")
    page, runs = page_of("p.html")
    rows = good_json("papers", "elementary")["rows"]
    same([r[0] for r in page["tables"][0]["rows"]], [f"{r['paper']}/{r['id']}" for r in rows])
    same([r[7]["text"] for r in page["tables"][0]["rows"]], [r["verdict"] for r in rows])
    assert len(runs) > 2
    cells = [r[9] for r in page["tables"][0]["rows"]]
    for row, cell in zip(rows, cells):
        assert runs[cell["run"]]["label"].endswith(cell["text"]) and cell["text"] == row["scene"], cell
    [figure] = [c for c in page["curves"] if c["title"] == "elementary slope: ball.velocity.x"]
    ours, published = figure["series"]
    [row] = [r for r in rows if r["id"] == "slope.velocity"]
    same((figure["unit"], published["style"], published["value"]), ("m/s", "points", [row["published"]]))
    same((ours["at"][-1], ours["value"][-1]), (published["at"][0], row["ours"]))


def test_report_of_a_sweep():
    good("sweep", "ball-up-slope", "--set", "parameters.v0=0 m/s", "--until", "0.3 s", "--vary", "parameters.roll=0:100 mm:5",
         "--vary", "parameters.tilt=5:40 deg:4", "--report", "s.html")
    page, runs = page_of("s.html")
    same(runs, [])
    first = page["maps"][0]
    same((first["title"], len(first["values"]), len(first["values"][0])), ("How it ended", 4, 5))
    same(first["x"]["values"], [0, 25, 50, 75, 100])
    rows = page["tables"][0]["rows"]
    same([first["words"][v] for line in first["values"] for v in line], [r[2]["text"] for r in rows])
    assert first["borders"][0]["points"], "the scene's border"
    good("sweep", "ball-up-slope", "--until", "0.3 s", "--vary", "parameters.roll=0:100 mm:5", "--report", "l.html", "--out", "l")
    page, _ = page_of("l.html")
    same((page["maps"], page["curves"][0]["x"]), ([], "parameters.roll [mm]"))
    done = run("sweep", "ball-up-slope", "--until", "0.3 s", "--vary", "parameters.roll=0:100 mm:5", "--report",
               "none/x.html", "--out", "l")
    same((done.returncode, done.stderr), (SYSTEM, "trundle: none/x.html.part: cannot be written: No such file or directory\n"))


main(globals())
