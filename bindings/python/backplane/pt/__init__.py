# SPDX-License-Identifier: Apache-2.0
"""PyTorch's files, as torch.save writes them and torch.load reads them with weights_only=True: tensors, numbers, texts, bytes and
containers of them. Reading one runs no code that the file names (names.py).

    backplane.io.load_pt("model.pt")["state_dict"]      backplane.torch.load("model.pt", map_location="cpu")"""

from __future__ import annotations

import builtins
import io
import mmap
import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

from .. import _core, nn
from .archive import MAGIC, Archive, Writer, replacing
from .machine import Machine
from .names import STORAGES, UNTYPED, Fault, Names, Pair, Storage, StorageKind, short, whole
from .pickler import Pickler

__all__ = ["MAGIC", "PLAIN", "Fault", "MapLocation", "Pair", "fail", "load", "save"]

PLAIN = Pair(nn.Parameter, tuple)
MapLocation = Callable[[Any, str], Any] | _core.device | str | Mapping[str, Any] | None


def fail(name: str, fault: object) -> Any:
    """Raises the error of a file that is not what it should be."""
    error = _core.InvalidArgumentError(f"{name}: {fault}")
    error.code = "BP_INVALID_ARGUMENT"
    raise error from None


class _Tensors:
    """The tensors of a file. Those of one storage share memory, as in PyTorch."""

    def __init__(self, archive: Archive, map_location: MapLocation, own: Callable[[Any], Any] | None) -> None:
        self._archive, self._map, self._own = archive, map_location, own
        self._records: dict[str, memoryview] = {}
        self._placed: dict[tuple[str, str], Any] = {}

    def storage(self, pid: Any) -> Storage:
        """Returns what ('storage', its class, its key, its device, its number of elements) stands for."""
        if type(pid) is not tuple or len(pid) != 5 or pid[0] != "storage" or not isinstance(pid[1], StorageKind):
            raise Fault(f"it refers to {short(pid)}, where a storage belongs")
        _, kind, key, location, n = pid
        if not isinstance(key, str) or not isinstance(location, str):
            raise Fault(f"a storage has the key {short(key)} and the location {short(location)}, where two texts belong")
        dtype = None if kind.name == UNTYPED else STORAGES[kind.name]
        if key not in self._records:
            self._records[key] = self._archive.read(f"data/{key}")
        needed = whole(n, "a storage's size") * (1 if dtype is None else dtype.itemsize)
        if needed != len(self._records[key]):
            raise Fault(f"the storage '{key}' is to have {needed} bytes, and its record has {len(self._records[key])}")
        return Storage(key, dtype, location, n)

    def rebuild(self, storage: Storage, dtype: Any, offset: Any, size: Any, stride: Any) -> Any:
        """Returns a tensor over a storage. Whatever the file says, it lies inside."""
        whole(offset, "a tensor's offset")
        for what, numbers in (("size", size), ("stride", stride)):
            if not isinstance(numbers, (tuple, list)):
                raise Fault(f"a tensor's {what} is {short(numbers)}, where a tuple belongs")
            for n in numbers:
                whole(n, f"a tensor's {what}")
        if len(size) != len(stride):
            raise Fault(f"a tensor has {len(size)} sizes and {len(stride)} strides")
        there = len(self._records[storage.key]) // dtype.itemsize
        if 0 in size and offset > there:
            raise Fault(f"a tensor begins at element {offset} of the storage '{storage.key}', which has {there}")
        last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) if 0 not in size else offset - 1
        if last >= there:
            raise Fault(f"a tensor of size {list(size)}, stride {list(stride)} and offset {offset} reaches element {last} of the "
                        f"storage '{storage.key}', which has {there}")  # fmt: skip
        memory = self._memory(storage, dtype)
        try:
            return _core.as_strided(memory, size, stride, offset)
        except (ValueError, MemoryError) as e:  # too many dimensions or elements
            raise Fault(f"a tensor of size {list(size)}: {e}") from None

    def _memory(self, storage: Storage, dtype: Any) -> Any:
        place = (storage.key, dtype.name)
        if place not in self._placed:
            record = self._records[storage.key]
            n = len(record) // dtype.itemsize * dtype.itemsize
            on_cpu = _core.buffer_as(record[:n], dtype) if n else _core.empty(0, dtype, "cpu")
            placed = _placed(on_cpu, storage.location, self._map)
            self._placed[place] = placed if self._own is None else self._own(placed)
        return self._placed[place]


