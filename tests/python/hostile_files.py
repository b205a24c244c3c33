# SPDX-License-Identifier: Apache-2.0
"""Files like those of torch.save, with whatever pickle and records a test wants in them."""

import pickle
import struct
import zipfile
from typing import Any

RECORD = struct.pack("<2f", 0, 1)  # of storage '0', unless a test has others


def store(path, code, records=(("0", RECORD),), more=(), compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("a/data.pkl", code)
        for name, data in records:
            archive.writestr(f"a/data/{name}", data)
        for name, data in more:
            archive.writestr(name, data)


def name(module, last):
    """The opcode that names something."""
    return f"c{module}\n{last}\n".encode()


def value(v):
    """The opcodes of a value of numbers, texts and tuples; bytes are opcodes already."""
    if isinstance(v, bytes):
        return v
    if isinstance(v, tuple):
        return b"(" + b"".join(map(value, v)) + b"t"
    return pickle.dumps(v, 2)[2:-1]


FLOATS = name("torch", "FloatStorage")


def pickled(kind=FLOATS, key="0", location="cpu", n: Any = 2, offset: Any = 0, size: Any = (2,), stride: Any = (1,), grad: Any = False):
    """The pickle of one tensor."""
    storage = value(("storage", kind, key, location, n)) + b"Q"
    args = value((storage, offset, size, stride, grad, name("collections", "OrderedDict") + b")R"))
    return b"\x80\x02" + name("torch._utils", "_rebuild_tensor_v2") + args + b"R."
