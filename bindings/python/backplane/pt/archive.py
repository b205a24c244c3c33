# SPDX-License-Identifier: Apache-2.0
"""The zip of a PyTorch file: data.pkl, and a record of bytes for each storage. Records are stored as they are, never compressed, so
that the file's own pages serve as a tensor's memory and no record is larger than the file."""

from __future__ import annotations

import contextlib
import errno
import os
import pathlib
import zlib
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from .names import Fault

if TYPE_CHECKING:
    import zipfile  # which functions import, for few programs need it and it takes milliseconds

MAGIC = b"PK\x03\x04"
_ALIGNMENT = 64  # of a record's first byte in the file, as PyTorch aligns it
_LEGACY = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
_STORED = 0  # zip's number of no compression
_LOCAL = 30  # bytes of a local header before its name


def _why_no_zip(start: bytes) -> str:
    if start.startswith(_LEGACY):
        return ("it has the format that PyTorch wrote before 1.6; loading it there with torch.load and saving it again with "
                "torch.save gives it today's")  # fmt: skip
    if start.startswith(b"\x80"):
        return "it is a bare pickle, not a file of torch.save"
    return f"it begins with {start[:8]!r}, and a file of torch.save is a zip archive" if start else "it is empty"


class Archive:
    """The records of a file, by name. data is all of the file, in memory that a tensor may share."""

    def __init__(self, data: memoryview, file: IO[bytes]) -> None:
        self._data = data
        import zipfile

        if bytes(data[: len(MAGIC)]) != MAGIC:
            raise Fault(_why_no_zip(bytes(data[:16])))
        try:
            with zipfile.ZipFile(file) as archive:
                entries = archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as e:
            raise Fault(f"it is a damaged zip archive, or only the beginning of one: {e}") from None
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for entry in entries:
            if entry.filename in self._entries:
                raise Fault(f"the record '{entry.filename}' is there twice")
            self._entries[entry.filename] = entry
        roots = [name for name in self._entries if name.endswith("/data.pkl") and name.count("/") == 1]
        if not roots and any(name.endswith(".npy") for name in self._entries):
            raise Fault("it holds NumPy's arrays, which backplane.io.load_npz reads")
        if len(roots) != 1:
            raise Fault(f"it has {len(roots)} records '<name>/data.pkl', where one belongs: no file of torch.save")
        self._root = roots[0][: -len("data.pkl")]
        if self.has("constants.pkl"):
            raise Fault("it is a TorchScript archive, which holds a program; torch.save(module.state_dict(), path) saves its state")
        if self.has("byteorder") and bytes(self.read("byteorder")) != b"little":
            raise Fault(f"its byte order is {bytes(self.read('byteorder'))[:20]!r}, and only b'little' is read")

    def has(self, name: str) -> bool:
        return self._root + name in self._entries

    def read(self, name: str) -> memoryview:
        """Returns the bytes of a record, which are the file's own."""
        try:
            entry = self._entries[self._root + name]
        except KeyError:
            raise Fault(f"it has no record '{self._root}{name}'") from None
        if entry.compress_type != _STORED or entry.flag_bits & 1 or entry.file_size != entry.compress_size:
            raise Fault(f"the record '{entry.filename}' is compressed or encrypted, which torch.save never does")
        at, n = entry.header_offset, entry.file_size
        header = bytes(self._data[at : at + _LOCAL])
        if len(header) != _LOCAL or header[:4] != MAGIC:
            raise Fault(f"the record '{entry.filename}' should begin at byte {at}, where none begins")
        start = at + _LOCAL + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        if start + n > len(self._data):
            raise Fault(f"the record '{entry.filename}' has {n} bytes from {start}, and the file has {len(self._data)}")
        record = self._data[start : start + n]
        if entry.CRC and zlib.crc32(record) != entry.CRC:  # PyTorch writes 0 where it was told not to compute it
            raise Fault(f"the record '{entry.filename}' is damaged: its checksum is not {entry.CRC:08x}")
        return record


class Writer:
    """A file of torch.save in the making."""

    def __init__(self, file: IO[bytes], root: str) -> None:
        import zipfile

        self._file, self._root = file, root
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)

    def write(self, name: str, data: Any) -> None:
        import zipfile

        entry = zipfile.ZipInfo(f"{self._root}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
        size = memoryview(data).nbytes
        wide = 20 if size * 1.05 > zipfile.ZIP64_LIMIT else 0  # of the field that zipfile adds then
        begin = self._file.tell() + _LOCAL + len(entry.filename.encode()) + wide + 4
        padding = -begin % _ALIGNMENT
        entry.extra = b"FB" + padding.to_bytes(2, "little") + b"Z" * padding
        entry.file_size = size
        with self._zip.open(entry, "w", force_zip64=wide > 0) as record:
            record.write(data)

    def close(self) -> None:
        self._zip.close()


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[IO[bytes]]:
    """Opens a new file that takes the place of path at the end, once it is safely on the disk, or not at all."""
    target = path.resolve()  # a link stays one
    folder = target.parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, "the folder to write it to does not exist", str(path))
    mask = os.umask(0)
    os.umask(mask)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask
    temporary = folder / f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}"
    file = os.fdopen(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "w+b")
    try:
        with file:
            yield file
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink()
        raise
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
