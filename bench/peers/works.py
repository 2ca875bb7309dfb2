"""The works of `make bench-peers`: what each program is given, with which settings, and how its answer is measured.

A case is one piece of work; its entries are the ways to do it. An entry's `run` returns the answer of a driver (state.h)
and leaves the final state in `out`. The first entry of a case is what the others are compared with.
"""
import json
import os
import subprocess

import accuracy
import lammps
from state import read_state

TRUNDLE, ODE, BULLET, LAMMPS = "Trundle", "ODE", "Bullet", "LAMMPS"
DRIVERS = {TRUNDLE: "peer_trundle", ODE: "peer_ode", BULLET: "peer_bullet"}


class Missing(Exception):
    """A program that is not there, or cannot express the work: the sentence that says so."""


class Bench:
    """Where things are, and how a driver is started: pinned to one core, one thread."""

    def __init__(self, programs, source, scratch, cpu):
        self.programs, self.source, self.scratch, self.cpu = programs, source, scratch, cpu

    def pin(self):
        os.sched_setaffinity(0, {self.cpu})

    def path(self, name):
        return os.path.join(self.scratch, name)

    def has(self, peer):
        if peer == LAMMPS:
            return lammps.available()
        return os.access(os.path.join(self.programs, DRIVERS[peer]), os.X_OK)

    def drive(self, peer, *words):
        if not self.has(peer):
            raise Missing("not installed")
        words = [os.path.join(self.programs, DRIVERS[peer]), *map(str, words)]
        environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        done = subprocess.run(words, capture_output=True, text=True, preexec_fn=self.pin, env=environment)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}\n{done.stderr}")
        return json.loads(done.stdout)


class Entry:
    """One way to do a case: `words` are options of the driver, `settings` what a reader should know."""

    def __init__(self, peer, settings, words=(), stepper=None, stiffness=None, step=None):
        self.peer, self.settings, self.words, self.stepper = peer, settings, list(words), stepper
        self.stiffness, self.step = stiffness, step

    def run(self, bench, case, steps, windows, warmup):
        out = bench.path("out.state")
        step = self.step or case.step
        if self.peer == LAMMPS:
            answer = self.run_lammps(bench, case, out, step, steps, windows, warmup)
        else:
            words = ["--out", out, "--steps", steps, "--windows", windows, "--warmup", warmup, *self.words]
            if self.peer == TRUNDLE:
                words += ["--scene", case.scene_path(bench), "--stepper", self.stepper, *case.sets()]
            else:
                words += ["--in", case.start, "--step", step]
            answer = bench.drive(self.peer, *words)
        return answer, read_state(out)

    def run_lammps(self, bench, case, out, step, steps, windows, warmup):
        if not lammps.available():
            raise Missing("not installed")
        why = lammps.cannot(read_state(case.start))
        if why:
            raise Missing(why)
        return lammps.run(bench.path("lammps"), case.start, out, self.stiffness, step, warmup, steps, windows, bench.pin)


class Case:
    """`measure(start, end, answer)` gives the accuracy as a map from names with units to numbers."""

    def __init__(self, work, what, scene, step, steps, entries, measure, unit="ns/step", rounds=5, windows=1, warmup=0,
                 changes=()):
        self.work, self.what, self.scene, self.step, self.steps = work, what, scene, step, steps
        self.entries, self.measure, self.unit, self.rounds = entries, measure, unit, rounds
        self.windows, self.warmup, self.changes, self.start = windows, warmup, list(changes), None

    def scene_path(self, bench):
        return os.path.join(bench.source, "scenes", self.scene + ".yaml")

    def sets(self):
        return [word for change in self.changes for word in ("--set", change)]

    def prepare(self, bench):
        """The state in which all programs start, as Trundle reads it from the scene."""
        self.start = bench.path("start.state")
        bench.drive(TRUNDLE, "--scene", self.scene_path(bench), *self.sets(), "--start", self.start, "--steps", 0)


# ---- W3: one ball on a slope

SLOPE_STIFFNESS = 2e6  # [N/m] what a step of 0.1 ms follows with 50 steps per contact


def slope_case(steps=10000):
    step = 1e-4
    entries = [
        Entry(TRUNDLE, "moreau", stepper="moreau"),
        Entry(TRUNDLE, "cone", stepper="cone"),
        Entry(TRUNDLE, "track", stepper="track"),
        Entry(ODE, "dWorldStep", ["--solver", "step"]),
        Entry(ODE, "dWorldQuickStep, 20 sweeps", ["--solver", "quick"]),
        Entry(BULLET, "sequential impulses, 10 sweeps"),
        Entry(LAMMPS, f"hooke, linear_history, rolling sds, k = {SLOPE_STIFFNESS:g} N/m", stiffness=SLOPE_STIFFNESS),
    ]
    return Case("W3", "one ball on a slope, slide 0.25, roll 10 mm, %d steps of 0.1 ms" % steps, "bench/incline-ball", step,
                steps, entries, lambda start, end, answer: accuracy.slope(start, end, steps * step))


def all_cases():
    return [slope_case()]
