# SPDX-License-Identifier: Apache-2.0
"""Recorded programs in files: ``load_program``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _core
from ._types import Device
from .io import Path, _call

__all__ = ["LoadedProgram", "load_program"]


class LoadedProgram:
    """A program from a file: call it with tensors like those that it was recorded with; ``load_program`` makes it.

    >>> f = bp.compile(lambda x: bp.exp(x) * 2)
    >>> _ = f(bp.zeros(2))
    >>> f.programs[0].save("doubled.safetensors")
    >>> bp.load_program("doubled.safetensors")(bp.zeros(2))
    tensor([2., 2.])
    """

    def __init__(self, program: Any) -> None:
        self._program = program

    def __call__(self, *inputs: Any) -> Any:
        """Returns the one result, or a tuple of several."""
        results = self._program.run(list(inputs))
        return results[0] if len(results) == 1 else tuple(results)

    def text(self) -> str:
        """The steps, a line for each.

        >>> f = bp.compile(lambda x: -x)
        >>> _ = f(bp.zeros(2))
        >>> f.programs[0].save("negative.safetensors")
        >>> "neg" in bp.load_program("negative.safetensors").text()
        True
        """
        return str(self._program.text())

    def facts(self) -> dict[str, int]:
        """What a run does, and the memory that it takes in between.

        >>> f = bp.compile(lambda x: -x)
        >>> _ = f(bp.zeros(2))
        >>> f.programs[0].save("negative.safetensors")
        >>> bp.load_program("negative.safetensors").facts()["steps"]
        1
        """
        return dict(self._program.facts())

    def save(self, path: Path) -> None:
        """Writes the program into a file, with the values now of what it holds.

        >>> f = bp.compile(lambda x: -x)
        >>> _ = f(bp.zeros(2))
        >>> f.programs[0].save("negative.safetensors")
        >>> bp.load_program("negative.safetensors").save("again.safetensors")
        """
        self._program.save(os.fspath(path))


def load_program(path: Path, device: Device | Sequence[Device] | None = None) -> LoadedProgram:
    """Returns a program that ``save`` of a recorded one wrote, as a function of tensors; nothing of what it was recorded from is
    needed, nor is it run. It holds tensors of its own, with the values that they had when it was saved.

    ``device`` is where all of it runs, or a list, one for each device that the file names; without it these. The file may come
    from anywhere: what is wrong with one is said in an InvalidArgumentError.

    >>> f = bp.compile(lambda x: bp.exp(x) * 2)
    >>> _ = f(bp.zeros(2))
    >>> f.programs[0].save("program.safetensors")
    >>> g = bp.load_program("program.safetensors", device="cpu")
    >>> g(bp.zeros(2))
    tensor([2., 2.])
    """
    if device is None:
        devices: list[Any] = []
    else:
        devices = list(device) if isinstance(device, (list, tuple)) else [device]
    return LoadedProgram(_call(_core.program_load, path, devices))
