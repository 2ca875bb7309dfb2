"""Scenes: from dicts, texts and files; values by path; sentences of bad input."""
import copy
import pickle

import numpy as np
import pytest

import trundle as tr
from conftest import ROOT, SCENES, ball

TEXT = """
trundle: 1
title: A ball slides, then rolls
parameters: {mu: 0.3, speed: 1 m/s}
laws: {felt: {coulomb: {slide: mu}}}
pairs: [{default: felt}]
bodies:
  table: {kind: fixed, shape: plane}
  ball: {shape: {sphere: {radius: 0.1 m}}, mass: 1 kg, position: [0, 0, 0.1 m], velocity: [speed, 0, 0]}
steppers: {moreau: {step: 1 ms}}
record: {until: 0.5 s, probes: [ball.speed, contact.slip]}
"""


def test_dict_and_text_mean_the_same():
    text = tr.Scene.parse(TEXT).text
    assert "parameters:\n" in text
    without = text[:text.index("parameters:\n")] + text[text.index("gravity:"):]
    assert ball().text == without


def test_parameters_are_keywords():
    scene = tr.Scene.parse(TEXT, mu=0.2, speed="2000 mm/s")
    assert scene["laws.felt.slide"] == 0.2
    assert scene["bodies.ball.velocity.x"] == 2.0


def test_parameters_have_value_unit_and_range():
    found = tr.Scene.parse(TEXT.replace("mu: 0.3", "mu: {value: 0.3, range: [0, 0.8], doc: Friction of the felt}")).parameters
    assert list(found) == ["mu", "speed"]
    mu, speed = found.values()
    assert (mu.value, mu.lowest, mu.highest, mu.unit, mu.doc) == (0.3, 0, 0.8, "-", "Friction of the felt")
    assert (speed.value, speed.unit, speed.doc, repr(mu)) == (1, "m/s", "", "<trundle.Parameter mu: 0.3, 0 to 0.8>")


def test_values_by_path():
    scene = ball()
    scene["laws.felt.slide"] = 0.25
    scene["bodies.ball.position"] = np.array([0, 0, 0.1])
    scene["record.until"] = "700 ms"
    assert scene["laws.felt.slide"] == 0.25
    assert (scene["record.until"], scene.unit("record.until"), scene.until) == (0.7, "s", 0.7)


def test_read_names_the_file(tmp_path):
    path = tmp_path / "ball.yaml"
    path.write_text(TEXT)
    assert tr.Scene.read(path).name == "ball"
    path.write_text(TEXT.replace("sphere: {radius", "sphere: {radus"))
    with pytest.raises(tr.UnknownName) as caught:
        tr.Scene.read(path)
    assert str(caught.value) == f"{path}:9:27: body 'ball': shape sphere: unknown key 'radus'; did you mean 'radius'?"


def test_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(OSError) as caught:
        tr.Scene.read(tmp_path / "none.yaml")
    assert type(caught.value) is tr.FileError
    assert str(caught.value) == f"{tmp_path}/none.yaml: cannot be read: No such file or directory"


def test_laws_of_one_pair_as_a_list():
    scene = ball(laws={"felt": [tr.Coulomb(slide=0.3), tr.Rolling(roll=tr.length(1e-3))]})
    assert scene["laws.felt.roll"] == 1e-3


def test_friction_length_needs_its_unit():
    with pytest.raises(tr.BadArgument, match="roll is '0.001', a length without a unit; write '0.001 m' or"):
        ball(laws={"felt": tr.Rolling(roll=1e-3)})


def bad(**more):
    with pytest.raises(tr.Error) as caught:
        ball(**more)
    return type(caught.value).__name__, str(caught.value)


def test_sentences_of_bad_values():
    assert bad(bodies={"ball": {"mass": float("nan")}}) == ("OutOfRange", "bodies.ball.mass: the value is nan, must be a finite number")
    assert bad(bodies={"ball": {"position": np.array([0, np.inf, 0])}}) == (
        "OutOfRange", "bodies.ball.position.1: the value is inf, must be a finite number")
    assert bad(bodies={"ball": {"position": np.array([1j, 0, 0])}}) == (
        "BadArgument", "bodies.ball.position: the array has dtype complex128, must be one of real numbers")
    assert bad(title=object) == ("BadArgument", "title: the value is a type, must be a number, a text, a list, a dict, an array or a plug-in")
    assert bad(laws={"felt": [tr.Coulomb(), tr.Coulomb()]}) == ("Conflict", "laws.felt: 'coulomb' is there twice, must be there once")
    assert bad(recrod={}) == ("UnknownName", "scene:1:418: unknown key 'recrod'; did you mean 'record'?")


def test_shape_of_an_array_is_checked_by_the_scene():
    kind, sentence = bad(bodies={"ball": {"shape": tr.Sphere(radius=1), "mass": 1, "position": np.zeros((2, 2))}})
    assert kind == "BadArgument" and "body 'ball': position" in sentence


def test_foreign_unit():
    scene = ball()
    with pytest.raises(tr.BadArgument, match=r"set bodies.ball.mass=3 m: .*mass"):
        scene["bodies.ball.mass"] = "3 m"
    assert scene["bodies.ball.mass"] == 1.0


def test_unknown_keyword_names_the_nearest():
    with pytest.raises(KeyError) as caught:
        tr.Sphere(radus=1)
    assert str(caught.value) == "shape sphere: unknown key 'radus'; did you mean 'radius'?"
    with pytest.raises(tr.UnknownName, match="no 'mo'; did you mean 'mu'"):
        tr.Scene.parse(TEXT, mo=1)


def test_copies_and_pickles_keep_changes():
    scene = tr.Scene.parse(TEXT, mu=0.2)
    scene["record.until"] = 0.25
    for twin in (copy.copy(scene), pickle.loads(pickle.dumps(scene))):
        assert twin.hash == scene.hash and twin.text == scene.text
        twin["parameters.mu"] = 0.1
        assert scene["laws.felt.slide"] == 0.2


def test_every_status_has_a_class():
    from trundle._native import ffi
    for number, name in ffi.typeof("tru_status").elements.items():
        word = name[len("TRU_"):]
        if number < 0:
            cls = tr.errors.CLASSES[number]
            assert issubclass(cls, tr.Error) and issubclass(cls, tr.errors.ALSO[word]) and cls.status == number
        elif number > 0:
            assert issubclass(tr.errors.CLASSES[number], tr.Remark)


def test_every_plug_in_is_a_class():
    from trundle._native import lib
    for kind, cls in (("shape", "Sphere"), ("law", "TrackLaw"), ("joint", "Hinge"), ("solver", "Ngs"), ("stepper", "Track")):
        assert getattr(tr, cls).kind == kind
    total = sum(1 for kind in ("shape", "law", "joint", "solver", "stepper") for _ in _all(getattr(lib, f"tru_{kind}_at")))
    assert len(tr.plugins.CLASSES) == total


def _all(at):
    k = 0
    while at(k):
        yield at(k)
        k += 1


def test_docstring_has_unit_range_and_default():
    assert "    radius: Radius of the sphere. (number [m]; above 0; required)" in tr.Sphere.__doc__.splitlines()
    assert "(one of 'height', 'r7'; default 'height')" in tr.Moreau.__doc__


def test_every_scene_of_the_tree_reads():
    found = sorted(SCENES.rglob("*.yaml"))
    assert len(found) > 50
    for path in found:
        assert tr.Scene.read(path).steppers, path
