#!/usr/bin/env python3
"""plugin.py: laws from shared objects: --plugin of every command, bad files with their sentences, resume, verdicts of check."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import BALL, GOOD, INPUT, SOURCE, SYSTEM, USAGE, Skip, close, good, good_json, main, refused, run, same, write  # noqa: E402

COMPILER = shutil.which(os.environ.get("CC", "cc"))
SCENE = BALL.replace("{coulomb: {slide: mu}}", "{mylaw: {slide: mu}}")


def compile_law(name="mylaw.so", *flags):
    """A plug-in in the current folder."""
    if not COMPILER:
        raise Skip("no C compiler")
    source = SOURCE / "tests/cli/support/mylaw.c"
    subprocess.run([COMPILER, "-std=c17", "-O1", "-w", "-shared", "-fPIC", f"-I{SOURCE}/include", *flags, source, "-o", name, "-lm"],
                   check=True)
    return f"./{name}"


def broken(number):
    return compile_law("mylaw.so", f"-DBREAK={number}")


def verdicts(path, code):
    """The properties that do not hold, with what was found."""
    done = run("check", "--plugin", path)
    same(done.returncode, code, done.stdout + done.stderr)
    rows = [line.split("  NO     ") for line in done.stdout.splitlines() if "  NO     " in line]
    return {row[0].strip(): row[1].strip() for row in rows}


# ---- runs


def test_a_law_of_a_file_moves_as_the_built_in_one():
    write("own.yaml", SCENE)
    write("built_in.yaml", BALL)
    own = good_json("run", "own.yaml", "--plugin", compile_law(), "--out", "none")
    built_in = good_json("run", "built_in.yaml", "--out", "none")
    for name, probe in own["probes"].items():  # the built-in law is solved in closed form: other round-off
        close(probe["value"], built_in["probes"][name]["value"], 1e-13, name)
    close(own["ledger"]["slide"], built_in["ledger"]["slide"], 1e-13)
    same([(p["law"], p["path"], len(p["hash"])) for p in own["plugins"]], [("mylaw", "./mylaw.so", 16)])
    same("plugins" in built_in, False)


def test_every_command_takes_it():
    write("own.yaml", SCENE)
    path = compile_law()
    assert "scene own is valid" in good("check", "own.yaml", "--plugin", path)
    good("sweep", "own.yaml", "--plugin", path, "--vary", "parameters.mu=0.1:0.3:3", "--jobs", "2", "--out", "none")
    good("compare", "own.yaml", "--plugin", path)
    assert "mylaw" in good("list", "laws", "--plugin", "mylaw.so")
    assert "Couple per normal force" in good("list", "law", "mylaw", "--plugin", path)
    good("run", "own.yaml", "--plugin", path)
    assert "mylaw" not in good("list", "laws")
    good("report", "own.run", "--plugin", path)
    good("analyze", "own.run", "--plugin", path)


def test_without_it_the_scene_is_refused():
    write("own.yaml", SCENE)
    done = run("run", "own.yaml")
    same(done.returncode, INPUT)
    assert done.stderr.startswith("trundle: own.yaml:5:"), done.stderr
    assert "no law 'mylaw'" in done.stderr, done.stderr


# ---- resume


def test_resume_needs_the_same_file():
    write("own.yaml", SCENE)
    path = compile_law()
    first = good_json("run", "own.yaml", "--plugin", path, "--until", "0.1 s")
    whole = good_json("run", "own.yaml", "--plugin", path, "--out", "none")
    old = first["plugins"][0]["hash"]
    refused(INPUT, "trundle: own.run/run.h5: the run used law mylaw of plug-in ./mylaw.so, which is not loaded", "run", "own.yaml",
            "--resume")
    new = good_json("check", "--plugin", compile_law("mylaw.so", "-O2"))[0]["hash"]
    refused(INPUT, f"trundle: own.run/run.h5: the run used law mylaw of plug-in ./mylaw.so with hash {old}, but ./mylaw.so has {new}",
            "run", "own.yaml", "--resume", "--plugin", path)
    compile_law()
    resumed = good_json("run", "own.yaml", "--resume", "--plugin", path)
    same(resumed["state_hash"], whole["state_hash"])


# ---- files that are no good


def test_files_that_are_not_plug_ins():
    write("own.yaml", SCENE)
    write("text.so", "not a shared object, but text\n")
    refused(SYSTEM, "trundle: ./no.so: cannot be read: No such file or directory", "run", "own.yaml", "--plugin", "./no.so")
    refused(SYSTEM, "trundle: text.so: cannot be loaded as a shared object: file too short", "run", "own.yaml", "--plugin", "text.so")
    path = compile_law("bare.so", "-DNO_FUNCTION")
    refused(SYSTEM, "trundle: ./bare.so: is not a plug-in: function trundle_plugin is missing (TRU_PLUGIN_EXPORT defines it)", "run",
            "own.yaml", "--plugin", path)
    same(os.path.exists("own.run"), False)


def test_another_version():
    path = compile_law("old.so", "-DOTHER_INTERFACE")
    version = good("version").split()[1].rstrip(",")
    refused(INPUT, f"trundle: ./old.so: interface of the plug-in is 2 (of trundle 9.8.7), must be 1 (of trundle {version}); compile it"
            " again", "check", "--plugin", path)


def test_names_that_are_taken():
    path = compile_law()
    refused(INPUT, "trundle: ./mylaw.so: there is already a law 'mylaw' of ./mylaw.so", "check", "--plugin", path, "--plugin", path)
    refused(INPUT, "trundle: ./mylaw.so: there is already a built-in law 'coulomb'", "check", "--plugin", broken(14))


def test_descriptors_that_are_wrong():
    for number, sentence in ((12, "default of field slide is -1, must lie in its own range"),
                             (13, "end of field length is 20 bytes, must be at most 16, the size"), (15, "function prepare is missing")):
        refused(INPUT, f"trundle: ./mylaw.so: law mylaw: {sentence}", "check", "--plugin", broken(number))
    refused(INPUT, "trundle: ./mylaw.so: number of laws is 0, must be at least 1", "check", "--plugin", broken(16))


def test_crashes_are_said_before_the_run():
    write("own.yaml", SCENE)
    refused(INPUT, "trundle: ./mylaw.so: loading it ends its trial by signal 6 (Aborted); nothing was run", "run", "own.yaml",
            "--plugin", broken(1))
    refused(INPUT, "trundle: ./mylaw.so: law mylaw ends its trial by signal 6 (Aborted); nothing was run", "run", "own.yaml", "--plugin",
            broken(2))
    refused(INPUT, "trundle: ./mylaw.so: law mylaw ends its trial by an exit with code 3; nothing was run", "run", "own.yaml",
            "--plugin", broken(3))
    same(sorted(os.listdir(".")), ["mylaw.so", "own.yaml"])


def test_a_run_says_what_does_not_hold():
    write("own.yaml", SCENE)
    done = run("run", "own.yaml", "--out", "none", "--plugin", broken(7))
    same(done.returncode, GOOD)
    assert done.stderr.startswith("trundle: remark: ./mylaw.so: law mylaw: 'derivatives agree with differences' does not hold: draw ")


# ---- properties


def test_check_finds_what_is_broken():
    same(verdicts(compile_law(), GOOD), {})
    for number, name, text in ((4, "projecting twice is projecting once", "a second projection moves the point by"),
                               (5, "the projection is the nearest point of the set", "the point is not the nearest one"),
                               (6, "support is the largest power of the set", "support is "),
                               (7, "derivatives agree with differences", "dx of friction row "),
                               (8, "writes only the rows that it claims", "section writes friction row 4"),
                               (9, "other units give the same bits", "step 1 has other bits"),
                               (10, "every coefficient changes the motion", "length doubled or halved does not change the motion"),
                               (11, "the energy ledger closes", "friction gives ")):
        found = verdicts(broken(number), INPUT)
        assert text in found.get(name, ""), f"{number}, {name}: {found}"


def test_check_without_scene_and_plug_in():
    refused(USAGE, "trundle check: SCENE is missing (trundle help check)", "check")


main(globals())
