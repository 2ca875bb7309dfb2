"""Worlds: views of all bodies and their lives, bodies, loads, motors, driven bodies."""
import gc
import math
import weakref

import numpy as np
import pytest

import trundle as tr
from conftest import SCENES, ball
from test_simulation import emitting


def test_views_follow_the_steps_without_copies():
    w = ball().simulate().world
    x, q, v, spin = w.position, w.orientation, w.velocity, w.angular_velocity
    assert (x.shape, q.shape, v.shape, spin.shape) == ((2, 3), (2, 4), (2, 3), (2, 3))
    assert w.position is x and x[1].tolist() == [0, 0, 0.1] and v[1].tolist() == [1, 0, 0]
    w.step(500)
    assert x[1].tolist() == w["ball"].position.tolist() and x[1, 0] > 0.3
    assert abs(v[1, 0] - 5 / 7) < 1e-12 and abs(spin[1, 1] - 50 / 7) < 1e-10
    assert abs(np.linalg.norm(q[1]) - 1) < 1e-14
    assert w.states()["velocity"].tolist() == v.tolist()


def test_views_are_read_only():
    w = ball().simulate().world
    for view in (w.position, w.orientation, w.velocity, w.angular_velocity):
        with pytest.raises(ValueError, match="read-only"):
            view[0, 0] = 1
        with pytest.raises(ValueError):
            view.flags.writeable = True


def test_views_keep_their_world():
    sim = ball().run()
    part, wanted, world = sim.world.position[1], sim.world["ball"].position.tolist(), weakref.ref(sim._handle)
    del sim
    gc.collect()
    assert world() is not None and part.tolist() == wanted
    del part
    gc.collect()
    assert world() is None


def test_world_keeps_its_simulation():
    w = ball().simulate().world
    gc.collect()
    w.step(500)
    assert f"{w.hash:016x}" == "2fca5075350329e3"


def test_live_views_refuse_what_would_move_them():
    sim = ball().simulate()
    w, state = sim.world, sim.save()
    x = w.position
    kept = x[1, 1:]
    del x
    for change in (lambda: w.remove("ball"), lambda: sim.load(state)):
        with pytest.raises(BufferError, match="^1 array of this world is in use; del it or take copies$"):
            change()
    v = w.velocity
    raw = memoryview(w.orientation)
    with pytest.raises(BufferError, match="^3 arrays of this world are in use; del them or take copies$"):
        w.remove("ball")
    assert len(w) == 2 and kept.tolist() == [0, 0.1] and v.shape == (2, 3)
    del kept, v, raw
    w.remove("ball")
    assert w.names == ["table"] and w.position.shape == (1, 3)
    copied = w.position.copy()
    sim.load(state)
    assert w.names == ["table", "ball"] and copied.shape == (1, 3) and w.position.shape == (2, 3)


def test_bodies_that_come_give_copies():
    sim = emitting().simulate()
    before = sim.world.position
    count = len(before)
    while len(sim.world) == count and not sim.done:
        sim.step(10)
    assert len(before) == count < len(sim.world.position) == len(sim.world.ids)
    assert before.flags.owndata or before.base.flags.owndata
    with pytest.raises(tr.Refused, match="^the scene has emitters or outlets, must be stepped by its simulation$"):
        sim.world.step()


def test_body_that_left_is_an_error():
    w = ball().simulate().world
    body, load = w["ball"], w.add_load("ball", force=(1, 0, 0))
    w.remove("ball")
    for use in (lambda: body.position, lambda: body.mass, lambda: setattr(load, "force", (0, 0, 0)), load.remove):
        with pytest.raises(tr.StaleId) as caught:
            use()
        assert isinstance(caught.value, LookupError) and "does not exist" in str(caught.value)


def test_body_can_be_set():
    w = ball().simulate().world
    b = w["ball"]
    b.position, b.velocity = (0, 0, 2.0), np.array([0, 3, 0], dtype=np.float32)
    assert (b.kind, b.mass, w["table"].kind) == ("free", 1.0, "fixed")
    w.step(100)
    assert math.isclose(b.position[1], 0.3) and math.isclose(b.velocity[2], -9.81 * 0.1)


