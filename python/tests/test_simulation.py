"""Simulations: runs, events, probes, states, threads, Ctrl-C."""
import copy
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import trundle as tr
from conftest import SCENES, ball


def test_ball_of_the_readme():
    sim = ball().run()
    assert f"{sim.world.hash:016x}" == "2fca5075350329e3"
    assert sim.reason == "reached 0.5 s" and sim.done
    assert abs(sim["ball.speed"] - 5 / 7) < 1e-12 and sim.unit("ball.speed") == "m/s"
    assert sim.summary[1] == ("ball", "slips from the start, sticks at 0.098 s")


def test_any_way_to_step_gives_the_same_bits():
    whole, pieces = ball().run(), ball().simulate()
    pieces.run(steps=3)
    pieces.step(7)
    pieces.world.step()
    pieces.world.step(100)
    pieces.run(until=0.3)
    pieces.run(until=0.5)
    assert pieces.world.hash == whole.world.hash
    for column in whole.events.dtype.names:
        assert pieces.events[column].tolist() == whole.events[column].tolist()


def test_run_to_event_stops_where_the_ball_sticks():
    sim = ball().simulate()
    kinds = []
    while not sim.done:
        sim.run(to_event=True)
        kinds += [(round(sim.time, 9), tr.EventKind(kind).name) for kind in sim.events["kind"][len(kinds):]]
    slipping = 2 * 1 / (7 * 0.3 * 9.81)  # [s] of a solid ball that slides: 2 v / (7 mu g)
    assert [kind for _, kind in kinds] == ["TOUCH", "SLIP", "STICK"]
    assert abs(kinds[2][0] - slipping) < 2e-3


def test_world_steps_beyond_the_end_and_run_returns_at_once():
    sim = ball().simulate()
    sim.world.step(600)
    assert math.isclose(sim.time, 0.6)
    sim.run()
    assert sim.done and sim.world.steps == 600
    sim.run(until=0.7)
    assert sim.world.steps == 700


def test_arrays_of_contacts_ledger_and_solver():
    sim = ball().run()
    w = sim.world
    contact = w.contacts[0]
    assert w.contacts.shape == (1,) and math.isclose(contact["impulse"][0], 9.81e-3, rel_tol=1e-12)
    assert contact["normal"].tolist() == [0, 0, 1] and contact["stuck"] & 1 << tr.RowKind.SLIDE
    e = w.ledger
    assert math.isclose(e["slide"], 1 / 7, rel_tol=1e-5)  # 2/7 of the kinetic energy
    gap = e["kinetic"] + e["potential"] - e["start"] + e["slide"] - e["theta_shift"] - e["projection"]
    assert abs(gap) < 1e-13
    assert w.solver["converged"] and sim.solver["steps"] == 500
    assert w.verdict["momentum"] < 1e-13
    assert w.joints.shape == (0,) and w.joint_names == []


def test_unknown_probe_and_body_name_the_nearest():
    sim = ball().simulate()
    with pytest.raises(tr.UnknownName, match="did you mean 'ball'|ball.speed"):
        sim["bal.speed"]
    with pytest.raises(tr.UnknownName, match="^world: bodies: unknown key 'bal'; did you mean 'ball'\\?$"):
        sim.world["bal"]


def test_remarks_are_warnings():
    scene = ball(laws={"felt": [tr.Coulomb(slide=0.3), tr.Rolling(roll="200 mm")]})
    with pytest.warns(tr.Remark, match="roll"):
        scene.check()


def test_remark_of_a_run_is_one_warning():
    """One sweep of solver prox is too few for a box that falls on its edge."""
    sim = ball(steppers=tr.Moreau(step="1 ms", solver=tr.Prox(iterations=1)), record={"until": 0.5},
               bodies={"table": {"kind": "fixed", "shape": tr.Plane()},
                       "ball": {"shape": tr.Box(size=[0.1, 0.2, 0.3]), "density": 1000, "position": [0, 0, 0.15],
                                "angular_velocity": [3, 2, 1]}}).simulate()
    with pytest.warns(tr.Unconverged, match="the solver stopped after") as caught:
        sim.run()
    assert len(caught) == 1 and issubclass(tr.Unconverged, tr.Remark) and sim.done
    assert caught[0].filename == __file__


def test_scene_may_change_after_simulate():
    scene = ball()
    sim = scene.simulate()
    scene["laws.felt.slide"] = 0.1
    assert f"{sim.run().world.hash:016x}" == "2fca5075350329e3"


# ---- states


