# SPDX-License-Identifier: Apache-2.0
"""What others see of a run: callbacks, CSV, TensorBoard, tqdm, notebooks, profilers and the shell."""

import cProfile
import csv
import pathlib
import pickle
import pstats
import struct
import subprocess
import sys
from typing import Any

import backplane as bp
import backplane.torch as torch
import pytest
from backplane import callbacks
from backplane.progress import Progress
from training_job import loader, new_net


def fitted(epochs, **options):
    net = new_net()
    trainer = bp.Trainer(max_epochs=epochs, progress=False, **options)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    return trainer, net, lambda **more: trainer.fit(net, loader(), loss=torch.nn.MSELoss(), optimizer=optimizer, **more)


def test_any_object_is_told_of_a_run():
    said = []

    class Tracker:
        def on_fit_start(self, trainer):
            said.append("start")

        def on_epoch(self, trainer, figures):
            said.append(figures.train_loss)

        def on_fit_end(self, trainer):
            said.append("end")

    class Counter(callbacks.Callback):
        n = 0

        def on_batch(self, trainer, figures):
            self.n += 1
            if self.n == 3:
                raise KeyError("enough")

    trainer, _, fit = fitted(2, callbacks=[Tracker()])
    fit()
    assert said == ["start", *(f.train_loss for f in trainer.history), "end"] and len(said) == 4
    said.clear()
    trainer, _, fit = fitted(2, callbacks=[Tracker(), Counter()])
    with pytest.raises(KeyError):
        fit()
    assert said == ["start", "end"] and trainer.callbacks[1].n == 3
    assert list(pickle.loads(pickle.dumps(trainer)).callbacks) == []


def test_csv_has_a_line_for_each_epoch_and_goes_on(tmp_path):
    path, kept = tmp_path / "run.csv", tmp_path / "run.safetensors"

    def rows():
        return list(csv.DictReader(path.open()))

    trainer, _, fit = fitted(2, callbacks=[callbacks.CSVLogger(path)], checkpoint=kept)
    fit(val=loader(16))
    assert [row["epoch"] for row in rows()] == ["1", "2"]
    assert [float(row["train_loss"]) for row in rows()] == [f.train_loss for f in trainer.history]
    assert float(rows()[1]["val_loss"]) == trainer.history[1].val_loss and rows()[1]["val_accuracy"] == ""
    _, _, fit = fitted(3, callbacks=[callbacks.CSVLogger(path)])
    fit(resume=kept)
    assert [row["epoch"] for row in rows()] == ["1", "2", "3"] and rows()[2]["val_loss"] == ""
    _, _, fit = fitted(1, callbacks=[callbacks.CSVLogger(path)])
    fit()
    assert [row["epoch"] for row in rows()] == ["1"]
    with pytest.raises(FileNotFoundError):
        fitted(1, callbacks=[callbacks.CSVLogger(tmp_path / "absent/run.csv")])[2]()


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """{number: [value]} of a message of protobuf's."""
    found: dict[int, list[Any]] = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            n, at = (8, at) if key & 7 == 1 else (4, at) if key & 7 == 5 else varint(data, at)
            value, at = data[at : at + n], at + n
        found.setdefault(key >> 3, []).append(value)
    return found


def test_tensorboard_finds_its_records(tmp_path):
    assert callbacks._checksum(b"123456789") == struct.pack("<I", ((0xE3069283 >> 15 | 0xE3069283 << 17) + 0xA282EAD8) & 0xFFFFFFFF)
    trainer, _, fit = fitted(2, callbacks=[callbacks.TensorBoard(tmp_path / "logs/run")])
    fit()
    (path,) = (tmp_path / "logs/run").iterdir()
    assert path.name.startswith("events.out.tfevents.")
    data, events = path.read_bytes(), []
    while data:
        (n,) = struct.unpack("<Q", data[:8])
        assert data[8:12] == callbacks._checksum(data[:8]) and data[12 + n : 16 + n] == callbacks._checksum(data[12 : 12 + n])
        events.append(fields(data[12 : 12 + n]))
        data = data[16 + n :]
    assert events[0][3] == [b"brain.Event:2"]
    values = [(event[2][0], fields(fields(event[5][0])[1][0])) for event in events[1:]]
    assert [(step, value[1][0].decode()) for step, value in values] == [(1, "loss/train"), (2, "loss/train")]
    assert struct.unpack("<f", values[0][1][2][0])[0] == pytest.approx(trainer.history[0].train_loss, rel=1e-6)


