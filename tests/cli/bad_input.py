#!/usr/bin/env python3
"""bad_input.py: every kind of bad scene gets exit code 2 and one exact sentence with its place; nothing is written."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import BALL, INPUT, SYSTEM, good, main, refused, run, same, scene, write  # noqa: E402


def refuse(sentence, code=INPUT, name="ball.yaml", words=()):
    """`check` and `run` refuse the file alike; nothing else appears in the folder."""
    before = sorted(os.listdir("."))
    for command in ("check", "run"):
        refused(code, f"trundle: {sentence}", command, name, *words)
    same(sorted(os.listdir(".")), before, "files after a refusal")


def bad(old, new, sentence):
    """The ball scene with one text replaced."""
    scene(swap={old: new})
    refuse(f"ball.yaml:{sentence}")


# ---- keys, types and units ----


def test_keys():
    bad("position:", "positoin:", "13:5: body 'ball': unknown key 'positoin'; did you mean 'position'?")
    bad("bodies:", "bodeis:", "8:1: unknown key 'bodeis'; did you mean 'bodies'?")
    bad("    mass: 1 kg\n", "    mass: 1 kg\n    mass: 2 kg\n",
        "13:5: key 'mass' is repeated; it is in line 12 already")


def test_missing():
    bad("    mass: 1 kg\n", "", "11:5: body 'ball': mass is missing and no shape has a density and a volume")
    bad("{radius: 0.1 m}", "{}", "11:21: body 'ball': shape sphere: radius is missing")
    bad("{step: 1 ms}", "{}", "16:11: stepper moreau: step is missing")
    bad("record:", "#record:", "1:1: record is missing; write 'record: {until: 1 s}', for example")
    bad("trundle: 1\n", "", "1:1: trundle (the version of the format) is missing; write 'trundle: 1'")
    bad("trundle: 1", "trundle: 2", "1:10: trundle is '2', must be 1")


def test_types():
    bad("mass: 1 kg", "mass: heavy",
        "12:11: body 'ball': mass is 'heavy', where 'heavy' is not a parameter; there are mu, v0")
    bad("mass: 1 kg", "mass: [1, 2]", "12:11: body 'ball': mass is a list of 2, must be a number")
    bad("position: [0, 0, 0.1 m]", "position: 3",
        "13:15: body 'ball': position is '3', must be a list of 3 numbers in m")
    bad("  ball:", "  ba ll:", "10:3: bodies: name 'ba ll' must consist of letters, digits, _ and -")


def test_units():
    bad("mass: 1 kg", "mass: 35 deg", "12:11: body 'ball': mass is '35 deg', must be in kg, not in rad")
    bad("mass: 1 kg", "mass: 1 kg\n    orientation: {axis: y, angle: 35 kg}",
        "13:35: body 'ball': orientation.angle is '35 kg', must be in rad, not in kg")
    bad("radius: 0.1 m", "radius: 35 kg",
        "11:30: body 'ball': shape sphere: radius is '35 kg', must be in m, not in kg")
    bad("radius: 0.1 m", "radius: 35 furlong",
        "11:30: body 'ball': shape sphere: radius is '35 furlong', where 'furlong' is not a unit; `trundle list units` shows all")
    bad("{coulomb: {slide: mu}}", "{coulomb: {slide: mu}, rolling: {roll: {factor: 0.1}}}",
        "5:48: laws.felt: law rolling: roll: factor needs a radius (effective, smaller)")
    bad("{mu: 0.3,", "{mu: 0.3, root: 2 mm^0.5,",
        "3:29: parameters: root is '2 mm^0.5', where 'mm' takes whole powers only; other powers need units such as m, kg, s or N")
    bad("{mu: 0.3,", "{mu: 0.3, area: 2 m ^2,",
        "3:29: parameters: area is '2 m ^2', where '^' after the unit 'm' is ambiguous; write m^2 for a power of the "
        "unit, (2 m)^2 for one of the number too")


LENGTH = "a length without a unit; write '0.3 m' or {factor: 0.3, radius: smaller}"


# ---- friction lengths and vectors ----


def test_lengths_of_friction():
    bad("{coulomb: {slide: mu}}", "{coulomb: {slide: mu}, rolling: {roll: 0.3}}",
        f"5:48: laws.felt: law rolling: roll is '0.3', {LENGTH}")
    scene()
    refuse(f"set laws.felt.rolling.spin=0.3: laws.felt: law rolling: spin is '0.3', {LENGTH}",
           words=["--set", "laws.felt.rolling.spin=0.3"])
    refuse("set laws.felt.rolling.spin=mu: laws.felt: law rolling: spin is 'mu', a length without a unit; write '(mu) m' or "
           "{factor: mu, radius: smaller}", words=["--set", "laws.felt.rolling.spin=mu"])
    scene(swap={"{coulomb: {slide: mu}}": "{coulomb: {slide: mu}, rolling: {roll: 0}}"})
    good("check", "ball.yaml")
    refused(INPUT, f"trundle: set laws.felt.roll=0.3: laws.felt: law rolling: roll is '0.3', {LENGTH}",
            "sweep", "ball.yaml", "--vary", "laws.felt.roll=0.3,0.6", "--out", "none")
    good("sweep", "ball.yaml", "--vary", "laws.felt.roll=0:3 mm:2", "--out", "none")
    for value in ("0.3 mm", "{factor: 0.01, radius: smaller}", "{factor: 0.01, radius: effective}"):
        good("check", "ball.yaml", "--set", f"laws.felt.roll={value}")


def test_lengths_above_the_radius():
    scene(swap={"{coulomb: {slide: mu}}": "{coulomb: {slide: mu}, rolling: {roll: 0.3 m}}"})
    remark = ("law rolling: roll is 0.3 m, above the radius 0.1 m of body 'ball'; a part of the radius is {factor: ..., "
              "radius: smaller}")
    done = run("check", "ball.yaml", "--json")
    same((done.returncode, done.stderr), (0, f"trundle: remark: {remark}\n"), "a length above the radius")
    same(json.loads(done.stdout)["remarks"], [remark], "remarks")
    done = run("check", "ball.yaml", "--json", "--set", "laws.felt.roll=0.1 m")
    same((done.stderr, json.loads(done.stdout)["remarks"]), ("", []), "a length of the radius")


def test_two_remarks():
    """A length above the radius and joints that repeat each other: both are told."""
    hinge = "{between: [door, table], joint: hinge, axis: [0, 0, 1], position: [5 m, 0, %s]}"
    scene(swap={"{coulomb: {slide: mu}}": "{coulomb: {slide: mu}, rolling: {roll: 0.3 m}}",
                "steppers:": "  door: {shape: {box: {size: [1 m, 0.1 m, 1 m]}}, mass: 1 kg, position: [5 m, 0, 2 m]}\n"
                             f"joints: {{up: {hinge % '1 m'}, down: {hinge % '2 m'}}}\nsteppers:"})
    remark, = json.loads(run("check", "ball.yaml", "--json").stdout)["remarks"]
    assert "above the radius 0.1 m of body 'ball'" in remark, remark
    assert "repeat what other joints hold" in remark, remark


def test_factors_of_a_radius():
    scene(swap={"{coulomb: {slide: mu}}": "{coulomb: {slide: mu}, rolling: {roll: {factor: 0.1, radius: smaller}}}"})
    good("run", "ball.yaml", "--out", "none", "--set", "bodies.table={kind: fixed, shape: {box: {size: [9 m, 9 m, 2 m]}}, "
         "position: [0, 0, -1 m]}")
    refuse("ball.yaml:5:41: law rolling: a friction length is given in parts of a radius, but a contact of plane and box has "
           "none; give it as a length, 0.1 mm", words=["--set", "bodies.ball.shape={box: {size: [0.2 m, 0.2 m, 0.2 m]}}"])


def test_parts_of_names():
    bad("slide: mu", "slide: mu, static: 0.4",
        "5:31: laws.felt: law coulomb: unknown key 'static'; did you mean 'slide_static'?")
    scene(swap={"steppers:\n": "steppers:\n  fine: {moreau: {step: 0.1 ms}}\n"})
    good("check", "ball.yaml", "--set", "steppers.fine.step=0.2 ms")
    refuse("set steppers.fine.stepp=1 ms: stepper moreau: unknown key 'stepp'; did you mean 'step'?",
           words=["--set", "steppers.fine.stepp=1 ms"])


def test_vectors():
    bad("position: [0, 0, 0.1 m]", "position: [12, 9, 10 cm]",
        "13:16: body 'ball': position.x is '12', a number without a unit in a vector with units; write [12 cm, 9 cm, 10 cm] "
        "or [12, 9, 10, cm]")
    for vector in ("[12 cm, 9 cm, 10 cm]", "[12, 9, 10, cm]", "[0, 0, 10 cm]", "[0.12, 0.09, 0.1]"):
        scene(swap={"position: [0, 0, 0.1 m]": f"position: {vector}"})
        good("check", "ball.yaml")


# ---- ranges, expressions, names, pairs ----


def test_ranges():
    bad("slide: mu", "slide: -0.3", "5:27: laws.felt: law coulomb: slide is -0.3, must be at least 0")
    bad("step: 1 ms", "step: 0 s", "16:18: stepper moreau: step is 0 s, must be above 0 s")
    bad("step: 1 ms", "step: 1e-300 s",
        "17:17: 0.2 s in steps of 1e-300 s takes 2e+299 steps, must be at most 9.01e+15")
    bad("mass: 1 kg", "mass: -1 kg", "12:11: body 'ball': mass is -1 kg, must be above 0 kg")
    for word in (".nan", "nan", ".inf", "1e400"):
        bad("mass: 1 kg", f"mass: {word}", f"12:11: body 'ball': mass is '{word}', which is not a finite number")
    bad("mass: 1 kg", "mass: 1 kg\n    orientation: [0, 0, 0, 0]",
        "13:18: body 'ball': orientation is (0, 0, 0, 0), which cannot be normalised")
    bad("mass: 1 kg", "mass: 1 kg\n    inertia: [1, 1, 5]",
        "11:5: body 'ball': inertia has principal moments 1, 1, 5 kg m^2; none may exceed the sum of the others")


def test_expressions():
    bad("slide: mu", "slide: mu/0", "5:27: laws.felt: law coulomb: slide is 'mu/0', which divides by zero")
    bad("slide: mu", "slide: nu",
        "5:27: laws.felt: law coulomb: slide is 'nu', where 'nu' is not a parameter; did you mean 'mu'?")
    bad("slide: mu", "slide: (1 + mu", "5:27: laws.felt: law coulomb: slide is '(1 + mu', where ')' is missing")
    bad("slide: mu", "slide: 2 *", "5:27: laws.felt: law coulomb: slide is '2 *', which ends too early")
    bad("{mu: 0.3, v0: 1 m/s}", "{mu: v0, v0: mu}", "3:26: parameters: v0 is 'mu', where 'mu' depends on itself")
    bad("{mu: 0.3, v0: 1 m/s}", "{mu: 2*mu, v0: 1 m/s}",
        "3:18: parameters: mu is '2*mu', where 'mu' depends on itself")


def test_unknown_names():
    bad("sphere", "spere", "11:13: body 'ball': no shape 'spere'; did you mean 'sphere'?")
    bad("coulomb:", "columb:", "5:10: laws.felt: no law 'columb'; did you mean 'coulomb'?")
    bad("moreau:", "morea:", "16:3: steppers: no stepper 'morea'; did you mean 'moreau'?")
    bad("ball.speed", "ball.sped", "17:49: no probe 'ball.sped'; did you mean 'ball.speed'?")
    bad("ball.speed", "bal.speed", "17:49: probe 'bal.speed': no body 'bal'; did you mean 'ball'?")


def test_pairs():
    bad("{default: felt}", "{between: [felt, wood], law: felt}",
        "7:16: pairs[0]: between is 'felt', there is no such material; there is default")
    bad("{default: felt}", "{default: flet}",
        "7:15: pairs[0]: default is 'flet', there is no such law; did you mean 'felt'?")
    bad("  - {default: felt}\n", "", "5:3: laws.felt is not used by any pair")
    bad("{coulomb: {slide: mu}}", "{coulomb: {slide: mu}, contensou: {slide: 0.2, patch: 1 mm}}",
        "7:5: laws coulomb and contensou both claim slide")


def test_touching_without_a_law():
    scene(swap={"pairs:\n  - {default: felt}": "materials: [wood, stone]\npairs:\n  - {between: [wood, wood], law: felt}",
                "shape: plane}": "shape: plane, material: stone}", "mass: 1 kg": "mass: 1 kg\n    material: wood"})
    refuse("ball.yaml:10:10: materials 'stone' and 'wood' can touch (bodies 'table' and 'ball') but have no law; a pair or a "
           "default must give one")


# ---- what a stepper or the geometry refuses ----


def test_coefficients_the_stepper_does_not_use():
    bad("{default: felt}", "{default: felt, compliance: 1e-6 m/N}",
        "7:33: stepper moreau cannot use compliance (1e-06 m/N): its contacts are rigid")


def test_a_stepper_refuses_at_its_own_place():
    bad("moreau: {step: 1 ms}", "cone: {step: 1 ms, solver: {sor: {relaxation: 1.7}}}",
        "16:49: stepper cone: solver sor: relaxation is 1.7, must be 1 with form: exact; leave it out, or choose form: relaxed")
    bad("moreau: {step: 1 ms}", "fine: {cone: {step: 1 ms, solver: {sor: {relaxation: 1.7}}}}",
        "16:56: stepper cone: solver sor: relaxation is 1.7, must be 1 with form: exact; leave it out, or choose form: relaxed")


def test_overlap():
    bad("position: [0, 0, 0.1 m]", "position: [0, 0, 0.05 m]",
        "11:5: bodies 'ball' and 'table' overlap by 0.05 m at the start, more than 0.01 of the size 0.2 m")


def raw(content, sentence):
    with open("ball.yaml", "wb") as file:
        file.write(content)
    refuse(f"ball.yaml:{sentence}")


DISK = """\
trundle: 1
laws: {rim: {coulomb: {slide: 0.3}}}
pairs: [{default: rim}]
bodies:
  table: {kind: fixed, shape: plane}
  disk: {shape: {disk: {radius: 37.5 mm}}, mass: 0.3, position: [0, 0, 37.5 mm], orientation: {axis: x, angle: 90 deg}}