def _placed(t: Any, location: str, where: MapLocation) -> Any:
    """Returns a storage on its device: its own, or where map_location sends it."""
    if isinstance(where, Mapping):
        where = where.get(location, location)
    elif callable(where) and not isinstance(where, _core.device):
        other = where(t, location)
        if isinstance(other, _core.TensorBase):
            return other
        where = location if other is None else other
    if where is None:
        where = location
        if _core.device(location.partition(":")[0]).type != "cpu" and not _core.device_count(location.partition(":")[0]):
            raise _core.UnavailableError(
                f"Attempting to deserialize object on a {location.partition(':')[0].upper()} device but there is none. If you are "
                "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages "
                "to the CPU.")  # fmt: skip
    return _core.to(t, where, None, False, False)


def _opened(source: Any) -> tuple[str, memoryview, Any]:
    """Returns a name for messages, all bytes of a path or of an open file, in memory that may be written, and a file to go
    through them. What is mapped is copied, page by page, when it is written to."""
    if hasattr(source, "read"):
        data = bytearray(source.read())
        return str(getattr(source, "name", "the file")), memoryview(data), io.BytesIO(data)
    path = os.fsdecode(source)
    with pathlib.Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)) if size else memoryview(bytearray())
        return path, mapped, io.BytesIO(b"") if not size else _Reader(mapped)


class _Reader(io.RawIOBase):
    """A file over memory, without a copy."""

    def __init__(self, data: memoryview) -> None:
        self._data, self._at = data, 0

    def readable(self) -> builtins.bool:
        return True

    def seekable(self) -> builtins.bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        at = offset + (0, self._at, len(self._data))[whence]
        if at < 0:
            raise OSError(f"negative seek position {at}")
        self._at = at
        return at

    def tell(self) -> int:
        return self._at

    def readinto(self, into: Any) -> int:
        part = self._data[self._at : self._at + len(into)]
        into[: len(part)] = part
        self._at += len(part)
        return len(part)


def load(source: Any, map_location: MapLocation, pair: Pair = PLAIN, own: Callable[[Any], Any] | None = None) -> Any:
    """Returns the object in a file of torch.save, a path or an open file. map_location is as in backplane.torch.load; own makes
    tensors those of another class."""
    name, data, file = _opened(source)
    try:
        archive = Archive(data, file)
        tensors = _Tensors(archive, map_location, own)
        return Machine(Names(tensors.rebuild, pair), tensors.storage).run(bytes(archive.read("data.pkl")))
    except Fault as e:
        return fail(name, e)


def save(obj: Any, target: Any) -> None:
    """Writes a file that torch.load reads, to a path or an open file. A path is replaced as a whole or not at all."""
    pickler = Pickler()
    pickle = pickler.run(obj)
    if hasattr(target, "write"):
        made = io.BytesIO()
        _write(made, "archive", pickle, pickler)
        target.write(made.getbuffer())
        return
    path = pathlib.Path(os.fsdecode(target))
    with replacing(path) as file:
        _write(file, path.stem, pickle, pickler)


def _write(file: Any, root: str, pickle: bytes, pickler: Pickler) -> None:
    writer = Writer(file, root)
    writer.write("data.pkl", pickle)
    writer.write("byteorder", b"little")
    for extent in pickler.extents.found.values():
        writer.write(f"data/{extent.key}", extent.bytes())
    writer.write("version", b"3\n")
    writer.close()
