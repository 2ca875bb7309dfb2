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
from cli import SOURCE, TRUNDLE, main, same, scene  # noqa: E402

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
    same(code, 0, text)
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


# Sequences that would wipe the screen or rename the window. Names may not hold them, titles may.
WIPE = r"\e[2J\e]0;owned\a\x9b2J\x7f\r"
HOSTILE = """\
trundle: 1
title: "T{0}"
parameters: {{"mu": 0.3}}
laws:
  felt: {{coulomb: {{slide: mu}}}}
pairs:
  - {{default: felt}}
bodies:
  table: {{kind: fixed, shape: plane}}
  ball: {{shape: {{sphere: {{radius: 0.1 m}}}}, mass: 1 kg, position: [0, 0, 0.1 m], velocity: [1 m/s, 0, 0]}}
steppers:
  moreau: {{step: 1 ms}}
record: {{until: 0.02 s, probes: [ball.speed, contact.slip]}}
"""


def printable(text):
    """What is left when the program's own sequences are gone: colours, the wiped line, line ends."""
    return re.sub(r"\x1b\[(\d*m|K)|\r(?=\n)|\r(?=[^\x1b]*\x1b\[K)|\n", "", text)


def harmless(*words):
    code, text, _ = at_terminal(*words)
    wrong = re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", printable(text))
    assert not wrong, (words, wrong, text)
    return code, text


def test_texts_of_files_do_not_command_the_terminal():
    """Titles, keys, names, file names and words of the command line reach the terminal without control characters."""
    plain = HOSTILE.format(WIPE)
    wipe = "\x1b[2J\x1b]0;owned\x07\u009b2J\x7f"
    with open("h.yaml", "w") as file:
        file.write(plain)
    shown = r"\x1b[2J\x1b]0;owned\x07\x9b2J\x7f\x0d"
    code, text = harmless("run", "h.yaml", "--out", "a")
    same(code, 0, text)
    assert f"T{shown}" in text, text
    for words in (("run", "h.yaml", "--out", "a"), ("run", "h.yaml", "--out", "none", "--json"), ("check", "h.yaml"), ("check", "h.yaml", "--json"),
                  ("analyze", "a"), ("analyze", "h.yaml"), ("compare", "h.yaml"), ("report", "a"), ("export", "a", "--format", "csv"),
                  ("sweep", "h.yaml", "--vary", "parameters.mu=0.1,0.2", "--out", "none"),
                  ("sweep", "h.yaml", "--vary", f"parameters.mu=0.1,{wipe}", "--out", "none"),
                  ("run", wipe), ("run", "h.yaml", "--out", f"b{wipe}", "--plot"), ("run", "h.yaml", "--set", f"{wipe}=1"), ("run", "h.yaml", f"--{wipe}"),
                  ("run", "h.yaml", "--stepper", wipe), (wipe,), ("help", wipe), ("list", wipe), ("list", "laws", wipe), ("papers", wipe),
                  ("bench", wipe), ("report", wipe), ("export", "a", "--format", wipe), ("analyze", wipe), ("compare", wipe)):
        harmless(*words)
    names = ("title", "felt", "ball", "moreau", "coulomb", "slide", "radius", "until", "mass", "1 kg", "0.1 m", "plane", "fixed", "contact.slip", "0.3")
    for name in names:  # broken everywhere, so that the sentence quotes it
        with open("b.yaml", "w") as file:
            file.write(plain.replace(name, f'"{name}{WIPE}"', 1))
        harmless("check", "b.yaml")
    with open("p.yaml", "w") as file:
        file.write(f'paper: "p{WIPE}"\ntitle: "t{WIPE}"\nrows:\n  - {{id: "r{WIPE}", what: "w{WIPE}", scene: h.yaml, unit: m/s, published: 1, '
                   f'tolerance: {{abs: 9}}, measure: {{probe: contact.slip, at: end}}}}\n')
    harmless("papers", "./p.yaml")
    with open("bytes.yaml", "wb") as file:
        file.write(b"trundle: 1\ntitle: \x9b2J\x1b[2J\n")
    harmless("check", "bytes.yaml")


def test_the_program_prints_through_one_place():
    """No printf of its own but in say.c: what is formatted for a terminal has its control characters shown."""
    raw = re.compile(r"(?<!\w)(printf|vprintf|puts|perror)\(|(?<!\w)v?fprintf\((stdout|stderr),|(?<!\w)(fputs|fwrite)\([^\"][^;]*std(out|err)\)")
    own = re.compile(r'\\033\[K|perror\("|puts\("|fputs\(text, stdout\)|fprintf\(stderr, p->terminal')
    for path in sorted((SOURCE / "app").glob("*.c")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            assert not raw.search(line) or own.search(line), f"{path.name}:{number}: {line.strip()}"


def test_json_stays_alone_on_stdout():
    master, slave = pty.openpty()
    done = subprocess.run([TRUNDLE, "run", scene(swap=LONG), "--out", "none", "--json", "--until", "300 s"], stderr=slave,
                          stdout=subprocess.PIPE, text=True, timeout=100)
    os.close(slave)
    os.close(master)
    assert done.stdout.startswith("{") and done.stdout.endswith("}\n"), done.stdout[:100]


main(globals())
