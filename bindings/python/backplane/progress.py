# SPDX-License-Identifier: Apache-2.0
"""A run as a person sees it. On a terminal or in a notebook it is one line that is drawn again and again, with a bar, a rate
and the time left, which tqdm draws where it is installed; elsewhere, such as in a log, only the lines that say something new."""

from __future__ import annotations

import importlib
import math
import sys
import time
from typing import Any

__all__ = ["Progress"]


def _time_text(seconds: float) -> str:
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _redraws(file: Any) -> bool:
    """True for a terminal and for a notebook's output."""
    if type(file).__module__.partition(".")[0] == "ipykernel":
        return True
    return bool(getattr(file, "isatty", lambda: False)())


def _tqdm() -> Any:
    """Returns tqdm's class for this terminal or notebook, or None where it is not installed."""
    try:
        return importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return None


class Progress:
    """A run of so many epochs, whose batches have so many examples, or None if that is not known. It is shown on file, by
    default on what sys.stdout is at that time."""

    width = 30
    seconds_between = 0.1

    def __init__(self, epochs: int, examples: int | None, file: Any = None) -> None:
        self._epochs, self._examples = epochs, examples
        self._file = sys.stdout if file is None else file
        self._bar = _redraws(self._file)
        self._start = time.monotonic()
        self._shown = -math.inf
        self._first: float | None = None  # how many batches were done before this run
        self._drawn = 0
        self._tqdm: Any = _tqdm() if self._bar else None
        self._theirs: Any = None  # tqdm's bar

    def batch(self, epoch: int, batch: int, n_batches: int) -> None:
        """Shows that so many batches of the epoch are done. Epochs count from 0."""
        if not self._bar:
            return
        done = epoch * n_batches + batch
        if self._first is None:
            self._first = done - 1
        if self._tqdm is not None:
            self._show(epoch, done, self._epochs * n_batches)
            return
        now = time.monotonic()
        if now - self._shown < self.seconds_between and batch < n_batches:
            return
        self._shown = now
        share = done / (self._epochs * n_batches)
        passed, learned = now - self._start, done - self._first
        rate = learned * (self._examples or 1) / passed if passed > 0 else 0.0
        unit = "batches" if self._examples is None else "examples"
        left = passed * (self._epochs * n_batches - done) / learned
        bar = "#" * int(self.width * share)
        self._draw(f"epoch {epoch + 1:>2}/{self._epochs} [{bar:<{self.width}}] {100 * share:>3.0f}%  {rate:,.0f} {unit}/s  "
                   f"{_time_text(left)} left")  # fmt: skip

    def _show(self, epoch: int, done: int, whole: int) -> None:
        if self._theirs is None:
            self._theirs = self._tqdm(total=whole, initial=done - 1, file=self._file, unit="batch", leave=False)
        self._theirs.set_description(f"epoch {epoch + 1}/{self._epochs}", refresh=False)
        self._theirs.update(done - self._theirs.n)

    def line(self, text: str) -> None:
        """Prints a line that stays."""
        if self._theirs is not None:
            self._tqdm.write(text, file=self._file)
            return
        self._erase()
        print(text, file=self._file, flush=True)

    def close(self) -> None:
        """Removes the bar."""
        if self._theirs is not None:
            self._theirs.close()
            self._theirs = None
        self._erase()

    def _erase(self) -> None:
        if self._drawn:
            self._file.write(f"\r{'':<{self._drawn}}\r")
            self._file.flush()
        self._drawn = 0

    def seconds(self) -> float:
        return time.monotonic() - self._start

    def _draw(self, text: str) -> None:
        self._file.write(f"\r{text:<{self._drawn}}")
        self._file.flush()
        self._drawn = len(text)
