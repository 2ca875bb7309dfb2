"""The world of a simulation: bodies, contacts and joints now; loads, motors and driven bodies for control."""
import enum
import sys

import numpy as np

from . import arrays, errors
from ._native import ffi, lib
from .handle import busy
from .plugins import text_of, unknown_word

_NOTHING = -sys.float_info.max  # TRU_DERIVED


def _words(ctype, prefix, last):
    found = ffi.typeof(ctype).elements.items()
    return {name[len(prefix):]: number for number, name in sorted(found) if name != last}


EventKind = enum.IntEnum("EventKind", _words("tru_event_kind", "TRU_EVENT_", "TRU_EVENT_KINDS"), module="trundle")
EventKind.__doc__ = "Kinds of events, the numbers in the column `kind` of events."
RowKind = enum.IntEnum("RowKind", _words("tru_kind", "TRU_KIND_", "TRU_KINDS"), module="trundle")
RowKind.__doc__ = "Kinds of rows of a contact: the column `row_kind` of events, the bits of `stuck` of contacts."


def _put(vector, value, what):
    """Writes three numbers into a tru_vec3."""
    try:
        vector.x, vector.y, vector.z = value
    except (TypeError, ValueError):
        raise errors.CLASSES[lib.TRU_BAD_ARGUMENT](f"{what}: the value is {value!r}, must be three numbers") from None


class _Of:
    """Something of a world, found by its id."""

    def __init__(self, world, id, name):
        self._world, self._handle, self.id, self.name = world, world._handle, id, name

    def __repr__(self):
        return f"<trundle.{type(self).__name__} {self.name!r}>"


class Body(_Of):
    """A body of a world. After the body left, every use of it raises StaleId."""

    def _state(self):
        state = ffi.new("tru_body_state *")
        with self._handle as h:
            h.check(lib.tru_body_get(h.world, self.id, state, h.err))
        return state

    def _get(self, member):
        return arrays.record_of("tru_body_state", self._state()[0])[member]

    def _set(self, member, value):
        state = self._state()
        size = {"orientation": 4}.get(member, 3)
        row = arrays.rows(value, (size,), f"body '{self.name}': {member}")
        ffi.memmove(ffi.addressof(state[0], member), ffi.from_buffer(row), 8 * size)
        with self._handle as h:
            h.check(lib.tru_body_set(h.world, self.id, state, h.err))

    def _describe(self):
        info = ffi.new("tru_body_info *")
        with self._handle as h:
            h.check(lib.tru_body_describe(h.world, self.id, info, h.err))
        return info

    position = property(lambda self: self._get("position"), lambda self, v: self._set("position", v),
                        doc="Centre of mass [m], a copy; setting it moves the body.")
    orientation = property(lambda self: self._get("orientation"), lambda self, v: self._set("orientation", v),
                           doc="Quaternion w, x, y, z from body to world axes, a copy; setting it turns the body.")
    velocity = property(lambda self: self._get("velocity"), lambda self, v: self._set("velocity", v),
                        doc="Velocity of the centre of mass [m/s], a copy; may be set.")
    angular_velocity = property(lambda self: self._get("angular_velocity"), lambda self, v: self._set("angular_velocity", v),
                                doc="Angular velocity [rad/s] in world axes, a copy; may be set.")
    mass = property(lambda self: self._describe().mass, doc="Mass [kg].")
    kind = property(lambda self: ("free", "fixed", "driven")[self._describe().kind], doc="'free', 'fixed' or 'driven'.")

    def drive(self, velocity=(0, 0, 0), angular_velocity=(0, 0, 0), belt=False):
        """Moves a driven body with a velocity [m/s] and an angular velocity [rad/s] from now on; belt: its surface only."""
        motion = ffi.new("tru_motion_def *", lib.tru_default_motion_def())
        motion.body, motion.belt = self.id, belt
        _put(motion.velocity, velocity, f"body '{self.name}': velocity")
        _put(motion.angular_velocity, angular_velocity, f"body '{self.name}': angular_velocity")
        with self._handle as h:
            h.check(lib.tru_motion_set(h.world, motion, h.err))


