#!/usr/bin/env python3
"""play.py: trundle play: the page with a scene inside, who opens it, and what it says when something is missing."""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import GOOD, INPUT, SYSTEM, main, run, scene  # noqa: E402

PAGE = "<html>before<!--trundle-scene-->after</html>"
NO_BROWSER = "Open this address in a browser; there is none that trundle could start.\n"


def environment(page=PAGE, **more):
    """A data folder with this page, and no screen unless one is given."""
    folder = pathlib.Path("data")
    folder.mkdir(exist_ok=True)
    if page is not None:
        (folder / "playground.html").write_text(page)
    left = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return dict(left, TRUNDLE_DATA=str(folder.resolve()), **more)


def scene_in(path):
    text = pathlib.Path(path).read_text()
    before, data, after = re.fullmatch(r'(.*)<script type="application/json" id="trundle-scene">(.*)</script>(.*)', text, re.S).groups()
    assert (before, after) == ("<html>before", "after</html>"), text
    assert "<" not in data, data
    return json.loads(data)


def test_the_scene_is_in_the_page():
    path = scene()
    with open(path, "a") as file:
        file.write("# </script><!-- \"quotes\" \u00e9 & \\\n")
    done = run("play", path, "--out", "page.html", env=environment())
    assert (done.returncode, done.stderr) == (GOOD, "")
    assert done.stdout == f"playground: file://{os.path.realpath('page.html')}\n{NO_BROWSER}", done.stdout
    assert scene_in("page.html") == {"name": str(path), "title": "A ball", "text": pathlib.Path(path).read_text()}


def test_without_a_scene_the_page_is_as_built():
    done = run("play", "--out", "page.html", env=environment())
    assert done.returncode == GOOD
    assert pathlib.Path("page.html").read_text() == "<html>beforeafter</html>"


def test_a_temporary_file_by_default():
    done = run("play", env=environment())
    path = re.fullmatch(r"playground: file://(/tmp/trundle-play-\w{6}\.html)\n" + NO_BROWSER, done.stdout).group(1)
    assert pathlib.Path(path).read_text() == "<html>beforeafter</html>"
    os.unlink(path)


def test_a_browser_gets_the_address():
    os.mkdir("bin")
    os.mkfifo("asked")
    pathlib.Path("bin/xdg-open").write_text(f"#!/bin/sh\necho \"$1\" >{os.path.abspath('asked')}\n")
    os.chmod("bin/xdg-open", 0o755)
    done = run("play", "--out", "page.html", env=environment(DISPLAY=":7", PATH=f"{os.path.abspath('bin')}:{os.environ['PATH']}"))
    address = f"file://{os.path.realpath('page.html')}\n"
    assert (done.returncode, done.stdout) == (GOOD, "playground: " + address), done.stdout
    assert pathlib.Path("asked").read_text() == address


def test_a_screen_without_xdg_open():
    done = run("play", "--out", "page.html", env=environment(DISPLAY=":7", PATH="/nowhere"))
    assert (done.returncode, done.stdout.split("\n", 1)[1]) == (GOOD, NO_BROWSER)


def test_no_page():
    done = run("play", "--out", "page.html", env=environment(page=None))
    assert (done.returncode, done.stdout) == (SYSTEM, "")
    assert done.stderr == "trundle: playground.html is not built; 'make playground' in the source tree builds it\n", done.stderr
    assert not os.path.exists("page.html")


def test_a_page_without_a_place():
    done = run("play", "--out", "page.html", env=environment(page="<html></html>"))
    assert done.returncode == SYSTEM
    assert done.stderr == "trundle: the playground is damaged: it has no place for a scene; 'make playground' builds it\n"


def test_a_scene_with_a_mistake_leaves_what_is_there():
    pathlib.Path("page.html").write_text("mine")
    bad = scene(swap={"sphere": "spere"})
    done = run("play", bad, "--out", "page.html", env=environment())
    assert done.returncode == INPUT
    assert "did you mean 'sphere'" in done.stderr, done.stderr
    assert pathlib.Path("page.html").read_text() == "mine"


def test_a_file_that_cannot_be_written():
    done = run("play", "--out", "none/page.html", env=environment())
    assert (done.returncode, done.stderr) == (SYSTEM, "trundle: none/page.html: cannot be written: No such file or directory\n")


main(globals())