steppers: {moreau: {step: 1 ms}}
record: {until: 10 ms}
"""


def test_disks():
    def bad_disk(old, new, sentence):
        scene("disk.yaml", text=DISK, swap={old: new})
        refuse(f"disk.yaml:{sentence}", name="disk.yaml")
    bad_disk("slide: 0.3", "slide: 0.3, patch: 2 mm", "2:36: laws.rim: law coulomb: unknown key 'patch'; law contensou has this key")
    bad_disk("coulomb: {slide: 0.3}", "coulomb: {slide: 0.3}, rolling: {spin: 1 mm, patch: 2 mm}",
             "2:59: laws.rim: law rolling: unknown key 'patch'; law contensou has this key")
    bad_disk("coulomb: {slide: 0.3}", "contensou: {patch: 2 mm}",
             "2:25: law contensou: patch is 0.002 m but has no effect without slide")
    scene("disk.yaml", text=DISK, swap={"coulomb: {slide: 0.3}": "contour: {contour: 1e-3}",
                                        "disk: {radius: 37.5 mm}": "box: {size: [10 mm, 20 mm, 30 mm]}"})
    refuse("disk.yaml:2:23: law contour needs a surface that rolls, but a contact of plane and box has no lever",
           name="disk.yaml")
    bad_disk("coulomb: {slide: 0.3}", "contour: {contour: 1e-3}, rolling: {roll: 1 mm}",
             "3:9: laws contour and rolling both claim roll")
    bad_disk("mass: 0.3", "density: 7900", "6:9: body 'disk': mass is missing and no shape has a density and a volume")
    bad_disk("0, 37.5 mm]", "0, 20 mm]", "6:9: bodies 'disk' and 'table' overlap by 0.0175 m at the start, more than 0.01 of "
             "the size 0.075 m")
    bad_disk("radius: 37.5 mm", "radius: 37.5 mm, thickness: -1 mm",
             "6:53: body 'disk': shape disk: thickness is -0.001 m, must be at least 0 m")
    scene("disk.yaml", text=DISK, swap={"radius: 37.5 mm": "radius: 37.5 mm, thickness: 2 mm"})
    assert "\n  body 'disk': the closed forms are for a thin disk, its thickness is 0.002 m\n" in good("analyze", "disk.yaml")


# ---- files: not a scene, not YAML, misspelt ----


def test_files_that_are_no_scenes():
    raw(b"", "1:1: the file is empty")
    raw(b"# nothing\n", "1:1: the file is empty")
    raw(bytes(range(256)) * 10, "1:1: not a text file: control characters are not allowed")
    raw(b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "1:1: not a text file: invalid leading UTF-8 octet")
    raw(b"a: " + b"[" * 200000, "1:67: lists and maps are nested more than 64 levels deep")
    raw(b"[" * 200000 + b"]" * 200000, "1:65: lists and maps are nested more than 64 levels deep")
    raw(b"{a: " * 200000, "1:257: lists and maps are nested more than 64 levels deep")
    raw(b"# " + b"x" * (65 << 20), " is larger than 64 MiB, the limit for such files")


def test_yaml_beyond_the_schema():
    bad("mu: 0.3", "mu: &x 0.3", "3:18: anchors (&name) are not allowed")
    bad("mu: 0.3", "mu: *x", "3:18: aliases (*name) are not allowed; put a product in quotation marks")
    bad("mu: 0.3", "mu: !!float 0.3", "3:18: tags (!name) are not allowed")
    bad("bodies:", "bodies: [", "10:3: not YAML: did not find expected ',' or ']', while parsing a flow sequence that begins "
        "in line 8")


def test_slips_of_the_pen():
    bad("  ball:\n", "\tball:\n", "10:1: not YAML: a tab; indent with spaces")
    bad("mass: 1 kg", "mass:1 kg", "12:5: not YAML: a key needs a colon and a space after it")
    bad("title: ", "title: Ball: ", "2:12: not YAML: a second colon in a line; put texts in quotation marks, several keys in "
        "braces {a: 1, b: 2}")
    bad("slide: mu", "slide: 0,3", "5:29: laws.felt: law coulomb: unknown key '3'; numbers have a decimal point, no comma")
    bad("mass: 1 kg", "density: 2 g/cc",
        "12:14: body 'ball': density is '2 g/cc', where 'cc' is not a parameter; as a unit write 'cm^3'")
    bad("v0: 1 m/s", "v0: 1 meters/s",
        "3:27: parameters: v0 is '1 meters/s', where 'meters' is not a unit; did you mean 'm'?")
    bad("position: [0, 0, 0.1 m]", "position: [0, 0.1 m]",
        "13:15: body 'ball': position is a list of 2, must be a list of 3 numbers in m")


# ---- the command line: places and changes ----


def test_places():
    os.mkdir("folder")
    refuse("folder: is a folder, not a file", name="folder")
    refuse("nothing.yaml: cannot be opened: No such file or directory", SYSTEM, "nothing.yaml")


def test_changes():
    scene()
    refuse("set lawz=1: no 'lawz'; did you mean 'laws'?", words=("--set", "lawz=1"))
    refuse("set laws.felt.coulomb.slide=-1: laws.felt: law coulomb: slide is -1, must be at least 0",
           words=("--set", "laws.felt.coulomb.slide=-1"))
    refuse("ball.yaml:16:3: steppers: the scene has no block 'cone'; there is moreau", words=("--stepper", "cone"))


MECHANISM = """trundle: 1
laws: {rough: {coulomb: {slide: 0.3}}}
pairs: [{default: rough}]
bodies:
  floor: {kind: fixed, shape: plane}
  wall: {kind: fixed, shape: plane, position: [9 m, 0, 0], orientation: {axis: y, angle: -90 deg}}
  a: {shape: {sphere: {radius: 0.1 m}}, mass: 1 kg, position: [0, 0, 0.1 m]}
  b: {shape: {sphere: {radius: 0.1 m}}, mass: 1 kg, position: [1 m, 0, 0.1 m]}