class Load(_Of):
    """A force and a torque on a body, which later steps take as they are set."""

    def __init__(self, world, id, name, force, torque):
        super().__init__(world, id, name)
        self._force, self._torque = ffi.new("tru_vec3 *"), ffi.new("tru_vec3 *")
        _put(self._force, force, self._what("force"))
        _put(self._torque, torque, self._what("torque"))

    def _what(self, member):
        return f"load on '{self.name}': {member}"

    def _send(self, vector, value, member):
        kept = vector.x, vector.y, vector.z
        try:
            _put(vector, value, self._what(member))
            with self._handle as h:
                h.check(lib.tru_load_set(h.world, self.id, self._force[0], self._torque[0], h.err))
        except Exception:
            vector.x, vector.y, vector.z = kept
            raise

    @property
    def force(self):
        """Force [N] at the centre of mass; may be set."""
        return np.array((self._force.x, self._force.y, self._force.z))

    @force.setter
    def force(self, value):
        self._send(self._force, value, "force")

    @property
    def torque(self):
        """Torque [N m]; may be set."""
        return np.array((self._torque.x, self._torque.y, self._torque.z))

    @torque.setter
    def torque(self, value):
        self._send(self._torque, value, "torque")

    def remove(self):
        """Removes the load."""
        with self._handle as h:
            h.check(lib.tru_load_remove(h.world, self.id, h.err))


def _motor_property(member, doc):
    def get(self):
        motor = ffi.new("tru_motor *")
        with self._handle as h:
            h.check(lib.tru_motor_get(h.world, self.id, motor, h.err))
        value = getattr(motor, member)
        return None if abs(value) == sys.float_info.max else value

    def set(self, value):
        motor = ffi.new("tru_motor *")
        with self._handle as h:
            h.check(lib.tru_motor_get(h.world, self.id, motor, h.err))
            setattr(motor, member, _NOTHING if value is None else value)
            h.check(lib.tru_motor_set(h.world, self.id, motor, h.err))

    return property(get, set, doc=doc)


class Joint(_Of):
    """A joint of a world; that of a motor can be set."""

    speed = _motor_property("speed", "Wanted rate [rad/s] of a motor that turns; may be set.")
    velocity = _motor_property("velocity", "Wanted velocity [m/s] of a motor that slides; may be set.")
    torque = _motor_property("torque", "Largest torque [N m] of a motor that turns, None without a limit; may be set.")
    force = _motor_property("force", "Largest force [N] of a motor that slides, None without a limit; may be set.")

    @property
    def state(self):
        """What the joint does now, as a record: point_a, axis, force, torque, angle, rate, travel, slips ..."""
        info = ffi.new("tru_joint_info *")
        with self._handle as h:
            h.check(lib.tru_joint_get(h.world, self.id, info, h.err))
        return arrays.record_of("tru_joint_info", info[0])


def _reference_counts(found):
    return [sys.getrefcount(array) for array in found]


def _state_property(k, doc):
    def get(self):
        if self._locked():
            raise busy()
        found = self._arrays
        return (self._look() if found is None else found)[k]

    return property(get, doc=doc)


