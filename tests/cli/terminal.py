#!/usr/bin/env python3
"""terminal.py: what a person at a terminal sees: one progress line that renews itself, lines that fit, a braille plot."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import TRUNDLE, main, same, scene  # noqa: E402

LONG = {"until: 0.2 s": "until: 2000 s", "interval: 1 ms": "interval: 1 s"}


def at_terminal(*words, columns=100, locale="C.UTF-8"):
    """Run in a terminal of that width; (exit code, all that came out, seconds)."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**os.environ, "LC_ALL": locale}
    begun = time.monotonic()
    process = subprocess.Popen([TRUNDLE, *words], stdout=slave, stderr=slave, stdin=slave, env=environment)
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(master)
    return process.wait(), seen.decode(), time.monotonic() - begun


def test_progress_line():
    code, text, seconds = at_terminal("run", scene(swap=LONG), "--out", "none", columns=200)
    same(code, 0)
    updates = re.findall(r"\r([^\r\n]*)\x1b\[K", text)
    shown = [u for u in updates if u]
    assert 1 <= len(shown) <= 10 * seconds + 1, (len(shown), seconds)
    for update in shown:
        assert re.fullmatch(r"\d+\.\d{3} s of 2000 s +\d+ %  \S+ x real time  \S+( min \d+)? \w+ left  \d+ bodies  1 contact  \d+ iterations?  "
                            r"residual \S+  energy \S+ J", update), update
    same(updates[-1], "", "the line is wiped at the end")


def test_lines_fit():
    _, text, _ = at_terminal("run", scene(swap=LONG), "--out", "none", columns=60)
    lines = [line for line in re.findall(r"\r([^\r\n]*)\x1b\[K", text) if line]
    assert lines
    for line in lines:  # whole parts of it, however few
        assert len(line) < 60, line
        assert re.fullmatch(r"\d+\.\d{3} s( of 2000 s)?( +\d+ %)?  \S+( min \d+)? \w+ left(  \d+ bodies)?(  1 contact)?(  \d+ iterations?  "
                            r"residual \S+)?", line), line
    table = text.split("\x1b[K")[-1]
    for line in re.sub(r"\x1b\[\d*m", "", table).replace("\r", "").split("\n"):
        assert len(line) <= 60, line


def test_braille_plot():
    _, text, _ = at_terminal("run", scene(), "--out", "none")
    dots = [c for c in text if "\u2800" < c <= "\u28ff"]
    assert len(dots) > 50, text
    assert "energy [J]: " in text and "lost by sliding" in text, text
    _, text, _ = at_terminal("run", "ball.yaml", "--out", "none", locale="C")
    assert text.isascii(), text


def test_json_stays_alone_on_stdout():
    master, slave = pty.openpty()
    done = subprocess.run([TRUNDLE, "run", scene(swap=LONG), "--out", "none", "--json", "--until", "300 s"], stderr=slave,
                          stdout=subprocess.PIPE, text=True, timeout=100)
    os.close(slave)
    os.close(master)
    assert done.stdout.startswith("{") and done.stdout.endswith("}\n"), done.stdout[:100]


main(globals())
