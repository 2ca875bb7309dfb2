#!/usr/bin/env python3
"""export.py: trundle export, read back by other people's readers: csv, VTK, Khronos' glTF validator; a parser for XYZ."""
import csv
import json
import math
import os
import pathlib
import shlex
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, SOURCE, SYSTEM, USAGE, close, good, main, refused, run, same, scene, write  # noqa: E402

RECORD = {"record: {until: 0.2 s,": "record: {until: 0.2 s, frames: 10 ms, contacts: true,"}
STICK = 2 / (7 * 0.3 * 9.81)

TOY = """\
trundle: 1
laws: {any: {coulomb: {slide: 0.3}}}
pairs: [{default: any}]
bodies:
  table: {kind: fixed, shape: plane}
  toy:
    position: [0, 0, 1 m]
    angular_velocity: [5, 3, 1, rad/s]
    shapes:
      - {shape: {sphere: {radius: 5 cm}}, density: 1000}
      - {shape: {ellipsoid: {semi_axes: [8, 5, 4, cm]}}, density: 1000, position: [0.2 m, 0, 0]}
      - {shape: {box: {size: [10, 8, 6, cm]}}, density: 1000, position: [-0.2 m, 0, 0]}
      - {shape: {disk: {radius: 6 cm, thickness: 1 cm}}, density: 1000, position: [0, 0.2 m, 0]}
      - {shape: {capsule: {radius: 3 cm, length: 9 cm}}, density: 1000, position: [0, -0.2 m, 0]}
      - {shape: {hull: {points: [[4, 0, 0, cm], [-4, 0, 0, cm], [0, 5, 0, cm], [0, -5, 0, cm], [0, 0, 6, cm], [0, 0, -6, cm]]}}, density: 1000, position: [0, 0, 0.2 m]}
steppers: {moreau: {step: 1 ms}}
record: {until: 0.15 s, frames: 10 ms}
"""


def path_of_ball(t):
    """Where it slides and then rolls to."""
    slid = min(t, STICK)
    return slid - 0.5 * 0.3 * 9.81 * slid * slid + 5 / 7 * (t - slid)


def make(format_name, swap=RECORD):
    good("run", scene(swap=swap), "--out", "out")
    text = good("export", "out", "--format", format_name)
    assert text.startswith(f"export: out/{format_name} ("), text
    return pathlib.Path("out") / format_name


# ---- text formats ----


def test_csv():
    folder = make("csv")
    rows = list(csv.DictReader((folder / "probes.csv").open()))
    same(list(rows[0]), ["time [s]", "step", "ball.speed [m/s]", "contact.slip [m/s]"])
    same(len(rows), 201)
    same(rows[0]["contact.slip [m/s]"], "1")
    close(float(rows[-1]["ball.speed [m/s]"]), 5 / 7, 1e-12)
    ledger = list(csv.DictReader((folder / "ledger.csv").open()))
    last = {k: float(v) for k, v in ledger[-1].items()}
    close(last["kinetic [J]"] + last["potential [J]"] + last["slide [J]"] - last["theta_shift [J]"] - last["projection [J]"],
          last["start [J]"], 1e-13)
    same(last["unconverged"], 0)
    events = list(csv.DictReader((folder / "events.csv").open()))
    same([e["event"] for e in events].count("stick"), 1)
    same({e["body"] for e in events}, {"ball"})


def test_csv_says_which_events_are_missing():
    good("run", scene(swap={"record: {until: 0.2 s,": "record: {until: 0.2 s, events: [slip, stick],"}), "--out", "few")
    done = run("export", "few", "--format", "csv")
    same(done.returncode, 0)
    same(done.stderr, "trundle: remark: events.csv lacks the kinds of events that the scene does not record (record: events): "
         "touch, lift, flat, rest, cross, handover\n")
    same(run("export", "few", "--format", "xyz").stderr, "")


def test_xyz():
    lines = (make("xyz") / "frames.xyz").read_text().splitlines()
    frames = []
    while lines:
        count = int(lines[0])
        head = dict(word.split("=", 1) for word in shlex.split(lines[1]))
        columns = head["Properties"].split(":")
        same(sum(int(n) for n in columns[2::3]), len(lines[2].split()))
        frames.append((float(head["Time"]), lines[2:2 + count]))
        lines = lines[2 + count:]
    same(len(frames), 21)
    for t, rows in frames:
        same(len(rows), 1)
        words = rows[0].split()
        same((words[0], float(words[5])), ("sphere", 0.1))
        close(float(words[2]), path_of_ball(t), 3e-6, f"x at {t}")
        close(sum(float(x) ** 2 for x in words[6:10]), 1, 1e-6)


