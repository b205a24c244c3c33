# SPDX-License-Identifier: Apache-2.0
"""What a PyTorch file may name. Nothing else in it is ever looked up, so that reading one runs no code but this package's.

A name stands for a value (a dtype, a kind of storage) or for a Function: only those can be called by a file, and each one checks
what it is given."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from .. import _core, dtypes

# The dtypes of PyTorch's typed storages. A tensor of another dtype lies in an untyped storage, as bytes.
STORAGES = {
    "FloatStorage": dtypes.float32, "DoubleStorage": dtypes.float64, "HalfStorage": dtypes.float16, "BFloat16Storage": dtypes.bfloat16,
    "LongStorage": dtypes.int64, "IntStorage": dtypes.int32, "ShortStorage": dtypes.int16, "CharStorage": dtypes.int8,
    "ByteStorage": dtypes.uint8, "BoolStorage": dtypes.bool, "ComplexFloatStorage": dtypes.complex64,
    "ComplexDoubleStorage": dtypes.complex128,
}  # fmt: skip
UNTYPED = "UntypedStorage"
REMEDY = (
    "nothing of it was run. Where the file is of a whole module or another object of a program's own, save its state instead, in "
    "PyTorch: torch.save(module.state_dict(), path)"
)


class Fault(Exception):
    """What is wrong with a file, without its name."""


class Function(NamedTuple):
    """A function that a file may call by its name."""

    name: str
    call: Callable[..., Any]
    fewest: int
    most: int

    @classmethod
    def of(cls, name: str, f: Any) -> Function:
        parameters = inspect.signature(f).parameters.values()
        return cls(name, f, sum(p.default is p.empty for p in parameters), len(parameters))


class StorageKind(NamedTuple):
    """A class of storages, by its name."""

    name: str


class Storage(NamedTuple):
    """A storage that a file names: its elements are of dtype, or bytes where that is None."""

    key: str
    dtype: _core.dtype | None
    location: str
    n: int


class Pair(NamedTuple):
    """The classes of what is made: backplane's, or those of backplane.torch."""

    parameter: Any
    shape: Any


def whole(value: Any, what: str) -> int:
    """Returns value, which must be an integer that is 0 or more and fits 64 bits."""
    if type(value) is not int or not 0 <= value < 2**63:
        raise Fault(f"{what} is {short(value)}, where an integer from 0 to 2^63 - 1 belongs")
    return value


def short(value: Any) -> str:
    """Returns a text for a message: the value where it is small, else its type."""
    return repr(value) if isinstance(value, (int, float, str, bytes, bool)) and len(repr(value)) < 60 else type(value).__name__


def is_plain(value: Any) -> bool:
    """True for what may be the key of a dict or a member of a set: what hashes in no time."""
    scalar = (str, bytes, int, float, complex, bool, type(None), _core.dtype, _core.device)
    return isinstance(value, scalar) or (isinstance(value, tuple) and all(isinstance(v, scalar) for v in value))


def _ordered_dict(pairs: Any = ()) -> Any:
    made: OrderedDict[Any, Any] = OrderedDict()
    if not isinstance(pairs, (list, tuple)):
        raise Fault(f"an OrderedDict is made of {short(pairs)}, where a list of pairs belongs")
    for pair in pairs:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not is_plain(pair[0]):
            raise Fault(f"an OrderedDict is made of {short(pair)}, where a pair with a plain key belongs")
        made[pair[0]] = pair[1]
    return made


def _set(members: Any = ()) -> Any:
    if not isinstance(members, (list, tuple)) or not all(map(is_plain, members)):
        raise Fault(f"a set is made of {short(members)}, where a list of plain values belongs")
    return set(members)


def _encoded(text: Any, encoding: Any) -> bytes:
    if not isinstance(text, str) or encoding != "latin1":
        raise Fault(f"bytes are made of {short(text)} in {short(encoding)}, where a text in latin1 belongs")
    return text.encode("latin1")


def _bytearray(data: Any = b"", encoding: Any = None) -> bytearray:
    if encoding is not None:
        return bytearray(_encoded(data, "latin1" if encoding in ("latin1", "latin-1") else encoding))
    if not isinstance(data, bytes):
        raise Fault(f"a bytearray is made of {short(data)}, where bytes belong")
    return bytearray(data)


def _complex(real: Any, imag: Any) -> complex:
    if not isinstance(real, float) or not isinstance(imag, float):
        raise Fault(f"a complex number is made of {short(real)} and {short(imag)}, where two floats belong")
    return complex(real, imag)


