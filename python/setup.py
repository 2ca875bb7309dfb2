"""Builds the wheel: the libraries by CMake, the extension by cffi, for every Python from 3.9 on (abi3)."""
import os
import pathlib
import re
import subprocess

from setuptools import setup

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.setdefault("TRUNDLE_BUILD", str(ROOT / "build/python")))


def build_libraries():
    """Builds libtrundle and libtrundle-io, without HDF5, as static libraries."""
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DTRUNDLE_HDF5=OFF", "-DTRUNDLE_TESTS=OFF"], check=True)
    subprocess.run(["cmake", "--build", BUILD, "-j", str(os.cpu_count()), "--target", "trundle_static", "trundle_io_static"], check=True)


def version():
    """Returns the version of the project, which CMakeLists.txt says."""
    return re.search(r"project\(Trundle VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


build_libraries()
os.chdir(pathlib.Path(__file__).resolve().parent)
setup(version=version(), cffi_modules=["native.py:ffi"], options={
    "bdist_wheel": {"py_limited_api": "cp39"},
    "build": {"build_base": str(BUILD / "setuptools")},
    "build_ext": {"force": True},  # setuptools does not see that the libraries in the extension changed
    "egg_info": {"egg_base": str(BUILD)}})
