#!/usr/bin/env python3
"""analyze.py: limit directions by "trundle analyze": bodies of every shape on level and inclined planes, pictures, Painleve
states, and what stepper event refuses."""
import math
import os
import re
import sys
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, close, good, good_json, main, refused, same, scene  # noqa: E402

BODY = """\
trundle: 1
title: A body on a plane
parameters: {turn: 0.5, slope: 0, height: 0.1}
gravity: [9.81*sin(slope), 0, -9.81*cos(slope)]
laws: {floor: {coulomb: {slide: 0.2}}}
pairs: [{default: floor}]
bodies:
  plane: {kind: fixed, shape: plane}
  body:
    shapes: [SHAPE]
    mass: 0.5 kg
    centre: [0, 0, 0]
    inertia: [3e-3, 2e-3, 2e-3]
    position: [0, 0, height]
    orientation: {axis: y, angle: turn}
steppers:
  moreau: {step: 1 ms}
record: {until: 0.2 s}
"""

# The lowest point below the centre of mass, in the plane of the turn: where the outward normal is down.
S, C = math.sin(0.5), math.cos(0.5)
SHAPES = {
    "{shape: {sphere: {radius: 0.1}}}": (0.0, -0.1),
    "{shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.04]}": (0.04 * S, 0.04 * C - 0.1),
    "{shape: {ellipsoid: {semi_axes: [0.1, 0.07, 0.05]}}}":
        ((0.1**2 - 0.05**2) * S * C / math.hypot(0.1 * S, 0.05 * C), -math.hypot(0.1 * S, 0.05 * C)),
    "{shape: {disk: {radius: 0.08}}}": (0.08 * C, -0.08 * S),
    "{shape: {disk: {radius: 0.08, thickness: 0.02}}}": (0.08 * C - 0.01 * S, -0.08 * S - 0.01 * C),
}


def limit_of(*words):
    return [b for b in good_json("analyze", *words)["bodies"] if "limit" in b][0]["limit"]


def test_friction_that_a_body_at_rest_needs():
    """Let go on a plane it turns about its contact point: alpha = m (r x g)/(J + m r^2), F = m (alpha x r - g)."""
    for shape, (x, z) in SHAPES.items():
        for slope in (0.0, 0.2):
            path = scene("body.yaml", BODY.replace("SHAPE", shape))
            limit = limit_of(path, "--at", "0", "--set", f"parameters.height={-z!r}", "--set", f"parameters.slope={slope}")
            rx, rz, gx, gz = -x, -z, 9.81 * math.sin(slope), -9.81 * math.cos(slope)
            alpha = 0.5 * (rz * gx - rx * gz) / (2e-3 + 0.5 * (rx * rx + rz * rz))
            force, normal = 0.5 * (alpha * rz - gx), 0.5 * (-alpha * rx - gz)
            close(limit["roll_force"][0], force, 1e-12, shape)
            close(limit["roll_force"][1], 0.0, 1e-12, shape)
            close(limit["roll_normal"], normal, 1e-12, shape)
            close(limit["friction_needed"], abs(force) / normal, 1e-12, shape)
            same(limit["rolls"], abs(force) <= 0.2 * normal, shape)
            same(limit["case"] in ("III", "IV", "VI"), not limit["rolls"], shape)


def test_states_of_the_reference_runs():
    stone = limit_of("slip-roll/slip-stone", "--at", "0")
    same(stone["case"], "III")
    close(math.hypot(*stone["slip"]), math.hypot(0.6, 0.3), 1e-12)
    same(limit_of("slip-roll/slip-stone", "--at", "0.3 s")["case"], "I")
    ball = limit_of("slip-roll/loaded-ball", "--at", "0")
    close(ball["friction_needed"] / 0.2, 1.222493, 5e-7)
    exits = [d["angle"] for d in ball["directions"] if d["way_out"]]
    close(exits[0], 4.7500, 5e-5)
    same(limit_of("slip-roll/slip-ball", "--at", "0")["count"], -1)


def colour_at(svg, x, y):
    """The fill of the cell of the map that holds a point."""
    found = None
    for rect in svg.iter("{http://www.w3.org/2000/svg}rect"):
        if rect.get("x") is None or rect.get("fill") == "none":
            continue
        left, top = float(rect.get("x")), float(rect.get("y"))
        if left <= x < left + float(rect.get("width")) and top <= y < top + float(rect.get("height")):
            found = rect.get("fill")
    return found


