"""The blocks of docs/guide/python.md run from top to bottom, and print what the page shows."""
import contextlib
import io
import re

from conftest import ROOT

BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.S | re.M)


def test_page():
    names, printed, compared = {}, "", 0
    for kind, text in BLOCK.findall((ROOT / "docs/guide/python.md").read_text()):
        if kind == "text":
            assert printed == text
            compared += 1
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, "docs/guide/python.md", "exec"), names)
        printed = out.getvalue()
    assert compared >= 5


def test_readme(tmp_path, monkeypatch):
    text = (ROOT / "README.md").read_text()
    blocks = dict(re.findall(r"^```(python|yaml)\n(.*?)^```\n", text, re.S | re.M))
    (tmp_path / "ball.yaml").write_text(blocks["yaml"])
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(blocks["python"], "README.md", "exec"), {})
    assert out.getvalue() == "0.714285714286 m/s\n"
