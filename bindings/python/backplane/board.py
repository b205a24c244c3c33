# SPDX-License-Identifier: Apache-2.0
"""Curves of a run, as text in the terminal and as a picture where matplotlib is installed.

    board.draw(epoch, loss, "train_loss")      # a number, or a tensor of one element, which stays where it is until it is shown
    print(board); board.save("curve.png")
"""

from __future__ import annotations

import html
import importlib.util
import io
import math
from collections.abc import Sequence
from typing import Any

from . import _core

__all__ = ["Board"]

_MARKS = "o*+x#%@&"


class Board:
    """A plane with curves, each under a label. Limits and scales ("linear" or "log") may be set at any time.

    >>> board = bp.Board(xlabel="epoch")
    >>> board.draw(0, 1.0, "loss")
    >>> list(board.curves())
    ['loss']
    """

    def __init__(self, xlabel: str | None = None, ylabel: str | None = None, xlim: Sequence[float] | None = None,
                 ylim: Sequence[float] | None = None, xscale: str = "linear", yscale: str = "linear",
                 figsize: tuple[float, float] = (5.0, 3.5)) -> None:
        self.xlabel, self.ylabel, self.xlim, self.ylim = xlabel, ylabel, xlim, ylim
        self.xscale, self.yscale, self.figsize = xscale, yscale, figsize
        self._points: dict[str, list[tuple[Any, ...]]] = {}
        self._waiting: dict[str, list[tuple[Any, ...]]] = {}
        self._of_run: set[Any] = set()  # the labels of curves that a Trainer draws
        self._of_trainer = False  # True if a Trainer made the board; another Trainer then puts its own in its place

    def draw(self, x: float, y: Any, label: str, every_n: int = 1) -> None:
        """Adds a point to a curve: the mean of the points of every_n calls. This waits for no device.

        >>> board = bp.Board()
        >>> board.draw(1, 0.5, "loss")
        >>> board.curves()
        {'loss': ([1.0], [0.5])}
        """
        if isinstance(y, _core.TensorBase):
            if y._numel != 1:
                raise ValueError(f"a point has one number, and y is of shape {tuple(y.shape)}")
            y = _core.detach(y)
        else:
            y = float(y)
        if label in self._of_run:
            self._of_run.discard(label)
            del self._points[label]
        points = self._points.setdefault(label, [])
        waiting = self._waiting.setdefault(label, [])
        waiting.append((float(x), y))
        if len(waiting) >= every_n:
            n = len(waiting)
            points.append((sum(x for x, _ in waiting) / n, waiting[0][1] if n == 1 else sum(y for _, y in waiting) / n))
            waiting.clear()

    def _draw_for_run(self, x: float, y: float, label: str) -> None:
        """Adds a Trainer's own point, unless the program draws that curve itself."""
        if label in self._points and label not in self._of_run:
            return
        self._of_run.add(label)
        self._points.setdefault(label, []).append((float(x), y))

    def curves(self) -> dict[str, tuple[list[float], list[float]]]:
        """Returns the lists of xs and ys for each label. This waits for tensors on devices.

        >>> bp.Board().curves()
        {}
        """
        out = {}
        for label, points in self._points.items():
            points[:] = [(x, y if isinstance(y, float) else float(y)) for x, y in points]
            if points:
                out[label] = ([x for x, _ in points], [y for _, y in points])
        return out

    def text(self, width: int = 60, height: int = 10) -> str:
        """Returns the curves in characters, or "" when there is nothing to see.

        >>> bp.Board().text()
        ''
        """
        shown = {}
        for label, (xs, ys) in self.curves().items():
            points = [(_scaled(x, self.xscale), _scaled(y, self.yscale)) for x, y in zip(xs, ys, strict=True)]
            points = [p for p in points if math.isfinite(p[0]) and math.isfinite(p[1])]
            if points:
                shown[label] = points
        every = [p for points in shown.values() for p in points]
        if len(every) < 2:
            return ""
        left, right = _range([x for x, _ in every], self.xlim, self.xscale)
        low, high = _range([y for _, y in every], self.ylim, self.yscale)
        rows = [[" "] * width for _ in range(height)]
        for i, points in enumerate(shown.values()):
            for x, y in points:
                column, row = _place(x, left, right, width), _place(y, low, high, height)
                if 0 <= column < width and 0 <= row < height:
                    rows[height - 1 - row][column] = _MARKS[i % len(_MARKS)]
        ends = [_unscaled(high, self.yscale), *[""] * (height - 2), _unscaled(low, self.yscale)]
        lines = ["  ".join(f"{_MARKS[i % len(_MARKS)]} {label}" for i, label in enumerate(shown))]
        lines += [f"{end:>9} |{''.join(row).rstrip()}" for end, row in zip(ends, rows, strict=False)]
        foot = _unscaled(left, self.xscale)
        lines += [f"{'':>9} +{'-' * width}", f"{'':>11}{foot}{_unscaled(right, self.xscale):>{width - len(foot)}}"]
        if self.xlabel:
            lines.append(f"{'':>11}{self.xlabel:^{width}}".rstrip())
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def save(self, path: Any) -> None:
        """Writes a picture, in the format that the path's ending names. This needs matplotlib.

        >>> board = bp.Board()
        >>> board.draw(1, 0.5, "loss")  # and then, with matplotlib, board.save("loss.svg")
        """
        figure = self._figure()
        if figure is None:
            raise ImportError("Board.save draws with matplotlib, which is not installed (pip install matplotlib); print(board) "
                              "draws in the terminal without it")  # fmt: skip
        figure.savefig(path)

    def _figure(self) -> Any:
        try:
            figures = importlib.import_module("matplotlib.figure")
        except ImportError:
            return None
        figure = figures.Figure(figsize=self.figsize, layout="tight")  # a figure of its own, so that the program's pyplot stays as it is
        axes = figure.add_subplot()
        for label, (xs, ys) in self.curves().items():
            axes.plot(xs, ys, label=label, marker="." if len(xs) < 30 else None)
        axes.set(xlabel=self.xlabel, ylabel=self.ylabel, xscale=self.xscale, yscale=self.yscale)
        if self.xlim:
            axes.set_xlim(*self.xlim)
        if self.ylim:
            axes.set_ylim(*self.ylim)
        axes.grid(alpha=0.3)
        if self._points:
            axes.legend()
        return figure

    def _repr_html_(self) -> str | None:
        """Returns what a notebook shows without matplotlib: the curves in characters."""
        if importlib.util.find_spec("matplotlib") is not None:
            return None  # _repr_png_ has a picture
        return f"<pre>{html.escape(self.text())}</pre>"

    def _repr_png_(self) -> bytes | None:
        """Returns the picture that a notebook shows, or None without matplotlib."""
        figure = self._figure()
        if figure is None:
            return None
        picture = io.BytesIO()
        figure.savefig(picture, format="png")
        return picture.getvalue()


def _scaled(value: float, scale: str) -> float:
    if scale != "log":
        return value
    return math.log10(value) if value > 0 else math.nan


def _unscaled(value: float, scale: str) -> str:
    return f"{10**value if scale == 'log' else value:.4g}"


def _range(values: list[Any], limits: Sequence[float] | None, scale: str) -> tuple[float, float]:
    if limits:
        ends = [_scaled(float(v), scale) for v in limits]
        if all(map(math.isfinite, ends)):
            return ends[0], ends[1]
    return min(values), max(values)


def _place(value: float, low: float, high: float, cells: int) -> int:
    return round((value - low) / (high - low) * (cells - 1)) if high > low else 0
