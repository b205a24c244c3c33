# SPDX-License-Identifier: Apache-2.0
"""Datasets, loaders and metrics from Python."""

import pickle
import signal
import subprocess
import sys
import threading

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest
from backplane import data, metrics
from backplane.torch.utils import data as torch_data

X, Y = torch.arange(14.0).reshape(7, 2), torch.arange(7)


def numbers(loader):
    """What an epoch gives of a loader over TensorDataset(X, Y), by batch."""
    batches = []
    for x, y in loader:
        assert (x[:, 0].cpu() == 2 * y.cpu()).all()
        batches.append(y.tolist())
    return batches


# ---- datasets ----


def test_a_tensor_dataset_has_the_tensors_rows():
    d = data.TensorDataset(X, np.arange(7))
    assert len(d) == 7 and d[3][0].tolist() == [6, 7] and d[3][1].item() == 3 and d[-1][0].tolist() == [12, 13]
    with pytest.raises(bp.InvalidArgumentError, match="Size mismatch between tensors: tensor 0 has 7 examples, tensor 1 has 2"):
        data.TensorDataset(X, X[:2])
    with pytest.raises(ValueError, match="one or more tensors"):
        data.TensorDataset()
    with pytest.raises(bp.DeviceMismatchError, match="tensor 0 of a dataset is on sim:0"):
        data.TensorDataset(X.to("sim:0"))


def test_subsets_are_parts_of_their_dataset():
    d = data.TensorDataset(X, Y)
    part = data.Subset(data.Subset(d, [6, 5, 4, 3]), [0, 2])
    assert len(part) == 2 and part[1][1].item() == 4
    assert numbers(data.DataLoader(part, batch_size=2)) == [[6, 4]]
    with pytest.raises(IndexError, match="index 9 is out of range for a dataset of 7 examples"):
        next(iter(data.DataLoader(data.Subset(d, [9]))))


@pytest.mark.parametrize("lengths, sizes", [([5, 2], [5, 2]), ([0.5, 0.3, 0.2], [4, 2, 1]), ([7], [7])])
def test_random_split_parts_without_repeats(lengths, sizes):
    d = data.TensorDataset(X, Y)
    parts = data.random_split(d, lengths, torch.Generator(3))
    assert [len(p) for p in parts] == sizes
    assert sorted(i for p in parts for i in p.indices) == list(range(7))
    assert [p.indices for p in parts] == [p.indices for p in data.random_split(d, lengths, torch.Generator(3))]
    with pytest.raises(ValueError, match="Sum of input lengths does not equal the length of the input dataset"):
        data.random_split(d, [5, 1])


class Squares(data.Dataset):
    """Examples of every form that is taken."""

    def __init__(self, example):
        self.example, self.threads = example, set()

    def __len__(self):
        return 5

    def __getitem__(self, i):
        self.threads.add(threading.current_thread())
        return self.example(i)


@pytest.mark.parametrize("example, batch", [
    (lambda i: i * i, [0, 1]),
    (lambda i: float(i), [0.0, 1.0]),
    (lambda i: torch.tensor([i, -i]), [[0, 0], [1, -1]]),
    (lambda i: (np.full(2, i, dtype=np.float32), i), [[[0.0, 0.0], [1.0, 1.0]], [0, 1]]),
    (lambda i: [bp.asarray(i), True], [[0, 1], [1, 1]]),
])  # fmt: skip
@pytest.mark.parametrize("workers", [0, 2])
def test_a_dataset_of_ones_own_gives_numbers_arrays_and_tensors(example, batch, workers):
    d = Squares(example)
    loader = data.DataLoader(d, batch_size=2, num_workers=workers)
    batches = list(loader)
    first = batches[0]
    got = [t.tolist() for t in first] if isinstance(first, list) else first.tolist()
    assert got == batch and len(batches) == len(loader) == 3
    assert (threading.current_thread() in d.threads - {None}) and (len(d.threads) > 1) == (workers > 0)


@pytest.mark.parametrize("workers", [0, 1])
def test_what_a_dataset_raises_comes_out_as_it_is(workers):
    class Broken(Exception):
        pass

    def example(i):
        if i == 3:
            raise Broken(f"example {i}\nis gone")
        return i

    batches = iter(data.DataLoader(Squares(example), batch_size=2, num_workers=workers))
    assert next(batches).tolist() == [0, 1]
    with pytest.raises(Broken, match="example 3\nis gone") as caught:
        next(batches)
    assert caught.traceback[-1].name == "example"


