"""Writes what cffi reads of the public headers: preprocessed, without the standard headers and attributes.

usage: declarations.py; the compiler is $CC or cc. Nothing is typed by hand: a new function of a header is there after the next build.
"""
import os
import pathlib
import re
import subprocess

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
MARK = re.compile(r'^# \d+ "([^"]*)"')


def source():
    """Returns the text that includes every header."""
    return "".join(f"#include <trundle/{path.name}>\n" for path in sorted((INCLUDE / "trundle").glob("*.h")))


def preprocessed():
    """Returns the preprocessor's output with its line marks."""
    compiler = os.environ.get("CC", "cc").split()
    done = subprocess.run([*compiler, "-E", "-std=c17", f"-I{INCLUDE}", "-"], input=source(), text=True, capture_output=True, check=True)
    return done.stdout


def ours(text):
    """Returns the lines of a preprocessed text that come from our headers."""
    lines, inside = [], False
    for line in text.splitlines():
        mark = MARK.match(line)
        if mark:
            inside = mark[1].startswith(str(INCLUDE))
        elif inside and line.strip():
            lines.append(line)
    return "\n".join(lines) + "\n"


def declarations():
    """Returns the declarations of all public headers, as cffi reads them."""
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", "", ours(preprocessed()))
    return text.replace("_Bool", "bool")


if __name__ == "__main__":
    print(declarations(), end="")
