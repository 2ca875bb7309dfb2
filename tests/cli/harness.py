#!/usr/bin/env python3
"""harness.py: the harness of these scripts (support/cli.py) reports what fails, what is skipped and what never ended."""
import os
import subprocess
import sys
import xml.etree.ElementTree

SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "support")
sys.path.insert(0, SUPPORT)
from cli import TRUNDLE, main, same, write  # noqa: E402

SCRIPT = f"""\
import sys
sys.path.insert(0, {SUPPORT!r})
from cli import Skip, close, main, same
def test_good(): same(1, 1)
def test_far(): close(1.5, 1.0, 0.25, "speed < limit")
def test_skipped(): raise Skip("needs <two> & \\"three\\"")
"""


def run_script(text, *words):
    """A script of its own: what it printed, its exit code, the root of its JUnit file."""
    environment = dict(os.environ, TRUNDLE=TRUNDLE, TRU_JUNIT=os.path.abspath("out.xml"))
    done = subprocess.run([sys.executable, write("script.py", text + "main(globals())\n"), *words], capture_output=True, text=True,
                          env=environment)
    return done.stdout, done.returncode, xml.etree.ElementTree.parse("out.xml").getroot()


def counts(root):
    return {key: int(root[0].attrib[key]) for key in ("tests", "failures", "errors", "skipped")}


def test_failures_and_skips_are_reported():
    text, code, root = run_script(SCRIPT)
    lines = text.splitlines()
    same(code, 1)
    same(lines[:3], ["TAP version 14", "1..3", "ok 1 - test_good"])
    assert "# AssertionError: speed < limit: 1.5 is not 1.0 within 0.25" in lines, text
    same(lines[-3:], ["not ok 2 - test_far", 'ok 3 - test_skipped # SKIP needs <two> & "three"', "# 1 passed, 1 failed, 1 skipped"])
    same(counts(root), {"tests": 3, "failures": 1, "errors": 0, "skipped": 1})
    assert "1.5 is not 1.0 within 0.25" in root.find(".//testcase[@name='test_far']/failure").text
    same(root.find(".//skipped").attrib["message"], 'needs <two> & "three"')


def test_names_choose_and_only_skips_exit_with_77():
    same(run_script(SCRIPT, "test_good")[1], 0)
    same(run_script(SCRIPT, "test_skipped")[1], 77)


def test_a_script_that_ends_early_leaves_the_name_of_its_test():
    text, code, root = run_script(SCRIPT + "def test_ends():\n    import os\n    os._exit(3)\n", "test_good", "test_ends")
    same((code, text.splitlines()), (3, ["TAP version 14", "1..2", "ok 1 - test_good"]))
    same(counts(root), {"tests": 2, "failures": 0, "errors": 1, "skipped": 0})
    assert root.find(".//testcase[@name='test_ends']/error") is not None


main(globals())
