# SPDX-License-Identifier: Apache-2.0
"""Data for training: datasets, and loaders that make batches of them, ahead of their use where that helps.

    train = data.DataLoader(data.TensorDataset(images, labels), batch_size=32, shuffle=True, seed=42)
    for x, y in train: ...

The names are those of torch.utils.data. An epoch's order is a function of seed and epoch, the same on every machine."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from . import _core, accelerator, dtypes, ops
from . import random as _random
from .standard import asarray
from .tensor import Tensor

__all__ = ["DataLoader", "Dataset", "Subset", "TensorDataset", "default_collate", "random_split"]


class Dataset:
    """Examples by number. A subclass has ``__getitem__(index)`` and ``__len__()``. An example is a tensor, an array or a
    number, or several of them in a tuple.

    >>> class Squares(bp.data.Dataset):
    ...     def __getitem__(self, index):
    ...         return index**2
    ...
    ...     def __len__(self):
    ...         return 4
    >>> [batch.tolist() for batch in bp.data.DataLoader(Squares(), batch_size=2)]
    [[0, 1], [4, 9]]
    """

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __len__(self) -> int:
        raise NotImplementedError("Subclasses of Dataset should implement __len__.")

    def _native(self) -> Any:
        """Returns the library's own dataset, or None if making batches needs Python."""
        return None


class TensorDataset(Dataset):
    """Example i is row i of each of several tensors on the CPU, whose first sizes are equal. Arrays become tensors without a
    copy.

    >>> len(bp.data.TensorDataset(bp.ones((4, 2)), bp.arange(4)))
    4
    """

    def __init__(self, *tensors: Any) -> None:
        if not tensors:
            raise ValueError("a TensorDataset has one or more tensors")
        self.tensors = tuple(t if isinstance(t, _core.TensorBase) else asarray(t) for t in tensors)
        self._handle = _core.DatasetHandle(list(self.tensors))

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return len(self._handle)

    def _native(self) -> Any:
        return self._handle if type(self).__getitem__ is TensorDataset.__getitem__ else None

    def __reduce__(self) -> Any:
        return type(self), self.tensors


class Subset(Dataset):
    """Example i is example indices[i] of dataset.

    >>> bp.data.Subset(bp.data.TensorDataset(bp.arange(4)), [2, 0])[0]
    (tensor(2),)
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (list, slice)):
            chosen = self.indices[index] if isinstance(index, slice) else [self.indices[i] for i in index]
            return self.dataset[list(chosen)]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)

    def _native(self) -> Any:
        whole = self.dataset._native() if isinstance(self.dataset, Dataset) else None
        if whole is None or type(self).__getitem__ is not Subset.__getitem__:
            return None
        return whole.subset([int(i) for i in self.indices])


def random_split(dataset: Any, lengths: Sequence[Any], generator: _core.Generator | None = None) -> list[Subset]:
    """Parts the dataset at random, by numbers of the generator. lengths are numbers of examples, or shares that add up to 1.

    >>> [len(part) for part in bp.data.random_split(bp.data.TensorDataset(bp.arange(10)), [7, 3])]
    [7, 3]
    """
    n = len(dataset)
    sizes = list(lengths)
    if any(isinstance(s, float) for s in sizes) and abs(sum(sizes) - 1) < 1e-9:
        sizes = [int(n * share) for share in sizes]
        for i in range(n - sum(sizes)):
            sizes[i % len(sizes)] += 1
    if sum(sizes) != n:
        raise ValueError(f"Sum of input lengths does not equal the length of the input dataset: lengths are {list(lengths)}, "
                         f"the dataset has {n} examples")  # fmt: skip
    order = ops.argsort(_random.rand(n, dtype=dtypes.float64, device="cpu", generator=generator)).tolist()
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return [Subset(dataset, order[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def default_collate(batch: Sequence[Any]) -> Any:
    """Makes a batch of examples: stacks tensors and arrays, makes a tensor of numbers, and of tuples a list of batches.

    >>> [t.tolist() for t in bp.data.default_collate([(1, 2.0), (3, 4.0)])]
    [[1, 3], [2.0, 4.0]]
    """
    first = batch[0]
    if isinstance(first, (tuple, list)):
        if any(len(example) != len(first) for example in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(part) for part in zip(*batch, strict=True)]
    if isinstance(first, _core.TensorBase):
        return ops.stack(list(batch), axis=0)
    if isinstance(first, float):
        return _core.asarray(list(batch), dtypes.float64, "cpu", True)
    if isinstance(first, int):
        return _core.asarray([int(x) for x in batch], dtypes.int64, "cpu", True)
    if hasattr(first, "__array__") or hasattr(first, "__dlpack__"):
        return ops.stack([_core.asarray(x, None, "cpu", True) for x in batch], axis=0)
    raise TypeError("default_collate: batch must contain tensors, arrays, numbers or tuples of them; found "
                    f"{type(first).__name__}")  # fmt: skip


class _Batches:
    """The rest of a loader's epoch, from the place where the loader stands."""

    def __init__(self, loader: DataLoader, handle: Any) -> None:
        self._loader, self._handle = loader, handle
        self._ended = False

    def __iter__(self) -> _Batches:
        return self

    def __next__(self) -> Any:
        batch = None if self._ended else self._handle.next(self._loader._n_tensors, self._loader._is_torch)
        if batch is None:
            self._ended = True
            raise StopIteration
        if self._loader._pins:
            batch = [t.pin_memory() for t in batch]
        return batch[0] if self._loader._single else batch

    def __len__(self) -> int:
        return len(self._loader)


