# SPDX-License-Identifier: Apache-2.0
"""The wheel is whole: what it opens is in it, with the licences; it needs no NumPy, and its sources build it without this
tree."""

import importlib.metadata
import pathlib
import re
import subprocess
import sys
import tarfile

import backplane
import pytest

PACKAGE = pathlib.Path(backplane.__file__).parent
LIBRARIES = PACKAGE.parent / "backplane.libs"
ROOT = pathlib.Path(__file__).parents[2]
NOTICES = {name: (ROOT / name).read_text() for name in ("LICENSE", "NOTICE", "THIRD_PARTY_NOTICES.md")}
of_a_wheel = pytest.mark.skipif(not PACKAGE.is_relative_to(sys.prefix), reason="the package is the build tree's, not a wheel's")


def run(code):
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return out.stdout.split()


@of_a_wheel
def test_what_the_cpu_backend_opens_is_the_wheels():
    opened = run("import backplane as bp\nbp.init(options='cpu.isa=base')\n"
                 "for t in bp.float32, bp.float64: x = bp.ones((300, 300), dtype=t); x @ x\n"
                 "print(*{line.split()[-1] for line in open('/proc/self/maps') if '.so' in line})")
    packed = {p.name for p in LIBRARIES.iterdir() if p.is_file()}
    assert packed == {"libscipy_openblas.so", "libgomp.so.1"}
    for path in map(pathlib.Path, opened):
        stem = path.name.split(".so")[0]
        if any(name.startswith(stem + ".so") for name in packed):
            assert path.parent == LIBRARIES, path
    assert {str(LIBRARIES / name) for name in packed} <= set(opened)


@of_a_wheel
def test_each_library_comes_with_its_licence():
    for library in (p for p in LIBRARIES.iterdir() if p.is_file()):
        text = (LIBRARIES / "licenses" / f"{library.name}.txt").read_text()
        assert re.match(rf"{re.escape(library.name)} is from (Debian|PyPI)'s \S+ \S+, source \S+ \S+;", text) and "opyright" in text
        for name in re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text):
            assert (LIBRARIES / "licenses/common-licenses" / name).is_file(), name
        assert f"`{library.name}`" in NOTICES["THIRD_PARTY_NOTICES.md"]


@of_a_wheel
def test_the_package_carries_its_licence_and_the_notices():
    package = importlib.metadata.distribution("backplane")
    assert package.metadata["License-Expression"] == "Apache-2.0"
    assert set(package.metadata.get_all("License-File") or []) == set(NOTICES)
    packed = [path for path in package.files or [] if path.parent.match("*.dist-info/licenses")]
    assert {path.name: path.read_text() for path in packed} == NOTICES


@of_a_wheel
def test_what_is_said_of_the_package_is_whole():
    about = importlib.metadata.distribution("backplane").metadata
    assert about["Summary"] and about["Keywords"] and about["Author"] and about["Requires-Python"] == ">=3.10"
    page = str(about.json["description"])
    assert about["Description-Content-Type"] == "text/markdown" and "import backplane as bp" in page
    assert not re.search(r"\]\((?!https:)", page), "a link that leads nowhere from an index"
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert " ".join(run(program)).startswith("tensor([[ 8., 11.],")
    assert {"Operating System :: POSIX :: Linux", "Typing :: Typed"} <= {*about.get_all("Classifier", [])}


@of_a_wheel
def test_the_package_is_small():
    """40 MiB for the cpu; `sim` comes on top, and what Python compiles at installation."""
    files = [path for folder in (PACKAGE, LIBRARIES) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    size = sum(path.stat().st_size for path in files if path.name != "libbackplane_sim.so")
    assert size <= 40 * 2**20, sorted((path.stat().st_size, path.name) for path in files)[-8:]


@of_a_wheel
def test_libraries_are_searched_for_in_the_wheel_alone():
    """Neither in the build tree, which is another person's folder elsewhere, nor in the working directory, as an empty entry says."""
    for file in (path for folder in (PACKAGE, LIBRARIES) for path in folder.rglob("*") if path.is_file()):
        with file.open("rb") as start:
            if start.read(4) != b"\x7fELF":
                continue
        said = subprocess.run(["readelf", "-d", file], check=True, capture_output=True, text=True).stdout
        for path in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", said):
            assert all(entry.startswith("$ORIGIN") for entry in path.split(":")), (file, path)


@of_a_wheel
def test_the_wheel_has_the_command():
    (command,) = (e for e in importlib.metadata.distribution("backplane").entry_points if e.group == "console_scripts")
    assert (command.name, command.value) == ("backplane", "backplane.__main__:main") and (PACKAGE / "bin/backplane").stat().st_mode & 0o111
    out = subprocess.run([pathlib.Path(sys.executable).parent / "backplane", "devices"], capture_output=True, text=True)
    assert out.returncode == 0 and "sim:1" in out.stdout, out.stderr


def test_numpy_is_not_imported():
    assert run("import sys, backplane, backplane.torch; print('numpy' in sys.modules)") == ["False"]


def test_the_source_distribution_holds_all_that_its_build_reads(tmp_path):
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", tmp_path, ROOT / "bindings/python"],
                   check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", archive], check=True, capture_output=True)
    with tarfile.open(archive) as whole:
        names = {name.partition("/")[2] for name in whole.getnames()}
        whole.extractall(tmp_path)
    for folder in "core", "include", "plugins", "cmake":
        for file in (ROOT / folder).rglob("*"):
            if file.is_file():
                assert f"tree/{file.relative_to(ROOT)}" in names, file
    wanted = {"vendor.cmake", "pyproject.toml", "tree/CMakeLists.txt", "backplane/standard/creation.py"}
    assert wanted | {*NOTICES, *(f"tree/{name}" for name in NOTICES)} <= names
    for name, text in NOTICES.items():
        assert (tmp_path / archive.name.removesuffix(".tar.gz") / name).read_text() == text
    build = tmp_path / "build"  # nothing is compiled: what the build would read is there, all of it
    subprocess.run(["cmake", "-S", tmp_path / archive.name.removesuffix(".tar.gz"), "-B", build, "-G", "Ninja",
                    f"-DPython_EXECUTABLE={sys.executable}", "-DBACKPLANE_VENDOR=OFF", "-DBP_UNITY=OFF"], check=True, capture_output=True)
    listed = subprocess.run(["ninja", "-C", build, "-t", "inputs", "all"], check=True, capture_output=True, text=True).stdout
    read = [pathlib.Path(line) for line in listed.splitlines() if line.startswith("/")]
    assert not [path for path in read if not path.exists()]
    assert {"tensor.cc", "plugin.cc", "module.cc"} <= {path.name for path in read if path.is_relative_to(tmp_path)}
    # The virtual environment, with nanobind in it, may lie in the tree's build folder.
    assert not [path for path in read if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build")]
