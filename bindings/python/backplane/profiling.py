# SPDX-License-Identifier: Apache-2.0
"""What a program does, and when: ``profile``, whose file chrome://tracing and Perfetto show and ``backplane profile`` tabulates."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from . import _core

__all__ = ["memory_snapshot", "profile", "profile_range"]

F = TypeVar("F", bound=Callable[..., Any])


class profile:
    """A profile of what runs within ``with``, written to path at its end.

    It sees in all threads: each op with the dtypes and shapes of its operands and results, and within it the ops of which it
    is composed; copies; waits for a device and what they are for; gradients, each tied to its op; modules by their paths; what
    each device has in use, and who holds it; and what each queue of an accelerator did. An op costs about two microseconds more meanwhile.
    ``most_spans`` are kept, at about 500 bytes each; later ones are only counted. Raises ``BadStateError`` where a profile
    runs already.

    >>> with bp.profile("trace.json"):
    ...     with bp.profile_range("sums"):
    ...         y = bp.sum(bp.ones((2, 3)))
    >>> '"name":"sum"' in open("trace.json").read()
    True
    """

    def __init__(self, path: str | os.PathLike[str], *, most_spans: int = 1_000_000) -> None:
        self.path = path
        self._most_spans = most_spans

    def __enter__(self) -> profile:
        _core.profile_start(self._most_spans)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        _core.profile_stop()
        _core.profile_save(os.fsencode(self.path))

    @staticmethod
    def is_running() -> bool:
        """Returns whether a profile runs, whoever started it.

        >>> bp.profile.is_running()
        False
        """
        return _core.profile_running()


class profile_range:
    """A range of the program's own in a profile, around what this thread does within ``with``, or around a function.

    >>> with bp.profile_range("warm-up"):
    ...     x = bp.ones(3)
    >>> @bp.profile_range("doubled")
    ... def doubled(x):
    ...     return x + x
    >>> doubled(x)
    tensor([2., 2., 2.])
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._here = threading.local()  # the tokens of each thread that is within

    def __enter__(self) -> profile_range:
        self._here.__dict__.setdefault("tokens", []).append(_core.profile_push(self.name))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        with contextlib.suppress(_core.BadStateError):  # ranges of coroutines may cross: this one ends with the one around it
            _core.profile_pop(self._here.tokens.pop())

    def __call__(self, function: F) -> F:
        """Returns the function within the range, at each call.

        >>> bp.profile_range("sum")(bp.sum)(bp.ones(2)).item()
        2.0
        """

        @functools.wraps(function)
        def ranged(*args: Any, **kwargs: Any) -> Any:
            with profile_range(self.name):
                return function(*args, **kwargs)

        return ranged  # type: ignore[return-value]


def memory_snapshot(path: str | os.PathLike[str]) -> None:
    """Writes to path who holds memory now: ``backplane profile memory`` prints it.

    Of each block that a tensor made since the start of the running profile holds it has the device, the bytes, the op and the
    module that made it, and when. Raises ``BadStateError`` while no profile runs.

    >>> with bp.profile("trace.json"):
    ...     x = bp.exp(bp.ones(1000))
    ...     bp.memory_snapshot("memory.json")
    >>> '"bytes":4000,"op":"exp"' in open("memory.json").read()
    True
    """
    _core.memory_snapshot(os.fsencode(path))
