# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of training runs: stopped, resumed, on other devices, after Ctrl-C."""

import math
import os
import pathlib
import random
import signal
import subprocess
import sys

import backplane as bp
import backplane.torch as torch
import pytest
from backplane.torch import nn
from backplane.train import Trainer
from training_job import examples, fit, loader, new_net, values


def dropped_net():
    torch.manual_seed(5)
    return nn.Sequential(nn.Linear(3, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 1))


@pytest.mark.parametrize("stop_at", [6, 9], ids=["after an epoch", "within an epoch"])
@pytest.mark.parametrize("loss", [nn.MSELoss(), nn.functional.mse_loss], ids=["module", "function"])
def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path, stop_at, loss):
    whole = dropped_net()
    fit(whole, loader(), epochs=4, loss=loss)
    path, part = tmp_path / "run.safetensors", dropped_net()

    def stop(figures):
        if figures.epoch * 6 + figures.batch == stop_at:
            part.trainer.stop()

    trainer = fit(part, loader(), epochs=4, loss=loss, checkpoint=path, on_batch=stop)
    assert trainer.stopped and values(part) != values(whole)
    torch.manual_seed(99)
    resumed = dropped_net()
    torch.manual_seed(77)
    trainer = fit(resumed, loader(seed=8), epochs=4, loss=loss, resume=path)
    assert values(resumed) == values(whole) and (trainer.epoch, trainer.train_batch_idx) == (4, 24)
    assert resumed[1].running_mean.tolist() == whole[1].running_mean.tolist()


def test_a_saved_run_goes_on_on_another_backend(tmp_path):
    net, path = new_net(), tmp_path / "run.safetensors"
    trainer = fit(net, loader(), epochs=2)
    trainer.save(path)
    assert set(bp.io.load_file(path)) >= {"model.0.weight", "model.2.bias"} and bp.io.load_metadata(path)["trainer.epoch"] == "2"
    other = new_net(7)
    fit(other, loader(), epochs=4, devices=["sim:2"], resume=path)
    reference = new_net()
    fit(reference, loader(), epochs=4)
    for got, wanted in zip(values(other), values(reference), strict=True):
        assert got == pytest.approx(wanted, abs=1e-5)


def test_a_model_is_evaluated_without_having_been_fitted(device):
    net = new_net().to(device)
    found = Trainer(1, progress=False).evaluate(loader(16, shuffle=False), net, loss=nn.MSELoss())
    x, y = examples(16)
    assert found.loss == pytest.approx(((net.cpu()(x) - y) ** 2).mean().item(), rel=1e-5) and math.isnan(found.accuracy)


INTERRUPTED = """
import os, signal, sys
import backplane as bp
from backplane import nn, optim
from backplane.data import DataLoader, TensorDataset
bp.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 1))
batches = DataLoader(TensorDataset(bp.ones((64, 3)), bp.ones((64, 1))), batch_size=4)
def press(figures):
    if (figures.epoch, figures.batch) == (2, 5):
        os.kill(os.getpid(), signal.SIGINT)
        {again}
trainer = bp.Trainer(100000, checkpoint=sys.argv[1], progress=False, on_batch=press)
try:
    trainer.fit(net, batches, loss=nn.MSELoss(), optimizer=optim.SGD)
except KeyboardInterrupt:
    print("interrupted", trainer.epoch, trainer.train_batch_idx, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


@pytest.mark.parametrize("again, epoch, batch, saved", [
    ("", 2, 37, ("2", "5")),
    ("for _ in range(1000): os.kill(os.getpid(), signal.SIGINT)", 2, 37, ("2", "0")),
], ids=["once", "twice"])  # fmt: skip
def test_ctrl_c_ends_with_the_last_checkpoint_saved(tmp_path, again, epoch, batch, saved):
    path = tmp_path / "run.safetensors"
    out = subprocess.run([sys.executable, "-c", INTERRUPTED.replace("{again}", again), path], capture_output=True, text=True, timeout=120)
    assert (out.stdout.split(), out.stderr) == (["interrupted", str(epoch), str(batch), "True"], "")
    texts = bp.io.load_metadata(path)
    assert texts["trainer.epoch"] == saved[0]
    assert texts["trainer.loader.batch"] == saved[1]


KILLED = """
import os, signal, sys
import backplane.torch as torch
from backplane.torch import nn
from training_job import fit, loader
path, after = sys.argv[1], int(sys.argv[2])
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Dropout(0.25), nn.Linear(8, 1))
seen = []
def die(figures):
    seen.append(figures.batch)
    if len(seen) == after:
        os.kill(os.getpid(), signal.SIGKILL)
fit(net, loader(), 4, checkpoint=path, resume=path if os.path.exists(path) else None, on_batch=die)
"""


def test_a_run_that_is_killed_again_and_again_ends_as_one_that_was_not(tmp_path):
    def train(path, killed_after):
        env = os.environ | {"PYTHONPATH": os.pathsep.join([str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")])}
        return subprocess.run([sys.executable, "-c", KILLED, path, str(killed_after)], env=env, timeout=120, check=False).returncode

    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    whole, killed = tmp_path / "whole" / "run.safetensors", tmp_path / "killed" / "run.safetensors"
    assert train(whole, 0) == 0
    # 24 batches in all, a checkpoint after each sixth
    moments = [4, 8, *random.sample(range(1, 13), 2)]
    ended = [train(killed, moment) for moment in moments]
    assert ended[:2] == [-signal.SIGKILL] * 2 and set(ended) <= {-signal.SIGKILL, 0}, moments
    assert train(killed, 0) == 0
    assert killed.read_bytes() == whole.read_bytes(), moments
    assert list(killed.parent.iterdir()) == [killed], moments


def test_a_handler_of_the_programs_own_stays():
    caught = []
    before = signal.signal(signal.SIGINT, lambda *args: caught.append(1))

    def interrupt_once(figures):
        if figures.batch == 1:
            os.kill(os.getpid(), signal.SIGINT)

    try:
        trainer = fit(new_net(), loader(), on_batch=interrupt_once)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(caught) == 3 and trainer.epoch == 3
