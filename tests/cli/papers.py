#!/usr/bin/env python3
"""papers.py: "trundle papers": rows as data, recomputed in the call; a wrong number fails; no scene is known by name."""
import json
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, NUMERICAL, SOURCE, USAGE, close, good, good_json, main, refused, run, same, scene, write  # noqa: E402

PAPER = """\
paper: test
title: A test
rows:
  - id: speed
    what: speed once it rolls
    scene: ./ball.yaml
    measure: {probe: ball.speed, at: end}
    published: 0.714285714285714
    tolerance: {abs: 1e-12}
    unit: m/s
  - id: late
    what: when it sticks
    scene: ./ball.yaml
    measure: {event: stick, row: slide}
    published: 100
    target: 98
    tolerance: {rel: 1e-9}
    unit: ms
    erratum: the paper prints 100 ms
"""

BOUNCE = """\
trundle: 1
laws: {smooth: {coulomb: {slide: 0}}}
pairs: [{default: smooth, restitution: 1}]
bodies:
  floor: {kind: fixed, shape: plane}
  ball: {shape: {sphere: {radius: 20 mm}}, density: 1000, position: [0, 0, 1.02]}
steppers: {moreau: {step: 0.01 ms}}
record: {until: 5 s}
"""


def rows(text, code=0):
    scene()
    write("test.yaml", text)
    done = run("papers", "./test.yaml", "--json")
    same(done.returncode, code, done.stderr)
    return json.loads(done.stdout)["rows"]


# ---- verdicts: published values, errata, wrong numbers ----


def test_values_units_errata():
    speed, late = rows(PAPER)
    close(speed["ours"], 5 / 7, 1e-12)
    same((late["ours"], late["target"], late["published"], late["verdict"]), (late["ours"], 98, 100, "pass"))
    close(late["ours"], 98, 1e-9)
    same(late["erratum"], "the paper prints 100 ms")
    same(speed["scene_hash"], late["scene_hash"])
    text = good("papers", "./test.yaml")
    assert "* test/late: the paper prints 100 ms\n" in text, text
    assert "2 of 2 rows hold; 1 runs" in text, text  # one run serves both rows


def test_a_wrong_number_fails():
    speed, _ = rows(PAPER.replace("0.714285714285714", "0.714285714295714"), NUMERICAL)
    same(speed["verdict"], "fail")


def test_changes_make_runs_of_their_own():
    text = PAPER.replace("    measure: {probe", "    set: {parameters.v0: 2 m/s}\n    measure: {probe")
    speed, late = rows(text, NUMERICAL)
    close(speed["ours"], 10 / 7, 1e-12)
    assert speed["scene_hash"] != late["scene_hash"]


def test_rows_that_need_what_is_not_there_are_skipped():
    speed, late = rows(PAPER.replace("unit: m/s", "unit: m/s\n    needs: perpetuum"))
    same((speed["verdict"], speed["why"], late["verdict"]), ("skip", "perpetuum", "pass"))
    text = good("papers", "./test.yaml")
    assert "test/speed needs perpetuum, which this build does not have\n1 of 2 rows hold, 1 skipped; 1 runs" in text.replace(
        "* test/late: the paper prints 100 ms\n", ""), text
    speed, _ = rows(PAPER.replace("unit: m/s", "unit: m/s\n    needs: coulomb"))
    same(speed["verdict"], "pass")


# ---- measures of a run ----


