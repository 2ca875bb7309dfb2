"""Classes of all shapes, laws, joints, solvers and steppers, made from the field tables of the library."""
import inspect

from . import errors
from ._native import ffi, lib

_LARGEST = 1.7976931348623157e308  # TRU_REQUIRED as a default, TRU_UNBOUNDED as a limit; minus it: TRU_DERIVED
_KINDS = ("shape", "law", "joint", "solver", "stepper")
_WORDS = {
    lib.TRU_FIELD_REAL: "number", lib.TRU_FIELD_INTEGER: "whole number", lib.TRU_FIELD_BOOLEAN: "True or False",
    lib.TRU_FIELD_VEC3: "three numbers", lib.TRU_FIELD_QUATERNION: "orientation", lib.TRU_FIELD_TEXT: "text",
    lib.TRU_FIELD_LIST: "list", lib.TRU_FIELD_ALTERNATIVE: "number or dict",
}


def text_of(pointer):
    """Returns a C text as str, None for NULL."""
    return ffi.string(pointer).decode() if pointer else None


class Field:
    """One parameter of a plug-in, as the library describes it."""

    def __init__(self, entry):
        self.name = text_of(entry.name)
        self.type = entry.type
        self.unit = text_of(lib.tru_unit_describe(entry.unit).symbol) if entry.unit != lib.TRU_UNIT_MISSING else ""
        self.default, self.lowest, self.highest = entry.default_value, entry.lowest, entry.highest
        self.lowest_excluded, self.unit_required = entry.lowest_excluded, entry.unit_required
        self.words, self.text, self.doc = text_of(entry.words), text_of(entry.text), text_of(entry.doc)
        self.fields = fields_of(entry.block) if entry.block else ()

    @property
    def required(self):
        """True if the parameter must be given."""
        return self.default == _LARGEST

    def kind(self):
        """Returns what a value is, in words."""
        if self.type == lib.TRU_FIELD_CHOICE:
            return "one of " + ", ".join(repr(word) for word in self.words.split("|"))
        if self.type == lib.TRU_FIELD_PLUGIN or self.type == lib.TRU_FIELD_REFERENCE:
            return f"a {self.words}"
        unit = f" [{self.unit}]" if self.unit else ""
        return _WORDS[self.type] + unit + (", as text with its unit" if self.unit_required else "")

    def range(self):
        """Returns the allowed range in words, "" without one."""
        if self.type not in (lib.TRU_FIELD_REAL, lib.TRU_FIELD_INTEGER, lib.TRU_FIELD_VEC3, lib.TRU_FIELD_ALTERNATIVE):
            return ""
        low = f"{'above' if self.lowest_excluded else 'at least'} {self.lowest:g}" if self.lowest > -_LARGEST else ""
        high = f"at most {self.highest:g}" if self.highest < _LARGEST else ""
        return ", ".join(part for part in (low, high) if part)

    def default_words(self):
        """Returns the default in words."""
        if self.required:
            return "required"
        if self.default == -_LARGEST:
            return "derived"
        if self.type == lib.TRU_FIELD_CHOICE:
            return f"default {self.words.split('|')[int(self.default)]!r}"
        if self.type in (lib.TRU_FIELD_TEXT, lib.TRU_FIELD_PLUGIN):
            return f"default {self.text}"
        if self.type == lib.TRU_FIELD_BOOLEAN:
            return f"default {bool(self.default)}"
        return f"default {self.default:g}"

    def line(self):
        """Returns the line of the parameter in the docstring of its class."""
        parts = [part for part in (self.kind(), self.range(), self.default_words()) if part]
        return f"    {self.name}: {self.doc} ({'; '.join(parts)})"


def fields_of(table):
    """Returns the fields of a table that ends with a NULL name."""
    found, k = [], 0
    while table and table[k].name:
        found.append(Field(table[k]))
        k += 1
    return tuple(found)


def unknown_word(what, word, names):
    """Returns the error for a name that does not exist, with the nearest one that does."""
    kept = [ffi.new("char[]", name.encode()) for name in names]
    near = lib.tru_nearest_name(word.encode(), ffi.new("char *[]", kept), len(kept))
    hint = f"did you mean '{text_of(near)}'?" if near else "there is " + (", ".join(names) or "none")
    return errors.CLASSES[lib.TRU_UNKNOWN_NAME](f"{what}: unknown key '{word}'; {hint}")


class PlugIn:
    """A plug-in with its parameters, for scenes. Scenes check the values; only the names of parameters are checked here."""

    kind = name = ""
    fields = ()

    def __init__(self, **values):
        names = [field.name for field in self.fields]
        for key in values:
            if key not in names:
                raise unknown_word(f"{self.kind} {self.name}", key, names)
        self.values = values

    def block(self):
        """Returns the parameters by the plug-in's name, as scenes write them."""
        return {self.name: dict(self.values)}

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.values.items())})"

    def __eq__(self, other):
        return type(self) is type(other) and self.values == other.values

    __hash__ = None


def _signature(fields):
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature([inspect.Parameter(field.name, keyword, default=inspect.Parameter.empty if field.required else None)
                              for field in fields])


def _make(kind, descriptor, class_name):
    fields = fields_of(descriptor.fields)
    name = text_of(descriptor.name)
    doc = f"{kind.capitalize()} {name}: {text_of(descriptor.doc)}"
    if fields:
        doc += "\n\n" + "\n".join(field.line() for field in fields)
    return type(class_name, (PlugIn,), {"__doc__": doc, "__module__": "trundle", "kind": kind, "name": name, "fields": fields,
                                        "__signature__": _signature(fields)})


def _descriptors():
    """Returns kind and descriptor of every plug-in that the library has."""
    for kind in _KINDS:
        at = getattr(lib, f"tru_{kind}_at")
        k = 0
        while at(k):
            yield kind, at(k)
            k += 1


def _class_name(kind, name, taken):
    """A law or solver whose name a stepper has too gets its kind behind it: Track is the stepper, TrackLaw the law."""
    word = "".join(part.capitalize() for part in name.split("_"))
    return word + kind.capitalize() if kind != "stepper" and (name in taken) else word


def _make_all():
    all_of_them = list(_descriptors())
    steppers = {text_of(d.name) for kind, d in all_of_them if kind == "stepper"}
    made = {}
    for kind, descriptor in all_of_them:
        name = _class_name(kind, text_of(descriptor.name), steppers)
        made[name] = _make(kind, descriptor, name)
    return made


CLASSES = _make_all()
globals().update(CLASSES)
__all__ = sorted(CLASSES)
