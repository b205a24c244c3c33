# SPDX-License-Identifier: Apache-2.0
"""Files of named tensors: safetensors, PyTorch's .pt, and NumPy's .npz.

    bp.io.save_file({"w": w}, "model.safetensors", metadata={"epoch": "3"})
    tensors = bp.io.load_file("model.safetensors", device="cuda:0")

The names are those of the ``safetensors`` package and of NumPy. A file is replaced as a whole or not at all. PyTorch's files
hold containers of tensors and numbers; load_pt gives them as they are. No code that a file names is run."""

from __future__ import annotations

import builtins
import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any, Union

from . import _core, pt
from ._types import Device
from .standard import asarray
from .tensor import Tensor

Path = Union[str, bytes, "os.PathLike[Any]"]

__all__ = [
    "FileNotFoundError", "load", "load_checkpoint", "load_file", "load_metadata", "load_npz", "load_pt", "save", "save_file", "save_pt",
    "savez",
]  # fmt: skip


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
    """Writes a safetensors file of tensors of any device and layout, or of whatever has a buffer. To a path that ends in .pt or
    .pth it writes PyTorch's format, which has no metadata.

    >>> bp.io.save_file({"w": bp.ones(2)}, "one.safetensors")
    >>> bp.io.load_file("one.safetensors")
    {'w': tensor([1., 1.])}
    """
    if _is_pt_name(path):
        if metadata:
            raise ValueError(f"a PyTorch file has no metadata, and {dict(metadata)} is given for {os.fsdecode(path)}")
        return save_pt(_tensors(tensors), path)
    return _call(_core.save_safetensors, _tensors(tensors), os.fsencode(path), None if metadata is None else dict(metadata))


def load_file(path: Path, device: Device | None = "cpu") -> dict[str, Tensor]:
    """Returns the tensors of a safetensors or of a PyTorch file, in its order; which of them it is, its first bytes say. On the CPU
    they are the file's own pages, copied when they are written to: the file may be replaced while they live, but not shortened.
    The names of dicts inside of dicts are joined by dots. What is no tensor in a PyTorch file is an error that names it; load_pt
    gives everything.

    >>> bp.io.save_file({"w": bp.ones(2)}, "two.safetensors")
    >>> bp.io.load_file("two.safetensors")["w"]
    tensor([1., 1.])
    """
    if _is_zip(path):
        return _flat(load_pt(path, device), os.fsdecode(path))
    return _call(_core.load_safetensors, os.fsencode(path), device)[0]


def load_checkpoint(path: Path, device: Device | None = "cpu") -> dict[str, Tensor]:
    """Returns the tensors of a file that a Trainer wrote, and with shard_states those of the files of all processes beside it.

    >>> bp.io.save_file({"model.weight": bp.ones(2)}, "run.safetensors")
    >>> bp.io.load_checkpoint("run.safetensors")
    {'model.weight': tensor([1., 1.])}
    """
    return _call(_core.load_checkpoint, os.fsencode(path), device)[0]


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


def load_pt(path: Any, device: Device | None = "cpu") -> Any:
    """Returns what torch.save wrote to a path or an open file: tensors, numbers, texts, bytes and containers of them. Tensors of one
    storage share memory, as they did. device=None puts each on the device that it was saved from. A file that names anything
    else, such as a function or a class of a program's, is refused, and none of it is run: InvalidArgumentError says what it names.

    >>> bp.io.save_pt({"x": bp.ones(2), "epoch": 3}, "loaded.pt")
    >>> bp.io.load_pt("loaded.pt")
    {'x': tensor([1., 1.]), 'epoch': 3}
    """
    return _call(_as_not_found(pt.load), path, device)


def save_pt(obj: Any, path: Any) -> None:
    """Writes tensors, numbers, texts, bytes and containers of them to a path or an open file, for torch.load and load_pt. Tensors of
    one storage are written as such, and no more of it than they reach. TypeError says what in obj is none of these.

    >>> bp.io.save_pt({"state_dict": bp.nn.Linear(2, 1).state_dict(), "epoch": 3}, "saved.pt")
    """
    _call(_as_not_found(pt.save), obj, path)


def _as_not_found(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns function, whose missing files and folders are then the library's error."""

    def call(*args: Any) -> Any:
        try:
            return function(*args)
        except builtins.FileNotFoundError as e:
            error = _core.NotFoundError(f"{os.fsdecode(e.filename)}: {e.strerror}")
            error.code = "BP_NOT_FOUND"
            raise error from None

    return call


def _is_pt_name(path: Path) -> builtins.bool:
    return os.fsdecode(path).endswith((".pt", ".pth"))


def _is_zip(path: Path) -> builtins.bool:
    try:
        with pathlib.Path(os.fsdecode(path)).open("rb") as file:
            return file.read(len(pt.MAGIC)) == pt.MAGIC
    except (OSError, ValueError):
        return False  # the library says why


def _flat(found: Any, name: str) -> dict[str, Tensor]:
    """Returns the tensors in dicts of dicts by their paths."""
    out: dict[str, Tensor] = {}

    def walk(value: Any, path: str, depth: int) -> None:
        if isinstance(value, Tensor):
            out[path] = value
        elif isinstance(value, Mapping) and depth < 64:
            for key, inner in value.items():
                walk(inner, f"{path}.{key}" if path else str(key), depth + 1)
        else:
            what = f"'{path}', which is a {type(value).__name__}" if path else f"a {type(value).__name__}"
            pt.fail(name, f"it holds {what}, where load_file takes tensors and dicts of them; load_pt gives everything in the file")

    walk(found, "", 0)
    return out


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
