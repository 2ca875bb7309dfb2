"""The same bits as the program: steps, state hash and motion hash of every scene of scenes/, to its end or 2000 steps."""
import json
import subprocess
import warnings

import pytest

import trundle as tr
from conftest import SCENES
from trundle._native import lib

STEPS = 2000
PATHS = sorted(SCENES.rglob("*.yaml"))


def program_says(program, path, until):
    """Returns what `trundle run --json` prints; the exit code 1 of a run that failed on its way is none of this test."""
    words = [program, "run", str(path), "--out", "none", "--json", "--until", repr(until)]
    done = subprocess.run(words, text=True, capture_output=True)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(SCENES).with_suffix("")))
def test_scene(program, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tr.Remark)
        sim = tr.Scene.read(path).simulate()
        sim.run(until=min(sim.until, STEPS * sim.world.step_size))
    said = program_says(program, path, sim.until)
    assert sim.world.steps == said["steps"] > 0
    assert f"{sim.world.hash:016x}" == said["state_hash"]
    assert f"{lib.tru_motion_hash(sim.world._world):016x}" == said["motion_hash"]
