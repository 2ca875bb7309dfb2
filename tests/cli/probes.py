#!/usr/bin/env python3
"""probes.py: probes of bodies that come later, of one contact among several, and of springs, against statics and free fall."""
import csv
import math
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, close, good, good_json, main, refused, run, same, write  # noqa: E402

G = 9.81
RAIN = """\
trundle: 1
title: Rain
laws: {felt: {coulomb: {slide: 0.3}}}
pairs: [{default: felt, restitution: 0.3}]
bodies: {table: {kind: fixed, shape: plane}}
fill:
  rain:
    body: {shape: {sphere: {radius: 0.02 m}}, density: 1000}
    place: {emitter: {lowest: [-0.05, -0.05, 0.2, m], highest: [0.05, 0.05, 0.25, m], rate: 40, count: 12}}
outlets: {below: {lowest: [-1, -1, -1, m], highest: [1, 1, 0.021, m]}}
steppers: {moreau: {step: 1 ms}, cone: {step: 1 ms}}
record:
  until: 0.4 s
  interval: 1 ms
  snapshots: 0 s
  probes: [rain-1.velocity.z, rain-3.velocity.z, rain-12.velocity.z, rain-3.position.z, rain-3.contact.gap, 'contact(rain-3,table).normal_force']
"""


def rows(folder):
    good("export", folder, "--format", "csv", "--out", folder + ".csv")
    return list(csv.DictReader(pathlib.Path(folder + ".csv/probes.csv").open()))


def test_bodies_of_emitters():
    """The k-th body comes at (k - 1)/rate, has no value before it and after it has left, and falls freely between."""
    write("rain.yaml", RAIN)
    for stepper in ("moreau", "cone"):
        good("run", "rain.yaml", "--stepper", stepper, "--out", stepper)
        table = rows(stepper)
        for k in (1, 3):
            here = [(int(r["step"]), float(r[f"rain-{k}.velocity.z [m/s]"])) for r in table if r[f"rain-{k}.velocity.z [m/s]"]]
            came = here[0][0] - 1
            assert came - 25 * (k - 1) in (0, 1), (k, stepper, came)  # where rounding puts it
            same([step for step, _ in here], list(range(came + 1, came + 1 + len(here))))
            for step, speed in here:
                close(speed, -G * 1e-3 * (step - came), 1e-12, f"rain-{k} at step {step}")
        assert not table[-1]["rain-3.velocity.z [m/s]"], "it has left"


def test_a_resumed_run_finds_them_again():
    write("rain.yaml", RAIN)
    good("run", "rain.yaml", "--out", "whole")
    for k, until in enumerate((20, 60, 150, 300)):  # before it comes, after, after others, after it has left
        good("run", "rain.yaml", "--out", f"parts{k}", "--until", f"{until} ms")
        good("run", "rain.yaml", "--out", f"parts{k}", "--resume", "--until", "400 ms")
        same(rows(f"parts{k}"), rows("whole"), f"until {until} ms")


def test_stops_wait_for_them():
    """A condition on a body that is not there yet holds as soon as the body does: 3 cm below the place it came to."""
    write("rain.yaml", RAIN.replace("0.2, m], highest", "0.25, m], highest") + "stop_when: {probe: {name: rain-3.position.z, below: 0.22 m}}\n")
    document = good_json("run", "rain.yaml", "--out", "none")
    same(document["stopped"], "probe rain-3.position.z below 0.22 m")
    assert 0.05 + math.sqrt(2 * 0.03 / G) < document["time"] < 0.052 + math.sqrt(2 * 0.03 / G) + 2e-3, document["time"]


def test_bodies_that_never_come():
    write("rain.yaml", RAIN.replace("rain-12.velocity.z", "rain-13.velocity.z"))
    refused(INPUT, "trundle: rain.yaml:16:50: probe 'rain-13.velocity.z': no body 'rain-13'", "run", "rain.yaml", "--out", "none")
    write("rain.yaml", RAIN.replace("rain-12.velocity.z", "rain-0.velocity.z"))
    refused(INPUT, "trundle: rain.yaml:16:50: probe 'rain-0.velocity.z': no body 'rain-0'", "run", "rain.yaml", "--out", "none")


def box(probes, tilt, stepper, step, centre):
    return f"""\
trundle: 1
title: A box stands on a slope
gravity: [{G * math.sin(tilt)!r} m/s^2, 0, {-G * math.cos(tilt)!r} m/s^2]
laws: {{rough: {{coulomb: {{slide: 0.8}}}}}}
pairs: [{{default: rough}}]
bodies:
  table: {{kind: fixed, shape: plane}}
  box:
    position: [0, 0, 0.05 m]
    shapes:
      - {{shape: {{box: {{size: [0.2, 0.1, 0.1, m]}}}}, density: 1000}}
      - {{shape: {{sphere: {{radius: 0.02 m}}}}, density: 9000, position: [{centre} m, 0, 0]}}
steppers: {{{stepper}: {{step: {step}}}}}
record: {{until: 0.3 s, probes: [{', '.join(probes)}]}}
"""


