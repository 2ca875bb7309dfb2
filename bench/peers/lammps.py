"""Runs a state file with LAMMPS' granular package as a separate process: writes its input, reads what it says.

Coefficients: slide is the friction coefficient of linear_history; LAMMPS' rolling and twisting limits are pure numbers
times the effective radius, 1/(1/R1 + 1/R2) of two spheres and R on a wall, so mu_roll = roll / R_eff, given for each kind
of contact. Contacts are linear springs of the stiffness given; the step is a fiftieth of a binary collision. The normal
dashpot is half of critical damping of two equal spheres, so that contacts settle as the others' inelastic ones do.
"""
import math
import os
import re
import shutil
import subprocess

from state import read_state, write_state

STEPS_PER_CONTACT = 50


def available():
    return shutil.which("lmp") is not None


def version():
    text = subprocess.run(["lmp", "-h"], capture_output=True, text=True).stdout
    found = re.search(r"Simulator - (.*)", text)
    return found.group(1).strip() if found else "?"


def cannot(state):
    """Why it cannot express the state, or None."""
    if any(b["shape"] != "sphere" for b in state["bodies"]):
        return "granular pair styles know spheres only"
    return None


def own_step(mass, stiffness):
    """A fiftieth of the time two spheres of a mass [kg] touch in a collision [s]."""
    return math.pi * math.sqrt(0.5 * mass / stiffness) / STEPS_PER_CONTACT


def law_text(state, stiffness, mass, radius):
    """Arguments of `granular` for a contact of reduced mass [kg] and effective radius [m]."""
    damping = math.sqrt(stiffness * mass)
    words = f"hooke {stiffness!r} {damping!r} damping velocity tangential linear_history {stiffness!r} 1 {state['slide']!r}"
    # rolling: inertia of a rolling sphere is 2/5 of its mass
    if state["roll"] > 0:
        words += f" rolling sds {stiffness!r} {math.sqrt(0.4) * damping!r} {state['roll'] / radius!r}"
    if state["spin"] > 0:
        twist = stiffness * radius * radius
        words += f" twisting sds {twist!r} {math.sqrt(0.4) * damping * radius * radius!r} {state['spin']!r}"
    return words


def data_text(state, box):
    lines = ["spheres", "", f"{len(state['bodies'])} atoms", "1 atom types", ""]
    lines += [f"{box[k][0]!r} {box[k][1]!r} {c}lo {c}hi" for k, c in enumerate("xyz")]
    lines += ["", "Atoms # sphere", ""]
    for k, b in enumerate(state["bodies"], 1):
        density = b["mass"] / (4.0 / 3.0 * math.pi * b["size"][0] ** 3)
        lines.append(f"{k} 1 {2 * b['size'][0]!r} {density!r} " + " ".join(map(repr, b["position"])))
    lines += ["", "Velocities", ""]
    for k, b in enumerate(state["bodies"], 1):
        lines.append(f"{k} " + " ".join(map(repr, b["velocity"] + b["rate"])))
    return "\n".join(lines) + "\n"


def wall_text(state, stiffness):
    """One fix per plane; planes must be level with the axes."""
    b = state["bodies"][0]
    law = law_text(state, stiffness, b["mass"], b["size"][0])
    lines = []
    for k, (normal, offset) in enumerate(state["planes"]):
        axis = max(range(3), key=lambda i: abs(normal[i]))
        place = offset / normal[axis]
        ends = f"{place!r} NULL" if normal[axis] > 0 else f"NULL {place!r}"
        lines.append(f"fix wall{k} all wall/gran granular {law} {'xyz'[axis]}plane {ends}")
    return lines


def input_text(state, stiffness, step, warmup, steps, windows):
    b = state["bodies"][0]
    size = math.sqrt(sum(g * g for g in state["gravity"]))
    lines = ["units si", "atom_style sphere", "boundary f f f", "newton off", "comm_modify vel yes",
             "read_data data.txt", f"neighbor {0.1 * b['size'][0]!r} bin", "neigh_modify delay 0 every 1 check yes",
             "pair_style granular",
             "pair_coeff * * " + law_text(state, stiffness, 0.5 * b["mass"], 0.5 * b["size"][0]),
             *wall_text(state, stiffness), "fix move all nve/sphere",
             f"fix fall all gravity {size!r} vector " + " ".join(repr(g / size) for g in state["gravity"]),
             f"timestep {step!r}", "thermo 1000000000"]
    lines += [f"run {warmup}"] + [f"run {steps}"] * windows
    lines.append('write_dump all custom out.txt id x y z vx vy vz omegax omegay omegaz '
                 'modify sort id format float "%.17g"')
    return "\n".join(lines) + "\n"


def box_of(state):
    box = []
    for axis in range(3):
        places = [b["position"][axis] for b in state["bodies"]]
        margin = 20 * max(b["size"][0] for b in state["bodies"])
        box.append((min(places) - margin, max(places) + margin))
    return box


def read_back(path, state):
    lines = open(path).read().split("ITEM: ATOMS")[1].splitlines()[1:]
    for b, line in zip(state["bodies"], lines):
        numbers = list(map(float, line.split()))[1:]
        b["position"], b["velocity"], b["rate"] = numbers[0:3], numbers[3:6], numbers[6:9]


def run(folder, start, out, stiffness, step, warmup, steps, windows, pin):
    """The answer of a driver, as the drivers in C print theirs."""
    state = read_state(start)
    os.makedirs(folder, exist_ok=True)
    open(os.path.join(folder, "data.txt"), "w").write(data_text(state, box_of(state)))
    open(os.path.join(folder, "in.txt"), "w").write(input_text(state, stiffness, step, warmup, steps, windows))
    done = subprocess.run(["lmp", "-in", "in.txt", "-log", "none"], cwd=folder, capture_output=True, text=True,
                          preexec_fn=pin, env=dict(os.environ, OMP_NUM_THREADS="1"))
    if done.returncode:
        raise RuntimeError("lmp: " + (done.stdout + done.stderr)[-400:])
    loops = [float(x) for x in re.findall(r"Loop time of (\S+) on", done.stdout)]
    share = [float(x) / 100 for x in re.findall(r"(\S+)% CPU use", done.stdout)]
    read_back(os.path.join(folder, "out.txt"), state)
    write_state(out, state)
    return {"peer": "LAMMPS", "version": version(), "seconds": [t * c for t, c in zip(loops, share)][1:],
            "steps": warmup + windows * steps, "stopped": -1, "contacts": None}
