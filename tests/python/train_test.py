# SPDX-License-Identifier: Apache-2.0
"""The training loop from Python: what it computes, on one device and on several, and what is refused."""

import gc
import os
import pathlib
import subprocess
import sys
import time
import weakref
from typing import Any

import backplane as bp
import backplane.torch as torch
import pytest
from backplane.data import DataLoader, TensorDataset
from backplane.torch import nn, optim
from backplane.train import Trainer
from training_job import Data, Model, fit, loader, new_net, plain_loop, values

ROOT = pathlib.Path(__file__).parents[2]


# ---- what it computes ----


@pytest.mark.parametrize("loss", [nn.MSELoss(), nn.functional.mse_loss], ids=["module", "function"])
@pytest.mark.parametrize("clip", [0, 0.5])
def test_fit_computes_what_a_loop_by_hand_does(loss, clip):
    a, b = new_net(), new_net()
    plain_loop(a, loader(), 3, clip)
    trainer = fit(b, loader(), loss=loss, gradient_clip_val=clip)
    assert values(a) == values(b)
    assert trainer.epoch == 3 and not trainer.stopped and len(trainer.history) == 3


def test_a_loader_goes_on_behind_a_run():
    batches, whole = loader(), loader()
    fit(new_net(), batches, epochs=2)
    assert batches.state_dict()["epoch"] == 2
    orders = [[x.tolist() for x, _ in whole] for _ in range(3)]
    assert [x.tolist() for x, _ in batches] == orders[2] != orders[0]


def test_it_trains_where_the_model_is(device):
    net = new_net().to(device)
    trainer = fit(net, loader(), epochs=40, val=loader(24, shuffle=False))
    assert str(net[0].weight.device) == device and trainer.history[-1].val_loss < 0.1 * trainer.history[0].val_loss
    assert trainer.evaluate(loader(24)).loss == pytest.approx(trainer.history[-1].val_loss, rel=1e-4)
    net.cpu()
    reference = new_net()
    plain_loop(reference, loader(), 40)
    for got, wanted in zip(values(net), values(reference), strict=True):
        assert got == pytest.approx(wanted, abs=2e-4)


@pytest.mark.skipif(bp.sim.device_count() < 2, reason="no two devices")
def test_states_in_shards_make_the_same_run_and_its_file_goes_on(tmp_path):
    path = tmp_path / "run.safetensors"
    whole, parts, again = new_net(), new_net(), new_net()
    devices = ["sim:0", "sim:1"]
    fit(whole, loader(batch_size=6), epochs=4, devices=devices)
    fit(parts, loader(batch_size=6), epochs=2, devices=devices, shard_states=True, checkpoint=path)
    assert {name.partition(".")[0] for name in bp.io.load_checkpoint(path)} == {"model", "optimizer"}
    trainer = fit(again, loader(batch_size=6), epochs=4, devices=devices, shard_states=True, resume=path)
    assert values(again) == values(whole)
    trainer.save(path)
    assert bp.io.load_checkpoint(path)["model.0.weight"].tolist() == again[0].weight.tolist()


@pytest.mark.parametrize("loss", [nn.MSELoss(), nn.functional.mse_loss], ids=["module", "function"])
def test_several_devices_train_as_one_does(loss):
    one, several = new_net(), new_net()
    fit(one, loader(batch_size=6), loss=loss)
    trainer = fit(several, loader(batch_size=6), loss=loss, devices=["sim:0", "sim:1", "sim:2", "sim:3"])
    assert str(several[0].weight.device) == "sim:0"
    for got, wanted in zip(values(several), values(one), strict=True):
        assert got == pytest.approx(wanted, abs=1e-5)
    replicas = [values(m) for m in trainer._run.models]
    assert len(replicas) == 4 and all(r == replicas[0] for r in replicas)


def test_each_schedule_is_made_again_for_further_devices():
    def chained(o):
        return optim.lr_scheduler.ChainedScheduler([optim.lr_scheduler.StepLR(o, 1), optim.lr_scheduler.ConstantLR(o, total_iters=2)])

    def sequential(o):
        parts = [optim.lr_scheduler.LinearLR(o, total_iters=2), optim.lr_scheduler.LambdaLR(o, lambda e: 0.5**e)]
        return optim.lr_scheduler.SequentialLR(o, parts, milestones=[2])

    for make in (chained, sequential, lambda o: optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=9)):
        rates = []
        for devices in (["sim:0"], ["sim:0", "sim:1"]):
            net = new_net()
            trainer = Trainer(4, devices=devices, progress=False)
            trainer.fit(net, loader(), loss=nn.MSELoss(), optimizer=lambda params: optim.SGD(params, lr=0.05), schedule=make)
            rates.append(([g["lr"] for g in trainer.optim.param_groups], [v for p in values(net) for v in p]))
        assert rates[0][0] == rates[1][0] and rates[0][1] == pytest.approx(rates[1][1], abs=1e-5)


