#!/usr/bin/env python3
"""guide.py: every command of the guide works as its page shows it.

Each page of docs/guide runs in an empty folder, from top to bottom:
  ```yaml ball.yaml   a block with a name is written to that file
  ```sh               a block of commands is run by bash, and must end with exit code 0 (```sh exit=2: with 2)
  ```text             a block right after it is what it prints; a line "..." stands for any lines
trundle is the program that was built, build/release its build folder. Guide pages have no other fenced blocks of commands;
`make TARGET` within a sentence must be a target of the Makefile. guide.py --fix writes what commands print into text blocks
without "..."."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import SANITIZED, SOURCE, TRUNDLE, main, same  # noqa: E402

ROOT = SOURCE.resolve()
BUILD = pathlib.Path(TRUNDLE).parent.parent
BLOCK = re.compile(r"^```(\w*)(?: ([^\n]*))?\n(.*?)^```$", re.S | re.M)
CLOCK = [(r"took [\d.]+ [a-z]+", "took 1 ms"), (r"[\d.]+ s of computing", "1 s of computing"),
         (r"computing +[\d.e-]+ s, [\d.]+ ns per step, \d+ % outside the steps", "computing 1 s")]


def timeless(text):
    """Without what a clock tells; everything else is the same on every machine."""
    for pattern, word in CLOCK:
        text = re.sub(pattern, word, text)
    return text.rstrip("\n")


def environment():
    names = {name: value for name, value in os.environ.items() if not name.startswith("TRU")}
    return {**names, "PATH": f"{BUILD / 'bin'}:{names['PATH']}", "HOME": os.getcwd(), "LC_ALL": "C.UTF-8", "TRUNDLE_SOURCE": str(ROOT)}


def run_block(words, text):
    """What the commands print; a wrong exit code fails."""
    wanted = int((re.search(r"exit=(\d+)", words or "") or [0, 0])[1])
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], env=environment(), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300)
    same(done.returncode, wanted, f"exit code of\n{text}{done.stdout}")
    return done.stdout


def matches(shown, printed):
    pattern = ".*".join(re.escape(part) for part in re.split(r"^\.\.\.$", timeless(shown), flags=re.M))
    return re.fullmatch(pattern, timeless(printed), re.S) is not None


def blocks_of(page):
    return list(BLOCK.finditer(page.read_text()))


def link_tree():
    """The folders that pages name: the build tree and the sources, reached by links."""
    pathlib.Path("build").mkdir()
    pathlib.Path("build/release").symlink_to(BUILD)
    pathlib.Path("tests").symlink_to(ROOT / "tests")


def run_page(page):
    """Runs a page; pairs of what it shows and what was printed, with the block's place in the page."""
    link_tree()
    printed, pairs = None, []
    for block in blocks_of(page):
        kind, words, text = block.groups()
        if kind == "sh":
            printed = run_block(words, text)
        elif kind == "text" and printed is not None:
            pairs.append((block.span(3), text, printed))
            printed = None
        elif words:
            pathlib.Path(words).write_text(text)
            printed = None
    return pairs


def check_page(name):
    page = ROOT / f"docs/guide/{name}.md"
    for _, shown, printed in run_page(page):
        assert matches(shown, printed), f"{page} shows\n{shown}\nprinted was\n{printed}"


def test_first_scene():
    check_page("first-scene")


def test_choosing():
    check_page("choosing")


def test_troubleshooting():
    check_page("troubleshooting")


def keep_manifest(work):
    """Runs work; the list of installed files of a real installation stays."""
    manifest = BUILD / "install_manifest.txt"
    kept = manifest.read_bytes() if manifest.exists() else None
    try:
        work()
    finally:
        if kept is None:
            manifest.unlink(missing_ok=True)
        else:
            manifest.write_bytes(kept)


def test_install():
    if not SANITIZED:  # installs and uninstalls
        keep_manifest(lambda: check_page("install"))


def test_embed():
    if not SANITIZED:  # a plain program cannot link the library of a sanitized build
        keep_manifest(lambda: check_page("embed"))


def test_extend():
    if not SANITIZED:
        keep_manifest(lambda: check_page("extend"))


def test_every_page_runs():
    """A page with commands has a test here; pages without may stand alone."""
    tested = {name[5:].replace("_", "-") for name in globals() if name.startswith("test_")}
    for page in sorted((ROOT / "docs/guide").glob("*.md")):
        if any(block[1] == "sh" for block in blocks_of(page)):
            assert page.stem in tested, f"{page}: no test runs its commands"


def test_blocks_have_a_kind():
    """A fenced block without a kind would not be run. python/tests/test_guide.py runs those of python.md."""
    for page in sorted((ROOT / "docs/guide").glob("*.md")):
        for block in blocks_of(page):
            known = ("python", "text") if page.stem == "python" else ("sh", "text", "yaml", "c", "cmake")
            assert block[1] in known, f"{page}: a block of kind '{block[1]}'"


def test_targets_of_make_exist():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"`make ([a-z-]+)", page.read_text()):
            assert target in targets, f"{page}: make {target}"


def literals():
    """The texts of the program, as one string each per file; %-directives are cut out."""
    for folder in ("src", "io", "app"):
        for path in (ROOT / folder).rglob("*.[ch]"):
            yield re.sub(r'"\s*"', "", path.read_text())


def test_sentences_of_tables_exist():
    """Troubleshooting quotes sentences with "..." for values: their parts are in one file of the program."""
    text = (ROOT / "docs/guide/troubleshooting.md").read_text()
    code = list(literals())
    quotes = [row for row in re.findall(r"^\| `([^`]+)` \|", text, re.M) if " " in row]
    assert len(quotes) >= 8, quotes
    for quote in quotes:
        parts = [p.strip(" .:") for p in re.split(r"\.\.\.|'NAME'", quote)]
        parts = [p for p in parts if len(p) > 3]
        assert any(all(p in file for p in parts) for file in code), f"no file has {parts}"


def fix(name):
    page = ROOT / f"docs/guide/{name}.md"
    text = page.read_text()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for (begin, end), shown, printed in reversed(run_page(page)):
            if "\n...\n" not in "\n" + shown:
                text = text[:begin] + printed.rstrip("\n") + "\n" + text[end:]
        os.chdir("/")
    page.write_text(text)


if sys.argv[1:2] == ["--fix"]:
    for page_name in sys.argv[2:]:
        fix(page_name)
else:
    main(globals())
