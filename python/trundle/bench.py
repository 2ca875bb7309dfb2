"""Prints what the package costs: python -m trundle.bench. Best of several runs; the machine should do nothing else."""
import functools
import os
import pathlib
import resource
import subprocess
import sys
import time
import timeit

import trundle as tr
from trundle._native import lib


def ball():
    """Returns the simulation of one ball that rolls on a plane."""
    return tr.Scene(laws={"felt": tr.Coulomb(slide=0.3)}, pairs=[{"default": "felt"}],
                    bodies={"table": {"kind": "fixed", "shape": tr.Plane()},
                            "ball": {"shape": tr.Sphere(radius=0.1), "mass": 1, "position": [0, 0, 0.1], "velocity": [1, 0, 0]}},
                    steppers=tr.Moreau(step=1e-3), record={"until": 1}).simulate()


def grid(side):
    """Returns the simulation of side^2 balls that do not touch."""
    balls = {f"ball-{i}-{k}": {"shape": tr.Sphere(radius=0.1), "mass": 1, "position": [i, k, 1]} for i in range(side) for k in range(side)}
    return tr.Scene(pairs=[{"default": "none"}], bodies=balls, steppers=tr.Moreau(step=1e-3), record={"until": 1}).simulate()


def nanoseconds(call, number=100000):
    """Returns the CPU time of one call [ns]."""
    return min(timeit.repeat(call, timer=time.process_time, number=number, repeat=7)) / number * 1e9


def import_seconds(module):
    """Returns the CPU time that importing a module takes beyond that of NumPy [s]."""
    def once(line):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", line], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(once(f"import numpy, {module}") for _ in range(9)) - min(once("import numpy") for _ in range(9))


def rows():
    """Yields what is measured, and its number in words."""
    sim = ball()
    w, world, err = sim.world, sim.world._world, sim.world._err
    w.step(1000)
    call = nanoseconds(functools.partial(lib.tru_steps_done, world))
    run = nanoseconds(functools.partial(lib.tru_run, world, 1, err))
    step = nanoseconds(w.step)
    inside = nanoseconds(lambda: w.step(1000), 100) / 1000
    yield "tru_run(w, 1) by cffi", f"{run:.0f} ns"
    yield "an empty call by cffi", f"{call:.0f} ns"
    yield "world.step()", f"{step:.0f} ns, {step - run + call:.0f} ns over C (what tru_run takes by cffi less an empty call)"
    yield "world.step(1000)", f"{inside:.0f} ns per step"
    for side in (1, 30):
        big = grid(side).world
        kept = big.position
        yield f"world.position, {len(big)} bodies", f"{nanoseconds(lambda: big.position):.0f} ns"
        yield f"a first view, {len(big)} bodies", f"{nanoseconds(lambda: first_view(big), 1000):.0f} ns"
        del kept
    yield "import trundle over import numpy", f"{import_seconds('trundle') * 1e3:.0f} ms"
    extension = next(pathlib.Path(tr.__file__).parent.glob("_native*"))
    yield "the extension with its libraries", f"{os.path.getsize(extension) / 1e6:.2f} MB"


def first_view(world):
    """Makes the views of a world again."""
    world._arrays = None
    return world.position


if __name__ == "__main__":
    for what, number in rows():
        print(f"  {what:34} {number}")
