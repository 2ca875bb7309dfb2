"""A scene that runs: with its emitters, outlets, stop conditions, events and probes."""
import numbers

from . import arrays, errors
from ._native import ffi, lib
from .handle import Handle
from .plugins import text_of
from .world import EventKind, World

_MOST_STEPS = 2**64 - 1


class Simulation:
    """A scene that runs. `world` has its bodies, contacts and joints; sim["ball.speed"] is the present value of a probe."""

    def __init__(self, scene, stepper=None, threads=1):
        if not isinstance(threads, numbers.Integral) or not 1 <= threads <= 1024:
            raise errors.CLASSES[lib.TRU_OUT_OF_RANGE](f"threads is {threads!r}, must be 1 to 1024")
        self.scene = scene.__copy__()
        self._handle = Handle(self.scene, stepper, threads)
        self._threads = threads
        self._probes = {}
        self.world = World(self._handle)

    # ---- running

    def _advance(self, size):
        h = self._handle
        return lib.tru_sim_run(h.sim, size, h.err)

    def _event_total(self):
        return sum(lib.tru_sim_event_count(self._handle.sim, kind) for kind in EventKind)

    def run(self, until=None, steps=None, to_event=False):
        """Runs to the end of the scene, or to another one [s], or takes at most `steps` steps, or stops at the next event.

        Stop conditions of the scene hold too. Returns the simulation. Ctrl-C ends the run between two steps.
        """
        with self._handle as h:
            if until is not None:
                h.check(lib.tru_sim_set_until(h.sim, until, h.err))
            elif lib.tru_steps_done(h.world) >= lib.tru_sim_last_step(h.sim) and not lib.tru_sim_done(h.sim):
                h.check(lib.tru_sim_set_until(h.sim, lib.tru_sim_until(h.sim), h.err))  # world.step() went beyond the end
            left = _MOST_STEPS if steps is None else steps
            if to_event:
                self._run_to_event(h, left)
            else:
                h.run(self._advance, left, lambda: lib.tru_sim_done(h.sim))
        return self

    def _run_to_event(self, h, steps):
        before = self._event_total()
        while steps > 0 and not lib.tru_sim_done(h.sim) and self._event_total() == before:
            h.check(self._advance(1), 4)
            steps -= 1

    def step(self, n=1):
        """Takes n steps with emitters, outlets, events and stop conditions; fewer if the end is reached."""
        with self._handle as h:
            h.run(self._advance, n, lambda: lib.tru_sim_done(h.sim))

    @property
    def done(self):
        """True if the end or a stop condition was reached."""
        return lib.tru_sim_done(self._handle.sim)

    @property
    def reason(self):
        """Why the run stopped: "reached 80 s", "rest", "flat"; "" while it runs."""
        return text_of(lib.tru_sim_reason(self._handle.sim))

    @property
    def until(self):
        """The end [s] of the run."""
        return lib.tru_sim_until(self._handle.sim)

    @property
    def stepper(self):
        """The name of the stepper block that runs."""
        return text_of(lib.tru_sim_stepper(self._handle.sim))

    @property
    def time(self):
        """Simulated time [s]."""
        return self.world.time

    # ---- reading

    def _probe(self, name):
        found = self._probes.get(name)
        if found is None:
            number, unit = ffi.new("size_t *"), ffi.new("tru_unit *")
            h = self._handle
            h.check(lib.tru_sim_probe(h.sim, name.encode(), number, unit, h.err), 4)
            found = self._probes[name] = number[0], text_of(lib.tru_unit_describe(unit[0]).symbol)
        return found

    def __getitem__(self, name):
        """Returns the present value of a probe in SI; nan without a value, as of a contact that is open."""
        with self._handle as h:
            return lib.tru_sim_value(h.sim, self._probe(name)[0])

    def unit(self, name):
        """Returns the symbol of the unit of a probe."""
        with self._handle:
            return self._probe(name)[1]

    @property
    def events(self):
        """Events since the start as a structured array: time, kind, row_kind, body_a, body_b, position, speed ..."""
        count = ffi.new("size_t *")
        with self._handle as h:
            pointer = lib.tru_sim_events(h.sim, count)
            return arrays.copy_of("tru_event", pointer, count[0])

    def body_name(self, id):
        """Returns the name of a body by its id, also of one that left; None for an id that never existed."""
        with self._handle as h:
            return text_of(lib.tru_sim_body_name(h.sim, id))

    @property
    def solver(self):
        """Reports of the solver since the start, as a record: steps, unconverged, iterations, worst_relative ..."""
        with self._handle as h:
            return arrays.record_of("tru_solver_summary", lib.tru_sim_solver(h.sim))

    @property
    def summary(self):
        """What happened, in words: the lines that `trundle run` prints, as pairs of label and text."""
        out = ffi.new("tru_story **")
        with self._handle as h:
            h.check(lib.tru_sim_story(h.sim, out, h.err))
            story, lines = ffi.gc(out[0], lib.tru_story_free), []
            while lib.tru_story_line(story, len(lines)):
                line = lib.tru_story_line(story, len(lines))
                lines.append((text_of(line.label), text_of(line.text)))
            return lines

    # ---- states

    def save(self):
        """Returns the whole state as bytes: bodies, contacts, emitters, outlets, stop conditions, events."""
        with self._handle as h:
            size = lib.tru_sim_save_size(h.sim)
            buffer = bytearray(size)
            h.check(lib.tru_sim_save(h.sim, ffi.from_buffer(buffer), size, h.err))
        return bytes(buffer)

    def load(self, state):
        """Returns to a state of save(), of this simulation or another one of the same scene and stepper."""
        with self._handle as h:
            self.world._forget()
            h.check(lib.tru_sim_load(h.sim, ffi.from_buffer(state), len(state), h.err))

    @classmethod
    def _restore(cls, scene, stepper, threads, until, state):
        sim = cls(scene, stepper, threads)
        with sim._handle as h:
            h.check(lib.tru_sim_set_until(h.sim, until, h.err))
        sim.load(state)
        return sim

    def __reduce__(self):
        return self._restore, (self.scene, self.stepper, self._threads, self.until, self.save())

    def __copy__(self):
        return self._restore(*self.__reduce__()[1])

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __repr__(self):
        return f"<trundle.Simulation {self.scene.title or self.scene.name!r}, {self.stepper} at {self.time:g} s>"
