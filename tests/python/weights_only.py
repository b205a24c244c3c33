# SPDX-License-Identifier: Apache-2.0
"""Reads a file of torch.save as PyTorch's torch.load(weights_only=True) does, with NumPy in PyTorch's place: its opcodes and its names,
from torch/_weights_only_unpickler.py of 2.15, and none besides. It shares no code with what it checks."""

import collections
import io
import pickle
import pickletools
import re
import zipfile
from typing import Any

import ml_dtypes
import numpy as np

OPCODES = set(re.findall(r"\w+", """APPEND APPENDS BINFLOAT BINGET BININT BININT1 BININT2 BINPERSID BINPUT BINUNICODE BUILD EMPTY_DICT
    EMPTY_LIST EMPTY_SET EMPTY_TUPLE GLOBAL LONG1 LONG_BINGET LONG_BINPUT MARK NEWFALSE NEWOBJ NEWTRUE NONE PROTO REDUCE SETITEM SETITEMS
    SHORT_BINSTRING STOP TUPLE TUPLE1 TUPLE2 TUPLE3"""))
STORAGES: dict[str, Any] = {
    "Float": "f4", "Double": "f8", "Half": "f2", "BFloat16": ml_dtypes.bfloat16, "Long": "i8", "Int": "i4", "Short": "i2", "Char": "i1",
    "Byte": "u1", "Bool": "?", "ComplexFloat": "c8", "ComplexDouble": "c16",
}  # fmt: skip


class Parameter:
    def __init__(self, data, requires_grad, hooks):
        assert isinstance(hooks, collections.OrderedDict)
        self.data, self.requires_grad = data, requires_grad


def _view(array, offset, size, stride):
    assert all(n >= 0 for n in (offset, *size, *stride)), "PyTorch has no negative strides"
    last = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if 0 not in size else offset - 1
    assert last < len(array)
    return np.lib.stride_tricks.as_strided(array[offset:], size, [s * array.itemsize for s in stride])


def _tensor_v2(storage, offset, size, stride, requires_grad, hooks):
    assert isinstance(requires_grad, bool) and isinstance(hooks, collections.OrderedDict)
    return _view(storage, offset, size, stride)


def _tensor_v3(storage, offset, size, stride, requires_grad, hooks, dtype):
    return _tensor_v2(storage.view(dtype), offset, size, stride, requires_grad, hooks)


class _Reader(pickle.Unpickler):
    def __init__(self, archive, root):
        data = archive.read(f"{root}/data.pkl")
        used = {opcode.name for opcode, _, _ in pickletools.genops(data)}
        assert used <= OPCODES, f"torch.load refuses the opcodes {used - OPCODES}"
        super().__init__(io.BytesIO(data))
        self.archive, self.root, self.found = archive, root, {}

    def find_class(self, module, name):
        module = "builtins" if module == "__builtin__" else module  # Python 2's name, as protocol 2 writes it
        if module == "torch" and name.endswith("Storage"):
            return np.dtype(STORAGES[name.removesuffix("Storage")])
        if module == "torch" and name not in ("Size", "device"):
            return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)
        names: dict[str, Any] = {
            "torch._utils._rebuild_tensor_v2": _tensor_v2, "torch._utils._rebuild_tensor_v3": _tensor_v3,
            "torch._utils._rebuild_parameter": Parameter, "torch.storage.UntypedStorage": np.dtype("u1"), "torch.Size": tuple,
            "torch.device": lambda *args: ":".join(map(str, args)), "collections.OrderedDict": collections.OrderedDict,
            "_codecs.encode": str.encode, "builtins.set": set, "builtins.bytearray": bytearray, "builtins.complex": complex,
        }  # fmt: skip
        return names[f"{module}.{name}"]

    def persistent_load(self, pid):
        kind, dtype, key, location, n = pid
        assert kind == "storage" and (location == "cpu" or location.startswith("cuda:"))
        record = self.archive.read(f"{self.root}/data/{key}")
        assert len(record) == n * dtype.itemsize
        if key not in self.found:
            self.found[key] = np.frombuffer(bytearray(record), dtype)
        return self.found[key]


def load(path):
    """Returns the object, with arrays for tensors."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        (root,) = (name.removesuffix("/data.pkl") for name in archive.namelist() if name.endswith("/data.pkl"))
        assert archive.read(f"{root}/byteorder") == b"little" and archive.read(f"{root}/version") == b"3\n"
        assert all(entry.compress_type == zipfile.ZIP_STORED for entry in archive.infolist())
        return _Reader(archive, root).load()
