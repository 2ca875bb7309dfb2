"""Statuses of the library as exceptions and warnings: one class for each, with the library's sentence."""
import warnings

from ._native import ffi, lib


class Error(Exception):
    """A call failed and changed nothing. `status` is the library's number, str() its sentence."""

    status = -1

    def __str__(self):  # KeyError would print its argument in quotation marks
        return str(self.args[0]) if self.args else ""


class Remark(UserWarning):
    """Done, with a remark. `status` is the library's number."""

    status = 1


class Busy(Error, RuntimeError):
    """Another thread uses the world at this moment."""


# What each failure also is, so that programs can catch it by Python's own class.
ALSO = {
    "BAD_ARGUMENT": ValueError,
    "OUT_OF_RANGE": ValueError,
    "UNKNOWN_NAME": KeyError,
    "CONFLICT": ValueError,
    "REFUSED": ValueError,
    "STALE_ID": LookupError,
    "OVERLAP": ValueError,
    "NO_LAW": LookupError,
    "NOT_FINITE": FloatingPointError,
    "NO_SOLUTION": ArithmeticError,
    "NO_MEMORY": MemoryError,
    "DAMAGED": ValueError,
    "FILE": OSError,
}


def _class_name(word):
    name = "".join(part.capitalize() for part in word.split("_"))
    return "FileError" if name == "File" else name


def _make_classes():
    """Returns the class of every status but 0, by number."""
    classes = {}
    for number, name in ffi.typeof("tru_status").elements.items():
        word = name[len("TRU_"):]
        doc = ffi.string(lib.tru_status_text(number)).decode().capitalize() + "."
        bases = (Error, ALSO.get(word, ValueError)) if number < 0 else (Remark,)
        if number == Remark.status:
            classes[number] = Remark
        elif number:
            classes[number] = type(_class_name(word), bases, {"__doc__": doc, "__module__": "trundle", "status": number})
    return classes


CLASSES = _make_classes()
globals().update({cls.__name__: cls for cls in CLASSES.values()})
for _cls in (Error, Remark, Busy):
    _cls.__module__ = "trundle"
__all__ = sorted({"Error", "Busy", *(cls.__name__ for cls in CLASSES.values())})


def sentence(err):
    """Returns the text of a tru_error."""
    return ffi.string(err.text).decode(errors="replace")


def check(status, err, depth=2):
    """Raises the exception of a failure, warns of a remark; `depth` frames up is the line that a warning names."""
    if status < 0:
        raise CLASSES[status](sentence(err))
    if status > 0:
        warnings.warn(CLASSES[status](sentence(err)), stacklevel=depth + 1)


def new_error():
    """Returns an empty tru_error."""
    return ffi.new("tru_error *")
