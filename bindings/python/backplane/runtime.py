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
    """Waits for all work that is queued on the device.

    >>> bp.synchronize("cpu")
    """
    _core.synchronize(device)


def set_visible_devices(spec: str | None) -> None:
    """Replaces BACKPLANE_VISIBLE_DEVICES for the kinds of which no device was opened yet.

    >>> bp.set_visible_devices(None)
    """
    _core.set_visible_devices(spec)
