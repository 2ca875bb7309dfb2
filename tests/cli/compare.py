#!/usr/bin/env python3
"""compare.py: "trundle compare" and "trundle analyze": orders, differences, friction demand, against closed forms."""
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, NUMERICAL, USAGE, close, good, good_json, main, refused, run, same, scene  # noqa: E402

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


def test_a_step_too_coarse_is_said_to_be():
    """A disk that turns far in a step shows no order. Each step from which on it is told shows the order when it is compared itself."""
    words = ("rolling-disk/coulomb", "--until", "10 s", "--set", "steppers={moreau: {step: %s}}")
    methods = compared(NUMERICAL, *words[:4], words[4] % "20 ms")
    told = {name: way["told_from_step"] for name, [way] in methods.items() if way["verdict"] == "too coarse to tell"}
    assert len(told) >= 3 and all(0 < step < 0.02 for step in told.values()), methods
    for step in set(told.values()):
        finer = compared(run("compare", *words[:4], words[4] % f"{step} s").returncode, *words[:4], words[4] % f"{step} s")
        for name in told:
            if told[name] == step:
                assert finer[name][0]["verdict"].startswith("converges"), (name, step, finer[name])
    text = run("compare", *words[:4], words[4] % "20 ms").stdout
    for step in set(told.values()):
        assert f"too coarse to tell: converges for steps of {step:.6g} s or less" in text, text
    assert "does not converge" not in text, text


def test_a_slip_of_round_off_is_exact():
    """A ball that rolls from the start has no slip but round-off, which shows no order: this is not a failure."""
    text = """\
trundle: 1
title: A ball rolls
laws: {wood: {coulomb: {slide: 0.3}, rolling: {roll: 0.5 mm}}}
pairs: [{default: wood}]
gravity: [3 m/s^2, 0, -9 m/s^2]
bodies:
  table: {kind: fixed, shape: plane}
  ball: {shape: {sphere: {radius: 50 mm}}, mass: 1 kg, position: [0, 0, 50 mm]}
steppers: {moreau: {step: 1 ms}, cone: {step: 1 ms}}
record: {until: 1 s, probes: [ball.contact.slip]}
"""
    ways = compared(0, scene("rolls.yaml", text))["ball.contact.slip"]
    same([way["verdict"] for way in ways], ["exact", "exact"])
    assert all(way["error_estimate"] < 1e-12 for way in ways), ways


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
    document = good_json("analyze", "ball-up-slope", "--at", "0.5 s", "--set", "parameters.roll=0 m")
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
    close(abs(disk["beta"]), 0.5, 1e-3)
    text = good("analyze", "disk.yaml")
    assert "disk is a disk\n" in text, text


def test_limit_directions():
    """A rolling disk on Coulomb friction that holds it: case I, and the friction needed is below the coefficient."""
    disk = [b for b in good_json("analyze", scene("disk.yaml", DISK))["bodies"] if b["name"] == "disk"][0]["limit"]
    same((disk["case"], disk["rolls"], len(disk["directions"])), ("I", True, 2))
    assert 0 < disk["friction_needed"] < 0.9
    ball = [b for b in good_json("analyze", "ball-up-slope", "--at", "0.5 s")["bodies"] if b["name"] == "ball"][0]
    same(ball["limit"]["refused"], "limit directions need law coulomb, the pair has law rolling")


def test_moreau_converges_to_event():
    """Nine changes between slip and roll, and Stribeck friction: second order to what event-driven integration gives."""
    stribeck = ["slide=0.1", "slide_static=0.2", "stribeck=30 mm/s"]
    for words in (["slip-roll/slip-disk"],
                  ["slip-roll/loaded-ball"] + [w for s in stribeck for w in ("--set", "laws.floor.coulomb." + s)]):
        for name, (event, moreau, *variational) in compared(0, *words).items():
            same((event["method"], event["verdict"], moreau["agrees"]), ("event", "exact", True), name)
            if name != "contact.case":
                close(moreau["observed_order"], 2, 0.5, name)
            for other in variational: # of slip-disk: through every change between slip and roll
                same(other["agrees"], True, name)
                if name != "contact.case":
                    close(other["observed_order"], 2, 0.1, name)


def test_three_methods_roll_an_ellipsoid():
    """Variational and time stepping are of second order, to what event-driven integration gives to round-off."""
    for name, (variational, event, moreau, *runge_kutta) in compared(0, "variational/rolling-stone").items():
        same((variational["method"], event["method"], moreau["method"]), ("variational", "event", "moreau"))
        same((event["verdict"], event["agrees"], moreau["agrees"]), ("exact", True, True), name)
        close(variational["observed_order"], 2, 0.01, name)
        close(moreau["observed_order"], 2, 0.1, name)
        assert abs(variational["value"] - event["value"]) < 4 * variational["error_estimate"], name
        same([m["method"] for m in runge_kutta], ["midpoint", "heun", "ralston", "rk4"])
        for method in runge_kutta:
            same(method["agrees"], True, name)
            close(method["observed_order"], 4 if method["method"] == "rk4" else 2, 0.2, (name, method["method"]))


def test_results_of_a_run():
    """The state at the end of a run, from its folder alone."""
    good("run", scene(), "--set", "parameters.mu=0.25")
    document = good_json("analyze", "ball.run")
    summary = good_json("run", "ball.yaml", "--set", "parameters.mu=0.25", "--out", "none")
    close(document["time"], 0.2, 1e-12)
    same(document["energy"]["kinetic"], summary["ledger"]["kinetic"])
    close(document["contacts"][0]["friction_demand"], 0.0, 1e-9)
    refused(USAGE, "trundle analyze: ball.run is a folder of results, for which only --json, --out and --plugin apply", "analyze", "ball.run", "--at",
            "1 s")


def test_blocks_with_names():
    scene(swap={"  moreau: {step: 1 ms}": "  fine: {moreau: {step: 0.5 ms}}\n  moreau: {step: 1 ms, scheme: paper}"})
    probes = compared(0, "ball.yaml")
    same([m["method"] for m in probes["ball.speed"]], ["fine", "moreau"])
    same([m["step"] for m in probes["ball.speed"]], [0.0005, 0.001])


main(globals())
