# SPDX-License-Identifier: Apache-2.0
"""The runtime as a whole: its start, its devices' visibility, and the wait for a device."""

from __future__ import annotations

from . import _core
from ._types import Device


def init(*, options: str | None = None, visible_devices: str | None = None, alias: str | None = None,
         plugin_dirs: str | None = None, allow: str | None = None, debug_allocator: bool = False,
         synchronous: bool = False) -> None:
    """Starts the runtime with options, before anything uses it: ``init(options="sim.device_count=2;cpu.isa=avx2")``.
    Without this call the runtime starts by itself. allow lists the kinds that may load; plugin_dirs are searched for backends
    before other directories."""
    _core.init(plugin_dirs, allow, options, visible_devices, alias, 2 * debug_allocator + 4 * synchronous)


def synchronize(device: Device) -> None:
    """Waits for all work that is queued on the device."""
    _core.synchronize(device)


def set_visible_devices(spec: str | None) -> None:
    """Replaces BACKPLANE_VISIBLE_DEVICES for the kinds of which no device was opened yet."""
    _core.set_visible_devices(spec)


_PRECISIONS = ("highest", "high", "medium")


def set_matmul_precision(precision: str) -> None:
    """Says what products of f32 matrices may give up for speed in this process: "highest" nothing, which is so at first; with "high"
    inputs may be rounded to TF32, 11 significant bits, and with "medium" to bf16, 8 bits. A backend may give up less; the cpu gives
    up nothing. PyTorch's name is set_float32_matmul_precision. ValueError: another word.

        set_matmul_precision("high")"""
    if precision not in _PRECISIONS:
        raise ValueError(f"expected one of {', '.join(map(repr, _PRECISIONS))}, got {precision!r}")
    _core.set_matmul_precision(_PRECISIONS.index(precision))


def get_matmul_precision() -> str:
    """Returns what set_matmul_precision was given last: "highest", "high" or "medium"."""
    return _PRECISIONS[_core.get_matmul_precision()]
