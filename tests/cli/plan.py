#!/usr/bin/env python3
"""plan.py: which solver an island gets, told by trundle check and trundle run --profile."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import good, good_json, main, same, scene, write  # noqa: E402

DRY = "coulomb: {slide: 0.5}"


def world(bodies, law=DRY, joints="", stepper="cone: {step: 1 ms}"):
    """Writes a scene of these lines of bodies on a plane."""
    text = f"trundle: 1\ntitle: A plan\nlaws: {{dry: {{{law}}}}}\npairs: [{{default: dry}}]\nbodies:\n"
    text += "  ground: {kind: fixed, shape: plane}\n" + "".join(f"  {line}\n" for line in bodies)
    if joints:
        text += "joints:\n" + "".join(f"  {line}\n" for line in joints)
    return write("plan.yaml", text + f"steppers: {{{stepper}}}\nrecord: {{until: 10 ms}}\n")


def ball(name, x, y, z, mass=1):
    return f"{name}: {{shape: {{sphere: {{radius: 0.1 m}}}}, mass: {mass} kg, position: [{x} m, {y} m, {z} m]}}"


def cubes(count):
    """A tower of cubes: four contacts per cube."""
    return [f"box-{k}: {{shape: {{box: {{size: [0.1 m, 0.1 m, 0.1 m]}}}}, mass: 1 kg, position: [0, 0, {0.1 * k + 0.05:.2f} m]}}"
            for k in range(count)]


def heap(side, heavy=1):
    """side^3 touching balls in a cube. The first one of the top layer may be heavy."""
    at = [(x, y, z) for z in range(side) for y in range(side) for x in range(side)]
    top = side * side * (side - 1)
    return [ball(f"ball-{k}", round(0.2 * x, 1), round(0.2 * y, 1), round(0.1 + 0.2 * z, 1), heavy if k == top else 1)
            for k, (x, y, z) in enumerate(at)]


def heap_contacts(side):
    return 3 * side * side * (side - 1) + side * side


def chain(links, height):
    """Balls joined centre to centre, all at one height."""
    bodies = [ball(f"link-{k}", round(0.3 * k, 1), 0, height) for k in range(links)]
    joints = [f"pin-{k}: {{between: [link-{k}, link-{k + 1}], joint: ball, position: [{0.3 * k + 0.15:.2f} m, 0, {height} m]}}"
              for k in range(links - 1)]
    return bodies, joints


def plan(path, *words):
    """Rules of the first step with contacts or joints: {rule: (parts, contacts, largest, solver)}."""
    told = good_json("check", path, *words)["plan"]
    rules, known = told["rules"], {t["name"] for t in told["thresholds"]}
    for rule in rules:
        same(set((rule["thresholds"] or "").split(", ")) - known - {""}, set(), f"thresholds of {rule['rule']}")
    return {r["rule"]: (r["parts"], r["contacts"], r["largest"], r["solver"]) for r in rules}


def test_one_ball():
    same(plan(scene()), {"one contact": (1, 1, 1, "Newton's method on its rows")})
    same(plan(world([ball("a", 0, 0, 0.1)])), {"one contact": (1, 1, 1, "Newton's method on its rows")})


def test_several_balls_apart():
    same(plan(world([ball(f"b-{k}", k, 0, 0.1) for k in range(5)])), {"one contact": (5, 5, 1, "Newton's method on its rows")})


def test_stack():
    same(plan(world(cubes(3))), {"small": (1, 12, 12, "newton")})
    same(plan(world(cubes(4))), {"stack": (1, 16, 16, "proxnewton")})


def test_thresholds_of_the_user_count():
    path = world(cubes(4))
    same(plan(path, "--set", "steppers.cone.solver={ngs: {dense_limit: 16}}"), {"small": (1, 16, 16, "newton")})
    same(plan(path, "--set", "steppers.cone.solver={ngs: {factor_cost_limit: 0}}"), {"loose": (1, 16, 16, "sweeps")})
    same(plan(path, "--set", "steppers.cone.solver=newton"), {"as chosen": (1, 16, 16, "the chosen one")})


def test_heap():
    n = heap_contacts(3)
    same(plan(world(heap(3))), {"loose": (1, n, n, "sweeps")})


def test_islands_of_different_kinds():
    """Each island gets the solver that it would get alone."""
    n = heap_contacts(3)
    single = [ball("alone", -5, 0, 0.1)]
    same(plan(world(single + heap(3))), {"one contact": (1, 1, 1, "Newton's method on its rows"), "loose": (1, n, n, "sweeps")})


def test_uneven_masses():
    n = heap_contacts(2)
    same(plan(world(heap(2, 49))), {"loose": (1, n, n, "sweeps")})
    same(plan(world(heap(2, 51))), {"small, hard": (1, n, n, "a few steps of proxnewton, then sweeps")})
    n = heap_contacts(3)
    same(plan(world(heap(3, 51))), {"hard": (1, n, n, "sweeps by itself")})


def test_static_friction():
    """A static coefficient holds until a contact gives way: sweeps take it. A Stribeck curve changes with the speed: they do not."""
    n = heap_contacts(3)
    same(plan(world(heap(3), "coulomb: {slide: 0.3, slide_static: 0.5}")), {"loose": (1, n, n, "sweeps")})
    law = "coulomb: {slide: 0.3, slide_static: 0.5, stribeck: 0.1 m/s}"
    same(plan(world(heap(3), law)), {"variable laws": (1, n, n, "proxnewton")})


def test_coupled_laws():
    """The set that couples sliding and spinning has a constant size: sweeps take it."""
    n = heap_contacts(3)
    law = "contensou: {slide: 0.5, patch: 5 mm}"
    same(plan(world(heap(3), law)), {"loose": (1, n, n, "sweeps")})
    same(plan(world(cubes(4), law)), {"stack": (1, 16, 16, "proxnewton")})
    same(plan(world([ball("a", 0, 0, 0.1)], law)), {"one contact": (1, 1, 1, "Newton's method on its rows")})


def test_chain_of_joints():
    bodies, joints = chain(10, 1)
    same(plan(world(bodies, joints=joints)), {"joints": (1, 0, 0, "newton, dense")})
    bodies, joints = chain(36, 1)  # 105 rows
    same(plan(world(bodies, joints=joints)), {"many joints": (1, 0, 0, "proxnewton")})


def test_joints_with_contacts():
    bodies, joints = chain(10, 0.1)
    same(plan(world(bodies, joints=joints)), {"joints": (1, 10, 10, "newton, dense")})
    bodies, joints = chain(20, 0.1)  # 57 rows of joints and 60 of contacts
    same(plan(world(bodies, joints=joints)), {"many joints": (1, 20, 20, "proxnewton")})
    bodies, joints = chain(3, 0.1)
    same(plan(world(bodies + [ball("alone", 0, 5, 0.1)], joints=joints)),
         {"joints": (1, 3, 3, "newton, dense"), "small": (1, 1, 1, "newton")})


def test_moreau_has_no_islands():
    moreau = "moreau: {step: 1 ms, solver: ngs}"
    rules = plan(world(heap(2), stepper=moreau))
    same({name: (largest, solver) for name, (_, _, largest, solver) in rules.items()}, {"undivided": (heap_contacts(2), "newton")})


def test_profile_counts_every_step():
    told = good_json("run", world(cubes(4)), "--profile", "--out", "none")["plan"]
    same([(r["rule"], r["parts"], r["contacts"], r["fell_back"]) for r in told["rules"]], [("stack", 10, 160, 0)])
    same(told["chosen"], "ngs")
    same(told["steps"], 10)
    same({t["name"]: t["value"] for t in told["thresholds"]}["factor_cost_limit"], 100)
    assert "plan" not in good_json("run", "plan.yaml", "--out", "none")


def test_text():
    told = good("check", world(cubes(4))).split("\nplan of solvers: ")[1]
    same(told.splitlines(), [
        "chosen is ngs; first contacts or joints in the step to 0.001 s (run --profile shows a whole run)",
        "  rule   parts  contacts  largest  fell back  solved by",
        "  stack      1        16       16          0  proxnewton",
        "",
        "  stack  Bodies on faces whose factorisation costs at most factor_cost_limit sweeps.",
        "         fallback: sweeps; the better result stays",
        "         thresholds: factor_cost_limit = 100 sweeps, faces_per_pair = 2 contacts, ordered_contacts = 4096 contacts, "
        "rescue_sweeps = 1000 sweeps"])
    assert "\nplan of solvers: chosen is ngs; parts of the contact problems of all steps\n" in good(
        "run", "plan.yaml", "--profile", "--out", "none")


def test_check_of_many_bodies_runs_no_step():
    """Steps of a large scene take more time and memory than its check."""
    def lattice(count):
        text = ("trundle: 1\npairs: [{default: {coulomb: {slide: 0.5}}}]\nbodies: {ground: {kind: fixed, shape: plane}}\nfill:\n"
                "  ball:\n    body: {shape: {sphere: {radius: 0.1 m}}, mass: 1 kg}\n"
                f"    place: {{lattice: {{first: [0, 0, 0.1 m], spacing: [0.3 m, 0.3 m, 0.3 m], count: [{count}, 1, 1]}}}}\n"
                "steppers: {cone: {step: 1 ms}}\nrecord: {until: 10 ms}\n")
        return write("many.yaml", text)
    assert "not tried with 5001 bodies, only up to 5000 (run --profile" in good("check", lattice(5000))
    same(good_json("check", lattice(5000))["plan"]["steps"], 0)
    same(good_json("check", lattice(4999))["plan"]["steps"], 1)


def test_no_plan():
    text = good("check", world([ball("a", 0, 0, 0.1)], stepper="track: {step: 1 ms}"))
    assert text.endswith("\nplan of solvers: stepper track does not solve contact problems\n"), text
    same(good_json("check", "plan.yaml")["plan"], None)
    text = good("check", world([ball("a", 0, 0, 100)]))
    assert text.endswith("\nplan of solvers: chosen is ngs; no contact or joint needs one up to 0.01 s "
                         "(run --profile shows a whole run)\n"), text


if __name__ == "__main__":
    main(globals())
