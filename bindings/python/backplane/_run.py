# SPDX-License-Identifier: Apache-2.0
"""What one fit() of a Trainer works with: the model on each device with its optimiser and schedule, the loaders, and the
methods that the library's loop calls."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from . import _core, optim
from .autograd import no_grad
from .board import Board
from .data import DataLoader
from .lr_scheduler import LRScheduler
from .nn import Module
from .optim import Optimizer


class Foreign:
    """A loader that is not the library's: any iterable with a length whose items are batches. The library's loop goes
    through the batches' numbers; prepare_batch puts the tensors in their place."""

    def __init__(self, batches: Any) -> None:
        if not hasattr(batches, "__len__") or not hasattr(batches, "__iter__"):
            raise TypeError("a loader is a DataLoader or has a length and batches to go through, and "
                            f"{type(batches).__name__} has not; list(loader) keeps them")  # fmt: skip
        self._batches = batches
        self._iterator: Iterator[Any] = iter(batches)
        self._next = 0
        self._peeked: list[Any] | None = self._take() if len(batches) else None
        n = len(self._peeked) if self._peeked else 1
        numbers = _core.asarray(list(range(len(batches))), None, "cpu", True)
        self.handle = _core.LoaderHandle(_core.DatasetHandle([numbers] * n), 1, False, False, 0, 0, "cpu", 0, 1)

    def _take(self) -> list[Any]:
        try:
            batch = next(self._iterator)
        except StopIteration:
            raise RuntimeError(f"a loader of length {len(self._batches)} ended after {self._next} batches") from None
        parts = list(batch) if isinstance(batch, (tuple, list)) else [batch]
        return [t if isinstance(t, _core.TensorBase) else _core.asarray(t, None, "cpu", None) for t in parts]

    def _first(self) -> list[Any]:
        if self._peeked is None:
            raise ValueError("the loader has no batches")
        return self._peeked

    def batch(self, number: int) -> list[Any]:
        """Returns the batch of that number. A lower number than before begins the loader anew, a higher one skips batches."""
        if number < self._next:
            self._iterator, self._next, self._peeked = iter(self._batches), 0, None
        while True:
            batch = self._take() if self._peeked is None else self._peeked
            self._peeked = None
            self._next += 1
            if self._next > number:
                return batch


class Native:
    """A DataLoader whose batches are made on the model's device."""

    def __init__(self, loader: DataLoader, device: Any) -> None:
        self._loader = loader
        self.handle = loader._handle_on(device if loader.device is None else loader.device)

    def close(self) -> None:
        """Moves the loader to the place that the run has reached."""
        self._loader._epoch, self._loader._batch, _ = self.handle.state()


def source_of(loader: Any, device: Any) -> Any:
    if isinstance(loader, DataLoader):
        return Native(loader, device)
    return loader if isinstance(loader, Foreign) else Foreign(loader)


def examples_in(loader: Any) -> int | None:
    """Returns the number of examples in a batch, or None if it is not known."""
    size = getattr(loader, "batch_size", None)
    return size if isinstance(size, int) else None


def optimizer_for(optimizer: Optimizer, model: Any, other: Any) -> Optimizer:
    """Returns a copy of the optimizer, state included, for another model of the same structure."""
    names = {id(p): name for name, p in model.named_parameters()}
    there = dict(other.named_parameters())
    groups = []
    for group in optimizer.param_groups:
        for p in group["params"]:
            if id(p) not in names:
                raise ValueError(f"the optimizer has a parameter of shape {tuple(p.shape)} that the model has not, so "
                                 "that it cannot be copied to further devices")  # fmt: skip
        own = {key: value for key, value in group.items() if key != "params"}
        groups.append({**own, "params": [there[names[id(p)]] for p in group["params"]]})
    made: Any = type(optimizer).__new__(type(optimizer))
    Optimizer.__init__(made, groups, dict(optimizer.defaults))
    made.load_state_dict(optimizer.state_dict())
    return made


