"""Values of Python as values of scenes: SI numbers, texts with units, lists, dicts, arrays, plug-ins."""
import json
import numbers

import numpy as np

from . import errors
from .plugins import PlugIn


def length(value):
    """Returns a length [m] as text with its unit, which scenes want for friction of rolling and spinning."""
    return f"{float(value)!r} m"


def _merged(plug_ins, path):
    """Returns the block of several plug-ins, such as the laws of one pair."""
    block = {}
    for plug_in in plug_ins:
        if plug_in.name in block:
            raise errors.CLASSES[_CONFLICT](f"{path}: '{plug_in.name}' is there twice, must be there once")
        block.update(plug_in.block())
    return block


_CONFLICT, _OUT_OF_RANGE, _BAD_ARGUMENT = -4, -2, -1


def _number(value, path):
    if isinstance(value, numbers.Integral):
        return int(value)
    value = float(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise errors.CLASSES[_OUT_OF_RANGE](f"{path}: the value is {value}, must be a finite number")
    return value


def _array(value, path):
    if value.dtype.kind not in "iufb":
        raise errors.CLASSES[_BAD_ARGUMENT](f"{path}: the array has dtype {value.dtype}, must be one of real numbers")
    return plain(value.tolist(), path)


def plain(value, path=""):
    """Returns a value with dicts, lists, texts, numbers and booleans only; `path` names it in sentences."""
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, PlugIn):
        return plain(value.block(), path)
    if isinstance(value, dict):
        return {str(key): plain(item, f"{path}.{key}" if path else str(key)) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _array(value, path)
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, PlugIn) for item in value):
            return plain(_merged(value, path), path)
        return [plain(item, f"{path}.{k}") for k, item in enumerate(value)]
    if isinstance(value, numbers.Real):
        return _number(value, path)
    raise errors.CLASSES[_BAD_ARGUMENT](f"{path}: the value is a {type(value).__name__}, must be a number, a text, a list, a dict, an array "
                                        "or a plug-in")


def as_json(value, path=""):
    """Returns a value as JSON, which is the text of scenes too."""
    return json.dumps(plain(value, path), ensure_ascii=False, allow_nan=False)


def as_text(value, path):
    """Returns the text of one value, as `--set` takes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) or not np.isscalar(value):
        return as_json(value, path)
    return repr(plain(value, path)) if not isinstance(value, (bool, np.bool_)) else str(bool(value)).lower()