class World:
    """Bodies, contacts and joints of a simulation as they are now.

    `position`, `orientation`, `velocity` and `angular_velocity` have one row for each body, in the order of `names`. They are
    read only and show the state of the moment: steps change them in place. While one of them or a part of it is kept, bodies cannot
    be removed and no saved state can be loaded (BufferError). If the scene has emitters or outlets, they are copies.
    """

    __slots__ = ("_handle", "_acquire", "_release", "_locked", "_world", "_err", "_arrays", "_alone", "_most", "__weakref__")

    def __init__(self, handle):
        self._handle = handle
        self._acquire, self._release, self._locked = handle.acquire, handle.release, handle.locked
        self._world, self._err = handle.world, handle.err
        self._arrays = self._alone = None
        self._most = 0 if handle.changes_bodies else 64  # steps of one call of C, which Ctrl-C does not interrupt

    # ---- steps

    def step(self, n=1, _run=lib.tru_run):
        """Takes n steps, beyond the end and the stop conditions of the scene too. A scene with emitters or outlets is stepped by its simulation."""
        if not self._acquire(False):
            raise busy()
        try:
            if n > self._most:
                self._step_many(n)
                return
            status = _run(self._world, n, self._err)
            if status:
                errors.check(status, self._err)
        finally:
            self._release()

    def _step_many(self, n):
        h = self._handle
        if h.changes_bodies:
            raise errors.CLASSES[lib.TRU_REFUSED]("the scene has emitters or outlets, must be stepped by its simulation")
        h.run(lambda size: lib.tru_run(h.world, size, h.err), n, lambda: False, 4)

    time = property(lambda self: lib.tru_time(self._world), doc="Simulated time [s].")
    steps = property(lambda self: lib.tru_steps_done(self._world), doc="Number of steps since the start.")
    step_size = property(lambda self: lib.tru_step_size(self._world), doc="Time step [s].")

    @property
    def hash(self):
        """A 64-bit hash of everything that influences a later bit, as `trundle run` prints it."""
        with self._handle as h:
            return lib.tru_state_hash(h.world)

    # ---- states of all bodies

    position = _state_property(0, "Centres of mass [m], (N, 3).")
    orientation = _state_property(1, "Quaternions w, x, y, z from body to world axes, (N, 4).")
    velocity = _state_property(2, "Velocities of the centres of mass [m/s], (N, 3).")
    angular_velocity = _state_property(3, "Angular velocities [rad/s] in world axes, (N, 3).")

    def _look(self):
        with self._handle as h:
            if h.changes_bodies:
                copies = self._copies(h)
                return [copies[name] for name in arrays.STATE]
            self._arrays = arrays.views_of(h, lib.tru_bodies_view(h.world))
        self._alone = _reference_counts(self._arrays)
        return self._arrays

    def _copies(self, h):
        states = np.empty(lib.tru_body_count(h.world), arrays.dtype_of("tru_body_state"))
        if len(states):
            out = ffi.from_buffer("tru_body_state[]", states)
            h.check(lib.tru_bodies_get(h.world, ffi.NULL, out, len(states), h.err), 4)
        return states

    def states(self):
        """Returns copies of all states as one structured array, without gaps between bodies."""
        with self._handle as h:
            return self._copies(h)

    def set_states(self, position=None, orientation=None, velocity=None, angular_velocity=None):
        """Sets rows of all bodies, all of them or none; what is None stays."""
        given = dict(zip(arrays.STATE, (position, orientation, velocity, angular_velocity)))
        with self._handle as h:
            states = self._copies(h)
            for name, value in given.items():
                if value is not None:
                    states[name] = arrays.rows(value, states[name].shape, name)
            if len(states):
                h.check(lib.tru_bodies_set(h.world, ffi.NULL, ffi.from_buffer("tru_body_state[]", states), len(states), h.err))

    def _forget(self):
        """Lets go of the views before bodies move in memory; refuses while an array of the caller uses one."""
        if self._arrays is None:
            return
        kept = sum(now > alone for now, alone in zip(_reference_counts(self._arrays), self._alone))
        if kept:
            raise BufferError(f"{kept} array{'s' if kept > 1 else ''} of this world {'are' if kept > 1 else 'is'} in use; "
                              f"del {'them' if kept > 1 else 'it'} or take copies")
        self._arrays = self._alone = None

    # ---- bodies

    def __len__(self):
        return lib.tru_body_count(self._world)

    @property
    def ids(self):
        """Ids of all bodies."""
        with self._handle as h:
            found = np.empty(lib.tru_body_count(h.world), "<u8")
            if len(found):
                h.check(lib.tru_bodies_get(h.world, ffi.from_buffer("tru_id[]", found), ffi.NULL, len(found), h.err))
            return found

    def _names(self, h):
        info, names = ffi.new("tru_body_info *"), []
        for k in range(lib.tru_body_count(h.world)):
            h.check(lib.tru_body_describe(h.world, lib.tru_body_at(h.world, k), info, h.err))
            names.append(text_of(info.name))
        return names

    @property
    def names(self):
        """Names of all bodies."""
        with self._handle as h:
            return self._names(h)

    def _find(self, name):
        with self._handle as h:
            id = lib.tru_body_find(h.world, name.encode())
            if id == 0:
                raise unknown_word("world: bodies", name, self._names(h))
            return id

    def __getitem__(self, name):
        """Returns the body with this name."""
        return Body(self, self._find(name), name)

    def remove(self, name):
        """Removes a body with its loads, motion, joints and contacts."""
        id = self._find(name)
        with self._handle as h:
            self._forget()
            h.check(lib.tru_body_remove(h.world, id, h.err))

    # ---- control

    def add_load(self, name, force=(0, 0, 0), torque=(0, 0, 0), body_axes=False):
        """Adds a force [N] and a torque [N m] on a body, in world axes or in its own, and returns the load."""
        load = Load(self, 0, name, force, torque)
        define = ffi.new("tru_load_def *", lib.tru_default_load_def())
        define.body, define.body_axes, define.force, define.torque = self._find(name), body_axes, load._force[0], load._torque[0]
        out = ffi.new("tru_id *")
        with self._handle as h:
            h.check(lib.tru_load_add(h.world, define, out, h.err))
        load.id = out[0]
        return load

    @property
    def joint_names(self):
        """Names of all joints, in the order of `joints`."""
        with self._handle as h:
            return [text_of(info.name) for info in self._joint_infos(h)]

    def joint(self, name):
        """Returns the joint with this name."""
        with self._handle as h:
            id = lib.tru_joint_find(h.world, name.encode())
        if id == 0:
            raise unknown_word("world: joints", name, self.joint_names)
        return Joint(self, id, name)

    # ---- what happens

    def _joint_infos(self, h):
        infos = ffi.new("tru_joint_info[]", lib.tru_joint_count(h.world))
        h.check(lib.tru_joints_get(h.world, infos, len(infos), h.err) if len(infos) else 0, 4)
        return infos

    @property
    def joints(self):
        """States of all joints as a structured array: point_a, axis, force, torque, angle, rate, travel, slips ..."""
        with self._handle as h:
            infos = self._joint_infos(h)
            return arrays.copy_of("tru_joint_info", infos, len(infos))

    @property
    def contacts(self):
        """Contacts of the last step as a structured array: body_a, body_b, normal, t1, t2, impulse, point, gap, velocity, stuck ..."""
        with self._handle as h:
            found = np.empty(lib.tru_contact_count(h.world), arrays.dtype_of("tru_contact_info"))
            if len(found):
                h.check(lib.tru_contacts_get(h.world, ffi.from_buffer("tru_contact_info[]", found), len(found), h.err))
            return found

    @property
    def ledger(self):
        """Energies and their causes [J] as a record: kinetic, potential, start, slide, roll, impact ..."""
        with self._handle as h:
            return arrays.record_of("tru_ledger", lib.tru_world_ledger(h.world))

    @property
    def solver(self):
        """How well the last step was solved, as a record: iterations, residual, converged ..."""
        with self._handle as h:
            return arrays.record_of("tru_solve_info", lib.tru_world_solve_info(h.world))

    @property
    def verdict(self):
        """Residuals of the last step, computed again without the solver, as a record: law, momentum, spin ..."""
        out = ffi.new("tru_verdict *")
        with self._handle as h:
            h.check(lib.tru_judge(h.world, out, h.err))
        return arrays.record_of("tru_verdict", out[0])

    def __repr__(self):
        return f"<trundle.World of {len(self)} bodies at {self.time:g} s>"