def schedule_for(schedule: LRScheduler, optimizer: Optimizer) -> LRScheduler:
    """Returns a copy of the schedule, at the same epoch, for an optimizer that optimizer_for made."""
    made = schedule._again(optimizer)
    made.load_state_dict(schedule.state_dict())
    optimizer.load_state_dict(schedule.optimizer.state_dict())  # because making the schedule changed its rates
    return made


def step_of(model: Any, loss: Any) -> Callable[..., Any]:
    """Returns step(model, loss, batch, training), which returns the loss, and the scores or None."""

    def compared(model: Any, loss: Any, batch: list[Any], training: bool) -> tuple[Any, ...]:
        scores = model(*batch[:-1])
        return loss(scores, batch[-1]), scores

    def own(model: Any, loss: Any, batch: list[Any], training: bool) -> tuple[Any, ...]:
        if training:
            return model.training_step(batch), None
        if hasattr(model, "validation_step"):
            return model.validation_step(batch), None
        if hasattr(model, "loss"):
            return compared(model, model.loss, batch, training)
        return model.training_step(batch), None

    if loss is not None:
        return compared
    if hasattr(model, "training_step"):
        return own
    if hasattr(model, "loss"):
        return lambda model, _, batch, training: compared(model, model.loss, batch, training)
    raise TypeError("fit() needs loss=..., or a model with training_step(batch) or loss(y_hat, y), and "
                    f"{type(model).__name__} has neither")  # fmt: skip


def materialise(trainer: Any, model: Any, loader: Any) -> None:
    """Shows lazy layers a batch, so that their parameters exist before an optimiser takes them."""
    if not any(_core.is_uninitialized(p) for p in model.parameters()):
        return
    modes = [(m, m.training) for m in model.modules()]
    batch = list(trainer.prepare_batch(loader._first()))
    if trainer.gpus:
        batch = [t.to(trainer.gpus[0]) for t in batch]
    model.eval()
    with no_grad():
        model(*batch[:-1])
    for m, mode in modes:
        m.training = mode


class Run:
    """The library's loop and the methods that it calls. A Trainer and its Run hold each other."""

    def __init__(self, trainer: Any, model: Any, loader: Any, val: Any, loss: Any, optimizer: Any, schedule: Any,
                 learns: bool = True) -> None:
        self.trainer = trainer
        devices = list(trainer.gpus)
        loader = loader if isinstance(loader, DataLoader) else Foreign(loader)
        materialise(trainer, model, loader)
        first = next((p.device for p in model.parameters()), "cpu")
        self._batches_on = "cpu" if len(devices) > 1 else first
        self._train = source_of(loader, self._batches_on)
        self._val = None if val is None else source_of(val, self._batches_on)
        self._asked = self._val  # the source of the evaluation that is under way
        self.step = step_of(model, loss)
        if trainer.accuracy and loss is None and hasattr(model, "training_step"):
            raise ValueError("accuracy=True needs loss=...: training_step() gives no scores")
        self.optimizer, self.schedule = _learning(model, optimizer, schedule) if learns else _resting(model)
        self.models = [model, *(_replica(trainer, model, d) for d in devices[1:])]
        optimizers = [self.optimizer, *(optimizer_for(self.optimizer, model, m) for m in self.models[1:])]
        schedules = []
        if self.schedule is not None:
            schedules = [self.schedule, *(schedule_for(self.schedule, o) for o in optimizers[1:])]
        self.losses = _losses(loss, [first, *devices[1:]])
        native_loss = loss._handle if isinstance(loss, Module) and self.losses[0] is self.losses[-1] else None
        self._overrides = not getattr(type(trainer).prepare_batch, "_moves_only", False)
        self.handle = _core.TrainerHandle(
            [m._handle for m in self.models], [o._handle for o in optimizers], [s._handle for s in schedules], native_loss,
            self._train.handle, None if self._val is None else self._val.handle, self, trainer.accuracy,
            trainer.shard_states, bool(getattr(model, "_is_torch", False)),
            None if trainer.group is None else trainer.group._handle)  # fmt: skip
        self.handle.prepares = self._overrides or Foreign in (type(self._train), type(self._val))

    # ---- what the loop calls ----

    def compute_loss(self, number: int, batch: list[Any], training: bool) -> tuple[Any, ...]:
        model = self.models[number]
        loss, scores = self.step(model, self.losses[number], batch, training)
        if not training and number == 0:
            self.trainer.val_batch_idx += 1
        if loss is None:
            if training:
                raise TypeError("training_step() must give the loss, and gave None")
            loss = _core.full((), float("nan"), None, batch[-1].device)  # a validation_step() that returns nothing has no loss to show
        return loss, scores

    def prepare_batch(self, training: bool, batch: list[Any]) -> Any:
        source = self._train if training else self._asked
        if isinstance(source, Foreign):
            batch = [t.to(self._batches_on) for t in source.batch(int(batch[0].item()))]
        return self.trainer.prepare_batch(batch)

    def on_batch(self, epoch: int, batch: int, n_batches: int, loss: Any) -> None:
        self.trainer._note_batch(epoch, batch, n_batches, loss)

    def on_epoch(self, *figures: Any) -> None:
        self.trainer._note_epoch(*figures)

    # ---- what a Trainer calls ----

    def evaluate(self, loader: Any) -> tuple[Any, ...]:
        before = self._asked, self.handle.prepares
        self._asked = source_of(loader, self._batches_on)
        self.handle.prepares = self._overrides or isinstance(self._asked, Foreign)
        try:
            return self.handle.evaluate(self._asked.handle)
        finally:
            self._asked, self.handle.prepares = before

    def place(self) -> tuple[Any, ...]:
        """Returns the epoch, the batch and the seed of what comes next."""
        return self._train.handle.state()

    def close(self) -> None:
        if isinstance(self._train, Native):
            self._train.close()