class Terminal:
    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True


def test_tqdm_draws_where_it_is_installed(monkeypatch):
    screen = Terminal()
    progress = Progress(epochs=1, examples=32, file=screen)
    for batch in range(1, 5):
        progress.batch(0, batch, 4)
    progress.line("epoch 1/1   train loss 0.5")
    progress.close()
    assert "epoch 1/1:" in screen.text and "/4 [" in screen.text and "epoch 1/1   train loss 0.5\n" in screen.text
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    plain = Terminal()
    progress = Progress(epochs=1, examples=32, file=plain)
    progress.batch(0, 1, 4)
    assert "epoch  1/1 [#" in plain.text


def test_notebooks_show_tables():
    shown = bp.devices()._repr_html_()
    assert shown.startswith("<table><thead><tr><th>device</th>") and "<td>sim:1</td>" in shown
    assert "<th>remedy</th>" in bp.doctor()._repr_html_() and "</table>" in bp.doctor()._repr_html_()
    assert bp.ones((1, 2))._repr_html_() == "<div><small>(1, 2), float32, cpu</small><pre>tensor([[1., 1.]])</pre></div>"
    assert "grad_fn=&lt;" in (bp.ones(1, requires_grad=True) * 2)._repr_html_()


def test_notebooks_show_boards_without_matplotlib(monkeypatch):
    board = bp.Board()
    board.draw(1, 1.0, "a<b")
    board.draw(2, 2.0, "a<b")
    assert board._repr_html_() is None and board._repr_png_() is not None
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    shown = board._repr_html_()
    assert shown is not None and shown.startswith("<pre>o a&lt;b")


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other Pythons' profilers hear of the interpreter's own calls alone")
def test_cprofile_counts_ops():
    x, wide = bp.ones(4), bp.ones((100, 100))
    with cProfile.Profile() as profile:
        for _ in range(100):
            x = x * 1 + x
            bp.exp(x)
            wide @ wide
        with pytest.raises(ValueError):
            x + bp.ones(3)
    counts = {name[2]: figures[0] for name, figures in pstats.Stats(profile).stats.items()}  # type: ignore[attr-defined]
    wanted = {"mul": 100, "add": 101, "exp": 100, "matmul": 100}
    assert {op: counts[f"<backplane.ops.{op}>"] for op in wanted} == wanted
    calls = []
    sys.setprofile(lambda frame, event, arg: calls.append((event, arg.__name__)) if event.startswith("c_") else None)
    x + x
    sys.setprofile(None)
    assert calls[:2] == [("c_call", "add"), ("c_return", "add")]


def test_the_package_is_the_command(tmp_path):
    package = pathlib.Path(bp.__file__).parent
    if not (package / "bin/backplane").exists():
        out = subprocess.run([sys.executable, "-m", "backplane"], capture_output=True, text=True, cwd=tmp_path)
        assert out.returncode == 1 and "built without the command line tool" in out.stderr
        pytest.skip("the command line tool is not built")
    out = subprocess.run([sys.executable, "-m", "backplane", "devices"], capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode == 0 and "sim:1" in out.stdout and "cpu" in out.stdout, out.stderr
    out = subprocess.run([sys.executable, "-m", "backplane", "no-such-verb"], capture_output=True, text=True, cwd=tmp_path)
    assert out.returncode != 0
