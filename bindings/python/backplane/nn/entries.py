# SPDX-License-Identifier: Apache-2.0
"""The dicts of a module: its parameters, buffers, children and hooks."""

from __future__ import annotations

import itertools
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any


class Entries(dict[str, Any]):
    """A dict that tells the library what is put in and taken out."""

    __slots__ = ("_put", "_take")

    def __init__(self, put: Callable[..., Any], take: Callable[..., Any], items: Any = ()) -> None:
        super().__init__(items)
        self._put, self._take = put, take

    def __setitem__(self, name: str, value: Any) -> None:
        self._put(name, value)
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._take(name)

    def pop(self, name: str, *default: Any) -> Any:
        if name not in self:
            return super().pop(name, *default)
        value = self[name]
        del self[name]
        return value

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def update(self, *args: Any, **kwargs: Any) -> None:
        for name, value in dict(*args, **kwargs).items():
            self[name] = value

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class RemovableHandle:
    """Removes its hook, by remove() or at the end of a with block."""

    _next = itertools.count()

    def __init__(self, hooks: dict[int, Any]) -> None:
        self._hooks = weakref.ref(hooks)
        self.id = next(RemovableHandle._next)

    def remove(self) -> None:
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.remove()


class Hooks(OrderedDict[int, Any]):
    pass
