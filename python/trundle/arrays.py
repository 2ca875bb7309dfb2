"""Structs of C as arrays of NumPy: their types are made from cffi's own layout, so the two cannot differ."""
import functools

import numpy as np

from . import errors
from ._native import ffi, lib

_OTHER = {"_Bool": "?", "bool": "?"}


def _format_of(ctype):
    """Returns NumPy's type of a member, None for a pointer."""
    if ctype.kind == "pointer":
        return None
    if ctype.kind == "enum":
        return "<i4"
    if ctype.kind == "array":
        return (_format_of(ctype.item), (ctype.length,))
    if ctype.kind == "struct":
        return _struct_format(ctype)
    if ctype.cname in _OTHER:
        return _OTHER[ctype.cname]
    size = ffi.sizeof(ctype)
    letter = "f" if ctype.cname in ("double", "float") else "u" if ctype.cname.startswith(("u", "size_t")) else "i"
    return f"<{letter}{size}"


def _struct_format(ctype):
    """Returns the type of a struct; one of doubles only, such as tru_vec3, is a row of numbers."""
    members = [(name, field.offset, _format_of(field.type)) for name, field in ctype.fields]
    if all(form == "<f8" for _, _, form in members) and len(members) <= 4:
        return ("<f8", (len(members),))
    known = [member for member in members if member[2] is not None]
    return np.dtype({"names": [name for name, _, _ in known], "formats": [form for _, _, form in known],
                     "offsets": [offset for _, offset, _ in known], "itemsize": ffi.sizeof(ctype)})


@functools.lru_cache(maxsize=None)
def dtype_of(name):
    """Returns the type of an array of the named C structs; pointers in them are left out."""
    ctype = ffi.typeof(name)
    if all(field.type.cname == "double" for _, field in ctype.fields):
        return np.dtype([(member, "<f8") for member, _ in ctype.fields])
    return np.dtype(_struct_format(ctype))


def copy_of(name, pointer, count):
    """Returns an array with copies of `count` structs."""
    if not count:
        return np.empty(0, dtype_of(name))
    return np.frombuffer(ffi.buffer(pointer, count * ffi.sizeof(name)), dtype_of(name)).copy()


def record_of(name, struct):
    """Returns one struct as a record: record["member"] is its number."""
    return copy_of(name, ffi.new(f"{name} *", struct), 1)[0]


def rows(value, shape, what):
    """Returns a value as an array of doubles of this shape; `what` names it in sentences."""
    given = np.asarray(value)
    if given.dtype.kind not in "iuf":
        raise errors.CLASSES[lib.TRU_BAD_ARGUMENT](f"{what}: the array has dtype {given.dtype}, must be one of real numbers")
    if given.shape != shape:
        raise errors.CLASSES[lib.TRU_BAD_ARGUMENT](f"{what}: the array has shape {given.shape}, must be {shape}")
    return np.ascontiguousarray(given, "<f8")


class _Memory:
    """Rows of numbers in the memory of a world, as NumPy asks for them; keeps the world alive."""

    def __init__(self, owner, view, offset, columns):
        self.owner = owner
        address = int(ffi.cast("uintptr_t", view.state)) + offset
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": (view.count, columns), "strides": (view.stride, 8),
                                    "typestr": "<f8"}


STATE = ("position", "orientation", "velocity", "angular_velocity")


def views_of(owner, view):
    """Returns the four arrays of the states of all bodies, as they lie in the world: read only, changed by every step.

    Each has a base of its own, so that NumPy makes it, and nothing behind it, the base of its parts: its references count them.
    """
    members = dtype_of("tru_body_state").fields
    columns = {name: members[name][0].shape[0] for name in STATE}
    if not view.count:
        return [np.empty((0, columns[name])) for name in STATE]
    return [np.asarray(_Memory(owner, view, members[name][1], columns[name])) for name in STATE]
