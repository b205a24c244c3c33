# SPDX-License-Identifier: Apache-2.0
"""The accelerator of this machine, whatever its kind is. The names are those of torch.accelerator.

Simulated devices are passed over unless an alias (BACKPLANE_ALIAS) names their backend something else."""

from __future__ import annotations

import os
from typing import Any

from . import _core
from .kinds import module_of


def _aliases() -> set[Any]:
    pairs = os.environ.get("BACKPLANE_ALIAS", "").replace(";", ",").split(",")
    return {pair.partition("=")[0].strip() for pair in pairs if "=" in pair}


def current_accelerator(check_available: bool = False) -> _core.device | None:
    """Returns the first kind that has devices, as a device without an index, or None if no kind has any."""
    for kind in _core.kinds():
        if kind == "cpu" or not _core.device_count(kind):
            continue
        info = _core.device_info(f"{kind}:0")
        if not info["host_memory"] and (not info["simulated"] or kind in _aliases()):
            return _core.device(kind)
    return None


def _module() -> Any:
    accelerator = current_accelerator()
    if accelerator is None:
        raise RuntimeError("there is no accelerator; backplane.doctor() says why for each backend")
    return module_of(accelerator.type)


def is_available() -> bool:
    return current_accelerator() is not None


def device_count() -> int:
    """Returns how many accelerators there are, of the first kind that has any.

    >>> bp.num_gpus() >= 0
    True
    """
    accelerator = current_accelerator()
    return 0 if accelerator is None else _core.device_count(accelerator.type)


num_gpus = device_count


def gpu(i: int = 0) -> _core.device:
    """Returns accelerator i. Where there is none it is cuda:i, which can be named but not used.

    >>> bp.gpu(0).index if bp.num_gpus() else 0
    0
    """
    accelerator = current_accelerator()
    return _core.device("cuda" if accelerator is None else accelerator.type, i)


def try_gpu(i: int = 0) -> _core.device:
    """Returns accelerator i if it is there, else the CPU.

    >>> bp.try_gpu(99)
    device(type='cpu')
    """
    return gpu(i) if num_gpus() >= i + 1 else _core.device("cpu")


def try_all_gpus() -> list[Any]:
    """Returns every accelerator, or an empty list if there is none.

    >>> len(bp.try_all_gpus()) == bp.num_gpus()
    True
    """
    return [gpu(i) for i in range(num_gpus())]


def current_device_index() -> int:
    return _module().current_device()


def set_device_index(device: _core.device | str | int) -> None:
    _module().set_device(device)


def device_index(device: int | None) -> Any:
    """Makes the device the current one inside a `with` statement."""
    return _module().device(device)


def current_stream(device: Any = None) -> Any:
    return _module().current_stream(device)


def set_stream(stream: Any) -> None:
    _core.stream_set_current(stream._stream)


def synchronize(device: Any = None) -> None:
    _module().synchronize(device)


def empty_cache() -> None:
    _module().empty_cache()


def memory_allocated(device: Any = None) -> int:
    return _module().memory_allocated(device)


def max_memory_allocated(device: Any = None) -> int:
    return _module().max_memory_allocated(device)


def memory_reserved(device: Any = None) -> int:
    return _module().memory_reserved(device)


def memory_stats(device: Any = None) -> dict[str, Any]:
    return _module().memory_stats(device)


def get_memory_info(device: Any = None) -> tuple[Any, ...]:
    return _module().mem_get_info(device)


def reset_peak_memory_stats(device: Any = None) -> None:
    _module().reset_peak_memory_stats(device)
