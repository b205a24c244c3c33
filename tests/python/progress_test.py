# SPDX-License-Identifier: Apache-2.0
"""What a person sees of training: progress, and curves."""

import io
import sys

import backplane as bp
import backplane.torch as torch
import pytest
from backplane.board import Board
from backplane.progress import Progress
from training_job import fit, loader, new_net


class Terminal(io.StringIO):
    def __init__(self, isatty):
        super().__init__()
        self._isatty = isatty

    def isatty(self):
        return self._isatty


@pytest.mark.parametrize("isatty", [False, True])
def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(isatty, monkeypatch):
    screen = Terminal(isatty)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(Progress, "seconds_between", 0)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    fit(new_net(), loader(), epochs=2, progress=True, val=loader(16))
    monkeypatch.undo()
    text = screen.getvalue()
    lines = [line.rpartition("\r")[2] for line in text.rstrip("\n").split("\n")]
    assert len(lines) == 2 and lines[1].startswith("epoch 2/2   train loss ") and "val loss" in lines[1]
    assert (" examples/s  " in text and " left" in text and "100%" in text) == isatty and ("\r" in text) == isatty
    assert not any(" left" in line for line in lines)


def test_progress_counts_rate_and_time_left(monkeypatch):
    clock = [100.0]
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    screen = Terminal(True)
    progress = Progress(epochs=2, examples=32, file=screen)
    for batch in range(1, 5):
        clock[0] += 1
        progress.batch(0, batch, 10)
    assert screen.getvalue().rpartition("\r")[2].rstrip() == f"epoch  1/2 [{'#' * 6:<30}]  20%  32 examples/s  16 s left"
    progress.close()
    assert screen.getvalue().endswith("\r")


def test_a_board_shows_curves_as_text():
    board = Board(xlabel="epoch")
    assert str(board) == ""
    for epoch in range(1, 6):
        board.draw(epoch, torch.tensor(1.0 / epoch).to("sim:0"), "train_loss")
        board.draw(epoch, 2.0 / epoch, "val_loss")
    lines = str(board).splitlines()
    assert lines[0] == "o train_loss  * val_loss" and lines[1].startswith("        2 |*") and lines[10].startswith("      0.2 |")
    assert lines[10].endswith("o") and lines[-1].strip() == "epoch" and lines[-2].split() == ["1", "5"]
    assert [line.count("o") for line in lines[1:11]].count(0) < 9 and sum(line.count("o") for line in lines[1:11]) == 5
    board.yscale = "log"
    assert str(board).splitlines()[1].startswith("        2 |*") and str(board) != "\n".join(lines)


def test_a_board_averages_every_n_points_where_they_are(device):
    board = Board()
    before = bp._core.transfer_stats(device, "cpu")[1]
    for i in range(7):
        board.draw(i, torch.tensor(float(i)).to(device), "a", every_n=3)
    assert bp._core.transfer_stats(device, "cpu")[1] == before
    assert board.curves() == {"a": ([1.0, 4.0], [1.0, 4.0])}
    with pytest.raises(ValueError, match=r"a point has one number, and y is of shape \(2,\)"):
        board.draw(0, torch.ones(2), "a")


def test_a_board_saves_a_picture(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    board = Board(xlabel="epoch", ylim=(0, 1))
    for i in range(3):
        board.draw(i, i / 3, "a")
    board.save(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (board._repr_png_() or b"")[:4] == b"\x89PNG"


def test_without_matplotlib_saving_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in [m for m in sys.modules if m.startswith("matplotlib.")]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"draws with matplotlib, which is not installed \(pip install matplotlib\)"):
        Board().save(tmp_path / "curve.png")
    assert Board()._repr_png_() is None
