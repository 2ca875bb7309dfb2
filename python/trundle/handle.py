"""A simulation of C with its scene and its lock: what Simulation and World share, and what arrays keep alive."""
import threading
import time
import warnings

from . import errors
from ._native import ffi, lib

SLICE = 0.05  # [s] of wall time that one call of C may take, so that Ctrl-C stops a long run soon


class Handle:
    """`with handle:` gives the calling thread the simulation; another thread that wants it meanwhile gets Busy."""

    def __init__(self, scene, stepper, threads):
        self.err = errors.new_error()
        lock = threading.Lock()
        self.acquire, self.release, self.locked = lock.acquire, lock.release, lock.locked
        copied, made = ffi.new("tru_scene **"), ffi.new("tru_sim **")
        with scene._lock:
            errors.check(lib.tru_scene_copy(scene._scene, copied, self.err), self.err, 4)
        own_scene = ffi.gc(copied[0], lib.tru_scene_free)
        name = ffi.NULL if stepper is None else stepper.encode()
        status = lib.tru_sim_create(own_scene, name, threads, made, self.err)
        if status >= 0:  # the destructor holds the scene, which must outlive the simulation
            self.sim = ffi.gc(made[0], lambda sim, scene=own_scene: lib.tru_sim_free(sim))
        errors.check(status, self.err, 4)
        self.world = lib.tru_sim_world(self.sim)
        self.changes_bodies = scene._changes_bodies()

    def __enter__(self):
        if not self.acquire(False):
            raise busy()
        return self

    def __exit__(self, *_):
        self.release()

    def check(self, status, depth=3):
        """Raises or warns what the last call said."""
        if status:
            errors.check(status, self.err, depth)

    def run(self, call, steps, finished, depth=3):
        """Calls `call(n)` until `steps` steps are done or finished(); warns once, of the most serious remark."""
        worst, said, size = 0, "", 16
        try:
            while steps > 0 and not finished():
                size = min(size, steps)
                began = time.perf_counter()
                status = call(size)
                took = time.perf_counter() - began
                if status < 0:
                    errors.check(status, self.err)
                if status and status >= worst:
                    worst, said = status, errors.sentence(self.err)
                steps -= size
                size = max(1, int(size * min(8.0, SLICE / max(took, 1e-9))))
        finally:
            if worst:
                warnings.warn(errors.CLASSES[worst](said), stacklevel=depth)


def busy():
    """Returns the error of a thread that wants a world which another one uses."""
    return errors.Busy("another thread uses this world now, must be one thread at a time")