def test_pictures():
    """Both are there, with one ray for each direction; the state lies in a region of its own case."""
    colours = {"I": "#b7dfb9", "II": "#5fb878", "III": "#f6c69a"}
    for name, at in (("loaded-ball", "0"), ("slip-stone", "0.3 s"), ("slip-disk", "0.1 s")):
        limit = limit_of(f"slip-roll/{name}", "--at", at)
        body = name.split("-")[1]
        text = good("analyze", f"slip-roll/{name}", "--at", at, "--out", "pictures")
        assert f"limit directions of {body}: case {limit['case']}, " in text, text
        regions = tree.parse(f"pictures/{body}-regions.svg").getroot()
        marks = [c for c in regions.iter("{http://www.w3.org/2000/svg}circle") if c.get("r") == "6"]
        same(len(marks), 1)
        same(colour_at(regions, float(marks[0].get("cx")), float(marks[0].get("cy"))), colours[limit["case"]])
        portrait = open(f"pictures/{body}-portrait.svg").read()
        tree.fromstring(portrait)
        rays = re.findall(r'd="M330.0 290.0L([-0-9.]+) ([-0-9.]+)" fill="none" stroke="#[0-9a-f]+" [^>]*dasharray="(none|9 5)"', portrait)
        same(len(rays), limit["count"], name)
        for (x, y, dash), direction in zip(rays, limit["directions"]):
            close(math.cos(math.atan2(290 - float(y), float(x) - 330) - direction["angle"]), 1.0, 1e-6)
            same(dash == "9 5", direction["repelling"])


ROD = BODY.replace("SHAPE", "{shape: {ellipsoid: {semi_axes: [1 mm, 1 mm, 0.3 m]}}}").replace("slide: 0.2", "slide: 1.8").replace(
    "height: 0.1", "height: 0.2090122157").replace("turn: 0.5", "turn: 0.8").replace(
        "inertia: [3e-3, 2e-3, 2e-3]", "inertia: [9e-3, 9e-3, 1e-5]").replace("moreau", "event")


def test_painleve_states_are_explained():
    limit = limit_of(scene("rod.yaml", ROD), "--at", "0")
    same(limit["case"], "painleve")
    assert limit["wedge"] >= 1.0
    text = good("analyze", "rod.yaml", "--at", "0", "--out", "pictures")
    assert "rad has no finite contact force; an impact without a collision ends it" in text, text
    same(os.listdir("pictures"), ["body-portrait.svg"])


BALL = """\
trundle: 1
title: A ball
laws: {floor: {coulomb: {slide: 0.2}}}
pairs: [{default: floor}]
bodies:
  plane: {kind: fixed, shape: plane}
  ball: {shape: {sphere: {radius: 0.1 m}}, mass: 0.5 kg, position: [0, 0, 0.1], velocity: [2, 0.5, 0]}
steppers:
  event: {step: 10 ms}
record: {until: 0.1 s}
"""


def test_no_plane_contact():
    path = scene("ball.yaml", BALL)
    same(limit_of(path, "--at", "0", "--set", "bodies.ball.position=[0, 0, 0.3]")["refused"],
         "body 'ball' does not touch a plane: its gap to 'plane' is 0.2 m")
    block = scene("block.yaml", BALL.replace("shape: plane", "shape: {box: {size: [1, 1, 1]}}, position: [0, 0, -0.5]").replace(
        "event", "moreau"))
    same(limit_of(block)["refused"], "body 'ball' has no fixed plane to touch; limit directions need one")


def test_what_event_refuses():
    scene("ball.yaml", BALL)
    refused(INPUT, "trundle: ball.yaml:7:9: stepper event: body 'ball' starts in contact but moves into the plane at 0.5 m/s; "
            "give it a gap to fall through, or a velocity along the plane", "run", "ball.yaml", "--set",
            "bodies.ball.velocity=[2, 0, -0.5]")
    assert "off plane at 0 s" in good("run", "ball.yaml", "--set", "gravity=[0, 0, 3]", "--out", "flies.run")
    refused(INPUT, "trundle: ball.yaml:3:25: law coulomb: slide_static is 0.1, must be at least slide (0.2)", "run", "ball.yaml",
            "--set", "laws.floor.coulomb.slide_static=0.1")
    scene("two.yaml", BALL.replace("steppers:", "  other: {shape: {sphere: {radius: 0.1 m}}, mass: 1 kg, position: [1, 0, 0.1]}\n"
                                   "steppers:"))
    refused(INPUT, "trundle: two.yaml:10:10: stepper event moves exactly one free body, the world has 2", "run", "two.yaml")
    scene("none.yaml", BALL.replace("  plane: {kind: fixed, shape: plane}\n", ""))
    refused(INPUT, "trundle: none.yaml:8:10: stepper event needs a fixed plane; the world has none", "run", "none.yaml")
    scene("plane.yaml", BALL.replace("  plane: {kind: fixed, shape: plane}\n", "").replace(
        "{sphere: {radius: 0.1 m}}, mass: 0.5 kg", "plane, mass: 0.5 kg, inertia: [1, 1, 1]"))
    refused(INPUT, "trundle: plane.yaml:6:9: stepper event: shape plane of body 'ball' has no support function", "run", "plane.yaml")
    scene("block.yaml", BALL.replace("shape: plane", "shape: {box: {size: [1, 1, 1]}}, position: [0, 0, -0.5]"))
    refused(INPUT, "trundle: block.yaml:6:10: stepper event: fixed body 'plane' is a box; it must be a plane", "run",
            "block.yaml")


main(globals())
