# SPDX-License-Identifier: Apache-2.0
"""Processes that exchange tensors: backplane.distributed, torch.distributed and DistributedDataParallel. What several processes do is in
functions whose names begin with `on_`: a test has mpirun start this file as many times as it says, with that name."""

import datetime
import os
import pathlib
import shutil
import subprocess
import sys
import time
import traceback
from typing import Any

import backplane as bp
import backplane.torch as torch
import pytest
from backplane.torch import distributed as dist
from backplane.torch import nn
from backplane.torch.nn.parallel import DistributedDataParallel
from backplane.torch.utils.data import DataLoader, DistributedSampler, TensorDataset

MPIRUN = shutil.which("mpirun")
# As root, with more processes than processors, and going on without a process that is lost.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_orte_enable_recovery": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_NUM_THREADS": "1",
}  # fmt: skip
os.environ.update({name: value for name, value in ENVIRONMENT.items() if name.startswith("OMPI_ALLOW")})
needs_mpi = pytest.mark.skipif(not bp.distributed.is_available(), reason="no plugin for MPI, or no MPI")
needs_mpirun = pytest.mark.skipif(not bp.distributed.is_available() or MPIRUN is None, reason="no MPI with an mpirun")


def start(n, name, **variables):
    assert MPIRUN is not None
    environment = {**os.environ, **ENVIRONMENT, **variables}
    environment.setdefault("PYTHONPATH", str(pathlib.Path(bp.__file__).parents[1]))
    return subprocess.run([MPIRUN, "-n", str(n), sys.executable, __file__, name], capture_output=True, text=True, timeout=120,
                          env=environment)  # fmt: skip


def run(n, name, **variables):
    """Runs the function of that name in n processes, all of which must come to its end."""
    out = start(n, name, **variables)
    assert (out.returncode, out.stdout.count("passed")) == (0, n), out.stdout + out.stderr
    return out


# ---- backplane.distributed -------------------------------------------------------------------------------------------


def numbers(rank, *shape):
    """Another tensor for each rank, of small integers."""
    n = 1
    for s in shape:
        n *= s
    return bp.reshape(bp.astype(bp.arange(n), bp.float32) + 100 * rank, shape)


