"""The works of `make bench-peers`: what each program is given, with which settings, and how its answer is measured.

A case is one piece of work; its entries are the ways to do it. An entry's `run` returns the answer of a driver (state.h)
and leaves the final state in `out`. The first entry of a case is what the others are compared with.
"""
import json
import math
import os
import shutil
import subprocess

import accuracy
import frozen
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
    """One way to do a case: `words` are options of the driver, `settings` what a reader should know.

    `longer`: measure also what changes from the end of the work to this multiple of its steps."""

    def __init__(self, peer, settings, words=(), stepper=None, stiffness=None, step=None, cannot=None,
                 longer=None):
        self.peer, self.settings, self.words, self.stepper = peer, settings, list(words), stepper
        self.stiffness, self.step, self.cannot, self.longer = stiffness, step, cannot, longer

    def steps_of(self, case, steps):
        """A case's number of steps in steps of our own."""
        return round(steps * case.step / self.step) if self.step else steps

    def run(self, bench, case, steps, windows, warmup):
        """Answer and final state; `steps` and `warmup` count steps of the case."""
        if self.cannot:
            raise Missing(self.cannot)
        out = bench.path("out.state")
        step = self.step or case.step
        steps, warmup = self.steps_of(case, steps), self.steps_of(case, warmup)
        if self.peer == LAMMPS:
            answer = self.run_lammps(bench, case, out, step, steps, windows, warmup)
        else:
            words = ["--out", out, "--steps", steps, "--windows", windows, "--warmup", warmup, *case.words,
                     *self.words]
            if self.peer == TRUNDLE:
                words += ["--scene", case.scene_path(bench), "--stepper", self.stepper, *case.sets()]
                words += ["--set", f"steppers.{self.stepper}.step={step!r}", *case.load]
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


class SweepEntry(Entry):
    """`trundle sweep` over the start speed in one process; the first cell is the case. Time: all that the process takes."""

    def run(self, bench, case, steps, windows, warmup):
        cells, out = (512 if steps > 1000 else 16), bench.path("sweep")
        shutil.rmtree(out, ignore_errors=True)
        words = [os.path.join(bench.programs, "trundle"), "sweep", case.scene_path(bench), "--stepper", self.stepper,
                 *self.words, "--vary", f"parameters.v0=0.5:0.6 m/s:{cells}", "--probe", "ball.velocity.x", "--until",
                 repr(steps * case.step), "--jobs", "1", "--out", out]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=bench.pin)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError("trundle sweep failed")
        state = read_state(case.start)
        first = open(os.path.join(out, "sweep.csv")).read().splitlines()[1].split(",")
        state["bodies"][0]["velocity"][0] = float(first[-1])
        version = subprocess.run([words[0], "version"], capture_output=True, text=True).stdout.split()[-1]
        return {"peer": TRUNDLE, "version": version, "seconds": [(usage.ru_utime + usage.ru_stime) / cells],
                "steps": steps, "stopped": -1}, state


class Case:
    """`measure(start, end, answer)` gives the accuracy as a map from names with units to numbers.

    Units: ns/step, us/step, or ms for the whole; `words` go to every driver."""

    def __init__(self, work, what, scene, step, steps, entries, measure, unit="ns/step", rounds=5, windows=1, warmup=0,
                 changes=(), words=()):
        self.work, self.what, self.scene, self.step, self.steps = work, what, scene, step, steps
        self.entries, self.measure, self.unit, self.rounds = entries, measure, unit, rounds
        self.windows, self.warmup, self.changes, self.start = windows, warmup, list(changes), None
        self.words, self.load = list(words), []

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
        SweepEntry(TRUNDLE, "track, a cell of a sweep of 512, all included", stepper="track",
                   words=["--set", "laws.slope={track: {slide: slide, roll: roll}}"]),
        Entry(ODE, "dWorldStep", ["--solver", "step"]),
        Entry(ODE, "dWorldQuickStep, 20 sweeps", ["--solver", "quick"]),
        Entry(BULLET, "sequential impulses, 10 sweeps"),
        Entry(LAMMPS, f"hooke, linear_history, rolling sds, k = {SLOPE_STIFFNESS:g} N/m", stiffness=SLOPE_STIFFNESS),
    ]
    return Case("W3", "one ball on a slope, slide 0.25, roll 10 mm, %d steps of 0.1 ms" % steps, "bench/incline-ball", step,
                steps, entries, lambda start, end, answer: accuracy.slope(start, end, steps * step))


# ---- W1: a settled pile

