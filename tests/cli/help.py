#!/usr/bin/env python3
"""help.py: the command table as users see it: help, unknown commands and options, wrong values."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import GOOD, USAGE, SOURCE, good, main, refused, run, same  # noqa: E402

COMMANDS = "run check list papers analyze compare sweep report play export bench".split()


def table():
    """Options of each command as app/commands/main.c has them: {command: [option]}."""
    text = (SOURCE / "app/commands/main.c").read_text()
    macros = dict(re.findall(r'#define\s+(\w+)[\s\\]*\{[\s\\]*"([a-z]+)"', text))
    found = {}
    for command, body in re.findall(r"static const option (\w+)_options\[\] = \{(.*?)END,?\s*\};", text, re.S):
        words = re.findall(r'\{"([a-z]+)",|\b([A-Z]{3,})\b(?!_)', body)
        found[command] = [a or macros[b] for a, b in words if a or b in macros]
    return found


def test_help_lists_every_command():
    text = good("help")
    for command in COMMANDS:
        assert f"trundle {command} " in text, command
    same(good("--help"), text)
    same(good("-h"), text)


def test_help_of_a_command_lists_every_option():
    options = table()
    same(sorted(options), sorted(COMMANDS))
    for command in COMMANDS:
        text = good("help", command)
        found = re.findall(r"^    --([a-z]+)", text, re.M)
        same(found, options[command], command)
        same(good(command, "--help"), text)


def test_nothing_is_usage():
    done = run()
    same((done.returncode, done.stdout), (USAGE, ""))
    assert done.stderr.startswith("trundle: simulates"), done.stderr


def test_version():
    assert re.fullmatch(r"trundle \d+\.\d+\.\d+, with(out)? HDF5\n", good("version"))


def test_unknown_command():
    refused(USAGE, "trundle: unknown command 'rum'; the nearest is run (trundle help)", "rum", "x.yaml")
    refused(USAGE, "trundle: unknown command 'qqqqqqqq' (trundle help)", "qqqqqqqq")
    refused(USAGE, "trundle: unknown command 'lst'; the nearest is list (trundle help)", "help", "lst")


def test_unknown_option():
    refused(USAGE, "trundle run: unknown option --treads; the nearest is --threads (trundle help run)", "run", "x.yaml",
            "--treads", "2")
    refused(USAGE, "trundle run: unknown option -j (trundle help run)", "run", "x.yaml", "-j", "2")
    refused(USAGE, "trundle check: unknown option --treads (trundle help check)", "check", "x.yaml", "--treads=2")


def test_wrong_values():
    refused(USAGE, "trundle run: --threads needs a whole number of 1 or more, not '0' (trundle help run)", "run", "x",
            "--threads", "0")
    refused(USAGE, "trundle run: --threads needs a whole number of 1 or more, not '2.5' (trundle help run)", "run", "x",
            "--threads=2.5")
    refused(USAGE, "trundle run: --until needs a time such as '2 s' or '300 ms', not '3 m' (trundle help run)", "run", "x",
            "--until", "3 m")
    refused(USAGE, "trundle run: --until needs a time such as '2 s' or '300 ms', not 'nan' (trundle help run)", "run", "x",
            "--until", "nan")
    refused(USAGE, "trundle run: --set needs path=value, not 'mu' (trundle help run)", "run", "x", "--set", "mu")
    refused(USAGE, "trundle run: --set needs a value (trundle help run)", "run", "x", "--set")
    refused(USAGE, "trundle run: --json takes no value (trundle help run)", "run", "x", "--json=yes")
    refused(USAGE, "trundle run: --until is given twice (trundle help run)", "run", "x", "--until=1", "--until=2")


def test_operands():
    refused(USAGE, "trundle run: SCENE is missing (trundle help run)", "run")
    refused(USAGE, "trundle run: unexpected argument 'b' (trundle help run)", "run", "a", "b")
    refused(USAGE, "trundle list: unexpected argument 'c' (trundle help list)", "list", "a", "b", "c")


def test_exit_codes_are_documented():
    text = good("help")
    for word in ["0 success", "1 usage", "2 bad input", "3 numerical failure", "4 file or system", "5 stopped by a signal"]:
        assert word in text, word
    same(GOOD, 0)


main(globals())