# ---- surfaces and animations: read by other programs ----


def test_vtp_by_vtk():
    folder = make("vtp")
    pvd = (folder / "bodies.pvd").read_text()
    same(pvd.count("<DataSet "), 21)
    same((folder / "contacts.pvd").read_text().count("<DataSet "), 21)
    python = vtk_python()
    if not python:
        print("test_vtp_by_vtk: VTK's Python module is not installed, files not read back")
        return
    for k, t in [(0, 0.0), (7, 0.07), (20, 0.2)]:
        body = by_vtk(python, folder / f"bodies_{k:06d}.vtp")
        same((len(body["points"]), body["verts"]), (1, 1))
        close(body["points"][0][0], path_of_ball(t), 3e-6)
        same(body["radius"], [[0.1]])
        same([len(body[name][0]) for name in ["quaternion", "velocity", "angular_velocity", "mass"]], [4, 3, 3, 1])
        close(sum(x * x for x in body["quaternion"][0]), 1, 1e-6)
    contact = by_vtk(python, folder / "contacts_000005.vtp")
    close(contact["force"][0][2], 9.81, 1e-9)
    close(contact["force"][0][0], -0.3 * 9.81, 1e-9)
    close(contact["slip"][0][0], 1 - 3.5 * 0.3 * 9.81 * 0.05, 1e-5)
    same(contact["normal"], [[0.0, 0.0, 1.0]])


def test_vtp_surfaces():
    write("toy.yaml", TOY)
    good("run", "toy.yaml", "--out", "toy")
    good("export", "toy", "--format", "vtp", "--out", "vtp")
    same(pathlib.Path("vtp/surfaces.pvd").read_text().count("<DataSet "), 16)
    python = vtk_python()
    if not python:
        print("test_vtp_surfaces: VTK's Python module is not installed, files not read back")
        return
    first = by_vtk(python, "vtp/surfaces_000000.vtp")
    assert first["polys"] > 1000
    # the volume that the triangles enclose: every shape's own, as a polyhedron inside it
    parts = [4 / 3 * math.pi * 0.05 ** 3, 4 / 3 * math.pi * 0.08 * 0.05 * 0.04, 0.1 * 0.08 * 0.06, math.pi * 0.06 ** 2 * 0.01,
             math.pi * 0.03 ** 2 * 0.09 + 4 / 3 * math.pi * 0.03 ** 3, 4 / 3 * 0.04 * 0.05 * 0.06]
    assert 0.97 < first["volume"] / sum(parts) < 1, (first["volume"], sum(parts))
    # a turning body: the velocity of a point is w x r
    centre = by_vtk(python, "vtp/bodies_000000.vtp")["points"][0]
    for x, v in list(zip(first["points"], first["velocity"]))[::97]:
        r = [x[k] - centre[k] for k in range(3)]
        for got, want in zip(v, [3 * r[2] - 1 * r[1], 1 * r[0] - 5 * r[2], 5 * r[1] - 3 * r[0]]):
            close(got, want, 1e-5)


READ = """
import json, sys
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
read = vtkXMLPolyDataReader()
read.SetFileName(sys.argv[1])
read.Update()
data, points = read.GetOutput(), read.GetOutput().GetPointData()
arrays = [points.GetArray(i) for i in range(points.GetNumberOfArrays())]
out = {a.GetName(): [a.GetTuple(i) for i in range(a.GetNumberOfTuples())] for a in arrays}
out["points"] = [data.GetPoint(i) for i in range(data.GetNumberOfPoints())]
out["verts"] = data.GetNumberOfVerts()
out["polys"] = data.GetNumberOfPolys()
if out["polys"]:
    from vtkmodules.vtkFiltersCore import vtkMassProperties
    mass = vtkMassProperties()
    mass.SetInputData(data)
    out["volume"] = mass.GetVolume()
print(json.dumps(out))
"""