def test_measures():
    def ours(measure, unit, extra=""):
        text = PAPER.replace("{probe: ball.speed, at: end}", measure).replace("unit: m/s", f"unit: {unit}{extra}")
        scene()
        write("test.yaml", text)
        return json.loads(run("papers", "./test.yaml", "--json").stdout)["rows"][0]["ours"]
    close(ours("{probe: ball.speed, at: 50 ms}", "m/s"), 1 - 0.3 * 9.81 * 0.05, 1e-12)
    close(ours("{probe: ball.speed, take: max}", "mm/s"), 1000, 1e-9)
    close(ours("{probe: ball.speed, take: min}", "m/s"), 5 / 7, 0.3 * 9.81 * 1e-3)
    close(ours("{probe: ball.speed, take: mean, from: 150 ms}", "m/s"), 5 / 7, 1e-12)
    close(ours("{probe: ball.speed, take: slope, from: 1 ms, to: 90 ms}", "m/s^2"), -0.3 * 9.81, 1e-9)
    close(ours("{probe: contact.slip, take: power, origin: 97.08266589 ms, from: 10 ms, to: 90 ms}", "'-'"), 1, 1e-4)
    close(ours("{event: stick, row: slide, take: x}", "m"), 0.0832, 1e-3)
    same(ours("{event: stick, row: slide, take: count}", "'-'"), 1)
    same(ours("{event: stick, row: slide, take: count, to: 50 ms}", "'-'"), 0)
    close(ours("{probe: ball.angular_speed, take: when_max, to: 90 ms}", "ms"), 90, 1e-9)
    close(ours("{probe: contact.stuck.slide, above: 0.5, take: share, from: 51 ms, to: 150 ms}", "'-'"), 0.53, 1e-9)
    close(ours("{probe: contact.stuck.slide, below: 0.5, take: share, with: contact.slip, with_above: 0.01, from: 1 ms}",
               "'-'"), 1, 0.02)
    line = "{probe: contact.slip, take: finite_time, origin: 97.08266589 ms, %s}"
    close(ours(line % "back: true, from: 10 ms, to: 50 ms", "'-'"), -1, 1e-6)
    assert 0 < ours(line % "back: true, from: 10 ms, to: 50 ms, result: error", "'-'") < 1e-6
    close(ours("{probe: ball.energy.kinetic, take: slope, raise: 0.5, from: 110 ms}", "'-'"), 0, 1e-9)
    write("bounce.yaml", BOUNCE)
    text = PAPER.replace("./ball.yaml", "./bounce.yaml", 1).replace("unit: m/s", "unit: rad/s")
    write("test.yaml", text.replace("{probe: ball.speed, at: end}", "{probe: ball.velocity.z, take: frequency}"))
    close(json.loads(run("papers", "./test.yaml", "--json").stdout)["rows"][0]["ours"],
          math.pi / math.sqrt(2 / 9.81), 1e-3)  # one rise per bounce
    turning = BOUNCE.replace("density:", "angular_velocity: [0, 0, 0.7], density:")  # (w, z) goes round the unit circle
    write("bounce.yaml", turning)
    circle = "{probe: ball.orientation.w, with: ball.orientation.z, take: circle%s}"
    for maxima in ("", ", maxima: ball.position.z"):
        for part, value in (("radius", 1), ("x", 0), ("y", 0), ("error", 0)):
            write("test.yaml", text.replace("{probe: ball.speed, at: end}", circle % f"{maxima}, result: {part}").replace(
                "unit: rad/s", "unit: '-'"))
            close(json.loads(run("papers", "./test.yaml", "--json").stdout)["rows"][0]["ours"], value, 1e-9)
    write("test.yaml", text.replace("{probe: ball.speed, at: end}", circle % ", result: turn").replace("rad/s", "rad"))
    close(json.loads(run("papers", "./test.yaml", "--json").stdout)["rows"][0]["ours"], 0.35e-5, 1e-15)  # half of 0.7 h
    close(ours("{probe: ball.speed, take: range}", "m/s"), 2 / 7, 0.3 * 9.81 * 1e-3)
    same(ours("{event: flat}", "s"), None)


def test_seeds():
    write("bounce.yaml", BOUNCE.replace("laws:", "parameters: {seed: 7}\nlaws:").replace(
        "density:", "velocity: [seed*1 m/s, 0, 0], density:").replace("5 s", "1 ms"))
    text = PAPER.replace("./ball.yaml", "./bounce.yaml").replace("ball.speed, at: end", "ball.velocity.x, at: end")
    text = text.replace("{event: stick, row: slide}", "{probe: ball.position.x, at: end}").replace("unit: ms", "unit: mm")
    def ours(seeds):
        write("test.yaml", text.replace("    tolerance", seeds + "    tolerance"))
        return [row["ours"] for row in json.loads(run("papers", "./test.yaml", "--json").stdout)["rows"]]
    for seeds, mean in (("", 7), ("    seeds: 1\n", 1), ("    seeds: 4\n", 2.5)):
        speed, way = ours(seeds)  # of the same runs
        close(speed, mean, 1e-12)
        close(way, mean, 1e-9)
    write("test.yaml", text.replace("    tolerance", "    seeds: 2.5\n    tolerance"))
    refused(INPUT, "trundle: ./test.yaml:9:12: row speed: seeds must be a whole number from 1 to 1000", "papers", "./test.yaml")
    write("test.yaml", text.replace("    tolerance", "    seeds: 2\n    bisect: {path: parameters.seed, from: 1, to: 2}\n"
                                    "    tolerance"))
    refused(INPUT, "trundle: ./test.yaml:9:12: row speed: seeds are for a measure, not for bisect or survey", "papers",
            "./test.yaml")


def test_bisect():
    """The friction with which the ball just begins to roll within 0.2 s: 2 v0/(7 mu g) = 0.2 s, within a step of 1 ms."""
    text = PAPER.replace("{probe: ball.speed, at: end}", "{event: stick, row: slide, take: count}\n    bisect: {path: "
                         "parameters.mu, from: 0.05, to: 0.5}").replace("unit: m/s", "unit: '-'")
    first, late = rows(text, NUMERICAL)
    close(first["ours"], 2 / (7 * 9.81 * 0.2), 0.01 * first["ours"])
    same(late["verdict"], "pass")
    first = rows(text.replace("from: 0.05", "from: 0.4"), NUMERICAL)[0]
    same(first["why"], "./test.yaml:4:5: row speed: the measure is 1 at both ends, must differ")


SURVEY = """\
paper: test
title: A test
rows:
""" + "".join(f"""\
  - {{id: {take}, what: limit directions, survey: {{states: 2000, seed: 3, take: {take}}}, target: {target}, tolerance: {{abs: 0.5}}, unit: '-'}}
""" for take, target in (("wrong_parity", 0), ("share_I", 0.5), ("share_II", 0.5), ("share_III", 0.5), ("share_IV", 0.5)))