def test_save_load_copy_pickle_continue_with_the_same_bits():
    sim = ball().simulate()
    sim.run(until=0.05)
    state, end = sim.save(), ball().run().world.hash
    twins = [copy.copy(sim), pickle.loads(pickle.dumps(sim))]
    for twin in twins:
        assert twin.world.hash == sim.world.hash and twin.until == 0.05
        twin.run(until=0.5)
        assert twin.world.hash == end
    sim.run(until=0.2)
    sim.load(state)
    assert sim.run(until=0.5).world.hash == end


def emitting():
    """Returns a scene whose bodies come one after the other."""
    return tr.Scene.read(SCENES / "cone/gravel-small.yaml")


def test_simulation_with_emitters_pickles():
    sim = emitting().simulate()
    sim.run(steps=20)
    twin = pickle.loads(pickle.dumps(sim))
    sim.run(steps=20)
    twin.run(steps=20)
    assert len(twin.world) == len(sim.world) > 6 and twin.world.hash == sim.world.hash


def _finish(sim):
    sim.run(until=0.5)
    return sim.world.hash


def test_pickle_into_a_spawned_process():
    sim = ball().simulate()
    sim.run(steps=50)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_finish, (sim,)) == ball().run().world.hash


def test_damaged_state_changes_nothing():
    sim = ball().simulate()
    sim.run(steps=50)
    before, state = sim.world.hash, sim.save()
    for damaged in (b"", state[:-1], bytes([state[0] ^ 1]) + state[1:], b"x" * 100):
        with pytest.raises(tr.Damaged):
            sim.load(damaged)
    other = ball(laws={"felt": tr.Coulomb(slide=0.2)}).simulate()
    with pytest.raises(tr.Damaged):
        other.load(state)
    assert sim.world.hash == before


# ---- threads and signals


def long_run():
    return ball(record={"until": 1e5}, bodies={
        "table": {"kind": "fixed", "shape": tr.Plane()},
        "ball": {"shape": tr.Sphere(radius=0.1), "mass": 1, "position": [0, 0, 0.1], "velocity": [1, 0, 0]}}).simulate()


def test_two_threads_run_two_worlds():
    sims = [ball().simulate() for _ in range(2)]
    threads = [threading.Thread(target=sim.run) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {f"{sim.world.hash:016x}" for sim in sims} == {"2fca5075350329e3"}


def test_one_world_from_two_threads_is_an_exception():
    sim = long_run()
    kept = sim.world.position
    thread = threading.Thread(target=lambda: sim.run(until=200.0))
    thread.start()
    while sim.world.steps < 100:
        time.sleep(0.001)
    w = sim.world
    uses = [w.step, sim.step, sim.run, sim.save, lambda: w.position, lambda: w.contacts, lambda: w.hash, lambda: w["ball"],
            lambda: sim["ball.speed"], lambda: sim.events, lambda: sim.load(b""), lambda: w.remove("ball")]
    said = []
    for use in uses:
        with pytest.raises(tr.Busy) as caught:
            use()
        said.append(str(caught.value))
    assert thread.is_alive(), "the run was too short for this test"
    thread.join()
    assert set(said) == {"another thread uses this world now, must be one thread at a time"}
    assert math.isclose(sim.time, 200.0) and sim.world.position is kept


def test_interpreter_goes_on_during_a_run():
    sim, turns = long_run(), 0
    thread = threading.Thread(target=lambda: sim.run(steps=100000))
    thread.start()
    while thread.is_alive():
        turns += 1
    thread.join()
    assert turns > 1 and sim.world.steps == 100000


def test_ctrl_c_leaves_the_world_whole():
    sim = long_run()
    sent = []
    timer = threading.Timer(1.5, lambda: (sent.append(time.monotonic()), os.kill(os.getpid(), signal.SIGINT)))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.run()
    # not a benchmark: a run that does not look for signals takes half a minute, one that does 0.05 s
    assert time.monotonic() - sent[0] < 1.0
    steps = sim.world.steps
    assert 100 < steps < 1e8
    twin = long_run()
    twin.run(steps=steps)
    assert twin.world.hash == sim.world.hash
    sim.run(steps=10)
    assert sim.world.steps == steps + 10


def test_bad_arguments():
    scene = ball()
    with pytest.raises(tr.OutOfRange, match="^threads is 0, must be 1 to 1024$"):
        scene.simulate(threads=0)
    with pytest.raises(tr.UnknownName, match="moro"):
        scene.simulate("moro")
    with pytest.raises(tr.OutOfRange, match="must be at least 0 s"):
        scene.simulate().run(until=-1.0)
    with pytest.raises(tr.OutOfRange):
        scene.simulate().run(until=float("nan"))
    with pytest.raises((TypeError, OverflowError)):
        scene.simulate().world.step(-1)
    with pytest.raises(TypeError):
        scene.simulate().world.step(1.5)
