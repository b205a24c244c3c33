# SPDX-License-Identifier: Apache-2.0
"""What a Trainer tells others of its run: ``Trainer(max_epochs=10, callbacks=[CSVLogger("run.csv"), TensorBoard("logs")])``.

Any object with some of Callback's methods will do, so that a tracker of experiments needs a few lines:

    class Tracker:
        def on_epoch(self, trainer, figures):
            tracker.log({"loss": figures.train_loss}, step=figures.epoch)"""

from __future__ import annotations

import csv
import math
import os
import pathlib
import socket
import struct
import time
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .train import Figures, Trainer

__all__ = ["CSVLogger", "Callback", "TensorBoard"]

_NAMES = ("train_loss", "train_accuracy", "val_loss", "val_accuracy")


class Callback:
    """The methods that a Trainer calls, where an object has them. Here they do nothing.

    >>> class Shout(bp.train.Callback):
    ...     def on_epoch_end(self, trainer, figures):
    ...         print("an epoch!")
    >>> trainer = bp.Trainer(max_epochs=1, callbacks=[Shout()])
    """

    def on_fit_start(self, trainer: Trainer) -> None:
        """Called before the first batch; trainer.epoch is where a resumed run goes on."""

    def on_batch(self, trainer: Trainer, figures: Figures) -> None:
        """Called after each batch. Reading figures.loss, a tensor, waits for the device."""

    def on_epoch(self, trainer: Trainer, figures: Figures) -> None:
        """Called after each epoch, and after the validation where there is one."""

    def on_fit_end(self, trainer: Trainer) -> None:
        """Called when the run ends, also by an exception."""


def call_all(callbacks: Sequence[Any], method: str, *args: Any) -> None:
    for callback in callbacks:
        f = getattr(callback, method, None)
        if f is not None:
            f(*args)


def _leads(trainer: Trainer) -> bool:
    return trainer.group is None or trainer.group.rank == 0


class CSVLogger(Callback):
    """Writes a line for each epoch to a file: its number from 1, and the losses and accuracies. What was not computed is empty. A
    resumed run adds to the file, any other begins it anew. In a group rank 0 writes. OSError: the file cannot be written.

        CSVLogger("run.csv")

    >>> trainer = bp.Trainer(max_epochs=1, callbacks=[bp.train.CSVLogger("run.csv")])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)
        self._file: IO[str] | None = None

    def on_fit_start(self, trainer: Trainer) -> None:
        if not _leads(trainer):
            return
        goes_on = trainer.epoch > 0 and self.path.exists()
        self._file = self.path.open("a" if goes_on else "w", newline="", encoding="utf-8")
        if not goes_on:
            self._write(["epoch", *_NAMES])

    def on_epoch(self, trainer: Trainer, figures: Figures) -> None:
        values = [getattr(figures, name) for name in _NAMES]
        self._write([figures.epoch + 1, *("" if math.isnan(v) else repr(v) for v in values)])

    def on_fit_end(self, trainer: Trainer) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, row: list[Any]) -> None:
        if self._file is not None:
            csv.writer(self._file, lineterminator="\n").writerow(row)
            self._file.flush()


class TensorBoard(Callback):
    """Writes the figures of each epoch for TensorBoard, which need not be installed: ``tensorboard --logdir logs`` shows them. folder is
    made where it is not there. The names are loss/train, loss/val, accuracy/train and accuracy/val. In a group rank 0 writes. OSError: it
    cannot be written.

        TensorBoard("logs")

    >>> trainer = bp.Trainer(max_epochs=1, callbacks=[bp.train.TensorBoard("logs")])
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = pathlib.Path(folder)
        self._file: IO[bytes] | None = None

    def on_fit_start(self, trainer: Trainer) -> None:
        if not _leads(trainer):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{time.time_ns() // 10**9}.{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns()}"
        self._file = (self.folder / name).open("xb")
        self._event(3, _bytes(b"brain.Event:2"), None)

    def on_epoch(self, trainer: Trainer, figures: Figures) -> None:
        for name in _NAMES:
            value = getattr(figures, name)
            if not math.isnan(value):
                part, _, what = name.partition("_")
                self.add_scalar(f"{what}/{part}", value, figures.epoch + 1)

    def add_scalar(self, tag: str, value: float, step: int) -> None:
        """Writes one number of one's own, while a run is under way."""
        summary = _field(1, 2, _bytes(_field(1, 2, _bytes(tag.encode())) + _field(2, 5, struct.pack("<f", value))))
        self._event(5, _bytes(summary), step)

    def on_fit_end(self, trainer: Trainer) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _event(self, field: int, what: bytes, step: int | None) -> None:
        if self._file is None:
            return
        event = _field(1, 1, struct.pack("<d", time.time()))
        event += b"" if step is None else _field(2, 0, _varint(step))
        event += _field(field, 2, what)
        length = struct.pack("<Q", len(event))
        self._file.write(length + _checksum(length) + event + _checksum(event))
        self._file.flush()


# ---- protobuf's wire format, and the records of TensorFlow's event files ----


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def _field(number: int, kind: int, data: bytes) -> bytes:
    return _varint(number << 3 | kind) + data


def _bytes(data: bytes) -> bytes:
    return _varint(len(data)) + data


def _row(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


_TABLE = [_row(byte) for byte in range(256)]  # of CRC-32C


def _checksum(data: bytes) -> bytes:
    """Returns the masked CRC-32C that such a record has."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