def on_exchanges():
    with bp.distributed.join("mpi", timeout=60, check=True) as g:
        assert bp.distributed.default_group() is g and (g.size, g.local_size, g.local_rank) == (3, 3, g.rank)
        ranks = range(g.size)
        t = numbers(g.rank, 2)
        assert g.broadcast(t, root=1) is t and t.tolist() == [100, 101]
        assert g.all_reduce(numbers(g.rank, 2)).tolist() == [300, 303]
        assert g.all_reduce(numbers(g.rank, 2), "mean").tolist() == [100, 101]
        assert g.all_reduce(numbers(g.rank, 2), "max").tolist() == [200, 201]
        assert g.all_reduce(numbers(g.rank, 2), "min").tolist() == [0, 1]
        assert g.all_reduce(numbers(g.rank, 2), "product").tolist() == [0, 101 * 201]
        assert g.all_reduce(bp.asarray([g.rank == 0, True]), "min").tolist() == [False, True]
        assert g.all_reduce(bp.asarray([1.5], dtype=bp.bfloat16), "sum").tolist() == [4.5]
        reduced = g.reduce(numbers(g.rank, 2), "sum", root=2)
        assert reduced.tolist() == ([300, 303] if g.rank == 2 else [100 * g.rank, 100 * g.rank + 1])
        every = [[100 * r, 100 * r + 1] for r in ranks]
        assert g.all_gather(numbers(g.rank, 2)).tolist() == every
        assert g.all_gather(numbers(g.rank, 2), out=bp.zeros((3, 2))).tolist() == every
        assert g.all_gather(bp.asarray(g.rank)).tolist() == [0, 1, 2]
        gathered = g.gather(numbers(g.rank, 2), root=1)
        assert gathered is None if g.rank != 1 else gathered.tolist() == every
        assert g.reduce_scatter(numbers(g.rank, 3, 2)).tolist() == [300 + 6 * g.rank, 303 + 6 * g.rank]
        assert g.all_to_all(numbers(g.rank, 3)).tolist() == [100 * r + g.rank for r in ranks]
        out = g.scatter(numbers(7, 3, 2) if g.rank == 2 else None, root=2, out=bp.zeros(2))
        assert out.tolist() == [700 + 2 * g.rank, 701 + 2 * g.rank]
        # a view that is not in rows, and work that goes on
        columns = bp.zeros((2, 3))
        work = g.all_reduce(columns[:, g.rank], work=True)
        other = g.all_gather(numbers(g.rank, 2), work=True)
        g.barrier(work=True).wait()
        assert work.wait().shape == (2,) and other.wait().tolist() == every and work.done()
        # messages
        to, source = (g.rank + 1) % 3, (g.rank + 2) % 3
        sent = [g.send(numbers(g.rank, 2), to, tag=tag, work=True) for tag in (5, 6)]
        assert g.receive(bp.zeros(2), source, tag=6).tolist() == [100 * source, 100 * source + 1]
        assert g.receive(bp.zeros(2), source, tag=5, work=True).wait().tolist() == [100 * source, 100 * source + 1]
        assert [work.wait() for work in sent] == [None, None]
        # objects
        assert g.broadcast_object({"from": g.rank, "x": [g.rank]}, root=1) == {"from": 1, "x": [1]}
        assert g.all_gather_object("x" * 1000 * g.rank) == ["", "x" * 1000, "x" * 2000]
        assert g.all_gather_object(numbers(g.rank, 2))[2].tolist() == [200, 201]
        with pytest.raises(Exception, match="pickle"):
            g.broadcast_object(lambda: 0, root=0)
        with pytest.raises(Exception, match="pickle"):
            g.all_gather_object((lambda: 0) if g.rank == 1 else 0)
        # parts
        half = g.split(0 if g.rank != 1 else None, key=-g.rank)
        if half is None:
            assert g.rank == 1
        else:
            assert (half.size, half.rank) == (2, 1 - g.rank // 2)
            assert half.all_gather(bp.asarray(g.rank)).tolist() == [2, 0]
        # calls that do not agree, of which each hears, and after which the group is as before
        with pytest.raises(bp.InvalidArgumentError, match=r"rank"):
            g.all_reduce(bp.zeros(2 + g.rank))
        assert g.all_reduce(bp.ones(1)).tolist() == [3]
        g.timeout = datetime.timedelta(seconds=20)
        assert g.timeout == 20.0
    with pytest.raises(bp.BadStateError, match="was left"):
        g.barrier()
    with pytest.raises(RuntimeError, match="no group was joined"):
        bp.distributed.default_group()


@needs_mpirun
def test_three_processes_exchange_tensors_and_objects():
    run(3, "on_exchanges")


def on_accelerators():
    with bp.distributed.join(timeout=60) as g:
        for t in (numbers(g.rank, 2).to("sim:0"), numbers(g.rank, 2, 2).to("sim:1")[:, 0]):
            wanted = (numbers(0, *t.shape) + numbers(1, *t.shape)) if t.ndim == 1 and t.device.index == 0 else None
            work = g.all_reduce(t, work=True)
            summed = (work.wait() * 1).to("cpu").tolist()
            assert summed == (wanted.tolist() if wanted is not None else [100, 104])
            every = g.all_gather(t)
            assert every.device == t.device and every.to("cpu").tolist() == [summed, summed]


@needs_mpirun
@pytest.mark.skipif(not bp.sim.is_available(), reason="no sim backend")
def test_tensors_of_accelerators_are_exchanged():
    run(2, "on_accelerators")


def on_a_loss():
    g = bp.distributed.join(timeout=60)
    g.barrier()
    if g.rank == 1:
        os._exit(0)
    begin = time.monotonic()
    for _ in range(2):
        with pytest.raises(bp.UnavailableError, match=r"rank 1 is gone"):
            g.all_reduce(bp.ones(1000))
    assert time.monotonic() - begin < 50
    assert (bp.ones(2) + 1).tolist() == [2, 2]
    print("passed", flush=True)
    os._exit(0)


@needs_mpirun
def test_a_member_that_is_gone_is_an_error_that_names_it_and_the_program_goes_on():
    out = start(2, "on_a_loss")
    assert out.stdout.count("passed") == 1, out.stdout + out.stderr


@needs_mpi
def test_a_signal_ends_a_wait():
    code = """
import signal, threading, time
import backplane as bp
group = bp.distributed.join(timeout=60)
ran = []
threading.Thread(target=lambda: [time.sleep(0.2), ran.append(1), signal.raise_signal(signal.SIGINT)], daemon=True).start()
try:
    group.receive(bp.zeros(1), source=0)
except KeyboardInterrupt:
    print("interrupted", ran, flush=True)
import os; os._exit(0)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50)
    assert out.stdout == "interrupted [1]\n", out.stderr


@needs_mpi
def test_wrong_arguments_are_errors():
    with bp.distributed.join(timeout=20) as g:
        assert repr(g) == "<backplane.distributed.Group kind=mpi rank=0 size=1>"
        with pytest.raises(ValueError, match="expected one of 'sum'"):
            g.all_reduce(bp.ones(1), "average")  # type: ignore[arg-type]
        with pytest.raises(bp.DTypeMismatchError):
            g.all_reduce(bp.asarray([1]), "mean")
        with pytest.raises(IndexError, match="root 1 is out of range for a group of 1 members"):
            g.broadcast(bp.ones(1), root=1)
        with pytest.raises(TypeError, match="gives out"):
            g.scatter(None)
        with pytest.raises(ValueError, match="more than 0"):
            g.timeout = 0
        with pytest.raises(bp.InvalidArgumentError, match="32768"):
            g.send(bp.ones(1), to=0, tag=32768)
    with pytest.raises(bp.Error):
        bp.distributed.join("no such library")
    assert not bp.distributed.is_available("no such library")


def on_a_trainer():
    with bp.distributed.join(timeout=60) as g:
        torch.manual_seed(0)
        x, y = bp.random.randn((24, 3)), bp.random.randn((24, 1))
        x, y = g.broadcast(x), g.broadcast(y)

        def fitted(group, part):
            bp.manual_seed(1 if group is None else 1 + g.rank)
            net = bp.nn.Linear(3, 1)
            if group is None:
                bp.manual_seed(1)
                net = bp.nn.Linear(3, 1)
            loader = bp.data.DataLoader(bp.data.TensorDataset(x, y), batch_size=8, shuffle=True, seed=3, part=part)
            trainer = bp.Trainer(max_epochs=3, progress=group is not None, group=group)
            assert trainer.fit(net, loader, loss=bp.nn.MSELoss(), optimizer=bp.optim.SGD(net.parameters(), lr=0.1))
            return net.weight.tolist()[0], trainer.history[-1].train_loss

        alone, together = fitted(None, (0, 1)), fitted(g, (g.rank, g.size))
        assert together[0] == pytest.approx(alone[0], rel=1e-4) and together[1] == pytest.approx(alone[1], rel=1e-4)
        # by hand: a parameter on one device of each member
        w = bp.asarray([1.0 + g.rank, 2.0]).requires_grad_()
        both = bp.parallel.Replicas([[w]])
        both.join(g)
        assert w.tolist() == [1, 2]
        both.hold(True)
        (w * (g.rank + 1)).sum().backward()
        assert w.grad.tolist() == [g.rank + 1] * 2
        both.hold(False)
        (w * (g.rank + 1)).sum().backward()
        both.finish()
        assert w.grad.tolist() == [3, 3]
        with pytest.raises(bp.InvalidArgumentError):
            bp.parallel.Replicas([[bp.ones(2 + g.rank).requires_grad_()]]).join(g)


@needs_mpirun
def test_a_trainer_and_replicas_take_a_group():
    run(2, "on_a_trainer")


# ---- torch.distributed -----------------------------------------------------------------------------------------------


def cells(rank, n=2):
    return torch.arange(n).to(torch.float32) + 100 * rank


def on_collectives():
    dist.init_process_group("mpi", timeout=datetime.timedelta(seconds=60))
    rank, size = dist.get_rank(), dist.get_world_size()
    assert size == 3 and dist.is_initialized() and dist.get_backend() == "mpi" and dist.get_node_local_rank() == rank
    with pytest.raises(ValueError, match="twice"):
        dist.init_process_group()
    t = cells(rank)
    assert dist.all_reduce(t) is None and t.tolist() == [300, 303] and type(t) is torch.Tensor
    work = dist.all_reduce(t, op=dist.ReduceOp.AVG, async_op=True)
    assert work.wait() and work.is_completed() and work.is_success() and work.exception() is None and t.tolist() == [300, 303]
    dist.broadcast(t := cells(rank), src=2)
    assert t.tolist() == [200, 201]
    dist.reduce(t := cells(rank), 1, op=dist.ReduceOp.MAX)
    assert t.tolist() == ([200, 201] if rank == 1 else [100 * rank, 100 * rank + 1])
    every = [[100 * r, 100 * r + 1] for r in range(size)]
    found: Any = [torch.zeros(2) for _ in range(size)]
    dist.all_gather(found, cells(rank))
    assert [f.tolist() for f in found] == every
    work = dist.all_gather(found := [torch.zeros(2) for _ in range(size)], cells(rank), async_op=True)
    while not work.is_completed():
        time.sleep(1e-3)
    assert [f.tolist() for f in found] == every
    for shape in ((6,), (3, 2)):
        dist.all_gather_into_tensor(out := torch.zeros(*shape), cells(rank))
        assert out.reshape(3, 2).tolist() == every
    dist.reduce_scatter(out := torch.zeros(2), [cells(rank) + r for r in range(size)])
    assert out.tolist() == [300 + 3 * rank, 303 + 3 * rank]
    for parts in (cells(rank, 6), cells(rank, 6).reshape(3, 2)):
        dist.reduce_scatter_tensor(out := torch.zeros(2), parts)
        assert out.tolist() == [300 + 6 * rank, 303 + 6 * rank]
    dist.gather(cells(rank), found := [torch.zeros(2) for _ in range(size)] if rank == 2 else None, dst=2)
    assert rank != 2 or [f.tolist() for f in found] == every
    dist.scatter(out := torch.zeros(2), [cells(r + 5) for r in range(size)] if rank == 1 else None, src=1)
    assert out.tolist() == [100 * rank + 500, 100 * rank + 501]
    dist.all_to_all_single(out := torch.zeros(3), cells(rank, 3))
    assert out.tolist() == [100 * r + rank for r in range(size)]
    # parts of other sizes: member i gives j + 1 elements to member j
    dist.all_to_all_single(out := torch.zeros(3 * (rank + 1)), torch.full((6,), float(rank)), [rank + 1] * 3, [1, 2, 3])
    assert out.tolist() == [float(r) for r in range(size) for _ in range(rank + 1)]
    found = [torch.zeros(r + 1, rank + 1) for r in range(size)]
    dist.all_to_all(found, [torch.full((rank + 1, r + 1), float(10 * rank + r)) for r in range(size)])
    assert all((f == 10 * r + rank).all() for r, f in enumerate(found))
    # messages
    to, source = (rank + 1) % size, (rank - 1) % size
    work = dist.isend(cells(rank), to)
    assert dist.recv(out := torch.zeros(2), source) == source and out.tolist() == every[source] and work.wait()
    both = [dist.P2POp(dist.irecv, out := torch.zeros(2), source, tag=3), dist.P2POp(dist.isend, cells(rank), to, tag=3)]
    assert all(work.wait() for work in dist.batch_isend_irecv(both)) and out.tolist() == every[source]
    # objects
    objects: Any
    dist.broadcast_object_list(objects := [rank, {"rank": rank}], src=1)
    assert objects == [1, {"rank": 1}]
    dist.all_gather_object(objects := [None] * size, "x" * rank)
    assert objects == ["", "x", "xx"]
    dist.gather_object(rank, objects := [None] * size if rank == 0 else None)
    assert rank or objects == [0, 1, 2]
    dist.scatter_object_list(objects := [None], ["a", "b", "c"] if rank == 0 else None, src=0)
    assert objects == ["abc"[rank]]
    # a group of some: ranks are those of all
    pair = dist.new_group([2, 0])
    if rank == 1:
        assert pair is dist.GroupMember.NON_GROUP_MEMBER and dist.get_rank(pair) == dist.get_world_size(pair) == -1
        with pytest.warns(UserWarning, match="does not belong to the given group"):
            dist.all_reduce(torch.ones(1), group=pair)
    else:
        assert dist.get_process_group_ranks(pair) == [0, 2] and dist.get_rank(pair) == rank // 2 == dist.get_group_rank(pair, rank)
        assert dist.get_global_rank(pair, 1) == 2
        dist.broadcast(t := cells(rank), src=2, group=pair)
        assert t.tolist() == [200, 201]
        dist.broadcast(t := cells(rank), group_src=0, group=pair)
        assert t.tolist() == [0, 1]
        with pytest.raises(ValueError, match="Global rank 1 is not part of group"):
            dist.broadcast(t, src=1, group=pair)
        dist.destroy_process_group(pair)
    dist.barrier()
    dist.monitored_barrier(timeout=datetime.timedelta(seconds=30))
    dist.destroy_process_group()
    assert not dist.is_initialized() and dist.group.WORLD is None
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        dist.all_reduce(t)


@needs_mpirun
def test_exchanges_have_pytorchs_names_and_results():
    run(3, "on_collectives")


# ---- from device to device, by a stand-in for NCCL -------------------------------------------------------------------

FAKE_NCCL = os.environ.get("FAKE_NCCL", "")


def on_devices():
    with bp.distributed.join(timeout=30) as group:
        device = f"sim:{group.rank}"
        group.use_device(device)
        assert group.device_library == "NCCL 2.21.5"
        t = bp.ones(3, device=device)
        group.all_reduce(t)
        assert t.tolist() == [group.size] * 3
        with pytest.raises(bp.BadStateError, match="uses sim:"):
            group.use_device(f"sim:{(group.rank + 1) % 4}")
        size = group.size
    dist.init_process_group("nccl", device_id=torch.device(device))
    assert dist.get_backend() == "nccl"
    ours = torch.ones(2, device=device)
    dist.all_reduce(ours)
    assert ours.tolist() == [size] * 2
    all_of_them = dist.new_group()
    assert dist.get_backend(all_of_them) == "nccl"
    dist.broadcast(ours, src=0, group=all_of_them)
    dist.destroy_process_group()
    dist.init_process_group("nccl", device_id="sim")  # its number is the member's
    dist.destroy_process_group()
    with pytest.raises(bp.UnsupportedError, match=r"have the same device" if size > 1 else r"cpu"):
        dist.init_process_group("nccl", device_id="sim:0" if size > 1 else "cpu")
    assert not dist.is_initialized()


@needs_mpirun
@pytest.mark.skipif(not FAKE_NCCL, reason="FAKE_NCCL names no stand-in for NCCL")
@pytest.mark.parametrize("n", [1, 3])
def test_tensors_of_a_device_go_through_its_vendors_library(n, tmp_path):
    run(n, "on_devices", SIM_NCCL=FAKE_NCCL, FAKE_NCCL_FOLDER=str(tmp_path))


def test_what_does_not_connect_processes_says_so(monkeypatch):
    if not dist.is_nccl_available():
        with pytest.raises(ValueError, match=r"backend 'nccl' wants a device of cuda or hip for each process, and there is none"):
            dist.init_process_group("nccl")
    with pytest.raises(ValueError, match=r"backend 'gloo' connects no processes here"):
        dist.init_process_group("gloo")
    with pytest.raises(TypeError, match=r"datetime.timedelta"):
        dist.init_process_group("mpi", timeout=30)  # type: ignore[arg-type]
    assert not (dist.is_gloo_available() or dist.is_ucc_available() or dist.is_initialized())


@needs_mpi
def test_a_launcher_that_is_not_mpis_is_an_error_that_says_how_to_start(monkeypatch):
    for name, value in {"RANK": "1", "WORLD_SIZE": "4", "LOCAL_RANK": "1", "MASTER_ADDR": "localhost"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(RuntimeError, match=r"WORLD_SIZE is 4, and MPI says 1 .*start the program with `mpirun -n 4 python"):
        dist.init_process_group()
    assert not dist.is_initialized()
    monkeypatch.setenv("WORLD_SIZE", "1")
    monkeypatch.setenv("RANK", "0")
    with pytest.raises(RuntimeError, match=r"world_size is 2, and MPI says 1"):
        dist.init_process_group(world_size=2, rank=0)
    dist.init_process_group("MPI", world_size=1, rank=0)
    with pytest.raises(ValueError, match="BXOR"):
        dist.all_reduce(torch.ones(1), op=dist.ReduceOp.BXOR)
    with pytest.raises(TypeError, match=r"Expected parameter `tensor` of type torch.Tensor"):
        dist.all_reduce(3)
    with pytest.raises(ValueError, match=r"must be specified on destination rank"):
        dist.gather(torch.ones(1))
    with pytest.raises(ValueError, match=r"within the world_size"):
        dist.new_group([3])
    dist.all_reduce(t := torch.tensor([True, False]), op=dist.ReduceOp.BAND)
    assert t.tolist() == [True, False]
    dist.destroy_process_group()


# The names of PyTorch's torch.distributed (2.7) that programs of one process a device use.
PYTORCHS = """Backend GroupMember P2POp ProcessGroup ReduceOp Work all_gather all_gather_into_tensor all_gather_object all_reduce
all_to_all all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather gather_object
get_backend get_global_rank get_group_rank get_node_local_rank get_process_group_ranks get_rank get_world_size group
init_process_group irecv is_available is_gloo_available is_initialized is_mpi_available is_nccl_available is_torchelastic_launched
is_ucc_available isend monitored_barrier new_group recv reduce reduce_scatter reduce_scatter_tensor scatter scatter_object_list
send"""


def test_the_names_are_pytorchs():
    assert set(PYTORCHS.split()) == {name for name, value in vars(dist).items() if not name.startswith("_") and callable(value)}
    assert torch.distributed is dist and torch.nn.parallel.DistributedDataParallel is DistributedDataParallel
    assert torch.nn.parallel.distributed.DistributedDataParallel is DistributedDataParallel
    assert torch.utils.data.distributed.DistributedSampler is DistributedSampler


# ---- DistributedSampler ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "size", "drop_last", "parts"), [
    (6, 2, False, [[0, 2, 4], [1, 3, 5]]),
    (5, 2, False, [[0, 2, 4], [1, 3, 0]]),
    (5, 2, True, [[0, 2], [1, 3]]),
    (7, 3, False, [[0, 3, 6], [1, 4, 0], [2, 5, 1]]),
    (7, 3, True, [[0, 3], [1, 4], [2, 5]]),
    (2, 5, False, [[0], [1], [0], [1], [0]]),
    (2, 5, True, [[], [], [], [], []]),
])  # fmt: skip
def test_a_sampler_gives_each_member_its_part(n, size, drop_last, parts):
    for rank, part in enumerate(parts):
        sampler = DistributedSampler(range(n), size, rank, shuffle=False, drop_last=drop_last)
        assert list(sampler) == part and len(sampler) == len(part)


def pytorchs_randperm(seed, n):
    """The order of torch.randperm(n) with torch.manual_seed(seed): a Mersenne twister, and Fisher and Yates's way from the front."""
    state = [seed & 0xFFFFFFFF]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & 0xFFFFFFFF)
    import random

    twister = random.Random()
    twister.setstate((3, (*state, 624), None))
    order = list(range(n))
    for i in range(n - 1):
        j = i + twister.getrandbits(32) % (n - i)
        order[i], order[j] = order[j], order[i]
    return order


