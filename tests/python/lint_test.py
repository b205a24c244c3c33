# SPDX-License-Identifier: Apache-2.0
"""The package and its tests pass ruff and mypy, as bindings/python/pyproject.toml sets them."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
CONFIG = "bindings/python/pyproject.toml"


def run(*command):
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert out.returncode == 0, out.stdout + out.stderr


def test_ruff_finds_nothing():
    run("build/python/bin/ruff", "check", "--config", CONFIG, "--no-cache", "--output-format", "concise", "bindings/python", "tests/python")


def test_mypy_finds_nothing():
    tests = sorted((ROOT / "tests/python").glob("*.py"))
    run(sys.executable, "-m", "mypy", "--config-file", CONFIG, "--cache-dir", "build/mypy", "bindings/python/backplane", *tests)
