#!/usr/bin/env python3
"""without_h5.py: the program in a build without HDF5: what it writes, continues and reports, and what it says needs run.h5."""
import csv
import json
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import INPUT, SYSTEM, Skip, good, main, refused, same, scene  # noqa: E402

FILES = ["events.csv", "ledger.csv", "probes.csv"]


def need_build():
    if "without HDF5" not in good("version"):
        raise Skip("this build has HDF5")


def texts(folder):
    return [pathlib.Path(folder, name).read_text() for name in FILES]


def test_a_run_and_its_continuation():
    need_build()
    said = good("run", scene(), "--out", "whole")
    assert "whole/probes.csv, ledger.csv, events.csv, whole/summary.json" in said, said
    same(sorted(p.name for p in pathlib.Path("whole").iterdir()),
         sorted(FILES + ["scene.yaml", "snapshot.tru", "summary.json"]), "files of a run")
    good("run", scene(), "--out", "parts", "--until", "100 ms")
    good("run", scene(), "--out", "parts", "--resume")
    same(texts("parts"), texts("whole"), "a continued run")
    one, two = (json.loads(pathlib.Path(f, "summary.json").read_text()) for f in ("whole", "parts"))
    same(one["state_hash"], two["state_hash"], "the state")
    rows = list(csv.DictReader(pathlib.Path("whole/probes.csv").open()))
    same(float(rows[-1]["time [s]"]), one["time"], "the last row")
    refused(INPUT, "trundle: whole holds a finished run of 'A ball'; --resume continues it, --force replaces it",
            "run", scene(), "--out", "whole")
    good("analyze", "whole")
    good("report", "whole")
    assert pathlib.Path("whole/report.html").stat().st_size > 100000
    good("export", "whole", "--format", "csv")
    same(texts("whole/csv"), texts("whole"), "an export of CSV files")
    refused(INPUT, "trundle: whole: frames need run.h5, so there is nothing to export as glb", "export", "whole", "--format", "glb")


def test_what_needs_hdf5():
    need_build()
    good("run", scene(), "--out", "out")
    pathlib.Path("out/run.h5").write_bytes(b"rows")
    for words, verb in ((("run", scene(), "--out", "out", "--resume"), "continued"),
                        (("run", scene(), "--out", "out", "--force"), "replaced"),
                        (("report", "out"), "read"), (("export", "out", "--format", "glb"), "read")):
        refused(SYSTEM, f"trundle: out/run.h5: cannot be {verb}: this build of trundle has no HDF5", *words)
    same(pathlib.Path("out/run.h5").read_bytes(), b"rows", "run.h5")


main(globals())