def test_an_optimizer_of_other_parameters_is_not_copied():
    net, other = new_net(), new_net()
    with pytest.raises(ValueError, match=r"a parameter of shape \(8, 3\) that the model has not"):
        Trainer(1, devices=["sim:0", "sim:1"], progress=False).fit(net, loader(), loss=nn.MSELoss(),
                                                                 optimizer=optim.SGD(other.parameters()))  # fmt: skip


def test_a_loss_with_a_weight_goes_to_each_device():
    x, y = torch.randn(24, 3, generator=torch.Generator(2)), torch.arange(24) % 2
    batches = DataLoader(TensorDataset(x, y), batch_size=8)  # of which each device gets two of each class
    results = []
    for devices in (["cpu"], ["sim:0", "sim:1"]):
        net = nn.Sequential(nn.Linear(3, 2))
        for p in net.parameters():
            nn.init.constant_(p, 0.25)
        loss = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
        trainer = Trainer(2, devices=devices, progress=False, accuracy=True)
        trainer.fit(net, batches, batches, loss=loss, optimizer=lambda p: optim.SGD(p, lr=0.1))
        results.append(trainer.history[-1])
    assert results[1].val_loss == pytest.approx(results[0].val_loss, rel=1e-4)
    assert results[1].val_accuracy == results[0].val_accuracy > 0.4


def test_nothing_keeps_a_run_that_nobody_wants():
    class Rows(bp.data.Dataset):
        def __len__(self):
            return 8

        def __getitem__(self, i):
            return torch.ones(3), torch.ones(1)

    def ran(devices):
        model, rows = Model(), Rows()
        trainer = Trainer(1, devices=devices, progress=False)
        trainer.fit(model, DataLoader(rows, batch_size=4, num_workers=1), loader(8))
        return [weakref.ref(o) for o in (model, rows, trainer, trainer._run, trainer.optim)]

    for devices in ([], ["sim:0", "sim:1"]):
        left = ran(devices)
        for _ in range(100):  # a loader's thread ends in its own time
            gc.collect()
            if not any(r() for r in left):
                break
            time.sleep(0.02)
        assert [r() for r in left] == [None] * 5


@pytest.mark.parametrize("wrong, error, text", [
    (lambda t: t.fit(new_net(), loader(), optimizer=optim.SGD), TypeError, "fit.. needs loss=..., or a model with training_step"),
    (lambda t: t.fit(new_net(), loader(), loss=nn.MSELoss()), TypeError, "fit.. needs optimizer=..., or a model with configure_optim"),
    (lambda t: t.fit(new_net(), loader(), loss=nn.MSELoss(), optimizer=3), TypeError, "an optimizer of backplane.optim, not int"),
    (lambda t: t.fit(new_net(), (b for b in loader()), loss=nn.MSELoss()), TypeError, "a loader has a length, and generator has not"),
    (lambda t: t.fit(new_net(), loader(), loss=nn.MSELoss(), optimizer=optim.SGD, schedule=1), TypeError, "a schedule of backplane"),
    (lambda t: t.fit(new_net(), loader(), loss=nn.MSELoss(), optimizer=optim.SGD, resume="nowhere"), FileNotFoundError, "nowhere"),
    (lambda t: t.evaluate(loader()), bp.BadStateError, "comes after fit"),
    (lambda t: t.save("x"), bp.BadStateError, "comes after fit"),
    (lambda t: Trainer(-3).fit(Model(), Data()), ValueError, "max_epochs is -3, expected an integer, 0 or more"),
    (lambda t: Trainer(1, num_gpus=-1), ValueError, "num_gpus is -1"),
    (lambda t: Trainer(1, gradient_clip_val=-1, progress=False).fit(Model(), Data()), ValueError, "gradient_clip_val is -1"),
    (lambda t: Trainer(1, accuracy=True, progress=False).fit(Model(), Data()), ValueError, "training_step.. gives no scores"),
    (lambda t: t.fit(new_net(), loader(), loss=lambda a, b: None, optimizer=optim.SGD), TypeError, "must give the loss, and gave None"),
    (lambda t: t.fit(new_net(), loader(), loss=lambda a, b: 3, optimizer=optim.SGD), TypeError, "the step must give a loss, got int"),
    (lambda t: t.fit(new_net(), loader(), loss=lambda a, b: a, optimizer=optim.SGD), ValueError, "gave a loss of shape .8, 1."),
])  # fmt: skip
def test_wrong_arguments_say_what_is_wrong(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong(Trainer(1, progress=False))


@pytest.mark.parametrize("where", ["loss", "forward", "on_batch", "on_epoch", "prepare_batch", "data"])
def test_what_callbacks_raise_comes_out_as_it_is(where):
    class Mine(Exception):
        pass

    def raises(*args):
        raise Mine(where)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 1)

        def forward(self, x):
            return raises() if where == "forward" else self.net(x)

    class Rows(bp.data.Dataset):
        def __len__(self):
            return 8

        def __getitem__(self, i):
            return raises() if i == 7 else (torch.ones(3), torch.ones(1))

    class Own(Trainer):
        if where == "prepare_batch":
            prepare_batch = raises

    callbacks: dict[str, Any] = {where: raises} if where.startswith("on") else {}
    trainer = Own(1, progress=False, **callbacks)
    batches = DataLoader(Rows(), batch_size=4, num_workers=1) if where == "data" else loader()
    with pytest.raises(Mine, match=where):
        trainer.fit(Net(), batches, loss=raises if where == "loss" else nn.MSELoss(), optimizer=optim.SGD)


