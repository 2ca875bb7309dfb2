#!/usr/bin/env python3
"""list.py: "trundle list": every plug-in with its field table, as text and JSON; the table law x stepper."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import SOURCE, USAGE, good, good_json, main, refused, same  # noqa: E402

KINDS = ["shapes", "laws", "joints", "solvers", "steppers"]


def registered():
    """Names of src/api/registry.def by kind."""
    text = (SOURCE / "src/api/registry.def").read_text()
    names = {kind: re.findall(rf"^{kind[:-1].upper()}\((\w+)\)", text, re.M) for kind in KINDS}
    assert all(names.values()), names
    return names


def test_everything_registered_is_listed():
    document = good_json("list")
    for kind, names in registered().items():
        same([entry["name"] for entry in document[kind]], names, kind)
        for name in names:
            assert re.search(rf"^  {name} ", good("list", kind), re.M), name


def test_fields_are_described():
    for kind, names in registered().items():
        for entry in good_json("list", kind)[kind]:
            for field in entry["fields"]:
                assert field["doc"] and field["type"], (entry["name"], field)
                if field["type"] == "real":
                    assert field["unit"] not in ("", "?"), (entry["name"], field)
                text = good("list", kind, entry["name"])
                assert re.search(rf"^ +{field['name']} ", text, re.M), (entry["name"], field["name"])


def test_one_field_exactly():
    text = good("list", "law", "coulomb")
    assert re.search(r"^  slide +real +- +\S+ +>= 0 +\S", text, re.M), text
    text = good("list", "steppers", "moreau")
    assert re.search(r"^  step +real +s +required +> 0 +Time step\.", text, re.M), text
    assert re.search(r"^  scheme +choice +midpoint +midpoint paper ", text, re.M), text


def test_law_by_stepper():
    names = registered()
    rows = good_json("list", "laws")["law_by_stepper"]
    same(sorted((r["law"], r["stepper"]) for r in rows),
         sorted((law, stepper) for law in names["laws"] for stepper in names["steppers"]))
    for row in rows:
        assert row["used"] == (row["why"] is None), row
    assert "which stepper uses which law" in good("list")


def test_scenes_and_papers():
    document = good_json("list")
    scenes = {entry["name"]: entry["doc"] for entry in document["scenes"]}
    found = sorted(str(p.relative_to(SOURCE / "scenes").with_suffix("")) for p in (SOURCE / "scenes").rglob("*.yaml"))
    same(sorted(scenes), found)
    for name, title in scenes.items():
        assert f"title: {title}" in (SOURCE / "scenes" / f"{name}.yaml").read_text(), name
    same(sorted(e["name"] for e in document["papers"]), sorted(p.stem for p in (SOURCE / "papers").glob("*.yaml")))


def test_units_say_what_they_are():
    units = {entry["name"]: entry["doc"] for entry in good_json("list", "units")["units"]}
    same(units["mm"], "0.001 m")
    same(units["N"], "1 kg m s^-2")
    same(units["g/cm^3"], "1000 kg m^-3")


def test_unknown_names():
    refused(USAGE, "trundle list: unknown kind 'lawz'; the nearest is laws (shapes, laws, solvers, steppers, probes, units, "
            "scenes, papers)", "list", "lawz")
    refused(USAGE, "trundle list: no 'columb' among the laws; the nearest is coulomb", "list", "laws", "columb")


main(globals())
