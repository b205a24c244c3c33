# SPDX-License-Identifier: Apache-2.0
"""A module for each kind of device: ``backplane.cuda``, ``backplane.hip``, ``backplane.sim``, and ``backplane.<kind>`` for
every other backend that is installed. All have the names of ``torch.cuda``."""

from __future__ import annotations

import sys
import types
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from . import _core
from .streams import Event, Stream

Index = _core.device | str | int | None


class KindModule(types.ModuleType):
    """The devices of one kind. An argument `device` is an index, a device, its name, or None for the current device."""

    def __init__(self, kind: str):
        super().__init__(f"backplane.{kind}", f"Devices of kind {kind}.")
        self._kind = kind
        module = self

        class device:
            """Makes the device the current one of its kind inside a `with` statement."""

            def __init__(self, device: Index):
                self._device = module._device(device)
                self._tokens: list[Any] = []

            def __enter__(self) -> None:
                self._tokens.append(_core.push_current(self._device))

            def __exit__(self, *exc: Any) -> None:
                _core.pop_current(self._tokens.pop())

        class KindStream(Stream):
            __slots__ = ()

            def __init__(self, device: Index = None, priority: int = 0):
                super().__init__(module._device(device), priority)

        class KindEvent(Event):
            __slots__ = ()

            def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False):
                super().__init__(enable_timing, blocking, interprocess, kind=kind)

        KindStream.__name__ = KindStream.__qualname__ = "Stream"
        KindEvent.__name__ = KindEvent.__qualname__ = "Event"
        self.device, self.Stream, self.Event = device, KindStream, KindEvent

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __call__(self, index: int | None = None) -> _core.device:
        """Returns the device itself: cpu(), cuda(1)."""
        return _core.device(self._kind) if index is None else _core.device(self._kind, index)

    def _device(self, device: Index) -> _core.device:
        """Returns the device with its index."""
        if device is None:
            return _core.get_current(self._kind)
        if isinstance(device, int):
            return _core.device(self._kind, device)
        d = _core.device(device)
        if d.type != self._kind:
            raise ValueError(f"Expected a {self._kind} device, but got: {device}")
        return _core.get_current(self._kind) if d.index is None else d

    # ---- which there are -------------------------------------------------------------------------------------------

    def device_count(self) -> int:
        """Returns how many devices are visible. It is 0 when the backend cannot be used; backplane.doctor() says why."""
        return _core.device_count(self._kind)

    def is_available(self) -> bool:
        return self.device_count() > 0

    def current_device(self) -> int:
        """Returns the index of this thread's current device."""
        return _core.get_current(self._kind).index

    def set_device(self, device: Index) -> None:
        """Makes the device the current one of this thread."""
        if device is None or (not isinstance(device, int) and _core.device(device).index is None):
            raise ValueError(f"Expected a device with a specified index or an integer, but got: {device}")
        _core.set_current(self._device(device))

    def get_device_name(self, device: Index = None) -> str:
        return _core.device_info(self._device(device))["name"]

    def get_device_capability(self, device: Index = None) -> tuple[Any, ...]:
        info = _core.device_info(self._device(device))
        return info["major"], info["minor"]

    def get_device_properties(self, device: Index = None) -> SimpleNamespace:
        return SimpleNamespace(**_core.device_info(self._device(device)))

    def is_initialized(self) -> bool:
        return any(entry["kind"] == self._kind and entry["n_devices"] for entry in _core.load_report())

    def init(self) -> None:
        """Raises an error with the reason when the backend cannot be used."""
        _core.require(self._kind)

    # ---- work ------------------------------------------------------------------------------------------------------

    def synchronize(self, device: Index = None) -> None:
        """Waits for all work that is queued on the device."""
        _core.synchronize(self._device(device))

    def current_stream(self, device: Index = None) -> Stream:
        return self.Stream._of(_core.stream_current(self._device(device)))

    def default_stream(self, device: Index = None) -> Stream:
        return self.Stream._of(_core.stream_default(self._device(device)))

    def set_stream(self, stream: Stream | None) -> None:
        if stream is not None:
            _core.stream_set_current(stream._stream)

    def stream(self, stream: Stream) -> Stream:
        """Returns the stream: `with cuda.stream(s):` is the same as `with s:`."""
        return stream

    # ---- memory ----------------------------------------------------------------------------------------------------

    def waits(self, device: Index = None) -> int:
        """Returns how often a caller has waited for work of the device, since the device was opened."""
        return _core.waits(self._device(device))

    def memory_stats(self, device: Index = None) -> dict[str, Any]:
        return _core.memory_stats(self._device(device))

    def memory_allocated(self, device: Index = None) -> int:
        """Returns the bytes that tensors hold."""
        return self.memory_stats(device)["allocated_bytes"]

    def max_memory_allocated(self, device: Index = None) -> int:
        return self.memory_stats(device)["peak_allocated_bytes"]

    def memory_reserved(self, device: Index = None) -> int:
        """Returns the bytes that came from the backend and were not given back."""
        return self.memory_stats(device)["reserved_bytes"]

    def reset_peak_memory_stats(self, device: Index = None) -> None:
        _core.memory_reset_peak(self._device(device))

    def mem_get_info(self, device: Index = None) -> tuple[Any, ...]:
        """Returns the free and the total bytes of the device."""
        info = _core.device_info(self._device(device))
        return info["total_memory"] - info["used_memory"], info["total_memory"]

    def empty_cache(self) -> None:
        """Gives back the memory that is kept for reuse, on every device of the kind."""
        for i in range(self.device_count()):
            _core.memory_trim(_core.device(self._kind, i))

    # ---- random numbers --------------------------------------------------------------------------------------------

    def manual_seed(self, seed: int) -> None:
        """Seeds the current device's generator."""
        _core.default_generator(self._device(None)).manual_seed(seed)

    def manual_seed_all(self, seed: int) -> None:
        for i in range(self.device_count()):
            _core.default_generator(_core.device(self._kind, i)).manual_seed(seed)


def module_of(kind: str, package: str = "backplane") -> KindModule:
    """Returns the module of a kind. It is made once for each package, and ``import backplane.cuda`` finds it."""
    name = f"{package}.{kind}"
    if name not in sys.modules:
        module = sys.modules[name] = KindModule(kind)
        module.__name__ = name
    return cast(KindModule, sys.modules[name])