joints:
  pin: {between: [a, b], joint: hinge, position: [0.5 m, 0, 0.1 m], axis: [0, 1, 0]}
steppers: {cone: {step: 1 ms, impact: poisson}}
record: {until: 5 ms}
"""


def loose(old, new, sentence):
    """The mechanism with one text replaced."""
    assert old in MECHANISM, old
    write("pin.yaml", MECHANISM.replace(old, new))
    refuse(f"pin.yaml:{sentence}", name="pin.yaml")


# ---- mechanisms, events, emitters, speeds ----


def test_mechanisms():
    loose("[a, b]", "[a, a]", "10:8: joint 'pin' is between body 'a' and itself")
    loose("[a, b]", "[a, c]", "10:22: joint 'pin': between is 'c', there is no such body; there are floor, wall, a, b")
    loose("[a, b]", "[a]", "10:18: joint 'pin': between is a list of 1, must be a list of two bodies")
    loose("[a, b]", "[floor, wall]",
          "10:8: joint 'pin': neither body 'floor' nor body 'wall' is free, a joint between them has no effect")
    loose("joint: hinge", "joint: hing", "10:33: joint 'pin': no joint 'hing'; did you mean 'hinge'?")
    loose("joint: hinge, ", "", "10:8: joint 'pin': joint is missing")
    loose("[0, 1, 0]", "[0, 0, 0]", "10:8: joint 'pin': axis (0, 0, 0) has no direction")
    loose("joint: hinge", "joint: {motor: {}}", "10:41: joint motor: give speed (it turns) or velocity (it pushes)")
    loose("joint: hinge", "joint: {motor: {speed: 3}}",
          "10:49: joint 'pin': joint motor: speed is '3', a number without a unit; write '3 rad/s'")
    loose("joint: hinge", "joint: {motor: {speed: 3 rad/s, torque: 0 N m}}",
          "10:66: joint 'pin': joint motor: torque is 0 N m, must be above 0 N m")
    loose("joint: hinge", "joint: {seal: {force: -1 N}}",
          "10:48: joint 'pin': joint seal: force is -1 N, must be at least 0 N")
    loose("joint: hinge", "joint: distance", "10:8: joint 'pin': length is 0 m, must be above 0 m")
    loose("joints:\n  pin:", "joints: []\nstart:\n  pin:", "9:9: joints is a list of 0, must be a map of keys")
    loose("poisson", "poison", "11:39: stepper cone: impact is 'poison', must be one of newton, poisson; did you mean 'poisson'?")
    loose("{default: rough}", "{default: rough, restitution: 1.5}",
          "3:39: pairs[0]: restitution is 1.5, must lie between 0 and 1")
    loose("{default: rough}", "{default: rough, restitution: .nan}",
          "3:39: pairs[0]: restitution is '.nan', which is not a finite number")
    loose("sphere: {radius: 0.1 m}}, mass: 1 kg, position: [0", "hull: {points: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}, mass: 1 kg, position: [0",
          "7:21: hull: all points lie in a plane (to 1e-6 of their size); a flat body is a thin box")
    loose("sphere: {radius: 0.1 m}}, mass: 1 kg, position: [0", "hull: {points: [[0,0,0],[1e300,0,0],[0,1e300,0],[0,0,1e300]]}}, mass: 1 kg, position: [0",
          "7:21: hull: points lie too far apart to compute with")
    loose("{cone: {step: 1 ms, impact: poisson}}", "{cone: {step: 1 ms, solver: {ngs: {iterations: 1e12}}}}",
          "11:58: stepper cone: solver ngs: iterations is '1e12', must lie between -2147483647 and 2147483647")


def test_events():
    bad("until: 0.2 s", "until: 0.2 s, events: [tuch]",
        "17:33: record: events[0]: kind is 'tuch', must be one of touch, lift, slip, stick, flat, rest, cross, handover, none; did you mean 'touch'?")
    bad("until: 0.2 s", "until: 0.2 s, events: none", "17:32: record: events is 'none', must be a list")


def test_joints_that_repeat_others_are_a_remark():
    write("pin.yaml", MECHANISM.replace("steppers:", "  again: {between: [a, b], joint: ball, position: [0.5 m, 0, 0.1 m]}\nsteppers:"))
    for command in (("check", "pin.yaml"), ("run", "pin.yaml", "--out", "none")):
        same(run(*command).stderr, "trundle: remark: joints 'again' (3 of 3 rows) repeat what other joints hold already; these "
             "rows are left out, and how the joints share their reactions is not unique\n", "remark")
        [remark] = json.loads(run(*command, "--json").stdout)["remarks"]
        same(f"trundle: remark: {remark}\n", run(*command).stderr)


def test_other_line_ends_and_marks_are_fine():
    with open("ball.yaml", "wb") as file:
        file.write(b"\xef\xbb\xbf" + BALL.replace("\n", "\r\n").encode())
    good("check", "ball.yaml")


POUR = """\
trundle: 1
pairs: [{default: none}]
bodies:
  ground: {kind: fixed, shape: plane, orientation: {axis: x, angle: 180 deg}, position: [0, 0, 3 m]}
