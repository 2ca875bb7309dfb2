#!/usr/bin/env python3
"""docs.py: README.md and docs/reference/cli.md tell what is true: help texts, the scene and its output, the C program, the table.

docs.py --fix writes the help texts, the output of the scene and the table law x stepper into them."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import SANITIZED, SOURCE, Skip, TRUNDLE, good, main, same  # noqa: E402

README, CLI = SOURCE.resolve() / "README.md", SOURCE.resolve() / "docs/reference/cli.md"


def law_table():
    return good("list", "laws").split("which stepper uses which law\n")[1]


def with_table(text):
    return re.sub(r"(## Which stepper uses which law\n\n```\n).*?(```)", lambda m: m[1] + law_table() + m[2], text,
                  flags=re.S)


def with_help(text):
    return re.sub(r"```\n\$ trundle help ?(\w*)\n.*?```",
                  lambda m: f"```\n$ trundle help{' ' * bool(m[1])}{m[1]}\n{good('help', *m[1].split())}```", text,
                  flags=re.S)


def blocks(kind):
    """Fenced blocks of README.md of one kind ("" for none)."""
    return [text for its_kind, text in re.findall(r"^```(\w*)\n(.*?)^```$", README.read_text(), re.S | re.M)
            if its_kind == kind]


def test_help_texts():
    same(with_help(CLI.read_text()), CLI.read_text(), "run tests/cli/docs.py --fix")
    same(set(re.findall(r"\$ trundle help (\w+)", CLI.read_text())), set(re.findall(r"^    trundle (\w+) ", good("help"), re.M))
         - {"help", "version"})


def test_table_of_laws():
    same(with_table(README.read_text()), README.read_text(), "run tests/cli/docs.py --fix")


def test_readme_is_short():
    assert len(README.read_text().splitlines()) <= 150


def timeless(text):
    """Without what changes from run to run; everything else is the same on every machine, to the last bit."""
    return re.sub(r"took .*", "took", text)


def shown():
    return [b for b in blocks("") if b.startswith("A ball slides")][0]


def output():
    """What the scene of the README prints."""
    scene, = blocks("yaml")
    assert len(scene.splitlines()) <= 10
    pathlib.Path("ball.yaml").write_text(scene)
    return good("run", "ball.yaml")


def test_scene_gives_the_output_shown():
    same(timeless(output()), timeless(shown()), "run tests/cli/docs.py --fix")


def test_c_program_gives_the_same():
    program, = blocks("c")
    pathlib.Path("ball.c").write_text(program)
    build = pathlib.Path(TRUNDLE).parent.parent
    if SANITIZED:
        raise Skip("a sanitized library cannot be linked into a plain program")
    subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-I", SOURCE / "include", "ball.c", "-L", build / "lib",
                    "-ltrundle", f"-Wl,-rpath,{build / 'lib'}", "-o", "ball"], check=True)
    same(subprocess.run(["./ball"], check=True, capture_output=True, text=True).stdout, "speed 0.714285714286 m/s\n")


def pages():
    source = SOURCE.resolve()
    return [*sorted(source.glob("*.md")), *sorted((source / "docs").rglob("*.md"))]


def links(page):
    """Targets of the links of a page that lead into the tree, each with its anchor or ""."""
    for link, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text()):
        if not re.match(r"[a-z]+:", link):
            yield (page.parent / link).resolve() if link else page, anchor


def anchors(page):
    """Headings as links name them."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_lead_somewhere():
    for page in pages():
        for target, anchor in links(page):
            assert target.exists(), f"{page}: {target}"
            assert not anchor or target.suffix != ".md" or anchor in anchors(target), f"{page}: {target}#{anchor}"


def test_every_page_is_linked():
    """From README.md every page can be reached."""
    found, open_pages = {README}, [README]
    while open_pages:
        for target, _ in links(open_pages.pop()):
            if target.suffix == ".md" and target.exists() and target not in found:
                found.add(target)
                open_pages.append(target)
    same(sorted(str(page) for page in set(pages()) - found), [], "pages that no page links")


def test_functions_and_files_of_the_theory_exist():
    """Pages of docs/theory write functions as `name()` and files with their folder."""
    files = [p for folder in ("src", "include", "io", "app") for p in (SOURCE / folder).rglob("*.[ch]")]
    code = "\n".join(p.read_text() for p in files)
    defined = set(re.findall(r"^[A-Za-z][\w \*]*?(\w+)\(", code, re.M))  # SIMD_FN and INLINE begin some
    for page in sorted((SOURCE / "docs/theory").glob("*.md")):
        for name in re.findall(r"`(\w+)\(\)`", page.read_text()):
            assert name in defined, f"{page}: {name}()"
        for path in re.findall(r"\b(?:src|scenes|papers|tests)/[\w./-]+\.\w+", page.read_text()):
            assert (SOURCE / path).exists(), f"{page}: {path}"


def test_commands_shown_are_understood():
    """Options in the pages exist."""
    known = set(re.findall(r"^    --([a-z]+)", CLI.read_text(), re.M)) | {"help", "fix"}
    for page in [README, CLI]:
        for option in re.findall(r"(?<![\w-])--([a-z]+)", page.read_text()):
            assert option in known, f"{page}: --{option}"


if sys.argv[1:] == ["--fix"]:
    README.write_text(with_table(README.read_text()))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        README.write_text(README.read_text().replace(shown(), output()))
    CLI.write_text(with_help(CLI.read_text()))
else:
    main(globals())
