# SPDX-License-Identifier: Apache-2.0
"""torch.save and torch.load: files that PyTorch reads, and PyTorch's files, without unpickling code."""

from __future__ import annotations

from typing import Any

from .. import pt
from .nn.parameter import Parameter
from .size import Size
from .tensor import own


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2,
         _use_new_zipfile_serialization: bool = True) -> None:
    """Writes tensors, numbers, texts, bytes and containers of them, such as state dicts of modules and optimisers, to a path or an
    open file that PyTorch's torch.load reads, also with weights_only=True. A whole module is a TypeError: save its state_dict().

    >>> torch.save({"model": nn.Linear(2, 1).state_dict(), "epoch": 3}, "saved.pt")
    """
    if pickle_module is not None or pickle_protocol != 2 or not _use_new_zipfile_serialization:
        raise NotImplementedError("torch.save writes PyTorch's zip format with a pickle of protocol 2, and takes no pickle_module")
    pt.save(obj, f)


def load(f: Any, map_location: pt.MapLocation = None, pickle_module: Any = None, *, weights_only: bool = True,
         mmap: bool | None = None, **pickle_load_args: Any) -> Any:
    """Returns what torch.save wrote, PyTorch's or this one, as PyTorch does with weights_only=True: no code that the file names is
    run, and a file that names any is refused with the name (ValueError). Tensors come to the devices that they were saved from, or
    to where map_location sends them: a device, its name, a dict from location to location, or a function of a storage, as a
    tensor, and its location. mmap makes no difference: on the CPU, tensors are the file's own pages, copied when written to.

    >>> torch.save({"x": torch.ones(2), "epoch": 3}, "loaded.pt")
    >>> torch.load("loaded.pt", map_location="cpu")
    {'x': tensor([1., 1.]), 'epoch': 3}
    """
    if weights_only is False or pickle_module is not None or pickle_load_args:
        raise NotImplementedError("torch.load reads without running code, as PyTorch does with weights_only=True, and in no other way")
    return pt.load(f, map_location, pt.Pair(Parameter, Size), own)
