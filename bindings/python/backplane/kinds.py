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

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *vars(KindModule)})

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
        """Returns how many devices are visible. It is 0 when the backend cannot be used; backplane.doctor() says why.

        >>> bp.cpu.device_count()
        1
        """
        return _core.device_count(self._kind)

    def is_available(self) -> bool:
        """Returns whether there is a device of the kind.

        >>> bp.cpu.is_available()
        True
        """
        return self.device_count() > 0

    def current_device(self) -> int:
        """Returns the index of this thread's current device.

        >>> bp.cpu.current_device()
        """
        return _core.get_current(self._kind).index

    def set_device(self, device: Index) -> None:
        """Makes the device the current one of this thread.

        >>> bp.cpu.set_device(0)
        """
        if device is None or (not isinstance(device, int) and _core.device(device).index is None):
            raise ValueError(f"Expected a device with a specified index or an integer, but got: {device}")
        _core.set_current(self._device(device))

    def get_device_name(self, device: Index = None) -> str:
        """Returns the device's name, as its backend says it.

        >>> isinstance(bp.cpu.get_device_name(), str)
        True
        """
        return _core.device_info(self._device(device))["name"]

    def get_device_capability(self, device: Index = None) -> tuple[Any, ...]:
        """Returns the two numbers of the device's version.

        >>> len(bp.cpu.get_device_capability())
        2
        """
        info = _core.device_info(self._device(device))
        return info["major"], info["minor"]

    def get_device_properties(self, device: Index = None) -> SimpleNamespace:
        """Returns what is known of the device: its name, memory, driver and more.

        >>> bp.cpu.get_device_properties().total_memory > 0
        True
        """
        return SimpleNamespace(**_core.device_info(self._device(device)))

    def is_initialized(self) -> bool:
        """Returns whether the kind's backend was opened and has a device.

        >>> bp.cpu.init()
        >>> bp.cpu.is_initialized()
        True
        """
        return any(entry["kind"] == self._kind and entry["n_devices"] for entry in _core.load_report())

    def init(self) -> None:
        """Raises an error with the reason when the backend cannot be used.

        >>> bp.cpu.init()
        """
        _core.require(self._kind)

    # ---- work ------------------------------------------------------------------------------------------------------

    def synchronize(self, device: Index = None) -> None:
        """Waits for all work that is queued on the device.

        >>> bp.cpu.synchronize()
        """
        _core.synchronize(self._device(device))

    def current_stream(self, device: Index = None) -> Stream:
        """Returns the stream into which this thread's work on the device goes.

        >>> bp.cpu.current_stream().device.type
        'cpu'
        """
        return self.Stream._of(_core.stream_current(self._device(device)))

    def default_stream(self, device: Index = None) -> Stream:
        """Returns the device's first stream.

        >>> bp.cpu.default_stream() == bp.cpu.current_stream()
        True
        """
        return self.Stream._of(_core.stream_default(self._device(device)))

    def set_stream(self, stream: Stream | None) -> None:
        """Makes the stream the current one of its device; None changes nothing.

        >>> bp.cpu.set_stream(bp.cpu.current_stream())
        """
        if stream is not None:
            _core.stream_set_current(stream._stream)

    def stream(self, stream: Stream) -> Stream:
        """Returns the stream: `with cuda.stream(s):` is the same as `with s:`.

        >>> bp.cpu.stream(bp.cpu.current_stream()) == bp.cpu.current_stream()
        True
        """
        return stream

    # ---- memory ----------------------------------------------------------------------------------------------------

    def waits(self, device: Index = None) -> int:
        """Returns how often a caller has waited for work of the device, since the device was opened.

        >>> bp.cpu.waits() >= 0
        True
        """
        return _core.waits(self._device(device))

    def memory_stats(self, device: Index = None) -> dict[str, Any]:
        """Returns the counts of the memory of tensors, by name.

        >>> "allocated_bytes" in bp.cpu.memory_stats()
        True
        """
        return _core.memory_stats(self._device(device))

    def memory_allocated(self, device: Index = None) -> int:
        """Returns the bytes that tensors hold.

        >>> bp.cpu.memory_allocated() >= 0
        True
        """
        return self.memory_stats(device)["allocated_bytes"]

    def max_memory_allocated(self, device: Index = None) -> int:
        """Returns the most bytes that tensors held since the last reset_peak_memory_stats.

        >>> bp.cpu.max_memory_allocated() >= 0
        True
        """
        return self.memory_stats(device)["peak_allocated_bytes"]

    def memory_reserved(self, device: Index = None) -> int:
        """Returns the bytes that came from the backend and were not given back.

        >>> bp.cpu.memory_reserved() >= 0
        True
        """
        return self.memory_stats(device)["reserved_bytes"]

    def reset_peak_memory_stats(self, device: Index = None) -> None:
        """Lets max_memory_allocated begin anew.

        >>> bp.cpu.reset_peak_memory_stats()
        """
        _core.memory_reset_peak(self._device(device))

    def mem_get_info(self, device: Index = None) -> tuple[Any, ...]:
        """Returns the free and the total bytes of the device.

        >>> len(bp.cpu.mem_get_info())
        2
        """
        info = _core.device_info(self._device(device))
        return info["total_memory"] - info["used_memory"], info["total_memory"]

    def empty_cache(self) -> None:
        """Gives back the memory that is kept for reuse, on every device of the kind.

        >>> bp.cpu.empty_cache()
        """
        for i in range(self.device_count()):
            _core.memory_trim(_core.device(self._kind, i))

    # ---- random numbers --------------------------------------------------------------------------------------------

    def manual_seed(self, seed: int) -> None:
        """Seeds the current device's generator.

        >>> bp.cpu.manual_seed(0)
        """
        _core.default_generator(self._device(None)).manual_seed(seed)

    def manual_seed_all(self, seed: int) -> None:
        """Seeds the generators of all devices of the kind.

        >>> bp.cpu.manual_seed_all(0)
        """
        for i in range(self.device_count()):
            _core.default_generator(_core.device(self._kind, i)).manual_seed(seed)


def module_of(kind: str, package: str = "backplane") -> KindModule:
    """Returns the module of a kind. It is made once for each package, and ``import backplane.cuda`` finds it.

    >>> bp.module_of("cpu") is bp.cpu
    True
    """
    name = f"{package}.{kind}"
    if name not in sys.modules:
        module = sys.modules[name] = KindModule(kind)
        module.__name__ = name
    return cast(KindModule, sys.modules[name])