LEFT = """
import sys, time
from backplane.data import DataLoader
class Slow:
    def __len__(self):
        return 10000
    def __getitem__(self, i):
        time.sleep(0.002)
        return i
batches = iter(DataLoader(Slow(), batch_size=100, num_workers=2, prefetch_factor=50))
print(next(batches).shape)
if sys.argv[1] == "released":
    del batches
"""


@pytest.mark.parametrize("iterator", ["left", "released"])
def test_a_program_may_end_while_a_loaders_thread_is_in_its_dataset(iterator):
    out = subprocess.run([sys.executable, "-c", LEFT, iterator], capture_output=True, text=True, timeout=60)
    assert (out.returncode, out.stdout, out.stderr) == (0, "(100,)\n", "")


@pytest.mark.parametrize("wrong, error, text", [
    (lambda: data.DataLoader([1, 2], batch_size=0), ValueError, "batch_size should be a positive integer value, but got batch_size=0"),
    (lambda: data.DataLoader(iter([1])), TypeError, "a dataset has __len__ and __getitem__, and list_iterator has not"),
    (lambda: data.DataLoader([1], batch_sampler=[[0]]), NotImplementedError, "takes no batch_sampler"),
    (lambda: data.DataLoader([1], sampler=[0], shuffle=True), ValueError, "mutually exclusive"),
    (lambda: data.DataLoader([1], num_workers=-1), ValueError, "num_workers option should be non-negative"),
    (lambda: data.DataLoader(data.TensorDataset(X), prefetch=2000)._handle_on("cpu"), ValueError, "prefetch is 2000"),
    (lambda: next(iter(data.DataLoader(["a", "b"]))), TypeError, "batch must contain tensors, arrays, numbers or tuples"),
    (lambda: list(data.DataLoader([(1, 2), (1, 2, 3)], batch_size=2)), RuntimeError, "should be of equal size"),
    (lambda: list(data.DataLoader([(1, 2), (1,)])), ValueError, "a batch has 1 tensors, the first example has 2"),
    (lambda: next(iter(data.DataLoader(range(2**62)))), bp.OutOfHostMemoryError, "the order of 4611686018427387904 examples takes"),
    (lambda: list(data.DataLoader([1, 2], batch_size=2, collate_fn=lambda b: torch.ones(3))), bp.Error, "of shape .3. for a batch of"),
])  # fmt: skip
def test_wrong_arguments_say_what_is_wrong(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong()


# ---- loaders ----


@pytest.mark.parametrize("prefetch", [0, 1, 3])
@pytest.mark.parametrize("drop_last, batches", [(False, [[0, 1, 2], [3, 4, 5], [6]]), (True, [[0, 1, 2], [3, 4, 5]])])
def test_a_loader_goes_through_its_dataset(device, prefetch, drop_last, batches):
    loader = data.DataLoader(data.TensorDataset(X, Y), batch_size=3, drop_last=drop_last, prefetch=prefetch, device=device)
    assert len(loader) == len(batches)
    assert numbers(loader) == numbers(loader) == batches
    assert all(t.device == bp.device(device) and isinstance(t, torch.Tensor) for t in next(iter(loader)))


def test_a_seed_gives_the_same_order_again_and_epochs_differ():
    def loader(**how):
        return data.DataLoader(data.TensorDataset(X, Y), batch_size=7, shuffle=True, **how)

    first = loader(seed=5)
    epochs = [numbers(first)[0] for _ in range(3)]
    assert epochs[0] != epochs[1] != epochs[2] and all(sorted(e) == list(range(7)) for e in epochs)
    again = loader(seed=5)
    assert [numbers(again)[0] for _ in range(3)] == epochs and numbers(loader(seed=6))[0] != epochs[0]
    drawn = [numbers(loader(generator=bp.Generator(9)))[0] for _ in range(2)]
    assert drawn[0] == drawn[1] != numbers(loader(generator=bp.Generator(10)))[0]
    of_all = []
    for _ in range(2):
        torch.manual_seed(4)
        of_all.append(numbers(loader())[0])
    assert of_all[0] == of_all[1]


def test_iterators_of_one_loader_do_not_disturb_each_other():
    loader = data.DataLoader(data.TensorDataset(X, Y), batch_size=2)
    a, b = iter(loader), iter(loader)
    assert next(a)[1].tolist() == [0, 1] and next(b)[1].tolist() == [0, 1] and next(a)[1].tolist() == [2, 3]
    list(a)
    with pytest.raises(StopIteration):
        next(a)


@pytest.mark.parametrize("prefetch", [0, 2])
def test_a_loader_goes_on_where_another_stood(prefetch):
    def loader():
        return data.DataLoader(data.TensorDataset(X, Y), batch_size=2, shuffle=True, prefetch=prefetch)

    whole = loader()
    epochs = [numbers(whole), numbers(whole)]
    other = loader()
    other.load_state_dict({"epoch": 0, "batch": 0, "seed": whole.state_dict()["seed"]})
    batches = iter(other)
    got = [next(batches)[1].tolist() for _ in range(3)]
    state = pickle.loads(pickle.dumps(other.state_dict()))
    resumed = loader()
    resumed.load_state_dict(state)
    assert [got + numbers(resumed), numbers(resumed)] == epochs
    assert resumed.state_dict()["epoch"] == 2


def test_pinned_batches_are_pinned(monkeypatch):
    monkeypatch.setattr(bp.accelerator, "is_available", lambda: True)
    monkeypatch.setattr(bp.accelerator, "current_accelerator", lambda: bp.device("sim:0"))
    x, _ = next(iter(data.DataLoader(data.TensorDataset(X, Y), pin_memory=True)))
    assert x.is_pinned() and not next(iter(data.DataLoader(data.TensorDataset(X, Y))))[0].is_pinned()


def test_the_torch_namespace_gives_torchs_tensors():
    loader = torch_data.DataLoader([(np.ones(2), 3)], 1, False, num_workers=0, persistent_workers=False)
    x, y = next(iter(loader))
    assert type(x) is type(y) is torch.Tensor and y.tolist() == [3]
    assert torch.utils.data.DataLoader is torch_data.DataLoader and torch_data.TensorDataset is data.TensorDataset
    assert type(next(iter(data.DataLoader([(bp.ones(2), 3)])))[0]) is bp.Tensor


# ---- metrics ----


def test_metrics_are_summed_on_the_device(device):
    mean, right = metrics.Mean(), metrics.Accuracy()
    assert mean.value() != mean.value()
    before = [bp._core.transfer_stats(device, "cpu")[0]]
    for values, weight in (([1.0, 2.0], 1), ([6.0], 3)):
        mean.add(bp.asarray(values).to(device), weight)
    right.add(bp.asarray([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]]).to(device), bp.asarray([1, 0, 0]).to(device))
    assert bp._core.transfer_stats(device, "cpu")[0] == before[0]
    assert mean.value() == pytest.approx(21 / 5) and right.value() == pytest.approx(2 / 3)
    mean.reset()
    mean.add(bp.asarray(4.0).to(device))
    mean.add(bp.asarray(8.0))
    assert mean.value() == 6
    with pytest.raises(bp.InvalidArgumentError, match="target must have x's shape without its last dimension"):
        right.add(bp.ones((2, 3)), bp.ones(3, dtype=bp.int64))
    with pytest.raises(TypeError, match="target must be a tensor, not list"):
        right.add(bp.ones((2, 3)), [0, 1])


# ---- signals ----


@pytest.mark.parametrize("waits", [
    "next(iter(loader))",
    "bp.Trainer(1, progress=False).fit(net, loader, loss=bp.nn.CrossEntropyLoss(), optimizer=bp.optim.SGD(net.parameters(), lr=1.0))",
])  # fmt: skip
def test_ctrl_c_is_heard_while_a_loader_is_waited_for(waits):
    code = f"""
import signal, sys, threading, backplane as bp

class Stuck(bp.data.Dataset):
    def __getitem__(self, i):
        if threading.current_thread() is not threading.main_thread():
            print("waits", flush=True)
            threading.Event().wait()
        return bp.ones((2,)), bp.asarray(0)

    def __len__(self):
        return 4

signal.signal(signal.SIGINT, lambda *of: sys.exit("heard"))  # a Trainer's own handler waits for the end of the batch
net = bp.nn.Linear(2, 2)
loader = bp.data.DataLoader(Stuck(), num_workers=1)
{waits}
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None and child.stdout.readline() == "waits\n"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
        assert said == "heard\n" and child.returncode == 1
    finally:
        child.kill()
        child.wait()