def test_a_sampler_shuffles_as_pytorchs():
    assert pytorchs_randperm(0, 10) == [4, 1, 7, 5, 3, 9, 0, 8, 6, 2]  # torch.manual_seed(0); torch.randperm(10)
    for seed, epoch, n in ((0, 0, 10), (0, 1, 10), (42, 3, 1001)):
        order = pytorchs_randperm(seed + epoch, n)
        for rank in range(3):
            sampler = DistributedSampler(range(n), 3, rank, seed=seed)
            sampler.set_epoch(epoch)
            padded = order + order[: -n % 3]
            assert list(sampler) == padded[rank::3]


def test_a_sampler_refuses_ranks_that_are_not_there():
    for rank in (-1, 2):
        with pytest.raises(ValueError, match=r"Invalid rank .*interval \[0, 1\]"):
            DistributedSampler(range(4), 2, rank)
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        DistributedSampler(range(4))


class Squares(torch.utils.data.Dataset):
    def __getitem__(self, i):
        return i * i

    def __len__(self):
        return 5


def test_a_loader_takes_a_sampler_and_asks_it_in_each_epoch():
    for dataset in (TensorDataset(torch.arange(5) ** 2), Squares()):
        sampler = DistributedSampler(dataset, 2, 1, seed=3)
        loader = DataLoader(dataset, batch_size=2, sampler=sampler)
        assert len(loader) == 2
        for epoch in range(3):
            sampler.set_epoch(epoch)
            batches = [b[0] if isinstance(b, list) else b for b in loader]
            assert [x for b in batches for x in b.tolist()] == [i * i for i in sampler]
            assert [len(b.tolist()) for b in batches] == [2, 1]