def test_contacts_of_one_pair_are_told_apart():
    """Four corners carry the weight and its moment; #k counts them, @feature names them, a fifth is not there."""
    quantities = ("normal_force", "force.x", "force.z", "point.x", "point.y", "feature")
    names = [f"'contact(box,table)#{k}.{q}'" for k in range(1, 6) for q in quantities]
    names += [f"'contact(box,table)@{k}.{q}'" for k in range(8) for q in ("normal_force", "feature")]
    for tilt, centre in ((0.0, 0.05), (0.1, 0.0), (0.2, 0.03)):
        for stepper, step in (("moreau", "1 ms"), ("cone", "1 ms"), ("track", "0.02 ms, stiffness: 1e5 N/m")):
            text = box(names + ["box.position.x", "box.position.z"], tilt, stepper, step, centre)
            write("box.yaml", text.replace("until: 0.3 s", "until: 1 s"))
            document = good_json("run", "box.yaml", "--out", "none")
            value = {name: p["value"] for name, p in document["probes"].items()}
            of = [[value[f"contact(box,table)#{k}.{q}"] for q in quantities] for k in range(1, 6)]
            mass = 1000 * 0.002 + 9000 * 4 / 3 * math.pi * 0.02 ** 3
            what = f"{stepper}, tilt {tilt}, centre {centre}"
            same((of[4][0], of[4][5]), (0, None), what)
            same(len({c[5] for c in of[:4]}), 4, "every contact has a feature of its own")
            same(len({(round(c[3], 3), round(c[4], 3)) for c in of[:4]}), 4, "every contact has a place of its own")
            close(sum(c[0] for c in of), mass * G * math.cos(tilt), 1e-6 * mass * G, what)
            close(sum(c[1] for c in of[:4]), -mass * G * math.sin(tilt), 1e-6 * mass * G, what)
            moment = sum(c[2] * (c[3] - value["box.position.x"]) + c[1] * value["box.position.z"] for c in of[:4])
            overlap = mass * G / 4e5 if stepper == "track" else 0  # forces act within it
            close(moment, 0, (1e-6 + overlap) * mass * G, what)
            for c in of[:4]:
                same(value[f"contact(box,table)@{int(c[5])}.normal_force"], c[0], what)
                same(value[f"contact(box,table)@{int(c[5])}.feature"], c[5], what)


def test_wrong_numbers_of_contacts():
    for name, sentence in (("contact(box,table)#0.slip", "no probe 'contact(box,table)#0.slip': after contact(box,table) write #1, #2, ... or @FEATURE, then a quantity"),
                           ("contact(box,tabel)#2.slip", "did you mean 'table'?"),
                           ("contact(box,table)#2.slap", "did you mean 'contact(box,table)#2.slip'?"),
                           ("box.contact#x.slip", "box.contact#x")):
        write("box.yaml", box([f"'{name}'"], 0.0, "moreau", "1 ms", 0.0))
        done = run("check", "box.yaml")
        same((done.returncode, done.stdout), (INPUT, ""), done.stderr)
        assert sentence in done.stderr, (name, done.stderr)


def test_springs_carry_their_forces():
    """At rest stiffness times stretch is the force, over stiffnesses and slopes; under other steppers there are no springs."""
    quantities = ("stretch.normal", "stiffness.normal", "normal_force", "stretch.slide", "stiffness.slide", "friction_force")
    names = [f"'box.contact#{k}.{q}'" for k in range(1, 5) for q in quantities]
    for tilt in (0.0, 0.1, 0.3):
        for stiffness in ("1e4 N/m", "1e5 N/m", "1e6 N/m"):
            text = box(names, tilt, "track", "0.02 ms, stiffness: " + stiffness, 0.0)
            write("box.yaml", text.replace("until: 0.3 s", "until: 0.6 s"))
            value = {name: p["value"] for name, p in good_json("run", "box.yaml", "--out", "none")["probes"].items()}
            for k in range(1, 5):
                x, kn, force, s, ks, friction = (value[f"box.contact#{k}.{q}"] for q in quantities)
                close(x * kn, force, 1e-5 * 25, f"normal, {tilt} {stiffness}")
                close(s * ks, friction, 1e-5 * 25, f"slide, {tilt} {stiffness}")
    write("box.yaml", box(names, 0.1, "cone", "1 ms", 0.0))
    value = {name: p["value"] for name, p in good_json("run", "box.yaml", "--out", "none")["probes"].items()}
    same((value["box.contact#1.stretch.normal"], value["box.contact#1.stiffness.slide"]), (None, None))


main(globals())
