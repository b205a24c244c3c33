# SPDX-License-Identifier: Apache-2.0
"""A backend that pip installed as a wheel is found, without a word and without running the wheel's code."""

import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import zipfile

import backplane
import pytest

ROOT = pathlib.Path(__file__).parents[2]
HEADERS = pathlib.Path(backplane.__file__).parent / "include"


make_wheel = runpy.run_path(str(ROOT / "bindings/python/backend_wheel.py"))["wheel"]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The smallest backend, which calls itself acme."""
    source = tmp_path_factory.mktemp("acme")
    for file in (ROOT / "plugins/null").glob("*.[ch]"):
        (source / file.name).write_text(file.read_text().replace('"null"', '"acme"'))
    out = source / "libbackplane_acme.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-shared", "-fPIC", "-fvisibility=hidden", f"-I{HEADERS}", *source.glob("*.c"), "-o", out], check=True)
    return out


@pytest.fixture(scope="module")
def site(library, tmp_path_factory):
    """A folder of packages into which pip installed the wheel, whose code does not run unless somebody imports it."""
    wheel = make_wheel(library, tmp_path_factory.mktemp("wheels"), notices=[ROOT / "LICENSE"])
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check",
                    "--target", folder, wheel], check=True)
    (folder / "backplane_acme/__init__.py").write_text("raise SystemExit('the code of the package ran')\n")
    return folder


def run(code, *folders, **environment):
    paths = [*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])]
    out = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment})
    assert out.returncode == 0, out.stderr
    return out.stdout.split(), out.stderr


DEVICES = "import backplane as bp; print(*(d for d in map(str, bp.devices()) if 'acme' in d))"


def test_the_backend_of_a_wheel_lists_its_devices_and_computes(site):
    assert run(DEVICES) == ([], "")
    assert run(DEVICES, site) == (["acme:0"], "")
    assert run("import backplane as bp; print((bp.ones(2, device='acme:0') + 1).tolist(), bp.acme.device_count())", site)[0] == [
        "[2.0,", "2.0]", "1"]


def test_options_may_be_given_until_a_backend_is_loaded(site):
    assert run("import backplane as bp; bp.init(options='acme.device_count=2')\n" + DEVICES, site)[0] == ["acme:0", "acme:1"]
    assert run("import backplane as bp; bp.init(allow='cpu')\n" + DEVICES, site)[0] == []
    late = "import backplane as bp; bp.ones(1)\ntry: bp.init(allow='cpu')\nexcept bp.BadStateError: print('late')\n"
    assert run(late + "print(bp.acme.device_count())", site)[0] == ["late", "1"]


def test_the_environment_comes_before_wheels(site, library, tmp_path):
    shutil.copy(library, tmp_path)
    code = "import backplane as bp; print(*(e['path'] for e in bp.doctor() if e['kind'] == 'acme' and e['status'] == 'BP_OK'))"
    first, second = run(code, site, BACKPLANE_PLUGIN_PATH=str(tmp_path))[0]
    assert first == str(tmp_path / library.name) and second == str(site / "backplane_acme" / library.name)
    assert run(code, site)[0] == [str(site / "backplane_acme" / library.name)]


def test_a_package_below_another_is_found_and_one_without_a_backend_is_named(library, tmp_path):
    below = tmp_path / "maker/of/chips"
    below.mkdir(parents=True)
    (tmp_path / "maker/__init__.py").write_text("raise SystemExit('the code of the package ran')\n")
    shutil.copy(library, below)
    points = tmp_path / "maker-1.dist-info/entry_points.txt"
    points.parent.mkdir()
    points.write_text("[console_scripts]\nx = maker:x\n\n[backplane.plugins]\n# ours\nacme = maker.of.chips\n\n[other]\na = maker\n")
    assert run(DEVICES, tmp_path) == (["acme:0"], "")
    for package, why in ("maker.of", "in whose folder there is no libbackplane_<kind>.so"), ("nowhere", "names the package 'nowhere'"):
        points.write_text(f"[backplane.plugins]\nacme = {package}\n")
        devices, said = run(DEVICES, tmp_path)
        assert devices == [] and why in said and "the entry point 'acme'" in said


def test_an_entry_point_that_names_no_package_hides_nothing(library, tmp_path):
    chips = tmp_path / "chips"
    chips.mkdir()
    shutil.copy(library, chips)
    points = tmp_path / "a-1.dist-info/entry_points.txt"
    points.parent.mkdir()
    for package in (f"json.{chips}", "json.\0", "json.a b", "chips\0", "", "json...chips"):
        points.write_text(f"[backplane.plugins]\nacme = {package}\n")
        devices, said = run(DEVICES + "; bp.ones(1)", tmp_path)
        assert devices == [] and "the entry point 'acme'" in said, package
    points.write_text("[backplane.plugins]\nacme = chips\n")
    assert run(DEVICES, tmp_path) == (["acme:0"], "")
    assert run("import sys; sys.path += [b'x', 7, None]\n" + DEVICES, tmp_path) == (["acme:0"], "")
    finder = "import sys\nclass F:\n    def find_spec(self, name, *_):\n        if name == 'chips': raise RuntimeError\n"
    devices, said = run(f"{finder}sys.meta_path.insert(0, F())\n{DEVICES}", tmp_path)
    assert devices == [] and "the entry point 'acme'" in said


def test_a_wheel_is_the_same_each_time_and_says_what_is_in_it(library, tmp_path):
    first = make_wheel(library, tmp_path, notices=[ROOT / "LICENSE"])
    data = first.read_bytes()
    assert make_wheel(library, tmp_path, notices=[ROOT / "LICENSE"]).read_bytes() == data
    assert re.fullmatch(r"backplane_acme-0\.1\.0-py3-none-linux_\w+\.whl", first.name)
    with zipfile.ZipFile(first) as archive:
        about = "backplane_acme-0.1.0.dist-info"
        told = {f"{about}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")}
        assert set(archive.namelist()) == {"backplane_acme/__init__.py", "backplane_acme/libbackplane_acme.so"} | told
    with pytest.raises(SystemExit, match=r"acme\.so is not called libbackplane_<kind>.so"):
        make_wheel(pathlib.Path("acme.so"), tmp_path)