# ---- devices ----


def test_missing_accelerators_are_said(monkeypatch):
    monkeypatch.setattr(bp.accelerator, "current_accelerator", lambda: None)
    assert bp.num_gpus() == 0 and str(bp.try_gpu()) == "cpu" and bp.try_all_gpus() == [] and str(bp.gpu(1)) == "cuda:1"
    assert str(bp.cpu()) == str(torch.cpu()) == "cpu" and torch.try_gpu is bp.try_gpu
    with pytest.warns(UserWarning, match="num_gpus is 2, of accelerators none is there: training on the cpu"):
        assert Trainer(1, num_gpus=2).gpus == []
    program = """
import warnings
import backplane as bp
print(bp.num_gpus(), bp.gpu(), bp.try_gpu(3), bp.try_gpu(9), bp.try_all_gpus()[1])
print(*bp.Trainer(1, num_gpus=2).gpus)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    print(len(bp.Trainer(1, num_gpus=9).gpus), said[0].message, said[0].filename)
"""
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "BACKPLANE_ALIAS": "cuda=sim"})
    assert out.stdout.splitlines() == [
        "4 cuda:0 cuda:3 cpu cuda:1", "cuda:0 cuda:1",
        "4 num_gpus is 9, of accelerators 4 are there: training on cuda:0, cuda:1, cuda:2, cuda:3 <string>"], out.stderr  # fmt: skip


def test_nobody_waits_for_the_device_within_an_epoch():
    net, copies = new_net().to("sim:1"), []

    def note(figures):
        copies.append(bp._core.transfer_stats("sim:1", "cpu")[1])

    fit(net, loader(), epochs=2, on_batch=note)
    assert len(set(copies[:6])) == 1 and len(set(copies[6:])) == 1


# ---- the job ----


def test_the_example_learns_digits_and_predicts_the_same_on_another_backend(tmp_path):
    out = subprocess.run([sys.executable, ROOT / "examples/train_digits.py", "--device", "cpu", "--other", "sim:1", "--epochs", "4"],
                         cwd=tmp_path, capture_output=True, text=True)  # fmt: skip
    assert out.returncode == 0, out.stdout + out.stderr
    last = out.stdout.splitlines()[-2:]
    assert float(last[0].split()[0]) > 90 and last[1] == "355 of 355 predictions on sim:1 agree with those on cpu"
    assert set(bp.io.load_file(tmp_path / "digits.safetensors")) >= {"0.weight", "8.bias"}
    again = subprocess.run([sys.executable, ROOT / "examples/train_digits.py", "--device", "cpu", "--epochs", "5",
                            "--resume", "digits-run.safetensors"], cwd=tmp_path, capture_output=True, text=True)  # fmt: skip
    assert again.returncode == 0 and "epoch 5/5   train loss" in again.stdout and "epoch 4/5" not in again.stdout
    assert len((ROOT / "examples/train_digits.py").read_text().splitlines()) < 120