def test_loaders_make_the_parts_of_each_batch():
    whole = [b.tolist() for (b,) in DataLoader(TensorDataset(torch.arange(10)), batch_size=4, shuffle=True, seed=5)]
    parts = [[b.tolist() for (b,) in DataLoader(TensorDataset(torch.arange(10)), batch_size=4, shuffle=True, seed=5, part=(rank, 2))]
             for rank in range(2)]  # fmt: skip
    assert [a + b for a, b in zip(*parts, strict=True)] == whole


# ---- DistributedDataParallel -----------------------------------------------------------------------------------------


def small_net(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))


def data_of(n):
    torch.manual_seed(99)
    return torch.randn(n, 4), torch.randn(n, 1)


def close(a, b):
    return all(torch.allclose(x, y, rtol=1e-5, atol=1e-6) for x, y in zip(a, b, strict=True))


def trained(net, x, y, steps=4):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    return [p.detach() for p in net.parameters()]


def on_training():
    dist.init_process_group("mpi", timeout=datetime.timedelta(seconds=60))
    rank, size = dist.get_rank(), dist.get_world_size()
    x, y = data_of(12)
    mine = slice(rank * 12 // size, (rank + 1) * 12 // size)
    alone = trained(small_net(0), x, y)
    for cap in (25, 1e-4):  # one bucket, and nearly as many as there are parameters
        net = DistributedDataParallel(small_net(rank), bucket_cap_mb=cap)  # rank 0's values
        assert close(trained(net, x[mine], y[mine]), alone)
    assert next(iter(net.state_dict())) == "module.0.weight" and net.module[0].weight is next(net.parameters())
    # gradients that add up, within no_sync and then not
    net, single = DistributedDataParallel(small_net(0)), small_net(0)
    nn.functional.mse_loss(single(x), y).backward()
    nn.functional.mse_loss(single(x), 2 * y).backward()
    with net.no_sync():
        nn.functional.mse_loss(net(x[mine]), y[mine]).backward()
    own = [p.grad.clone() for p in net.parameters()]
    assert size == 1 or not close([own[0]], [next(single.parameters()).grad])
    nn.functional.mse_loss(net(x[mine]), 2 * y[mine]).backward()
    assert close([p.grad for p in net.parameters()], [p.grad for p in single.parameters()])
    same = [None] * size
    dist.all_gather_object(same, [p.grad.tolist() for p in net.parameters()])
    assert same[0] == same[-1]
    # an evaluation exchanges nothing and leaves nothing behind
    with torch.no_grad():
        net(x[mine])
    net(x[mine])
    nn.functional.mse_loss(net(x[mine]), y[mine]).backward()
    # a batch norm's statistics are rank 0's
    normed = DistributedDataParallel(nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)))
    for _ in range(2):
        normed(x[mine]).sum().backward()
    normed.eval()(x[mine])
    dist.all_gather_object(same, normed.module[1].running_mean.tolist())
    assert same[0] == same[-1]
    dist.destroy_process_group()


