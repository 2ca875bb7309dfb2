"""Prints the type stubs of the classes that are made from the library's tables: python -m trundle.stubs [plugins | errors]."""
import sys

from . import errors, plugins
from ._native import lib

_TYPES = {
    lib.TRU_FIELD_REAL: "Number", lib.TRU_FIELD_INTEGER: "int | str", lib.TRU_FIELD_BOOLEAN: "bool", lib.TRU_FIELD_VEC3: "Numbers",
    lib.TRU_FIELD_QUATERNION: "Orientation", lib.TRU_FIELD_TEXT: "str", lib.TRU_FIELD_REFERENCE: "str",
    lib.TRU_FIELD_PLUGIN: "PlugIn | str | Mapping[str, object]", lib.TRU_FIELD_LIST: "Sequence[object] | ndarray",
    lib.TRU_FIELD_ALTERNATIVE: "Number | Mapping[str, object]",
}
_PLUGINS = '''\
# Written by python -m trundle.stubs plugins; the test test_stubs.py compares it.
from typing import Any, Literal, Mapping, Sequence, Union

from numpy import ndarray

Number = Union[float, str]
Numbers = Union[Sequence[Number], ndarray]
Orientation = Union[Numbers, Mapping[str, object], Sequence[Mapping[str, object]]]

CLASSES: dict[str, type[PlugIn]]

class Field:
    name: str
    unit: str
    default: float
    lowest: float
    highest: float
    doc: str

class PlugIn:
    kind: str
    name: str
    fields: tuple[Field, ...]
    values: dict[str, Any]
    def block(self) -> dict[str, dict[str, Any]]: ...
'''
_ERRORS = '''\
# Written by python -m trundle.stubs errors; the test test_stubs.py compares it.
CLASSES: dict[int, type[Exception]]
ALSO: dict[str, type[Exception]]

class Error(Exception):
    status: int

class Remark(UserWarning):
    status: int

class Busy(Error, RuntimeError): ...
'''


def _type(field):
    if field.type == lib.TRU_FIELD_CHOICE:
        return "Literal[" + ", ".join(repr(word) for word in field.words.split("|")) + "]"
    return _TYPES[field.type]


def _plug_in(name, cls):
    words = "".join(f", {field.name}: {_type(field)}{'' if field.required else ' = ...'}" for field in cls.fields)
    return f"\nclass {name}(PlugIn):\n    def __init__(self{', *' + words if words else ''}) -> None: ...\n"


def plugin_stubs():
    """Returns plugins.pyi."""
    return _PLUGINS + "".join(_plug_in(name, cls) for name, cls in plugins.CLASSES.items())


def error_stubs():
    """Returns errors.pyi."""
    made = [cls for _, cls in sorted(errors.CLASSES.items(), reverse=True) if cls is not errors.Remark]
    return _ERRORS + "".join(f"\nclass {cls.__name__}({', '.join(base.__name__ for base in cls.__bases__)}): ...\n" for cls in made)


if __name__ == "__main__":
    print({"plugins": plugin_stubs, "errors": error_stubs}[sys.argv[1] if len(sys.argv) > 1 else "plugins"](), end="")
