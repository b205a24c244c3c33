# SPDX-License-Identifier: Apache-2.0
"""Trainer in the shape that tutorials use: a model with steps, data with loaders, a subclass with prepare_batch."""

import copy
import math
import pickle

import pytest
from backplane.board import Board
from backplane.torch import nn, optim
from backplane.train import Trainer
from training_job import MATRIX, Data, Model, examples, fit, loader, new_net, plain_loop, values


def test_a_tutorials_model_and_data_fit():
    model, trainer = Model(), Trainer(max_epochs=10, progress=False)
    assert trainer.fit(model, Data()) is True
    assert model.training and model.net.training
    assert model.trainer is trainer and trainer.model is model and model.board is trainer.board
    assert (trainer.num_train_batches, trainer.num_val_batches, trainer.train_batch_idx) == (6, 2, 60)
    assert model.seen[:8] == [(0, i, "cpu", True) for i in range(6)] + [(0, "val", 0, False), (0, "val", 1, False)]
    assert model.net.weight.detach().flatten().tolist() == pytest.approx(MATRIX.flatten().tolist(), abs=0.1)
    curves = model.board.curves()
    assert len(curves["train_loss"][0]) == 20 and len(curves["val_loss"][0]) == 20 and curves["val_loss"][1][-1] < 0.05
    assert math.isnan(trainer.history[0].val_loss) and trainer.history[-1].train_loss < 0.1  # its validation_step gives nothing


def test_each_run_has_a_board_of_its_own_unless_the_model_brings_one():
    model, first, second = Model(), Trainer(2, progress=False), Trainer(3, progress=False)
    first.fit(model, Data())
    second.fit(model, Data())
    assert model.board is second.board is not first.board and len(first.board.curves()["val_loss"][0]) == 4
    second.fit(model, Data())
    assert model.board is second.board and len(second.board.curves()["val_loss"][0]) == 6
    own = model.board = Board()
    second.fit(model, Data())
    assert model.board is own and own.xlim == [0, 3] and set(own.curves()) == {"train_loss", "val_loss"}


def test_a_model_with_a_loss_needs_no_step():
    class Plain(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 1)

        def forward(self, x):
            return self.net(x)

        def loss(self, y_hat, y):
            return ((y_hat - y) ** 2).mean()

        def configure_optimizers(self):
            optimizer = optim.SGD(self.parameters(), lr=0.05)
            return [optimizer], [optim.lr_scheduler.StepLR(optimizer, 2)]

    trainer = Trainer(4, progress=False)
    trainer.fit(Plain(), Data())
    assert trainer.optim.param_groups[0]["lr"] == pytest.approx(0.05 * 0.01) and trainer.history[-1].val_loss > 0
    assert set(trainer.board.curves()) == {"train_loss", "val_loss"}


def test_a_trainers_methods_may_be_overridden():
    class Doubling(Trainer):
        def __init__(self, max_epochs, num_gpus=0, gradient_clip_val=0):  # does not call the base's
            self.max_epochs, self.num_gpus, self.gradient_clip_val = max_epochs, num_gpus, gradient_clip_val
            self.gpus = ["sim:1"]
            self.progress, self.kinds = False, set()

        def prepare_batch(self, batch):
            batch = super().prepare_batch(batch)
            self.kinds.add(tuple(str(t.device) for t in batch))
            return [batch[0], batch[1] * 2]

        def prepare_model(self, model):
            super().prepare_model(model)
            self.prepared = str(model.lr)

    model, trainer = Model(), Doubling(12)
    trainer.fit(model, Data())
    assert trainer.prepared == "0.05" and trainer.kinds == {("sim:1", "sim:1")}
    assert {s[2] for s in model.seen if s[1] != "val"} == {"sim:1"}
    assert model.net.weight.detach().cpu().flatten().tolist() == pytest.approx([4, -6.8, 2], abs=0.3)


@pytest.mark.parametrize("gpus, where", [([], "cpu"), ([], "sim:3"), (["sim:1"], "cpu"), (["sim:0", "sim:1"], "cpu")])
def test_any_iterable_with_a_length_is_a_loader(gpus, where):
    x, y = examples()
    batches = [(x[i : i + 8], y[i : i + 8]) for i in range(0, 48, 8)]
    a, b = new_net(), new_net()
    plain_loop(a, batches, 2)
    trainer = fit(b.to(where), batches, epochs=2, val=batches[:2], devices=gpus)
    for got, wanted in zip(values(b), values(a), strict=True):
        assert got == pytest.approx(wanted, abs=1e-5)
    assert trainer.evaluate(batches[:2]).loss == pytest.approx(trainer.history[-1].val_loss, rel=1e-4)
    assert trainer.evaluate(loader(16)).loss > 0


def test_a_trainer_and_its_model_are_copied_and_pickled():
    model, trainer = Model(), Trainer(2, progress=False)
    trainer.fit(model, Data())
    model.boards = set()
    twin = copy.deepcopy(model)
    assert twin.trainer is trainer and values(twin) == values(model)
    restored = pickle.loads(pickle.dumps(trainer))
    assert restored.max_epochs == 2 and [f.train_loss for f in restored.history] == [f.train_loss for f in trainer.history]