fill:
  rain: {place: {emitter: {lowest: [-1, -1, 1], highest: [1, 1, 2], rate: 50 1/s, count: 10000, start: 9 s}}, body: {shape: {sphere: {radius: 5 cm}}, density: 1000}}
steppers: {cone: {step: 1 ms}}
record: {until: 10 ms}
"""


def test_emitters_are_looked_at_before_the_run():
    """Too fast, or behind a wall (which is above here), although nothing would come before 9 s."""
    def pour(old, new, sentence):
        write("pour.yaml", POUR.replace(old, new))
        refused(INPUT, f"trundle: pour.yaml:6:9: fill 'rain': {sentence}", "check", "pour.yaml")
    write("pour.yaml", POUR)
    good("check", "pour.yaml")
    pour("50 1/s", "1e7 1/s", "rate is 1e+07 bodies per second, too fast for its box: bodies of radius 0.05 m can leave it at "
         "most at 1.12e+05 per second")
    pour("1, 2]", "1, 3.5]", "its emitter reaches too far: the centre of a body of radius 0.05 m may be 0.45 m behind the plane of body 'ground'")
    pour("1, 2]", "1, 3.01]", "its emitter reaches too far: the centre of a body of radius 0.05 m may be 0.04 m before the plane of body 'ground'")
    for old, new, sentence in (
            ("highest: [1, 1, 2]", "highest: [1, 1, 0]", "6:27: place emitter: lowest must not lie above highest"),
            ("}}, body", "}}, sizes: {uniform: {lowest: 2, highest: 1}}, body", "6:128: sizes uniform: lowest must not lie above highest"),
            ("}}, body", "}}, sizes: {normal: {mean: 1, deviation: 0.1, lowest: 2, highest: 1}}, body",
             "6:127: sizes normal: lowest must not lie above highest")):
        write("pour.yaml", POUR.replace(old, new))
        refused(INPUT, f"trundle: pour.yaml:{sentence}", "check", "pour.yaml")
    emitter = POUR[POUR.index("emitter: "):POUR.index("}}, body")]
    write("pour.yaml", POUR.replace(emitter, "lattice: {spacing: [1, 1, 1], count: [1000, 1000, 60]"))
    refused(INPUT, "trundle: pour.yaml:6:27: place lattice: count makes 6e+07 bodies, must be at most 5e+07", "check", "pour.yaml")
    write("pour.yaml", POUR.replace(emitter, "lattice: {spacing: [0.06, 1, 1], count: [2, 1, 1]"))
    refused(INPUT, "trundle: pour.yaml:6:9: bodies 'rain-1' and 'rain-2' overlap by 0.04 m at the start, more than 0.01 of the size 0.1 m",
            "check", "pour.yaml")
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if there < 50e9:
        write("pour.yaml", POUR.replace(emitter, "lattice: {spacing: [1, 1, 1], count: [1000, 1000, 50]"))
        refused(SYSTEM, f"trundle: pour.yaml:6:9: fill 'rain': 5e+07 bodies need more than 50 GB, and this machine has {1e-9 * there:.3g} GB",
                "check", "pour.yaml")
    write("pour.yaml", POUR.replace("1, 2]", "1, 3]"))  # as far as they go
    good("check", "pour.yaml")
    write("pour.yaml", POUR.replace("1, 2]", "1, 9]").replace("[{default: none}]", "[{default: none, pass: true}]"))
    good("check", "pour.yaml")



def test_speed_beyond_energy():
    """Speeds whose squares no double holds: "inf J ... energy balance closes to nan J" before."""
    ball = BALL.replace("v0: 1 m/s", "v0: 1e200 m/s")
    assert ball != BALL
    refused(INPUT, "trundle: fast.yaml:11:5: body 'ball' is too fast: with 1 kg, 1e+200 m/s and 0 rad/s its kinetic energy is beyond every number",
            "run", scene("fast.yaml", ball), "--out", "none")


main(globals())