class DataLoader:
    """Batches of a dataset, each a list of tensors: ``for x, y in loader``. Each ``for`` goes through one epoch.

    shuffle=True gives each epoch an order of its own, which follows from seed; without a seed one is drawn from generator, by
    default the CPU's. A sampler, which has ``__iter__`` and ``__len__``, gives the indices of each epoch instead, such as
    DistributedSampler; a Trainer asks it once for all epochs of a fit. part is (rank, size) of a member of a group, whose loader then
    makes its part of each batch. Batches go to device, by default the CPU; a Trainer asks for its own device. prefetch is the
    number of batches that a thread of the library makes ahead and copies to the device. By default it is two for a dataset of
    tensors. For a dataset in Python it is none, or num_workers * prefetch_factor, and then the dataset is called on that
    thread. pin_memory=True puts batches in memory from which an accelerator copies beside the program's work. Arguments that
    have no meaning here are ignored.

    >>> loader = bp.data.DataLoader(bp.data.TensorDataset(bp.ones((4, 2)), bp.ones((4, 1))), batch_size=2)
    >>> [x.shape for x, y in loader]
    [(2, 2), (2, 2)]
    """

    _is_torch = False  # True if batches are torch.Tensors, as those of backplane.torch's loader are

    def __init__(self, dataset: Any, batch_size: int = 1, shuffle: bool | None = None, sampler: Any = None,
                 batch_sampler: Any = None, num_workers: int = 0, collate_fn: Callable[..., Any] | None = None,
                 pin_memory: bool = False, drop_last: bool = False, timeout: float = 0,
                 worker_init_fn: Any = None, multiprocessing_context: Any = None, generator: _core.Generator | None = None, *,
                 prefetch_factor: int | None = None, persistent_workers: bool = False,
                 pin_memory_device: str = "", seed: int | None = None, prefetch: int | None = None,
                 device: Any = None, part: tuple[int, int] = (0, 1)) -> None:
        if batch_sampler is not None:
            raise NotImplementedError("a DataLoader takes no batch_sampler: batch_size, and a sampler for the order")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if not hasattr(dataset, "__len__") or not hasattr(dataset, "__getitem__"):
            raise TypeError(f"a dataset has __len__ and __getitem__, and {type(dataset).__name__} has not")
        if not isinstance(batch_size, int) or batch_size < 1:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        self.dataset, self.batch_size, self.drop_last, self.sampler = dataset, batch_size, bool(drop_last), sampler
        self.shuffle, self.num_workers, self.generator = bool(shuffle), num_workers, generator
        self.collate_fn = collate_fn or default_collate
        self.pin_memory, self.device, self.part = pin_memory, device, part
        self._pins = pin_memory and device is None and accelerator.is_available()
        self._plain = collate_fn is None
        self._seed, self._prefetch, self._prefetch_factor = seed, prefetch, prefetch_factor
        self._epoch = self._batch = 0
        self._latest: _Batches | None = None
        self._source: Any = None
        self._get: Callable[..., Any] | None = None

    # ---- what batches are made of ----

    def _open(self) -> Any:
        """Returns the library's dataset. The first call looks at an example, to know what a batch is made of."""
        if self._source is not None:
            return self._source
        examples = self.dataset if self.sampler is None else Subset(self.dataset, [int(i) for i in self.sampler])
        native = examples._native() if self._plain and isinstance(examples, Dataset) else None
        self._is_torch, self._single, self._ahead = type(self)._is_torch, False, 2
        if native is not None:
            self._n_tensors = native.n_tensors
            self._note_class(next(iter(_tensors_of(examples))))
        else:
            self._ahead = self.num_workers * (self._prefetch_factor or 2)
            self._n_tensors = 1
            if len(examples):
                probe = self.collate_fn([examples[0]])
                self._single = not isinstance(probe, (tuple, list))
                parts = _parts(probe)
                self._n_tensors = len(parts)
                self._note_class(parts[0])
            # The library's reference is weak: the dataset may know this loader.
            self._get = functools.partial(_batch_of, examples, self.collate_fn)
            native = _core.DatasetHandle(len(examples), self._n_tensors, weakref.ref(self._get))
        self._source = native
        return native

    def _note_class(self, t: Any) -> None:
        self._is_torch = self._is_torch or getattr(t, "_is_torch", False)

    def _seeded(self) -> int:
        if self._seed is None:
            self._seed = 0
            if self.shuffle:
                drawn = _random.randint(2**62, (1,), device="cpu", generator=self.generator)
                self._seed = int(drawn.item())
        return self._seed

    def _handle_on(self, device: Any) -> Any:
        """Returns a loader of the library for the epochs to come, whose batches are on that device."""
        if self.sampler is not None:
            self._source = None  # the sampler says the order of these epochs anew
        source = self._open()
        ahead = self._ahead if self._prefetch is None else self._prefetch
        handle = _core.LoaderHandle(source, self.batch_size, self.shuffle, self.drop_last, ahead, self._seeded(), device,
                                    *self.part)  # fmt: skip
        handle.set_state(self._epoch, self._batch, self._seeded())
        return handle

    def _first(self) -> list[Any]:
        """Returns the dataset's first examples as a batch, without moving on."""
        n = min(self.batch_size, self._n_examples())
        return self._open().get(list(range(n)), self._is_torch)

    # ---- a loader as PyTorch has it ----

    def _n_examples(self) -> int:
        return len(self.dataset if self.sampler is None else self.sampler)

    def __len__(self) -> int:
        n = self._n_examples()
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        self._latest = _Batches(self, self._handle_on("cpu" if self.device is None else self.device))
        self._epoch, self._batch = self._epoch + 1, 0
        return self._latest

    # ---- where it stands ----

    def state_dict(self) -> dict[str, Any]:
        """Returns the place behind the batch that was given last, and the seed: what load_state_dict needs to go on exactly.

        >>> bp.data.DataLoader(bp.data.TensorDataset(bp.arange(4)), batch_size=2, seed=1).state_dict()
        {'epoch': 0, 'batch': 0, 'seed': 1}
        """
        epoch, batch = self._epoch, self._batch
        if self._latest is not None and not self._latest._ended:
            epoch, batch, _ = self._latest._handle.state()
        return {"epoch": epoch, "batch": batch, "seed": self._seeded()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Moves the loader to a place that state_dict returned; the next ``for`` begins there.

        >>> loader = bp.data.DataLoader(bp.data.TensorDataset(bp.arange(4)), batch_size=2)
        >>> loader.load_state_dict({"epoch": 3, "batch": 1, "seed": 7})
        >>> len(list(loader))
        1
        """
        self._epoch, self._batch, self._seed = state_dict["epoch"], state_dict["batch"], state_dict["seed"]
        self._latest = None

    def __getstate__(self) -> dict[str, Any]:
        place = {f"_{name}": value for name, value in self.state_dict().items()}
        return {**self.__dict__, **place, "_latest": None, "_source": None, "_get": None}


def _tensors_of(dataset: Any) -> tuple[Any, ...]:
    return _tensors_of(dataset.dataset) if isinstance(dataset, Subset) else dataset.tensors


def _batch_of(dataset: Any, collate: Callable[..., Any], indices: list[Any]) -> list[Any]:
    """Makes a batch of these examples. The library calls it."""
    if hasattr(dataset, "__getitems__"):
        return _parts(collate(dataset.__getitems__(indices)))
    examples = []
    for i in indices:
        if _core.is_ending():  # the end of Python waits for this thread
            raise RuntimeError("Python is ending")
        examples.append(dataset[i])
    return _parts(collate(examples))


def _parts(batch: Any) -> list[Any]:
    parts = list(batch) if isinstance(batch, (tuple, list)) else [batch]
    for t in parts:
        if isinstance(t, (tuple, list, dict, str)):
            raise TypeError(f"a batch is a tensor or several of them, and a part of this one is a {type(t).__name__}")
    return [t if isinstance(t, Tensor) else _core.asarray(t, None, "cpu", None) for t in parts]
