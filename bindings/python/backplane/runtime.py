# SPDX-License-Identifier: Apache-2.0
"""The runtime as a whole: its start, its devices' visibility, and the wait for a device."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from . import _core, wheels
from ._types import Device

_READY = 9  # BP_STAGE_READY
_started = False  # by start(), which init() may take back
_POLICIES = ("inherit", "refuse", "cpu")  # their places are the numbers of bp_fallback
_PRECISIONS = ("highest", "high", "medium")  # likewise of bp_precision


def init(*, options: str | None = None, visible_devices: str | None = None, alias: str | None = None,
         plugin_dirs: str | None = None, allow: str | None = None, debug_allocator: bool = False,
         synchronous: bool = False) -> None:
    """Starts the runtime with options, before anything uses it: ``init(options="sim.device_count=2;cpu.isa=avx2")``.
    Without this call the runtime starts by itself. allow lists the kinds that may load; plugin_dirs are searched for backends
    before other directories."""
    global _started
    if _started and not any(entry["stage"] == _READY for entry in _core.load_report()):
        _core.shutdown()  # nothing was loaded yet
    _started = False
    _core.init(_directories(plugin_dirs), allow, options, visible_devices, alias, 2 * debug_allocator + 4 * synchronous)


def start() -> None:
    """Starts the runtime where wheels brought backends, so that it knows of them; elsewhere it starts by itself."""
    global _started
    if directories := _directories(None):
        try:
            _core.init(directories, None, None, None, None, 0)
            _started = True
        except _core.BadStateError:
            pass  # another part of the program started it, and said where backends are


def _directories(first: str | None) -> str | None:
    """What init's plugin_dirs are: those given, those of the environment, which come before the wheels', and the wheels'. An
    interpreter that heeds the environment would run code of it anyway, by PYTHONPATH."""
    if not (brought := wheels.folders()):
        return first
    environment = None if sys.flags.ignore_environment else os.environ.get("BACKPLANE_PLUGIN_PATH")
    return ":".join(filter(None, [first, environment, *brought]))


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


def _policy(name: str | None) -> int:
    known = "inherit" if name is None else name
    if known not in _POLICIES:
        raise ValueError(f"fallback {name!r} is not known, expected 'refuse', 'cpu' or None")
    return _POLICIES.index(known)


def set_fallback(policy: Literal["refuse", "cpu"] | None) -> None:
    """Says what happens in this process to an op that a device's backend lacks: ``"refuse"`` raises UnsupportedError, and is so at
    first; ``"cpu"`` copies the operands to the cpu, runs the op there and copies the results back. None: what the variable
    BACKPLANE_FALLBACK says.

    >>> bp.set_fallback("cpu")
    >>> bp.set_fallback(None)
    """
    _core.set_fallback(_policy(policy))


def get_fallback() -> str:
    """Returns what an op of this thread would do: ``"refuse"`` or ``"cpu"``.

    >>> bp.get_fallback()
    'refuse'
    """
    return _POLICIES[_core.get_fallback()]


@contextmanager
def fallback(policy: Literal["refuse", "cpu"] | None) -> Iterator[None]:
    """Inside the `with` statement this thread's ops do so, whatever set_fallback said; None: what it said.

    >>> with bp.fallback("cpu"):
    ...     bp.get_fallback()
    'cpu'
    """
    token = _core.fallback_push(_policy(policy))
    try:
        yield
    finally:
        _core.fallback_pop(token)


def set_matmul_precision(precision: str) -> None:
    """Says what products of f32 matrices may give up for speed in this process: "highest" nothing, which is so at first; with "high"
    inputs may be rounded to TF32, 11 significant bits, and with "medium" to bf16, 8 bits. A backend may give up less; the cpu gives
    up nothing. PyTorch's name is set_float32_matmul_precision. ValueError: another word.

    >>> bp.set_matmul_precision("highest")
    """
    if precision not in _PRECISIONS:
        raise ValueError(f"expected one of {', '.join(map(repr, _PRECISIONS))}, got {precision!r}")
    _core.set_matmul_precision(_PRECISIONS.index(precision))


def get_matmul_precision() -> str:
    """Returns what set_matmul_precision was given last: "highest", "high" or "medium".

    >>> bp.get_matmul_precision()
    'highest'
    """
    return _PRECISIONS[_core.get_matmul_precision()]
