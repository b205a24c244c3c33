# SPDX-License-Identifier: Apache-2.0
"""Modules of modules, and lists of parameters."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from .. import _core
from .module import Module, _indented


class _Numbered(Module):
    """A module whose children have numbers."""

    _made_of = ""

    def __init__(self, *modules: Any) -> None:
        self._adopt(_core.module_create(self._made_of, {}, "cpu", None))
        self._call_python()
        for m in modules:
            self.append(m)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._call_python()

    def append(self, module: Any) -> Any:
        """Adds a module at the end, and returns this one.

        >>> len(bp.nn.Sequential(bp.nn.ReLU()).append(bp.nn.Tanh()))
        2
        """
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Any) -> Any:
        """Adds several modules at the end, and returns this one.

        >>> len(bp.nn.Sequential().extend([bp.nn.ReLU(), bp.nn.Tanh()]))
        2
        """
        for m in list(modules):
            self.append(m)
        return self

    def insert(self, index: int, module: Any) -> Any:
        """Adds a module before the one at index, and returns this one.

        >>> bp.nn.Sequential(bp.nn.ReLU()).insert(0, bp.nn.Tanh())[0]
        Tanh()
        """
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._modules.clear()
        return self.extend(modules)

    def _key(self, index: int) -> str:
        n = len(self)
        if not -n <= index < n:
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._sliced(list(self._modules.items())[index])
        return self._modules[self._key(index)]

    def _sliced(self, items: list[Any]) -> Any:
        return type(self)(*(m for _, m in items))

    def __setitem__(self, index: int, module: Any) -> None:
        self._modules[self._key(index)] = module

    def __delitem__(self, index: Any) -> None:
        keep = list(self._modules.values())
        del keep[index]
        self._modules.clear()
        self.extend(keep)

    def pop(self, index: int = -1) -> Any:
        """Takes the module at index out, and returns it. An index that is not there raises IndexError.

        >>> bp.nn.Sequential(bp.nn.ReLU(), bp.nn.Tanh()).pop()
        Tanh()
        """
        module = self[index]
        del self[index]
        return module

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())


class Sequential(_Numbered):
    """Calls its children one after the other, each with the result of the one before: Sequential(a, b),
    Sequential(OrderedDict(first=a, second=b)).

    >>> net = bp.nn.Sequential(bp.nn.Linear(3, 8), bp.nn.ReLU(), bp.nn.Linear(8, 2))
    >>> net(bp.ones((4, 3))).shape
    (4, 2)
    """

    _made_of = "sequential"

    def __init__(self, *modules: Any) -> None:
        if len(modules) == 1 and isinstance(modules[0], (OrderedDict, dict)):
            super().__init__()
            for name, m in modules[0].items():
                self.add_module(name, m)
        else:
            super().__init__(*modules)

    def _sliced(self, items: list[Any]) -> Any:
        return type(self)(OrderedDict(items))

    def forward(self, input: Any) -> Any:
        """Calls the children one after the other, each with the result of the one before.

        >>> bp.nn.Sequential(bp.nn.ReLU()).forward(bp.asarray([-1.0, 2.0]))
        tensor([0., 2.])
        """
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Numbered):
    """A list of children, which has no forward.

    >>> layers = bp.nn.ModuleList([bp.nn.Linear(2, 2), bp.nn.ReLU()])
    >>> len(layers)
    2
    """

    _made_of = "module_list"

    def __init__(self, modules: Any = ()) -> None:
        super().__init__(*(modules or ()))

    def _sliced(self, items: list[Any]) -> Any:
        return type(self)([m for _, m in items])

    def __iadd__(self, modules: Any) -> Any:
        return self.extend(modules)

    def forward(self, *args: Any) -> Any:
        """Raises NotImplementedError: a list only holds its children.

        >>> len(bp.nn.ModuleList([bp.nn.ReLU()]))
        1
        """
        raise NotImplementedError('Module [ModuleList] is missing the required "forward" function')

    def __repr__(self) -> str:
        texts = [_indented(repr(m)) for m in self]
        lines, i = [], 0
        while i < len(texts):
            end = i + 1
            while end < len(texts) and texts[end] == texts[i]:
                end += 1
            lines.append(f"({i}-{end - 1}): {end - i} x {texts[i]}" if end - i > 1 else f"({i}): {texts[i]}")
            i = end
        return "\n  ".join([f"{self._get_name()}(", *lines]) + "\n)" if lines else f"{self._get_name()}()"


class ModuleDict(Module):
    """A dict of children.

    >>> parts = bp.nn.ModuleDict({"hidden": bp.nn.Linear(3, 2)})
    >>> parts["hidden"](bp.ones(3)).shape
    (2,)
    """

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        self.update(modules or {})

    def update(self, modules: Any) -> None:
        """Adds the modules of a dict, or of pairs of names and modules.

        >>> children = bp.nn.ModuleDict()
        >>> children.update({"a": bp.nn.ReLU()})
        >>> list(children)
        ['a']
        """
        for name, m in modules.items() if hasattr(modules, "items") else modules:
            self[name] = m

    def __getitem__(self, name: str) -> Any:
        return self._modules[name]

    def __setitem__(self, name: str, module: Any) -> None:
        self.add_module(name, module)

    def __delitem__(self, name: str) -> None:
        del self._modules[name]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def keys(self) -> Any:
        """Returns the names.

        >>> list(bp.nn.ModuleDict({"a": bp.nn.ReLU()}).keys())
        ['a']
        """
        return self._modules.keys()

    def items(self) -> Any:
        """Returns pairs of names and modules.

        >>> list(bp.nn.ModuleDict({"a": bp.nn.ReLU()}).items())
        [('a', ReLU())]
        """
        return self._modules.items()

    def values(self) -> Any:
        """Returns the modules.

        >>> list(bp.nn.ModuleDict({"a": bp.nn.ReLU()}).values())
        [ReLU()]
        """
        return self._modules.values()


class ParameterList(Module):
    """A list of parameters.

    >>> numbers = bp.nn.ParameterList([bp.ones(2), bp.ones(3)])
    >>> len(list(numbers.parameters()))
    2
    """

    def __init__(self, values: Any = ()) -> None:
        super().__init__()
        self.extend(values)

    def append(self, value: Any) -> Any:
        if not isinstance(value, self._parameter_class):
            value = self._parameter_class(value)
        self.register_parameter(str(len(self)), value)
        return self

    def extend(self, values: Any) -> Any:
        for v in values:
            self.append(v)
        return self

    def __getitem__(self, index: Any) -> Any:
        values = list(self._parameters.values())[index]
        return type(self)(values) if isinstance(index, slice) else values

    def __setitem__(self, index: int, value: Any) -> None:
        self._parameters[list(self._parameters)[index]] = value

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())


class ParameterDict(Module):
    """A dict of parameters.

    >>> numbers = bp.nn.ParameterDict({"scale": bp.ones(2)})
    >>> numbers["scale"].requires_grad
    True
    """

    def __init__(self, values: Any = None) -> None:
        super().__init__()
        for name, value in (values or {}).items():
            self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        self.register_parameter(name, value if isinstance(value, self._parameter_class) else self._parameter_class(value))

    def __getitem__(self, name: str) -> Any:
        return self._parameters[name]

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def keys(self) -> Any:
        return self._parameters.keys()

    def items(self) -> Any:
        return self._parameters.items()

    def values(self) -> Any:
        return self._parameters.values()


class TransformerEncoder(Module):
    """Calls num_layers copies of a layer one after the other.

    >>> encoder = bp.nn.TransformerEncoder(bp.nn.TransformerEncoderLayer(4, 2), num_layers=2)
    >>> encoder(bp.ones((3, 1, 4))).shape
    (3, 1, 4)
    """

    def __init__(self, encoder_layer: Any, num_layers: int, norm: Any = None, enable_nested_tensor: bool = True,
                 mask_check: bool = True) -> None:
        super().__init__()
        self.layers = self._list_class([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    _list_class: Any = ModuleList

    def forward(self, src: Any, mask: Any = None, src_key_padding_mask: Any = None,
                is_causal: Any = None) -> Any:
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


CONTAINERS = (Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict, TransformerEncoder)
