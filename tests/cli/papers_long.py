#!/usr/bin/env python3
"""papers_long.py: every row of every paper in the tree holds, recomputed by the program."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from cli import good_json, main  # noqa: E402

FIELDS = ["paper", "id", "what", "published", "ours", "target", "tolerance", "unit", "verdict", "erratum", "scene", "seconds"]


def test_every_row_of_the_tree_holds():
    for row in good_json("papers", timeout=580)["rows"]:
        assert row["verdict"] in ("pass", "skip"), row
        for field in FIELDS:
            assert field in row, (field, row)


main(globals())
