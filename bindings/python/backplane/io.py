# SPDX-License-Identifier: Apache-2.0
"""Files of named tensors: safetensors, and NumPy's .npz.

    bp.io.save_file({"w": w}, "model.safetensors", metadata={"epoch": "3"})
    tensors = bp.io.load_file("model.safetensors", device="cuda:0")

The names are those of the ``safetensors`` package and of NumPy. A file is replaced as a whole or not at all."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Mapping
from typing import Any, Union

from . import _core
from ._types import Device
from .standard import asarray
from .tensor import Tensor

Path = Union[str, bytes, "os.PathLike[Any]"]

__all__ = ["FileNotFoundError", "load", "load_file", "load_metadata", "load_npz", "save", "save_file", "savez"]


class FileNotFoundError(_core.NotFoundError, builtins.FileNotFoundError):
    """The file, or the folder to write it to, does not exist."""


def _call(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except _core.NotFoundError as e:
        error = FileNotFoundError(str(e))
        error.code = e.code
        raise error from None


def _tensors(tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {name: t if isinstance(t, Tensor) else asarray(t) for name, t in tensors.items()}


def save_file(tensors: Mapping[str, Any], path: Path, metadata: Mapping[str, str] | None = None) -> None:
    """Writes a safetensors file of tensors of any device and layout, or of whatever has a buffer.

    >>> bp.io.save_file({"w": bp.ones(2)}, "one.safetensors")
    >>> bp.io.load_file("one.safetensors")
    {'w': tensor([1., 1.])}
    """
    _call(_core.save_safetensors, _tensors(tensors), os.fsencode(path), None if metadata is None else dict(metadata))


def load_file(path: Path, device: Device | None = "cpu") -> dict[str, Tensor]:
    """Returns the tensors of a safetensors file, in its order. On the CPU they are the file's own pages, copied when they are
    written to: the file may be replaced while they live, but not shortened.

    >>> bp.io.save_file({"w": bp.ones(2)}, "two.safetensors")
    >>> bp.io.load_file("two.safetensors")["w"]
    tensor([1., 1.])
    """
    return _call(_core.load_safetensors, os.fsencode(path), device)[0]


def load_metadata(path: Path) -> dict[str, str]:
    """Returns the texts beside the tensors of a safetensors file.

    >>> bp.io.save_file({"w": bp.ones(2)}, "three.safetensors", metadata={"epoch": "3"})
    >>> bp.io.load_metadata("three.safetensors")
    {'epoch': '3'}
    """
    return _call(_core.load_safetensors, os.fsencode(path), "cpu")[1]


def save(tensors: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> bytes:
    """Returns the bytes that save_file writes.

    >>> len(bp.io.save({"w": bp.ones(2)})) > 8
    True
    """
    return _core.format_safetensors(_tensors(tensors), None if metadata is None else dict(metadata))


def load(data: Any, device: Device | None = "cpu") -> dict[str, Tensor]:
    """Returns copies of the tensors in the bytes of a safetensors file.

    >>> bp.io.load(bp.io.save({"w": bp.ones(2)}))["w"]
    tensor([1., 1.])
    """
    return _core.parse_safetensors(data, device)


def savez(path: Path, *args: Any, **named: Any) -> None:
    """Writes an .npz file for numpy.load. Arguments without a name become arr_0, arr_1 and so on. A path that does not end
    in ".npz" gets this ending, as with numpy.savez.

    >>> bp.io.savez("four.npz", x=bp.ones(2))
    >>> bp.io.load_npz("four.npz")["x"]
    tensor([1., 1.])
    """
    tensors = _tensors(named)
    for i, t in enumerate(args):
        if f"arr_{i}" in tensors:
            raise ValueError(f"Cannot use un-named variables and keyword arr_{i}")
        tensors.update(_tensors({f"arr_{i}": t}))
    file = os.fsencode(path)
    _call(_core.save_npz, tensors, file if file.endswith(b".npz") else file + b".npz")


def load_npz(path: Path, device: Device | None = "cpu") -> dict[str, Tensor]:
    """Returns the arrays of an .npz file that numpy.savez or numpy.savez_compressed wrote.

    >>> bp.io.savez("five.npz", bp.ones(2))
    >>> list(bp.io.load_npz("five.npz"))
    ['arr_0']
    """
    return _call(_core.load_npz, os.fsencode(path), device)