@needs_mpirun
@pytest.mark.parametrize("n", [2, 3])
def test_several_processes_train_as_one_with_the_whole_batch(n):
    run(n, "on_training")


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(4, 1), nn.Linear(4, 1), nn.Linear(4, 1)

    def forward(self, x, which):
        return {"out": (self.a if "a" in which else 0 * x[:, :1] + 0 if not which else self.b)(x), "extra": None}


def on_unused_parameters():
    dist.init_process_group("mpi", timeout=datetime.timedelta(seconds=60))
    rank = dist.get_rank()
    torch.manual_seed(0)
    x, _ = data_of(6)
    # rank 0 goes through a, rank 1 through b, nobody through c
    net = DistributedDataParallel(Branches(), find_unused_parameters=True)
    for step in range(2):
        net.zero_grad()
        net(x, "a" if rank == 0 else "b")["out"].sum().backward()
        half = x.sum(0) / 2
        assert close([net.module.a.weight.grad[0], net.module.b.weight.grad[0]], [half, half]), step
        assert net.module.c.weight.grad is None
    # without it, it is an error in the next forward
    net = DistributedDataParallel(Branches())
    net(x, "a")["out"].sum().backward()
    with pytest.raises(RuntimeError, match=r"finished reduction in the prior iteration.*find_unused_parameters=True.*c.weight"):
        net(x, "a")
    # models that are not alike
    other = nn.Linear(4, 1 + rank)
    with pytest.raises(RuntimeError, match=r"DDP expects same model across all ranks: params\[weight\] of rank 1 with sizes \(2, 4\)"):
        DistributedDataParallel(other)
    with pytest.raises(RuntimeError, match=r"Rank 0 has 2 params, while rank 1 has inconsistent 1 params"):
        DistributedDataParallel(nn.Linear(4, 1, bias=rank == 0))
    with pytest.raises(RuntimeError, match="doesn't have any parameters that require a gradient"):
        DistributedDataParallel(nn.ReLU())
    dist.destroy_process_group()