class PileCase(Case):
    """Starts from rest as Trundle has found it; Trundle continues from its snapshot."""
    settling = 100

    def prepare(self, bench):
        self.start, snapshot = bench.path("start.state"), bench.path("snapshot")
        bench.drive(TRUNDLE, "--scene", self.scene_path(bench), *self.sets(), "--warmup", self.settling, "--steps", 0,
                    "--start", self.start, "--save", snapshot)
        self.load = ["--load", snapshot]


def dem_entry(stiffness):
    """LAMMPS at a whole number of steps per 5 ms, none longer than its own rule allows."""
    mass = 2028.0 * math.pi / 6.0 * 0.045 ** 3
    steps = math.ceil(5e-3 / lammps.own_step(mass, stiffness))
    return Entry(LAMMPS, f"granular hooke, k = {stiffness:g} N/m, {steps} steps", stiffness=stiffness, step=5e-3 / steps)


def pile_case(roll):
    entries = [Entry(TRUNDLE, "cone", stepper="cone"),
               dem_entry(1e5), dem_entry(1e6),
               Entry(ODE, "dWorldQuickStep, 50 sweeps", ["--solver", "quick", "--iterations", 50]),
               Entry(BULLET, "sequential impulses, 50 sweeps", ["--iterations", 50])]
    if roll:
        entries += [Entry(ODE, "dWorldQuickStep, 20 sweeps", ["--solver", "quick"]),
                    Entry(BULLET, "sequential impulses, 10 sweeps")]
    return PileCase("W1", "10 000 settled balls, slide 0.6, roll = spin = %d mm, per 5 ms" % roll, "bench/pile", 5e-3, 1,
                    entries, lambda start, end, answer: accuracy.pile(end, answer), unit="ms", rounds=2, windows=2, warmup=10,
                    changes=["parameters.roll=%d mm" % roll, "parameters.spin=%d mm" % roll])


# ---- W2: a disk in steady spinning

DISK = "bench/steady-disk"
NO_DISK = "no disk: granular pair styles know spheres only"


def disk_peers():
    return [Entry(ODE, "dWorldStep", ["--solver", "step"]),
            Entry(ODE, "dWorldQuickStep, 20 sweeps", ["--solver", "quick"]),
            Entry(BULLET, "sequential impulses, 10 sweeps"),
            Entry(LAMMPS, "", cannot=NO_DISK)]


def disk_case(step):
    entries = [Entry(TRUNDLE, "moreau", stepper="moreau"),
               Entry(TRUNDLE, "variational", stepper="variational", longer=10 if step > 5e-4 else None),
               Entry(TRUNDLE, "event, records every 5 ms", stepper="event", step=5e-3)] + disk_peers()
    return Case("W2", "a disk in steady spinning, Coulomb only, 10 s in steps of %g ms" % (1e3 * step), DISK, step,
                round(10.0 / step), entries, lambda start, end, answer: accuracy.energy_kept(start, end), unit="ms", rounds=3,
                changes=["laws.rim={coulomb: {slide: slide}}"])


def disk_roll_case(step=1e-4, last=1e-3):
    entries = [Entry(TRUNDLE, "moreau", stepper="moreau"),
               Entry(TRUNDLE, "event", cannot="refused: sliding friction only")] + disk_peers()
    return Case("W2", "the same with roll 0.3 mm until the tilt is below 1e-3 rad, steps of %g ms" % (1e3 * step), DISK, step,
                round(10.0 / step), entries, lambda start, end, answer: accuracy.spun_down(start, answer, last),
                rounds=3, changes=["parameters.roll=0.3 mm"], words=["--tilt", last])


# ---- W5: stacks

def stack_case(boxes):
    entries = [Entry(TRUNDLE, "cone", stepper="cone"), Entry(TRUNDLE, "moreau", stepper="moreau"),
               Entry(ODE, "dWorldStep", ["--solver", "step"]),
               Entry(ODE, "dWorldQuickStep, 20 sweeps", ["--solver", "quick"]),
               Entry(ODE, "dWorldQuickStep, 100 sweeps", ["--solver", "quick", "--iterations", 100]),
               Entry(BULLET, "sequential impulses, 10 sweeps"),
               Entry(BULLET, "sequential impulses, 100 sweeps", ["--iterations", 100]),
               Entry(LAMMPS, "", cannot="no boxes: granular pair styles know spheres only")]
    return Case("W5", "a stack of %d slightly misaligned boxes, 2 s in steps of 5 ms" % boxes, "bench/stack-%d" % boxes, 5e-3,
                400, entries, lambda start, end, answer: accuracy.stack(start, end), unit="us/step", rounds=3)


def all_cases():
    return [pile_case(10), pile_case(0), disk_case(1e-3), disk_case(1e-4), disk_roll_case(), slope_case(),
            *frozen.cases(), stack_case(10), stack_case(20)]
