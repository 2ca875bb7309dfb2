"""What the tests share: where the tree is, the ball of the README, the program `trundle` where it is built."""
import os
import pathlib
import warnings

import pytest

import trundle as tr

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes"


def ball(**more):
    """Returns the scene of the README, made of classes."""
    keys = dict(
        title="A ball slides, then rolls",
        laws={"felt": tr.Coulomb(slide=0.3)}, pairs=[{"default": "felt"}],
        bodies={"table": {"kind": "fixed", "shape": tr.Plane()},
                "ball": {"shape": tr.Sphere(radius="0.1 m"), "mass": 1, "position": [0, 0, 0.1], "velocity": [1, 0, 0]}},
        steppers=tr.Moreau(step="1 ms"), record={"until": 0.5, "probes": ["ball.speed", "contact.slip"]})
    return tr.Scene({**keys, **more})


@pytest.fixture
def program():
    """The program of a build tree, for comparisons."""
    path = os.environ.get("TRUNDLE") or str(ROOT / "build/dev/bin/trundle")
    if not os.access(path, os.X_OK):
        pytest.skip("no program trundle: set TRUNDLE, or build preset dev")
    return path


@pytest.fixture(autouse=True)
def no_remarks():
    """Remarks of the library are errors, unless a test says otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