@needs_mpirun
def test_parameters_that_are_not_used_and_models_that_differ():
    run(2, "on_unused_parameters")


def on_a_loss_in_backward():
    dist.init_process_group("mpi", timeout=datetime.timedelta(seconds=60))
    net = DistributedDataParallel(small_net(0))
    x, y = data_of(4)
    loss = nn.functional.mse_loss(net(x), y)
    dist.barrier()
    if dist.get_rank() == 1:
        os._exit(0)
    with pytest.raises(bp.UnavailableError, match=r"rank 1 is gone"):
        loss.backward()
    before = [p.detach().clone() for p in net.parameters()]
    nn.functional.mse_loss(net.module.eval()(x), y)  # it goes on alone
    assert close(before, list(net.module.parameters()))
    print("passed", flush=True)
    os._exit(0)


@needs_mpirun
def test_a_member_that_is_lost_in_backward_is_backwards_error():
    out = start(2, "on_a_loss_in_backward")
    assert out.stdout.count("passed") == 1, out.stdout + out.stderr


@needs_mpi
@pytest.mark.parametrize("finds_unused", [False, True])
def test_a_wrapper_takes_a_model_on_any_device_and_of_several_dtypes(device, finds_unused):
    dist.init_process_group()
    net = small_net(0).to(device)
    net.append(nn.Linear(1, 1).to(device).double())
    net[4].register_forward_hook(lambda m, args, result: result.double())
    wrapped = DistributedDataParallel(net, find_unused_parameters=finds_unused, bucket_cap_mb=1e-4)
    x = data_of(4)[0].to(device)
    for _ in range(2):
        wrapped(x).sum().backward()
    grads = [p.grad.clone() for p in net.parameters()]
    net.zero_grad()
    del wrapped
    for _ in range(2):
        net(x).sum().backward()
    assert close(grads, [p.grad for p in net.parameters()])
    dist.destroy_process_group()


@needs_mpi
def test_a_model_outlives_its_wrapper():
    dist.init_process_group()
    net = small_net(0)
    DistributedDataParallel(net)(data_of(4)[0]).sum().backward()
    net(data_of(4)[0]).sum().backward()
    dist.destroy_process_group()
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        DistributedDataParallel(net)


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]]()
        print("passed", flush=True)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)  # the others hear of it
