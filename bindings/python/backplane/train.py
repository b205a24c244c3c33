# SPDX-License-Identifier: Apache-2.0
"""The training loop. The library goes through epochs and batches; a Trainer sets it up and shows its progress.

    trainer = Trainer(max_epochs=10, checkpoint="run.safetensors")
    trainer.fit(net, loader, val=val_loader, loss=nn.CrossEntropyLoss(), optimizer=optim.Adam(net.parameters()))
    print(trainer.board)

or, as in tutorials, ``trainer.fit(model, data)``, where the model has training_step(batch), or loss(y_hat, y), and
configure_optimizers(), and data has train_dataloader() and val_dataloader()."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from . import _core, accelerator, io
from ._run import Run, examples_in
from .board import Board
from .callbacks import Callback, CSVLogger, TensorBoard, call_all
from .distributed import Group
from .progress import Progress

__all__ = ["CSVLogger", "Callback", "Evaluation", "Figures", "TensorBoard", "Trainer"]


class Evaluation(NamedTuple):
    """The mean loss and accuracy over a loader. What was not computed is NaN.

    >>> bp.train.Evaluation(loss=0.5, accuracy=0.75).accuracy
    0.75
    """

    loss: float
    accuracy: float


class Figures(NamedTuple):
    """The figures of a batch or of an epoch. What was not computed is NaN. Of a batch, loss is a tensor on the device, and reading
    it waits for the device; of an epoch it is None.

    >>> trainer = bp.Trainer(max_epochs=1, on_epoch=lambda figures: print(figures.epoch, figures.train_loss))
    """

    epoch: int  # counts from 0
    batch: int  # how many are finished in this epoch
    n_batches: int
    loss: Any = None
    train_loss: float = float("nan")
    train_accuracy: float = float("nan")
    val_loss: float = float("nan")
    val_accuracy: float = float("nan")


class Trainer:
    """Trains models for max_epochs epochs, those before a resumed run included.

    The run takes num_gpus accelerators, or as many as there are; with 0 it stays on the model's device. devices names them
    instead. Several devices are of one kind, and each takes a part of every batch. gradient_clip_val is the largest norm of all
    gradients together; 0 allows any. With accuracy=True the model's result has a score for each class, and the batch's last
    tensor is the right class. checkpoint is a safetensors file, written after each epoch and when the run is stopped.
    progress says whether the run prints, on a terminal with the bar of tqdm where that is installed. on_batch and on_epoch are
    called with Figures. callbacks are objects with some of Callback's methods, such as CSVLogger and TensorBoard.

    With a group of processes (backplane.distributed) all members make the same calls, and take the same steps on gradients that are
    averaged over all examples; figures of an epoch are those of all. Each member's DataLoader has part=(group.rank, group.size), or
    data of its own. Rank 0 prints, and writes the checkpoint. With shard_states=True what the optimiser keeps is spread over all
    devices and members (ZeRO, stage 1): the steps are the same, and each member writes its part of the checkpoint into a file
    beside it.

    A subclass may override prepare_data(data), prepare_model(model) and prepare_batch(batch).

    >>> loader = bp.data.DataLoader(bp.data.TensorDataset(bp.ones((4, 2)), bp.ones((4, 1))), batch_size=2)
    >>> trainer = bp.Trainer(max_epochs=2, progress=False)
    >>> net = bp.nn.Linear(2, 1)
    >>> trainer.fit(net, loader, loss=bp.nn.MSELoss(), optimizer=bp.optim.SGD(net.parameters(), lr=0.1))
    True
    >>> len(trainer.history)
    2
    """

    max_epochs = 1
    gradient_clip_val = 0.0
    gpus: Sequence[Any] = ()
    accuracy = False
    checkpoint: Any = None
    progress = True
    stopped = False
    model: Any = None
    train_batch_idx = val_batch_idx = num_train_batches = num_val_batches = 0
    _run: Run | None = None
    _view: Progress | None = None
    _callbacks: tuple[Any, ...] = (None, None)
    callbacks: Sequence[Any] = ()
    group: Group | None = None
    shard_states = False

    def __init__(self, max_epochs: int, num_gpus: int = 0, gradient_clip_val: float = 0, *, devices: Sequence[Any] | None = None,
                 accuracy: bool = False, checkpoint: Any = None, progress: bool = True,
                 on_batch: Callable[[Figures], Any] | None = None,
                 on_epoch: Callable[[Figures], Any] | None = None, callbacks: Sequence[Any] = (),
                 group: Group | None = None, shard_states: bool = False) -> None:
        self.max_epochs, self.num_gpus, self.gradient_clip_val = max_epochs, num_gpus, gradient_clip_val
        self.gpus = _chosen(num_gpus) if devices is None else [_core.device(d) for d in devices]
        self.accuracy, self.checkpoint, self.progress = accuracy, checkpoint, progress
        self._callbacks, self.callbacks, self.group = (on_batch, on_epoch), list(callbacks), group
        self.shard_states = shard_states
        self.history: list[Figures] = []  # one for each epoch
        self.board = _new_board()

    # ---- what tutorials override ----

    def prepare_data(self, data: Any) -> None:
        """Takes the loaders from data: a loader, or an object with train_dataloader() and val_dataloader().

        >>> trainer = bp.Trainer(max_epochs=1)
        >>> trainer.prepare_data([1, 2])
        >>> trainer.train_dataloader
        [1, 2]
        """
        whole = hasattr(data, "train_dataloader")
        self.train_dataloader = data.train_dataloader() if whole else data
        self.val_dataloader = data.val_dataloader() if whole and hasattr(data, "val_dataloader") else None

    def prepare_model(self, model: Any) -> None:
        """Moves the model to the first device, and gives it this trainer and a board to draw on.

        >>> trainer = bp.Trainer(max_epochs=1)
        >>> trainer.prepare_model(bp.nn.ReLU())
        >>> trainer.model
        ReLU()
        """
        model.trainer = self
        board = getattr(model, "board", None)
        if board is None or getattr(board, "_of_trainer", False):
            model.board = self.board
        model.board.xlim = [0, self.max_epochs]
        if self.gpus:
            model.to(self.gpus[0])
        self.model = model

    def prepare_batch(self, batch: Any) -> Any:
        """Returns what the model is to see of a batch, a list of tensors. For several devices the library parts the batch.

        >>> bp.Trainer(max_epochs=1).prepare_batch([bp.ones(2)])
        [tensor([1., 1.])]
        """
        return [t.to(self.gpus[0]) for t in batch] if len(self.gpus) == 1 else batch

    prepare_batch._moves_only = True  # type: ignore[attr-defined] # which loaders do already

    # ---- running ----

    def fit(self, model: Any, data: Any, val: Any = None, *, loss: Any = None, optimizer: Any = None, schedule: Any = None,
            resume: Any = None) -> bool:
        """Trains the model. Returns True when max_epochs are done, and False when stop() ended the run before that.

        data and val are DataLoaders or other iterables with a length; data may also be as in prepare_data. loss(y_hat, y) is a
        module or a function and gives a mean over the batch, whose last tensor is y. optimizer is one of backplane.optim, or a
        function that makes one of the parameters. schedule is one of optim.lr_scheduler, or a function that makes one of the
        optimizer; it takes a step after each epoch. resume is a checkpoint from which the run goes on exactly.

        Ctrl-C ends the run after the current batch, writes the checkpoint and raises KeyboardInterrupt. A second Ctrl-C raises it
        at once.

        >>> net, loader = bp.nn.Linear(2, 1), bp.data.DataLoader(bp.data.TensorDataset(bp.ones((4, 2)), bp.ones((4, 1))), batch_size=2)
        >>> trainer = bp.Trainer(max_epochs=1, progress=False)
        >>> trainer.fit(net, loader, loss=bp.nn.MSELoss(), optimizer=bp.optim.SGD(net.parameters()))
        True
        """
        if not isinstance(self.max_epochs, int) or self.max_epochs < 0:
            raise ValueError(f"max_epochs is {self.max_epochs}, expected an integer, 0 or more")
        self.prepare_data(data)
        if val is not None:
            self.val_dataloader = val
        self.num_train_batches = _length(self.train_dataloader)
        self.num_val_batches = 0 if self.val_dataloader is None else _length(self.val_dataloader)
        self.train_batch_idx = self.val_batch_idx = 0
        self.history, self.board, self.stopped = [], _new_board(), False
        self.prepare_model(model)
        self._run = run = Run(self, model, self.train_dataloader, self.val_dataloader, loss, optimizer, schedule)
        self.optim = run.optimizer
        if resume is not None:
            run.handle.load_state_dict(*io._call(_core.load_checkpoint, os.fsencode(resume), "cpu"))
            epoch, batch, _ = run.place()
            self.train_batch_idx = epoch * self.num_train_batches + batch
        self._view = Progress(self.max_epochs, examples_in(self.train_dataloader)) if self._prints() else None
        path = None if self.checkpoint is None else os.fsencode(self.checkpoint)
        try:
            with _interruptible(run.handle) as interrupted:
                call_all(self.callbacks, "on_fit_start", self)
                self.stopped = not run.handle.fit(self.max_epochs, float(self.gradient_clip_val), path)
        finally:
            if self._view is not None:
                self._view.close()
            run.close()
            call_all(self.callbacks, "on_fit_end", self)
        if interrupted:
            raise KeyboardInterrupt
        return not self.stopped

    def stop(self) -> None:
        """Ends the run after the current batch. A callback, the model or any thread may call it.

        >>> bp.Trainer(max_epochs=1).stop()  # nothing runs
        """
        if self._run is not None:
            self._run.handle.stop()

    @property
    def epoch(self) -> int:
        """How many epochs are finished, which is the number of the current one.

        >>> bp.Trainer(max_epochs=1).epoch
        0
        """
        return 0 if self._run is None else self._run.handle.epoch

    @epoch.setter
    def epoch(self, value: int) -> None:
        pass  # tutorials count epochs here; in this class the library counts

    def evaluate(self, data: Any, model: Any = None, *, loss: Any = None) -> Evaluation:
        """Goes through one epoch of a loader without learning: with the model and the loss that were fitted, or those given.

        >>> net, loader = bp.nn.Linear(2, 1), bp.data.DataLoader(bp.data.TensorDataset(bp.ones((4, 2)), bp.ones((4, 1))), batch_size=2)
        >>> bp.Trainer(1, progress=False).evaluate(loader, net, loss=bp.nn.MSELoss()).loss >= 0
        True
        """
        if model is not None:
            if self.gpus:
                model.to(self.gpus[0])
            run = Run(self, model, data, None, loss, None, None, learns=False)
        elif self._run is None:
            raise _core.BadStateError("evaluate() without a model comes after fit()")
        else:
            run = self._run
        return Evaluation(*run.evaluate(data))

    def save(self, path: Any) -> None:
        """Writes a file for fit(resume=path), with all that going on needs. It holds the model's tensors under "model.". With a group
        all members call it; with shard_states each writes a file of its own beside this one.

        >>> net, loader = bp.nn.Linear(2, 1), bp.data.DataLoader(bp.data.TensorDataset(bp.ones((4, 2)), bp.ones((4, 1))), batch_size=2)
        >>> trainer = bp.Trainer(max_epochs=1, progress=False)
        >>> trainer.fit(net, loader, loss=bp.nn.MSELoss(), optimizer=bp.optim.SGD(net.parameters()))
        True
        >>> trainer.save("run.safetensors")
        >>> "model.weight" in bp.io.load_file("run.safetensors")
        True
        """
        if self._run is None:
            raise _core.BadStateError("save() comes after fit() has begun")
        io._call(self._run.handle.save, os.fsencode(path))

    # ---- what the run tells ----

    def _prints(self) -> bool:
        return self.progress and (self.group is None or self.group.rank == 0)

    def _note_batch(self, epoch: int, batch: int, n_batches: int, loss: Any) -> None:
        self.train_batch_idx += 1
        if self._view is not None:
            self._view.batch(epoch, batch, n_batches)
        if self._callbacks[0] is not None or self.callbacks:
            figures = Figures(epoch, batch, n_batches, loss)
            if self._callbacks[0] is not None:
                self._callbacks[0](figures)
            call_all(self.callbacks, "on_batch", self, figures)

    def _note_epoch(self, epoch: int, n_batches: int, *means: float) -> None:
        figures = Figures(epoch, n_batches, n_batches, None, *means)
        self.history.append(figures)
        named = figures._asdict()
        texts = []
        for name in ("train_loss", "train_accuracy", "val_loss", "val_accuracy"):
            value = named[name]
            if value == value:
                texts.append(f"{name.replace('_', ' ')} {value:.4f}")
                self.board._draw_for_run(epoch + 1, value, name)
        if self._view is not None:
            width = len(str(self.max_epochs))
            self._view.line(f"epoch {epoch + 1:>{width}}/{self.max_epochs}   {'   '.join(texts)}".rstrip())
        if self._callbacks[1] is not None:
            self._callbacks[1](figures)
        call_all(self.callbacks, "on_epoch", self, figures)

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out the run: a pickled model knows how its trainer was set up, but not how far it was."""
        gone = ("_run", "_view", "_callbacks", "callbacks", "model", "optim", "train_dataloader", "val_dataloader")
        return {name: value for name, value in self.__dict__.items() if name not in gone}

    def __deepcopy__(self, memo: dict[int, Any]) -> Trainer:
        return self