def test_all_states_at_once_or_none():
    w = ball().simulate().world
    x = w.position.copy()
    x[1] += (1, 2, 3)
    w.set_states(position=x, velocity=np.zeros((2, 3)))
    assert w["ball"].position.tolist() == [1, 2, 3.1] and w["ball"].velocity.tolist() == [0, 0, 0]
    before = w.hash
    x[1] = np.nan
    with pytest.raises(tr.OutOfRange, match="ball"):
        w.set_states(position=x)
    for bad, sentence in ((np.zeros(3), r"position: the array has shape \(3,\), must be \(2, 3\)"),
                          (np.zeros((2, 3), complex), "position: the array has dtype complex128, must be one of real numbers"),
                          ([["a"] * 3] * 2, "position: the array has dtype <U1, must be one of real numbers")):
        with pytest.raises(tr.BadArgument, match=f"^{sentence}$"):
            w.set_states(position=bad)
    with pytest.raises(tr.BadArgument, match=r"^body 'ball': velocity: the array has shape \(2,\), must be \(3,\)$"):
        w["ball"].velocity = (1, 2)
    assert w.hash == before


def test_load_is_a_force():
    w = ball(laws={}, pairs=[{"default": "none"}]).simulate().world
    push = w.add_load("ball", force=(2, 0, 0))
    w.step(500)
    assert math.isclose(w["ball"].velocity[0], 1 + 2 * 0.5, rel_tol=1e-12)  # v + F t / m without friction
    push.force = np.array([-4, 0, 0])
    w.step(500)
    assert math.isclose(w["ball"].velocity[0], 2 - 4 * 0.5, abs_tol=1e-12)
    with pytest.raises(tr.BadArgument, match=r"^load on 'ball': force: the value is \(1, 2\), must be three numbers$"):
        push.force = (1, 2)
    with pytest.raises(tr.OutOfRange):
        push.force = (math.nan, 0, 0)
    assert push.force.tolist() == [-4, 0, 0]
    push.remove()
    w.step(500)
    assert math.isclose(w["ball"].velocity[0], 0, abs_tol=1e-12)


def test_control_holds_a_ball_where_it_should_be():
    """A PD controller on a frictionless ball is a damped oscillator: x'' = -4 (x - 1) - 4 x', critically damped from x = 0, x' = 1."""
    w = ball(laws={}, pairs=[{"default": "none"}]).simulate().world
    push = w.add_load("ball")
    while w.time < 2:
        push.force = (-4 * (w.position[1, 0] - 1) - 4 * w.velocity[1, 0], 0, 0)
        w.step()
    t = w.time
    exact = 1 - (1 + t) * math.exp(-2 * t)
    assert abs(w.position[1, 0] - exact) < 2e-3  # held over steps of 1 ms: first order in the step


def motor_scene():
    return tr.Scene(
        gravity=[0, 0, 0],
        bodies={"frame": {"kind": "fixed", "shape": tr.Plane(), "position": [0, 0, -1]},
                "wheel": {"shape": tr.Sphere(radius=0.1), "mass": 1, "position": [0, 0, 0]}},
        pairs=[{"default": "none"}],
        joints={"axle": {"joint": tr.Hinge(), "between": ["wheel", "frame"], "position": [0, 0, 0], "axis": [0, 0, 1]},
                "crank": {"joint": tr.Motor(speed="2 rad/s"), "between": ["wheel", "frame"], "position": [0, 0, 0], "axis": [0, 0, 1]}},
        steppers=tr.Moreau(step="1 ms"), record={"until": 1})


def test_motor_can_be_set():
    w = motor_scene().simulate().world
    crank = w.joint("crank")
    w.step(10)
    assert math.isclose(w["wheel"].angular_velocity[2], 2, rel_tol=1e-9)
    crank.speed = 3.0
    w.step(10)
    assert math.isclose(w["wheel"].angular_velocity[2], 3, rel_tol=1e-9) and crank.speed == 3.0
    assert math.isclose(crank.state["rate"], 3, rel_tol=1e-9) and w.joint_names == ["axle", "crank"]
    assert math.isclose(w.joints["rate"][1], 3, rel_tol=1e-9)
    assert crank.torque is None and crank.force is None
    with pytest.raises(tr.Refused):
        w.joint("axle").speed = 1.0
    with pytest.raises(tr.UnknownName, match="did you mean 'crank'"):
        w.joint("krank")


def test_driven_body_drives():
    scene = ball(bodies={"table": {"kind": "driven", "shape": tr.Box(size=[10, 10, 0.2]), "position": [0, 0, -0.1]},
                         "ball": {"shape": tr.Sphere(radius="0.1 m"), "mass": 1, "position": [0, 0, 0.1]}},
                 motions=[{"body": "table", "velocity": [0, 0, 0]}])
    w = scene.simulate().world
    w["table"].drive(velocity=(0.7, 0, 0))
    w.step(1000)
    assert math.isclose(w["table"].position[0], 0.7, rel_tol=1e-12)
    assert math.isclose(w["ball"].velocity[0], 0.2, rel_tol=1e-9)  # a solid ball on a moving table rolls with 2/7 of its speed
