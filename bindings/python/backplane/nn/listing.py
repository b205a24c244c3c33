# SPDX-License-Identifier: Apache-2.0
"""What a module has inside, by path, in PyTorch's order."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any


class Listing:
    """Module's methods of this kind: generators of parameters, buffers and modules."""

    _modules: dict[str, Any]

    def _named(self, which: str, prefix: str, recurse: builtins.bool, once: builtins.bool) -> Iterator[tuple[str, Any]]:
        seen = set()
        for path, module in self.named_modules(prefix=prefix, remove_duplicate=once) if recurse else [(prefix, self)]:
            for name, value in list(module.__dict__[which].items()):
                if value is None or (once and id(value) in seen):
                    continue
                seen.add(id(value))
                yield (f"{path}.{name}" if path else name), value

    def named_parameters(self, prefix: str = "", recurse: builtins.bool = True,
                         remove_duplicate: builtins.bool = True) -> Iterator[tuple[str, Any]]:
        """Goes through the paths and parameters of the module and, unless recurse is False, of all inside it; each once.

        >>> [name for name, _ in bp.nn.Linear(2, 1).named_parameters()]
        ['weight', 'bias']
        """
        yield from self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: builtins.bool = True) -> Iterator[Any]:
        """Goes through the parameters of the module and, unless recurse is False, of all inside it.

        >>> [p.shape for p in bp.nn.Linear(2, 1).parameters()]
        [(1, 2), (1,)]
        """
        for _, p in self.named_parameters(recurse=recurse):
            yield p

    def named_buffers(self, prefix: str = "", recurse: builtins.bool = True,
                      remove_duplicate: builtins.bool = True) -> Iterator[tuple[str, Any]]:
        """Goes through the paths and buffers of the module and, unless recurse is False, of all inside it.

        >>> [name for name, _ in bp.nn.BatchNorm1d(2).named_buffers()]
        ['running_mean', 'running_var', 'num_batches_tracked']
        """
        yield from self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: builtins.bool = True) -> Iterator[Any]:
        """Goes through the buffers of the module and, unless recurse is False, of all inside it.

        >>> len(list(bp.nn.BatchNorm1d(2).buffers()))
        3
        """
        for _, b in self.named_buffers(recurse=recurse):
            yield b

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Goes through the names and modules directly inside.

        >>> list(bp.nn.Sequential(bp.nn.ReLU()).named_children())
        [('0', ReLU())]
        """
        seen = set()
        for name, module in list(self._modules.items()):
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Any]:
        """Goes through the modules directly inside.

        >>> list(bp.nn.Sequential(bp.nn.ReLU()).children())
        [ReLU()]
        """
        for _, module in self.named_children():
            yield module

    def named_modules(self, memo: set[Any] | None = None, prefix: str = "",
                      remove_duplicate: builtins.bool = True) -> Iterator[tuple[str, Any]]:
        """Goes through the paths of this module and of all inside it, and the modules.

        >>> [name for name, _ in bp.nn.Sequential(bp.nn.ReLU()).named_modules()]
        ['', '0']
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in list(self._modules.items()):
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Any]:
        """Goes through this module and all inside it.

        >>> len(list(bp.nn.Sequential(bp.nn.ReLU()).modules()))
        2
        """
        for _, module in self.named_modules():
            yield module

    def get_submodule(self, target: str) -> Any:
        """Returns the module at a path; one that is not there raises AttributeError.

        >>> bp.nn.Sequential(bp.nn.ReLU()).get_submodule("0")
        ReLU()
        """
        module = self
        for name in target.split(".") if target else ():
            module = getattr(module, name, None)  # type: ignore[assignment]
            if not isinstance(module, Listing):
                raise AttributeError(f"{type(self).__name__} has no attribute `{name}`")
        return module

    def _get(self, target: str, which: str) -> Any:
        path, _, name = target.rpartition(".")
        entries = self.get_submodule(path).__dict__[which]
        if name not in entries:
            raise AttributeError(f"{type(self).__name__} has no attribute `{name}`")
        return entries[name]

    def get_parameter(self, target: str) -> Any:
        """Returns the parameter at a path; one that is not there raises AttributeError.

        >>> bp.nn.Linear(2, 1).get_parameter("weight").shape
        (1, 2)
        """
        return self._get(target, "_parameters")

    def get_buffer(self, target: str) -> Any:
        """Returns the buffer at a path; one that is not there raises AttributeError.

        >>> bp.nn.BatchNorm1d(2).get_buffer("running_mean").shape
        (2,)
        """
        return self._get(target, "_buffers")
