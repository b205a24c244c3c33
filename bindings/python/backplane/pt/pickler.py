# SPDX-License-Identifier: Apache-2.0
"""Writes the pickle of a PyTorch file: protocol 2, of those types that PyTorch reads with weights_only=True."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from .. import _core
from ..nn.parameter import ParameterMethods
from .names import STORAGES, UNTYPED, is_plain

_STORAGE_OF = {dtype: name for name, dtype in STORAGES.items()}
_MOST_PUT = 255  # of the memo's entries whose number takes one byte


class Extent:
    """A part of one storage that is written as a record: elements [low, high) of dtype, of the storage of tensor."""

    def __init__(self, key: str, tensor: Any) -> None:
        self.key, self.tensor = key, tensor
        self.low, self.high = _ends(tensor)

    def widen(self, tensor: Any) -> None:
        low, high = _ends(tensor)
        self.low, self.high = min(self.low, low), max(self.high, high)

    def bytes(self) -> bytes:
        whole = _core.as_strided(_core.detach(self.tensor), (self.high - self.low,), (1,), self.low)
        return _core.tobytes(whole)


def _ends(t: Any) -> tuple[int, int]:
    if t._numel == 0:
        return t._offset, t._offset
    return t._offset, t._offset + 1 + sum((n - 1) * step for n, step in zip(t.shape, t._strides, strict=True))


class Extents:
    """The storages of what is saved. Tensors of one storage share a record, as far as they reach."""

    def __init__(self) -> None:
        self.found: dict[Any, Extent] = {}
        self._of: dict[int, tuple[Any, Extent]] = {}  # by the tensor's address; the tensor is kept, so that it stays its own

    def add(self, t: Any) -> None:
        if id(t) in self._of:
            return
        own = t
        if any(step < 0 for step in t._strides):  # which PyTorch has not
            own = _core.contiguous(_core.detach(t))
        address = _core.data_ptr(own) - own._offset * own.dtype.itemsize
        place = (str(own.device), address, own.dtype) if own._numel else id(t)
        extent = self.found.get(place)
        if extent is None:
            extent = self.found[place] = Extent(str(len(self.found)), own)
        else:
            extent.widen(own)
        self._of[id(t)] = (t, extent) if own is t else (own, extent)

    def of(self, t: Any) -> tuple[Any, Extent]:
        """Returns t, or the copy that stands for it, and its extent."""
        return self._of[id(t)]


class Pickler:
    """Writes one object. A first walk finds its tensors, a second writes; both refuse what PyTorch would not read."""

    def __init__(self) -> None:
        self.extents = Extents()
        self._out = bytearray(b"\x80\x02")
        self._memo: dict[Any, int] = {}
        self._kept: list[Any] = []  # whatever is in the memo, so that its address stays its own

    def run(self, obj: Any) -> bytes:
        self._find(obj, set(), "")
        self._save(obj)
        return bytes(self._out + b".")

    def _find(self, obj: Any, seen: set[int], path: str) -> None:
        if isinstance(obj, _core.TensorBase):
            if _core.is_uninitialized(obj):
                raise TypeError(f"cannot save {path or 'it'}: a parameter that has no shape before the module's first input")
            return self.extents.add(obj)
        if isinstance(obj, (dict, list, tuple, Mapping)):
            if id(obj) in seen:
                return None
            seen.add(id(obj))
            items = obj.items() if isinstance(obj, Mapping) else enumerate(obj)
            for key, value in items:
                if not is_plain(key):
                    raise TypeError(f"cannot save {path or 'it'}: a key is a {type(key).__qualname__}, where a number, a text or a "
                                    "flat tuple of them belongs")  # fmt: skip
                self._find(value, seen, f"{path}[{key!r}]")
            return None
        if not isinstance(obj, _PLAIN) or (isinstance(obj, (set, frozenset)) and not all(map(is_plain, obj))):
            raise TypeError(f"cannot save {path or 'it'}: a {type(obj).__module__}.{type(obj).__qualname__} is none of what PyTorch "
                            f"reads without running code, which is tensors, numbers, texts, bytes and containers of them"
                            f"{_remedy(obj)}")  # fmt: skip
        return None

    # ---- writing ----

    def _put(self, key: Any, obj: Any = None) -> None:
        n = self._memo[key] = len(self._memo)
        self._kept.append(obj)
        self._out += b"q" + bytes([n]) if n <= _MOST_PUT else b"r" + struct.pack("<I", n)

    def _got(self, key: Any) -> bool:
        n = self._memo.get(key)
        if n is None:
            return False
        self._out += b"h" + bytes([n]) if n <= _MOST_PUT else b"j" + struct.pack("<I", n)
        return True

    def _global(self, module: str, name: str) -> None:
        if not self._got((module, name)):
            self._out += f"c{module}\n{name}\n".encode()
            self._put((module, name))

    def _text(self, text: str) -> None:
        if not self._got(("text", text)):
            data = text.encode("utf-8", "surrogatepass")
            self._out += b"X" + struct.pack("<I", len(data)) + data
            self._put(("text", text))

    def _int(self, n: int) -> None:
        if 0 <= n < 256:
            self._out += b"K" + bytes([n])
        elif -(2**31) <= n < 2**31:
            self._out += b"J" + struct.pack("<i", n)
        else:
            data = n.to_bytes(n.bit_length() // 8 + 1, "little", signed=True)
            if len(data) > 255:
                raise OverflowError(f"cannot save an integer of {n.bit_length()} bits")
            self._out += b"\x8a" + bytes([len(data)]) + data

    def _tuple(self, items: tuple[Any, ...]) -> None:
        """Writes a tuple without an entry in the memo."""
        if not 1 <= len(items) <= 3:
            self._out += b"(" if items else b")"
        for item in items:
            self._save(item)
        if items:
            self._out += {1: b"\x85", 2: b"\x86", 3: b"\x87"}.get(len(items), b"t")

    def _call(self, module: str, name: str, args: tuple[Any, ...]) -> None:
        self._global(module, name)
        self._tuple(args)
        self._out += b"R"

    def _save(self, obj: Any) -> None:
        if obj is None or isinstance(obj, bool):
            self._out += b"N" if obj is None else b"\x88" if obj else b"\x89"
        elif isinstance(obj, int):
            self._int(obj)
        elif isinstance(obj, float):
            self._out += b"G" + struct.pack(">d", obj)
        elif isinstance(obj, str):
            self._text(obj)
        elif isinstance(obj, _core.dtype):
            self._global("torch", obj.name)
        elif not self._got(id(obj)):
            self._save_object(obj)

    def _save_object(self, obj: Any) -> None:
        if isinstance(obj, _core.TensorBase):
            self._tensor(obj)
        elif isinstance(obj, Mapping):
            return self._mapping(obj)
        elif isinstance(obj, list):
            self._out += b"]"
            self._put(id(obj), obj)
            if obj:
                self._out += b"("
                for item in obj:
                    self._save(item)
                self._out += b"e"
            return None
        elif isinstance(obj, tuple):
            if hasattr(obj, "numel"):
                self._call("torch", "Size", (tuple(obj),))
            else:
                self._tuple(obj)
            if id(obj) in self._memo:
                raise ValueError("cannot save a tuple that holds itself")
        elif isinstance(obj, complex):
            self._call("__builtin__", "complex", (obj.real, obj.imag))
        elif isinstance(obj, bytearray):
            self._call("__builtin__", "bytearray", (bytes(obj),))
        elif isinstance(obj, bytes):
            self._call("_codecs", "encode", (obj.decode("latin1"), "latin1"))
        elif isinstance(obj, (set, frozenset)):
            self._call("__builtin__", "set", (list(obj),))
        else:
            self._call("torch", "device", (obj.type,) if obj.index is None else (obj.type, obj.index))
        self._put(id(obj), obj)
        return None

    def _mapping(self, obj: Mapping[Any, Any]) -> None:
        ordered = isinstance(obj, OrderedDict)
        if ordered:
            self._call("collections", "OrderedDict", ())
        else:
            self._out += b"}"
        self._put(id(obj), obj)
        if obj:
            self._out += b"("
            for key, value in obj.items():
                self._save(key)
                self._save(value)
            self._out += b"u"
        metadata = getattr(obj, "_metadata", None) if ordered else None
        if isinstance(metadata, dict):
            self._save({"_metadata": metadata})
            self._out += b"b"

    def _tensor(self, t: Any) -> None:
        own, extent = self.extents.of(t)
        dtype = own.dtype
        typed = _STORAGE_OF.get(dtype)
        is_parameter = isinstance(t, ParameterMethods)
        if is_parameter:
            self._global("torch._utils", "_rebuild_parameter")
            self._out += b"("
        self._global("torch._utils", "_rebuild_tensor_v2" if typed else "_rebuild_tensor_v3")
        self._out += b"(("
        self._text("storage")
        self._global("torch" if typed else "torch.storage", typed or UNTYPED)
        self._text(extent.key)
        kind = own.device.type
        self._text(f"cuda:{own.device.index or 0}" if kind == "cuda" else "cpu")
        n = extent.high - extent.low
        self._int(n if typed else n * dtype.itemsize)
        self._out += b"tQ"
        self._int(own._offset - extent.low)
        self._tuple(tuple(own.shape))
        self._tuple(tuple(own._strides))
        self._save(bool(own.requires_grad) and not is_parameter)
        self._call("collections", "OrderedDict", ())
        if not typed:
            self._global("torch", dtype.name)
        self._out += b"tR"
        if is_parameter:
            self._save(bool(t.requires_grad))
            self._call("collections", "OrderedDict", ())
            self._out += b"tR"


_PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray, set, frozenset, _core.dtype, _core.device)


def _remedy(obj: Any) -> str:
    if hasattr(obj, "state_dict"):
        return "; save its state_dict()"
    if isinstance(obj, type) or not hasattr(obj, "__array__"):
        return ""
    return "; of an array, asarray() makes a tensor, and item() a number of what holds one"
