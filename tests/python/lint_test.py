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
    run("build/python/bin/ruff", "check", "--config", CONFIG, "--no-cache", "--output-format", "concise", "bindings/python", "tests/python",
        "tests/pages", "tools")


def mypy(*files):
    run(sys.executable, "-m", "mypy", "--config-file", CONFIG, "--cache-dir", "build/mypy", *files)


def test_mypy_finds_nothing_in_the_package():
    mypy(*(path for path in sorted((ROOT / "bindings/python/backplane").rglob("*.py")) if path.name != "ops.py"))  # it has ops.pyi


def test_mypy_finds_nothing_in_the_tests_by_the_stubs():
    mypy(*sorted((ROOT / "tests/python").glob("*.py")))