def _learning(model: Any, optimizer: Any, schedule: Any) -> tuple[Any, ...]:
    """Returns the optimiser and the schedule that were given, or that the model makes."""
    if optimizer is None:
        if not hasattr(model, "configure_optimizers"):
            raise TypeError(f"fit() needs optimizer=..., or a model with configure_optimizers(), which {type(model).__name__} has not")
        optimizer = model.configure_optimizers()
        if isinstance(optimizer, (tuple, list)) and len(optimizer) == 2:
            optimizer, own = (x[0] if isinstance(x, (tuple, list)) else x for x in optimizer)
            schedule = own if schedule is None else schedule
    elif not isinstance(optimizer, Optimizer) and callable(optimizer):
        optimizer = optimizer(model.parameters())
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"a Trainer takes an optimizer of backplane.optim, not {type(optimizer).__name__}")
    if schedule is not None and not isinstance(schedule, LRScheduler) and callable(schedule):
        schedule = schedule(optimizer)
    if schedule is not None and not isinstance(schedule, LRScheduler):
        raise TypeError(f"a Trainer takes a schedule of backplane.optim.lr_scheduler, not {type(schedule).__name__}")
    return optimizer, schedule


def _resting(model: Any) -> tuple[Any, ...]:
    """Returns an optimiser for a run that does not learn, and no schedule."""
    return optim.SGD(model.parameters(), lr=0.0), None


def _replica(trainer: Any, model: Any, device: Any) -> Any:
    """Returns a copy of the model on a further device. The copy draws on a board that nobody sees."""
    board = getattr(model, "board", None)
    other = copy.deepcopy(model, {id(trainer): trainer, id(board): Board()} if board is not None else {id(trainer): trainer})
    return other.to(device)


def _losses(loss: Any, devices: list[Any]) -> list[Any]:
    """Returns the loss for each device. A module with tensors is moved to the first device and copied to the others."""
    tensors = list(loss.parameters()) + list(loss.buffers()) if isinstance(loss, Module) else []
    if not tensors:
        return [loss] * len(devices)
    return [loss.to(devices[0]), *(copy.deepcopy(loss).to(d) for d in devices[1:])]