def test_survey():
    """No body breaks the parity, and nearly all are in one of four cases."""
    parity, *shares = rows(SURVEY)
    same((parity["verdict"], parity["ours"], parity["scene"]), ("pass", 0, None))
    close(sum(share["ours"] for share in shares), 1, 0.005)
    assert all(share["ours"] > 0.01 for share in shares)
    write("test.yaml", SURVEY.replace("take: wrong_parity", "take: wrong_party"))
    refused(INPUT, "trundle: ./test.yaml:4:56: a survey has no 'wrong_party'; the nearest is wrong_parity", "papers", "./test.yaml")


# ---- mistakes in a table ----


def test_wrong_units_and_names():
    for text, sentence in (
            (PAPER.replace("unit: m/s", "unit: kg"), "test.yaml:4:5: row speed: the measure is in m/s, not in kg"),
            (PAPER.replace("ball.speed", "ball.sped"), "ball.sped")):
        row = rows(text, NUMERICAL)[0]
        same(row["verdict"], "fail")
        assert sentence in row["why"], row
    scene()
    write("test.yaml", PAPER.replace("what:", "waht:", 1))
    refused(INPUT, "trundle: ./test.yaml:5:11: a row has no key 'waht'; the nearest is what", "papers", "./test.yaml")
    write("test.yaml", PAPER.replace("    tolerance: {abs: 1e-12}\n", ""))
    refused(INPUT, "trundle: ./test.yaml:4:5: row speed needs tolerance: {abs: ...} or {rel: ...}", "papers", "./test.yaml")
    for change, sentence in (
            (("measure: {probe: ball.speed, at: end}", "source: x"), "4:5: row speed needs a measure, such as {probe: ball.speed, at: end}"),
            (("{probe: ball.speed, at: end}", "[ball.speed]"), "7:14: measure must be a map such as {probe: ball.speed, at: end}"),
            (("{probe: ball.speed, at: end}", "{at: end}"), "7:14: measure needs a probe or an event"),
            (("{probe: ball.speed, at: end}", "{probe: ball.speed, at: end}\n    bisect: {path: parameters.mu, to: 1}"), "8:13: 'from' is missing, must be a number"),
            (("{probe: ball.speed, at: end}", "{probe: ball.speed, at: end}\n    bisect: {path: parameters.mu, from: 1}"), "8:13: 'to' is missing, must be a number"),
            (("{probe: ball.speed, at: end}", "{probe: ball.speed, at: end}\n    bisect: [1]"), "8:13: bisect must be a map")):
        assert change[0] in PAPER, change
        write("test.yaml", PAPER.replace(*change, 1))
        refused(INPUT, f"trundle: ./test.yaml:{sentence}", "papers", "./test.yaml")
    write("test.yaml", "- 1\n")
    refused(INPUT, "trundle: ./test.yaml:1:1: a paper must be a map", "papers", "./test.yaml")
    for gone in ("states: 2000", "seed: 3"):
        assert gone in SURVEY, SURVEY
        write("test.yaml", SURVEY.replace(gone + ", ", "", 1))
        refused(INPUT, f"trundle: ./test.yaml:4:56: '{gone.split(':')[0]}' is missing, must be a number", "papers", "./test.yaml")
    write("test.yaml", PAPER.replace("at: end", "take: circle"))
    refused(INPUT, "trundle: ./test.yaml:7:14: a circle needs two probes: probe and with", "papers", "./test.yaml")
    write("test.yaml", PAPER.replace("at: end", "take: circle, with: ball.position.x, result: radios"))
    refused(INPUT, "trundle: ./test.yaml:7:79: unknown word 'radios'; the nearest is radius", "papers", "./test.yaml")
    refused(USAGE, "trundle papers: unknown paper 'elementry'; the nearest is elementary (trundle list papers)", "papers",
            "elementry")


# ---- which rows run, and where ----


def test_lengthy_ones_by_name_only():
    scene()
    os.makedirs("data/papers")
    write("data/papers/short.yaml", PAPER.replace("paper: test", "paper: short"))
    write("data/papers/whole.yaml", PAPER.replace("paper: test", "paper: whole\nlengthy: 'yes'"))

    def of(*names):
        done = run("papers", *names, "--json", env={**os.environ, "TRUNDLE_DATA": "data"})
        same(done.returncode, 0, done.stderr)
        return {row["paper"] for row in json.loads(done.stdout)["rows"]}
    same(of(), {"short"})
    same(of("whole"), {"whole"})


def test_jobs_do_not_matter():
    def values(jobs):
        return [(r["id"], r["ours"]) for r in good_json("papers", "elementary", "--jobs", jobs)["rows"]]
    same(values(1), values(3))


def test_no_scene_is_known_by_name():
    """The program's sources name no scene: what is run is data."""
    names = {p.stem for p in (SOURCE / "scenes").rglob("*.yaml")}
    for path in sorted((SOURCE / "app").glob("*.[ch]")):
        words = set(re.findall(r"[\w-]+", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)))
        same(sorted(words & names), [], str(path))


main(globals())
