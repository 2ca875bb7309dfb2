"""Generated texts: stubs equal the committed ones (TRU_WRITE_DOCS=1 writes them); every function of the headers is in the extension."""
import os
import re

import pytest

import trundle as tr
from conftest import ROOT
from trundle import stubs
from trundle._native import lib


@pytest.mark.parametrize("name, made", [("plugins", stubs.plugin_stubs), ("errors", stubs.error_stubs)])
def test_committed_stubs_are_those_of_the_tables(name, made):
    path = ROOT / f"python/trundle/{name}.pyi"
    if os.environ.get("TRU_WRITE_DOCS"):
        path.write_text(made())
    assert path.read_text() == made()


def test_every_public_function_is_in_the_extension():
    text = "".join(path.read_text() for path in sorted((ROOT / "include/trundle").glob("*.h")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    names = set(re.findall(r"^TRU_API [^;{]*?\b(tru_\w+)\(", text, re.M))
    assert len(names) > 150
    assert names - set(dir(lib)) == set()


def test_types_are_checked(tmp_path):
    api = pytest.importorskip("mypy.api", reason="no mypy")
    (tmp_path / "user.py").write_text("import trundle as tr\ntr.Sphere(radus=1)\ntr.Moreau(step='1 ms', scheme='midpoint')\n")
    said, _, _ = api.run([str(tmp_path / "user.py"), "--no-incremental"])
    assert 'Unexpected keyword argument "radus" for "Sphere"' in said and said.count("error") == 2
