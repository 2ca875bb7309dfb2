#!/usr/bin/env python3
"""compare.py: "trundle compare" and "trundle analyze": orders, differences, friction demand, against closed forms."""
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, NUMERICAL, close, good, good_json, main, refused, run, same, scene  # noqa: E402

DISK = """\
trundle: 1
title: A disk rolls in a circle
laws: {steel: {coulomb: {slide: 0.9}}}
pairs: [{default: steel}]
bodies:
  table: {kind: fixed, shape: plane}
  disk:
    shape: {disk: {radius: 0.1 m}}
    mass: 1 kg
    position: [0, 0, 0.1 * cos(0.5)]
    orientation: [cos(pi/4 + 0.25), sin(pi/4 + 0.25), 0, 0]
    velocity: [-0.9 m/s, 0, 0]
    angular_velocity: [0, -9 * cos(0.5), -9 * sin(0.5)]
steppers: {moreau: {step: 2 ms}}
record: {until: 0.4 s, probes: [disk.position.x, disk.position.z, disk.tilt, disk.angular_velocity.x]}
"""


def compared(code, *words):
    done = run("compare", *words, "--json")
    same(done.returncode, code, done.stderr)
    return {p["probe"]: p["methods"] for p in json.loads(done.stdout)["probes"]}


def test_orders_of_both_schemes():
    probes = compared(0, scene("disk.yaml", DISK), "--variant", "steppers.moreau.scheme=paper")
    for name, (midpoint, paper) in probes.items():
        same((midpoint["expected_order"], paper["expected_order"]), (2, 1), name)
        close(midpoint["observed_order"], 2, 0.35, name)
        close(paper["observed_order"], 1, 0.35, name)
        assert paper["agrees"] and midpoint["verdict"] == "converges", name
        assert midpoint["error_estimate"] < paper["error_estimate"], name


def test_a_different_scene_differs():
    done = run("compare", scene("disk.yaml", DISK), "--variant", "gravity=9.7")
    same(done.returncode, NUMERICAL)
    assert "DIFFER" in done.stdout, done.stdout


def test_needs_probes():
    scene(swap={", probes: [ball.speed, contact.slip]": ""})
    refused(INPUT, "trundle compare: ball records no probes; add some to record: {probes: [...]}", "compare", "ball.yaml")


def test_friction_demand_of_a_rolling_ball():
    """(2/7) tan(tilt) without rolling friction."""
    document = good_json("analyze", "elementary/ball-on-incline", "--at", "0.5 s", "--set", "parameters.roll=0 m")
    contact = document["contacts"][0]
    same((contact["a"], contact["b"], contact["mode"]), ("ball", "slope", "rolls"))
    close(contact["friction_demand"], 2 / 7 * math.tan(0.3), 1e-9)
    close(contact["normal_force"], 5 * 9.81 * math.cos(0.3), 1e-9)
    close(document["time"], 0.5, 1e-12)


def test_a_sliding_ball_demands_all():
    contact = good_json("analyze", scene(), "--at", "50 ms")["contacts"][0]
    same(contact["mode"], "slips")
    close(contact["friction_demand"], 0.3, 1e-12)
    close(contact["slip"], 1 - 3.5 * 0.3 * 9.81 * 0.05, 1e-9)


def test_disk():
    disk = [b for b in good_json("analyze", scene("disk.yaml", DISK))["bodies"] if b["name"] == "disk"][0]["disk"]
    close(abs(disk["inclination"]), 0.5, 1e-3)
    text = good("analyze", "disk.yaml")
    assert "disk is a thin disk" in text, text


main(globals())