def _new_board() -> Board:
    board = Board(xlabel="epoch")
    board._of_trainer = True
    return board


def _length(loader: Any) -> int:
    try:
        return len(loader)
    except TypeError:
        raise TypeError(f"a loader has a length, and {type(loader).__name__} has not; list(loader) keeps its batches") from None


def _chosen(num_gpus: int) -> list[Any]:
    """Returns num_gpus accelerators, or as many as there are, with a warning about what is missing."""
    if num_gpus < 0:
        raise ValueError(f"num_gpus is {num_gpus}, expected 0 or more")
    there = accelerator.num_gpus()
    gpus = [accelerator.gpu(i) for i in range(min(num_gpus, there))]
    if num_gpus > there:
        where = ", ".join(map(str, gpus)) if gpus else "the cpu"
        count = f"{there} is there" if there == 1 else f"{there} are there" if there else "none is there"
        warnings.warn(f"num_gpus is {num_gpus}, of accelerators {count}: training on {where}", stacklevel=3)
    return gpus


@contextlib.contextmanager
def _interruptible(handle: Any) -> Iterator[list[Any]]:
    """Makes the first Ctrl-C stop the run and enter the list. A handler of the program's own stays in its place instead."""
    interrupted: list[Any] = []
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not ours:
        yield interrupted
        return

    def stop(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        interrupted.append(number)
        handle.stop()

    signal.signal(signal.SIGINT, stop)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
