# SPDX-License-Identifier: Apache-2.0
"""Streams and events of any device."""

from __future__ import annotations

from typing import Any

from . import _core
from ._types import Device


class Stream:
    """A queue of a device. Inside a `with` statement it is the current stream of its device, which is the current device.

    >>> with bp.Stream("cpu"):
    ...     x = bp.ones(2) + 1
    >>> x
    tensor([2., 2.])
    """

    __slots__ = ("_stream", "_tokens")

    def __init__(self, device: Device, priority: int = 0):
        self._stream = _core.stream_create(device, priority)
        self._tokens: list[Any] = []

    @classmethod
    def _of(cls, stream: _core.Stream) -> Stream:
        self = cls.__new__(cls)
        self._stream, self._tokens = stream, []
        return self

    @property
    def device(self) -> _core.device:
        """The device whose queue it is.

        >>> bp.cpu.current_stream().device.type
        'cpu'
        """
        return self._stream.device

    def query(self) -> bool:
        """Returns whether all work of the stream is done.

        >>> bp.cpu.current_stream().query()
        True
        """
        return self._stream.query()

    def synchronize(self) -> None:
        """Waits until all work of the stream is done.

        >>> bp.cpu.current_stream().synchronize()
        """
        self._stream.synchronize()

    def wait_event(self, event: Event) -> None:
        """Makes the work that enters the stream from now on wait for the event.

        >>> stream = bp.Stream("sim:0") if bp.sim.is_available() else bp.Stream("cpu")
        >>> stream.wait_event(stream.record_event())
        """
        self._stream._wait_event(event._event)

    def wait_stream(self, stream: Stream) -> None:
        """Makes the work that enters this stream from now on wait for what is in the other one.

        >>> stream = bp.Stream("cpu")
        >>> stream.wait_stream(bp.cpu.current_stream())
        """
        self.wait_event(stream.record_event())

    def record_event(self, event: Event | None = None) -> Event:
        """Returns the event, by default a new one, which stands for the work that is in the stream now.

        >>> bp.Stream("cpu").record_event().query()
        True
        """
        event = Event() if event is None else event
        event.record(self)
        return event

    def __enter__(self) -> Stream:
        device = _core.push_current(self.device) if self.device.type != "cpu" else None
        try:
            self._tokens.append((device, self._stream._push()))
        except BaseException:
            if device is not None:
                _core.pop_current(device)
            raise
        return self

    def __exit__(self, *exc: Any) -> None:
        device, token = self._tokens.pop()
        _core.stream_pop(token)
        if device is not None:
            _core.pop_current(device)

    def __eq__(self, other: object) -> bool:
        return self._stream == other._stream if isinstance(other, Stream) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._stream)

    def __repr__(self) -> str:
        return f"<backplane.Stream device={self.device} handle={self._stream._handle():#x}>"


class Event:
    """A mark in a stream. It belongs to the device of the stream in which it was first recorded.

    >>> event = bp.Event()
    >>> event.record(bp.cpu.current_stream())
    >>> event.synchronize()
    """

    __slots__ = ("_event", "_kind")

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, *,
                 kind: str | None = None):
        if interprocess:
            raise NotImplementedError("events between processes are not there")
        self._event = _core.EventBase()
        self._kind = kind

    def _stream(self, stream: Stream | None) -> Stream:
        if stream is not None:
            return stream
        if self._kind is None:
            raise TypeError("an event that belongs to no kind of device is recorded in a stream that is given")
        return Stream._of(_core.stream_current(self._kind))

    def record(self, stream: Stream | None = None) -> None:
        """Makes the event stand for the work that is in the stream now, by default the current stream.

        >>> event = bp.Event()
        >>> event.record(bp.Stream("cpu"))
        """
        self._event._record(self._stream(stream)._stream)

    def wait(self, stream: Stream | None = None) -> None:
        """Makes the work that enters the stream, by default the current one, wait for the event.

        >>> stream = bp.Stream("cpu")
        >>> stream.record_event().wait(stream)
        """
        self._stream(stream).wait_event(self)

    def query(self) -> bool:
        """Returns whether the recorded work is done.

        >>> bp.Stream("cpu").record_event().query()
        True
        """
        return self._event.query()

    def synchronize(self) -> None:
        """Waits until the recorded work is done.

        >>> bp.Stream("cpu").record_event().synchronize()
        """
        self._event.synchronize()

    def elapsed_time(self, end_event: Event) -> float:
        """Returns the milliseconds until another event of the device. This waits for both events.

        >>> a, b = bp.cpu.Event(enable_timing=True), bp.cpu.Event(enable_timing=True)
        >>> a.record(), b.record()
        (None, None)
        >>> a.elapsed_time(b) >= 0
        True
        """
        return self._event.elapsed_time(end_event._event)
