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

class Plane(PlugIn):
    def __init__(self) -> None: ...

class Sphere(PlugIn):
    def __init__(self, *, radius: Number) -> None: ...

class Box(PlugIn):
    def __init__(self, *, size: Numbers) -> None: ...

class Disk(PlugIn):
    def __init__(self, *, radius: Number, thickness: Number = ...) -> None: ...

class Ellipsoid(PlugIn):
    def __init__(self, *, semi_axes: Numbers) -> None: ...

class Capsule(PlugIn):
    def __init__(self, *, radius: Number, length: Number) -> None: ...

class Hull(PlugIn):
    def __init__(self, *, points: Sequence[object] | ndarray = ..., radius: Number = ..., corners: int | str = ..., seed: int | str = ...) -> None: ...

class Coulomb(PlugIn):
    def __init__(self, *, slide: Number = ..., slide_static: Number = ..., stribeck: Number = ...) -> None: ...

class Contensou(PlugIn):
    def __init__(self, *, slide: Number = ..., slide_static: Number = ..., stribeck: Number = ..., patch: Number) -> None: ...

class Contour(PlugIn):
    def __init__(self, *, contour: Number = ..., contour_viscosity: Number = ...) -> None: ...

class Rolling(PlugIn):
    def __init__(self, *, roll: Number | Mapping[str, object] = ..., spin: Number | Mapping[str, object] = ..., roll_viscosity: Number = ..., spin_viscosity: Number = ...) -> None: ...

class TrackLaw(PlugIn):
    def __init__(self, *, slide: Number = ..., slide_static: Number = ..., eta_r: Number = ..., eta_psi: Number = ..., roll: Number | Mapping[str, object] = ..., spin: Number | Mapping[str, object] = ..., spin_curvature: Number = ..., modulus: Number = ...) -> None: ...

class ConstantTorque(PlugIn):
    def __init__(self, *, roll: Number | Mapping[str, object] = ..., spin: Number | Mapping[str, object] = ...) -> None: ...

class Luding(PlugIn):
    def __init__(self, *, slide: Number = ..., slide_static: Number = ..., roll: Number | Mapping[str, object] = ..., spin: Number | Mapping[str, object] = ...) -> None: ...

class Ball(PlugIn):
    def __init__(self) -> None: ...

class Hinge(PlugIn):
    def __init__(self) -> None: ...

class Slider(PlugIn):
    def __init__(self) -> None: ...

class Fixed(PlugIn):
    def __init__(self) -> None: ...

class Distance(PlugIn):
    def __init__(self, *, length: Number = ...) -> None: ...

class Motor(PlugIn):
    def __init__(self, *, speed: Number = ..., velocity: Number = ..., torque: Number = ..., force: Number = ...) -> None: ...

class Seal(PlugIn):
    def __init__(self, *, force: Number = ..., torque: Number = ...) -> None: ...

class Newton(PlugIn):
    def __init__(self, *, tolerance: Number = ..., max_steps: int | str = ...) -> None: ...

class Prox(PlugIn):
    def __init__(self, *, rho: Literal['local', 'constant'] = ..., rho_value: Number = ..., relaxation: Number = ..., tolerance: Number = ..., iterations: int | str = ..., start: Literal['last', 'predicted', 'zero'] = ...) -> None: ...

class Proxnewton(PlugIn):
    def __init__(self, *, tolerance: Number = ..., iterations: int | str = ..., softness: Number = ...) -> None: ...

class Ngs(PlugIn):
    def __init__(self, *, tolerance: Number = ..., iterations: int | str = ..., dense_limit: int | str = ..., factor_cost_limit: int | str = ..., precision: Literal['mixed', 'double'] = ...) -> None: ...

class Sor(PlugIn):
    def __init__(self, *, tolerance: Number = ..., iterations: int | str = ..., dense_limit: int | str = ..., factor_cost_limit: int | str = ..., relaxation: Number = ...) -> None: ...

class Apgd(PlugIn):
    def __init__(self, *, tolerance: Number = ..., iterations: int | str = ..., dense_limit: int | str = ..., factor_cost_limit: int | str = ...) -> None: ...

class Moreau(PlugIn):
    def __init__(self, *, step: Number, scheme: Literal['midpoint', 'paper'] = ..., correction: Literal['height', 'r7'] = ..., activation: Number = ..., sweeps: int | str = ..., solver: PlugIn | str | Mapping[str, object] = ...) -> None: ...

class Cone(PlugIn):
    def __init__(self, *, step: Number, form: Literal['exact', 'relaxed'] = ..., margin: Number = ..., recover: Literal['pose', 'velocity'] = ..., recovery: Number = ..., stabilisation: Number = ..., slop: Number = ..., threshold: Number = ..., impact: Literal['newton', 'poisson'] = ..., solver: PlugIn | str | Mapping[str, object] = ...) -> None: ...

class Event(PlugIn):
    def __init__(self, *, step: Number, tolerance: Number = ..., impulse_step: Number = ..., solver: PlugIn | str | Mapping[str, object] = ...) -> None: ...

class Variational(PlugIn):
    def __init__(self, *, step: Number, scheme: Literal['se3', 'reduced', 'rk2_midpoint', 'rk2_heun', 'rk2_ralston', 'rk4'] = ..., start: Literal['legendre', 'paper'] = ..., when_not_rolling: Literal['stop', 'ideal', 'slip'] = ..., rim: Literal['lower', 'first', 'second'] = ..., project: bool = ..., angles: bool = ..., solver: PlugIn | str | Mapping[str, object] = ...) -> None: ...

class Track(PlugIn):
    def __init__(self, *, step: Number, stiffness: Number = ..., damping: Number = ..., roll_stiffness: Number = ..., roll_damping: Number = ..., spin_damping: Number = ..., normal: Literal['hooke', 'hertz', 'prescribed'] = ..., normal_stiffness: Number = ..., normal_damping: Number = ..., normal_dashpot: Literal['cut', 'pulls', 'published'] = ..., normal_force: Number = ..., mapping: Literal['half_angle', 'authors'] = ..., roll_couple: Literal['balanced', 'per_body'] = ..., masses: Literal['reduced', 'mean'] = ..., dashpot: Literal['limited', 'free'] = ..., allow_unstable: bool = ...) -> None: ...
