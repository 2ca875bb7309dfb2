"""Scenes: from a file, a text or a dict; values by path; parameters as keywords."""
import math
import os
import threading

from . import errors, values
from ._native import ffi, lib
from .plugins import text_of


def _sets(changes):
    """Returns changes as an array of tru_set, and what keeps its texts alive."""
    array, kept = ffi.new("tru_set[]", len(changes)), []
    for one, (path, text) in zip(array, changes):
        kept += [ffi.new("char[]", path.encode()), ffi.new("char[]", text.encode())]
        one.path, one.value = kept[-2:]
    return array, kept


def _parse(source, name, changes):
    err, out = errors.new_error(), ffi.new("tru_scene **")
    sets, kept = _sets(changes)
    status = lib.tru_scene_parse(source, len(source), name.encode(), sets, len(changes), out, err)
    errors.check(status, err, 4)
    del kept
    return ffi.gc(out[0], lib.tru_scene_free)


def _as_changes(parameters):
    return [(f"parameters.{name}", values.as_text(value, f"parameters.{name}")) for name, value in parameters.items()]


class Parameter:
    """A parameter of a scene: a name for a number. Value and range are in SI; the range is infinite without one."""

    def __init__(self, entry):
        self.name, self.doc, self.unit = text_of(entry.name), text_of(entry.doc), text_of(entry.unit.symbol)
        self.value, self.lowest, self.highest = entry.value, entry.lowest, entry.highest

    def __repr__(self):
        ranged = "" if self.lowest == -math.inf and self.highest == math.inf else f", {self.lowest:g} to {self.highest:g}"
        return f"<trundle.Parameter {self.name}: {self.value:g}{'' if self.unit == '-' else ' ' + self.unit}{ranged}>"


class Scene:
    """What there is, what acts, and how to compute it.

    Scene(title=..., laws=..., pairs=..., bodies=..., steppers=..., record=...) takes the keys of a scene file, with dicts, lists,
    numbers in SI, texts with units, arrays and plug-ins as values. Scene(keys) takes the same keys as one dict.
    Scene.read(path) and Scene.parse(text) take what the program takes; further keywords are parameters of the scene.
    """

    def __init__(self, keys=None, **more):
        whole = {"trundle": 1, **(keys or {}), **more}
        self._begin(values.as_json(whole).encode(), "scene", [])

    def _begin(self, source, name, changes):
        self._source, self._name, self._changes = source, name, changes
        self._lock = threading.Lock()  # the library makes some texts at their first use
        self._scene = _parse(source, name, changes)

    @classmethod
    def _make(cls, source, name, changes):
        scene = cls.__new__(cls)
        scene._begin(source, name, changes)
        return scene

    @classmethod
    def read(cls, path, **parameters):
        """Returns the scene of a file; the keywords set its parameters."""
        path = os.fspath(path)
        try:
            with open(path, "rb") as file:
                source = file.read()
        except OSError as cause:
            raise errors.CLASSES[lib.TRU_FILE](f"{path}: cannot be read: {cause.strerror}") from cause
        return cls._make(source, path, _as_changes(parameters))

    @classmethod
    def parse(cls, text, name="scene", **parameters):
        """Returns the scene of a text; `name` stands for its file in sentences, the keywords set its parameters."""
        return cls._make(text.encode() if isinstance(text, str) else bytes(text), name, _as_changes(parameters))

    def __getitem__(self, path):
        """Returns the number at a path, in SI, expressions and defaults included."""
        err, value, unit = errors.new_error(), ffi.new("double *"), ffi.new("tru_unit_info *")
        with self._lock:
            errors.check(lib.tru_scene_number(self._scene, path.encode(), value, unit, err), err)
        return value[0]

    def unit(self, path):
        """Returns the symbol of the SI unit of the number at a path."""
        err, value, unit = errors.new_error(), ffi.new("double *"), ffi.new("tru_unit_info *")
        with self._lock:
            errors.check(lib.tru_scene_number(self._scene, path.encode(), value, unit, err), err)
        return text_of(unit.symbol)

    def __setitem__(self, path, value):
        """Changes one value, as `--set` does: a number in SI, a text with a unit, a list, a dict, a plug-in."""
        text, err = values.as_text(value, path), errors.new_error()
        with self._lock:
            errors.check(lib.tru_scene_change(self._scene, path.encode(), text.encode(), err), err)
            self._changes.append((path, text))

    @property
    def title(self):
        """The title, "" without one."""
        return text_of(lib.tru_scene_title(self._scene)) or ""

    @property
    def name(self):
        """The name of the file without folder and ending."""
        return text_of(lib.tru_scene_name(self._scene))

    @property
    def text(self):
        """The scene as YAML with expressions evaluated, SI units and defaults."""
        with self._lock:
            return text_of(lib.tru_scene_text(self._scene))

    @property
    def hash(self):
        """A hash of `text`: scenes that mean the same have the same."""
        with self._lock:
            return lib.tru_scene_hash(self._scene)

    @property
    def steppers(self):
        """The names of the stepper blocks in the order of the file."""
        names = []
        while lib.tru_scene_stepper(self._scene, len(names)):
            names.append(text_of(lib.tru_scene_stepper(self._scene, len(names))))
        return names

    @property
    def probes(self):
        """The names of the probes that a run records."""
        plan = lib.tru_scene_plan(self._scene)
        return [text_of(plan.probe_names[k]) for k in range(plan.probe_count)]

    @property
    def parameters(self):
        """The parameters by name, in the order of the file."""
        found, entry, k = {}, ffi.new("tru_parameter *"), 0
        with self._lock:
            while lib.tru_scene_parameter(self._scene, k, entry):
                found[text_of(entry.name)] = Parameter(entry)
                k += 1
        return found

    @property
    def until(self):
        """The end [s] of a run."""
        return lib.tru_scene_plan(self._scene).until

    def _changes_bodies(self):
        """Returns whether bodies may come or go during a run: the scene has an emitter or an outlet. A title that looks like one counts."""
        with self._lock:
            outline = text_of(lib.tru_scene_outline(self._scene))
        return "place: {emitter:" in outline or "\noutlets:" in outline

    def check(self, stepper=None):
        """Checks everything that can be refused before a run; raises what is wrong, warns of remarks."""
        self.simulate(stepper)

    def simulate(self, stepper=None, threads=1):
        """Returns a simulation at its start, with one of the scene's stepper blocks (the first by default)."""
        from .simulation import Simulation
        return Simulation(self, stepper, threads)

    def run(self, stepper=None, threads=1):
        """Runs the scene to its end and returns the simulation."""
        sim = self.simulate(stepper, threads)
        sim.run()
        return sim

    def __copy__(self):
        return self._make(self._source, self._name, list(self._changes))

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return self._make, (self._source, self._name, list(self._changes))

    def __repr__(self):
        return f"<trundle.Scene {self.title or self.name!r}, {', '.join(self.steppers)} until {self.until:g} s>"
