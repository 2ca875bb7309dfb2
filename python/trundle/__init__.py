"""Trundle simulates how rigid bodies slide, roll and spin on each other.

Scene: what there is, from a file, a text or a dict. Simulation: a scene that runs. World: its bodies, contacts and joints now.
Shapes, laws, joints, solvers and steppers are classes whose parameters stand in their docstrings.
Numbers are in SI units, angles in radians; texts may have other units ("45 mm", "20 deg").
"""
from . import errors, plugins
from ._native import ffi as _ffi, lib as _lib
from .errors import *  # noqa: F401,F403
from .plugins import *  # noqa: F401,F403
from .scene import Parameter, Scene
from .simulation import Simulation
from .values import length
from .world import Body, EventKind, Joint, Load, RowKind, World

__version__ = _ffi.string(_lib.tru_version()).decode()
__all__ = ["Body", "EventKind", "Joint", "Load", "Parameter", "RowKind", "Scene", "Simulation", "World", "length", *errors.__all__, *plugins.__all__]
