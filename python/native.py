"""Describes the extension trundle._native to cffi: the public headers, and both libraries linked into it."""
import os
import pathlib
import sys

import cffi

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import declarations  # noqa: E402  (setup.py is run from other folders too)

LIBRARIES = pathlib.Path(os.environ.get("TRUNDLE_BUILD", declarations.INCLUDE.parent / "build/python")) / "lib"


def linked(name):
    """Returns how to link a library: its static one where there is one, so that the wheel does not need the shared one."""
    for folder in (f"/usr/lib/{sys.implementation._multiarch}", "/usr/lib", "/usr/local/lib"):
        archive = pathlib.Path(folder) / f"lib{name}.a"
        if archive.exists():
            return str(archive)
    return f"-l{name}"


ffi = cffi.FFI()
ffi.cdef(declarations.declarations())
ffi.set_source(
    "trundle._native", declarations.source(), include_dirs=[str(declarations.INCLUDE)],
    extra_compile_args=["-std=c17", "-g0", "-fvisibility=hidden"],
    # --exclude-libs hides the functions of the archives: a program that has another libtrundle keeps it to itself
    extra_link_args=[str(LIBRARIES / "libtrundle_io_static.a"), str(LIBRARIES / "libtrundle.a"), linked("yaml"), linked("z"),
                     "-fopenmp", "-lm", "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-Wl,-s"])