def _device(kind: Any, index: Any = None) -> _core.device:
    if not isinstance(kind, str) or not isinstance(index, int | None):
        raise Fault(f"a device is made of {short(kind)} and {short(index)}, where a kind and an index belong")
    try:
        return _core.device(kind) if index is None else _core.device(kind, index)
    except Exception as e:
        raise Fault(f"it holds a device that is not known here: {e}") from None


def _layout(name: Any) -> str:
    if name != "torch.strided":
        raise Fault(f"the layout {short(name)} is not supported, only torch.strided is")
    return name


class Names:
    """The list. rebuild(storage, dtype, offset, size, stride) makes a tensor."""

    def __init__(self, rebuild: Callable[..., Any], pair: Pair) -> None:
        self._rebuild, self._pair = rebuild, pair
        self._found: dict[str, Any] = {f"torch.{t.name}": t for t in _core.dtypes}
        self._found.update({f"torch.{name}": StorageKind(name) for name in STORAGES})
        self._found.update({f"torch.storage.{UNTYPED}": StorageKind(UNTYPED), f"torch.{UNTYPED}": StorageKind(UNTYPED)})
        functions = {
            "torch._utils._rebuild_tensor": self._tensor, "torch._utils._rebuild_tensor_v2": self._tensor_v2,
            "torch._utils._rebuild_tensor_v3": self._tensor_v3, "torch._utils._rebuild_parameter": self._parameter,
            "torch.Size": self._size, "torch.device": _device, "torch.serialization._get_layout": _layout,
            "collections.OrderedDict": _ordered_dict, "_codecs.encode": _encoded,
        }  # fmt: skip
        for home in ("builtins", "__builtin__"):  # of Python 3 and, in protocol 2, of Python 2
            functions.update({f"{home}.set": _set, f"{home}.bytearray": _bytearray, f"{home}.complex": _complex})
        self._found.update({name: Function.of(name, f) for name, f in functions.items()})

    def find(self, name: str) -> Any:
        try:
            return self._found[name]
        except KeyError:
            raise Fault(f"it names '{name[:200]}', which is not among what such a file may name; {REMEDY}") from None

    # ---- what a file calls ----

    def _tensor(self, storage: Any, offset: Any, size: Any, stride: Any) -> Any:
        if not isinstance(storage, Storage) or storage.dtype is None:
            raise Fault(f"a tensor is made of {short(storage)}, where a typed storage belongs")
        return self._rebuild(storage, storage.dtype, offset, size, stride)

    def _tensor_v2(self, storage: Any, offset: Any, size: Any, stride: Any, requires_grad: Any, hooks: Any = None,
                   metadata: Any = None) -> Any:
        return _finished(self._tensor(storage, offset, size, stride), requires_grad, metadata)

    def _tensor_v3(self, storage: Any, offset: Any, size: Any, stride: Any, requires_grad: Any, hooks: Any, dtype: Any,
                   metadata: Any = None) -> Any:
        if not isinstance(storage, Storage) or storage.dtype is not None or not isinstance(dtype, _core.dtype):
            raise Fault(f"a tensor is made of {short(storage)} and {short(dtype)}, where an untyped storage and a dtype belong")
        return _finished(self._rebuild(storage, dtype, offset, size, stride), requires_grad, metadata)

    def _parameter(self, data: Any, requires_grad: Any, hooks: Any = None) -> Any:
        if not isinstance(data, _core.TensorBase) or not isinstance(requires_grad, bool):
            raise Fault(f"a parameter is made of {short(data)} and {short(requires_grad)}, where a tensor and a bool belong")
        try:
            return self._pair.parameter(_core.detach(data), requires_grad)
        except _core.Error as e:
            raise Fault(f"a parameter: {e}") from None

    def _size(self, sizes: Any) -> Any:
        if not isinstance(sizes, (tuple, list)):
            raise Fault(f"a torch.Size is made of {short(sizes)}, where a tuple belongs")
        return self._pair.shape(whole(n, "a size") for n in sizes)


def _finished(t: Any, requires_grad: Any, metadata: Any) -> Any:
    if not isinstance(requires_grad, bool):
        raise Fault(f"requires_grad is {short(requires_grad)}, where a bool belongs")
    if metadata is not None and (not isinstance(metadata, dict) or any(metadata.values())):
        marks = sorted(k for k, v in metadata.items() if v) if isinstance(metadata, dict) else short(metadata)
        raise Fault(f"a tensor has the marks {marks}, which are not supported; resolve_conj() or resolve_neg() removes them in PyTorch")
    if requires_grad and not (t.dtype.is_floating_point or t.dtype.is_complex):
        raise Fault(f"a tensor of {t.dtype.name} is to require gradients, which only those of floats and complex numbers can")
    return t.requires_grad_() if requires_grad else t
