# SPDX-License-Identifier: Apache-2.0
"""The plugin that hunts leaks finds those that are there, and no others."""

import os
import pathlib
import subprocess
import sys

import pytest

CODE = """
import pytest, backplane as bp

kept = []

@pytest.mark.parametrize("what", [lambda: bp.ones((2,)), lambda: bp.ones((2,), device="sim:1"), lambda: [], lambda: b"x" * 5000])
def test_keeps(what):
    kept.append(what())

def test_keeps_once(cache={}):
    cache.setdefault("x", bp.ones((3,)))

def test_makes_a_cycle():
    x = bp.ones((3,)).requires_grad_()
    x.register_hook(lambda grad: x)

def test_prints(capsys, tmp_path):
    print("something")
    (tmp_path / "file").write_text("x")
"""


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="each run of a test leaves an object of pytest's or CPython 3.14's own")
def test_leaks_are_found_where_they_are(tmp_path):
    (tmp_path / "some_test.py").write_text(CODE)
    here = str(pathlib.Path(__file__).parent)
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "leaks", "--leaks", "4", "some_test.py"],
                         cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=200)  # fmt: skip
    assert "4 failed, 3 passed" in ran.stdout, ran.stdout + ran.stderr
    for line in ("tensors on cpu grew by 1, 1, 1, 1", "tensors on sim:1 grew by 1, 1, 1, 1", "objects grew by 1, 1, 1, 1",
                 "bytes of malloc grew by 5"):  # fmt: skip
        assert line in ran.stdout, ran.stdout