def vtk_python():
    """A Python that has VTK: the one that runs this, or the system's."""
    for python in [sys.executable, "/usr/bin/python3"]:
        if subprocess.run([python, "-c", "import vtkmodules.vtkIOXML"], capture_output=True).returncode == 0:
            return python
    return None


def by_vtk(python, path):
    done = subprocess.run([python, "-c", READ, str(path)], capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def chunks(path):
    data = path.read_bytes()
    same(struct.unpack("<III", data[:12]), (0x46546C67, 2, len(data)))
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


def test_glb_animation():
    gltf, binary = chunks(make("glb") / "run.glb")
    same([n["name"] for n in gltf["nodes"]], ["scene", "table", "ball", "plane", "sphere"])
    [animation] = gltf["animations"]
    same([c["target"] for c in animation["channels"]], [{"node": 2, "path": "translation"}, {"node": 2, "path": "rotation"}])
    tracks = [read_accessor(gltf, binary, animation["samplers"][k]["output"]) for k in (0, 1)]
    times = read_accessor(gltf, binary, animation["samplers"][0]["input"])
    for (t,), x, q in zip(times, *tracks):
        close(x[0], path_of_ball(t), 3e-6)
        slid = min(t, STICK)
        turn = 2.5 * 0.3 * 9.81 * slid * slid / 0.2 + 5 / 7 / 0.1 * (t - slid)
        close(q[1], math.sin(turn / 2), 2e-4)


def read_accessor(gltf, binary, k):
    a = gltf["accessors"][k]
    parts = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    start = gltf["bufferViews"][a["bufferView"]]["byteOffset"]
    numbers = struct.unpack_from(f"<{parts * a['count']}f", binary, start)
    return [numbers[parts * i:parts * (i + 1)] for i in range(a["count"])]


def test_glb_by_the_validator():
    write("toy.yaml", TOY)
    good("run", "toy.yaml", "--out", "toy")
    good("export", "toy", "--format", "glb", "--out", "glb")
    gltf, _ = chunks(pathlib.Path("glb/run.glb"))
    stone = gltf["meshes"][gltf["nodes"][-1]["mesh"]]
    same(gltf["accessors"][stone["primitives"][0]["indices"]]["count"], 3 * 8)
    mesh = gltf["meshes"][gltf["nodes"][-2]["mesh"]]
    box = gltf["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
    for k, half in enumerate([0.03, 0.03, 0.045 + 0.03]):
        close(box["max"][k], half, 1e-6)
        close(box["min"][k], -half, 1e-6)
    same([n["name"] for n in gltf["nodes"]][3:], ["plane", "sphere", "ellipsoid", "box", "disk", "capsule", "hull"])
    module = SOURCE.resolve() / "viewer/node_modules/gltf-validator"
    if not module.exists():
        print("test_glb_by_the_validator: gltf-validator is not installed (tools/viewer install), file not read back")
        return
    program = (f"const v = require({json.dumps(str(module))});"
               "v.validateBytes(new Uint8Array(require('fs').readFileSync('glb/run.glb')))"
               ".then(r => console.log(JSON.stringify(r)));")
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, timeout=120)
    report = json.loads(done.stdout)
    same((report["issues"]["numErrors"], report["issues"]["numWarnings"]), (0, 0), str(report["issues"]["messages"])[:1000])
    same((report["info"]["animationCount"], report["info"]["totalTriangleCount"] > 100), (1, True))


# ---- bad input ----


def test_bad_input():
    good("run", scene(swap={"record: {until: 0.2 s,": "record: {until: 0.2 s, frames: 0 s,"}), "--out", "out")
    refused(USAGE, "trundle export: --format is missing: vtp, csv, glb, xyz (trundle help export)", "export", "out")
    refused(INPUT, "trundle: format is 'vtk', must be one of vtp, csv, glb, xyz", "export", "out", "--format", "vtk")
    refused(SYSTEM, "trundle: none/run.h5: cannot be opened: No such file or directory", "export", "none", "--format", "csv")
    for name in ["vtp", "glb", "xyz"]:
        refused(INPUT, f"trundle: out/run.h5: no frames were recorded, so there is nothing to export as {name}", "export", "out",
                "--format", name)
    write("file", "")
    refused(SYSTEM, "trundle: file: cannot create the folder: File exists", "export", "out", "--format", "csv", "--out", "file")


main(globals())
