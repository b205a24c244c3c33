# SPDX-License-Identifier: Apache-2.0
"""Objects and memory: threads that free what others made, garbage collection under way, fork, sub-interpreters, exit."""

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest


def live(device):
    gc.collect()
    bp.synchronize(device)
    return bp._core.memory_stats(device)["n_live"]


def run(code):
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert out.returncode == 0, out.stderr
    return out.stdout.split()


def in_threads(n, f):
    failed = []

    def guarded(i):
        try:
            f(i)
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed, failed


def test_objects_that_are_kept_for_the_next_are_as_new():
    class Mine(bp.Tensor):  # has fields
        pass

    def cycle():
        made = [bp.ones(2) + i for i in range(100)] + [torch.ones(2) + i for i in range(100)]
        died = [weakref.ref(x) for x in made]
        assert {type(x) for x in made} == {bp.Tensor, torch.Tensor} and [x[0].item() for x in made[:100]] == list(range(1, 101))
        del made
        assert not any(ref() is not None for ref in died)

    cycle()
    gc.collect()  # what earlier tests left holds tensors
    classes = [bp.Tensor, torch.Tensor]
    before = [sys.getrefcount(c) for c in classes]
    for _ in range(5):
        cycle()
        gc.collect()
    assert [sys.getrefcount(c) for c in classes] == before
    own = bp._core.as_class(bp.ones(2), Mine)
    own.field = own  # the collector ends it
    gone = weakref.ref(own)
    assert type(own + own) is Mine
    del own
    gc.collect()
    assert gone() is None and type(bp.ones(1) + 1) is bp.Tensor


def test_other_threads_free_what_one_made(device):
    before = live(device)
    made = [bp.ones((100,), device=device) + i for i in range(400)]
    views = [x[10:20] for x in made]
    lock = threading.Lock()

    def drop(i):
        while True:
            with lock:
                if not made:
                    return
                x, v = made.pop(), views.pop()
            assert (v.sum() == 10 * (x[0] + 0)).item()
            del x, v

    in_threads(4, drop)
    assert live(device) == before


def test_collections_under_way_do_no_harm(device):
    class Node:
        me: Any
        x: Any
        view: Any

    def storm(i):
        for k in range(60):
            node = Node()
            node.me, node.x = node, bp.ones((50,), device=device) * k
            node.view = node.x[5:]
            if k % 10 == i:
                gc.collect()

    before = live(device)
    in_threads(4, storm)
    assert live(device) == before


class Holder(bp.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", bp.arange(1000, dtype=bp.float32))


def overwrite_what_is_free():
    return [bp.full((1000,), 7.0) for _ in range(8)]


def test_a_buffer_of_a_tensor_stays_what_it_was_when_the_tensor_gets_other_memory():
    net = Holder()
    view, array = memoryview(net.kept), np.asarray(net.kept)
    net.double()
    others = overwrite_what_is_free()
    assert view[999] == 999 and array[:3].tolist() == [0, 1, 2]
    array[0] = 5
    assert view[0] == 5 and all(t[0] == 7 for t in others)


def test_a_buffer_stays_what_it_was_when_the_tensor_gets_other_data():
    t = torch.arange(1000.0)
    view = memoryview(t)
    t.data = torch.zeros(3)
    others = overwrite_what_is_free()
    assert view[999] == 999 and all(o[0] == 7 for o in others)


def test_a_dataset_stays_what_it_was_when_its_tensor_moves(device):
    net = Holder()
    rows = bp.data.DataLoader(bp.data.TensorDataset(net.kept), batch_size=500)
    net.to(device)
    others = overwrite_what_is_free()
    assert [int(batch[0][1]) for batch in rows] == [1, 501]
    assert len(others) == 8


def test_references_do_not_pile_up(device):
    x, y = bp.ones((3,), device=device), bp.asarray([0, 2], device=device)

    class Picky:
        def __index__(self):
            raise ValueError("no")

    def all_kinds():
        x + 1, 1 - x, x == x, x[1:], x.tolist(), x.shape, x.device, x.dtype, repr(x), x.sum(axis=0), bp.concat([x, x])
        bp.ops.sort(x), memoryview(x.cpu()), x.__dlpack__(dl_device=x.__dlpack_device__())
        text: Any = "a"
        for wrong in (lambda: x + text, lambda: x[Picky()], lambda: bp.ones((2,)) @ bp.ones((3,)), lambda: bp.sum(x, axis=9)):
            with pytest.raises(Exception):
                wrong()

    for _ in range(3):
        all_kinds()
    gc.collect()
    things = [x, y, x.device, bp.float32, bp.ops.add, type(x), "axis", (), 1]
    counts = [sys.getrefcount(t) for t in things]
    blocks = sys.getallocatedblocks()
    for _ in range(200):
        all_kinds()
    gc.collect()
    assert all(abs(sys.getrefcount(t) - n) < 100 for t, n in zip(things, counts, strict=True))
    assert sys.getallocatedblocks() - blocks < 150


def hook_of_a_leaf(device):
    x = bp.ones((3,), device=device).requires_grad_()
    x.register_hook(lambda grad: grad * x.size)
    x.register_post_accumulate_grad_hook(lambda leaf: x)
    return x


def hook_of_a_result(device):
    y = bp.ones((3,), device=device).requires_grad_() * 2
    y.register_hook(lambda grad: grad * y.size)
    y.sum().backward()
    return y


def bound_method_as_hook(device):
    x = bp.ones((3,), device=device).requires_grad_()
    x.register_hook(x.mul)
    return x


class Remembers(bp.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.result = x * 2
        return ctx.result

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def context_that_keeps_its_output(device):
    return Remembers.apply(bp.ones((3,), device=device).requires_grad_())


class Knows(bp.data.Dataset):
    epoch: Any

    def __init__(self, device):
        self.x = bp.ones((4, 3), device=device)
        self.loader = bp.data.DataLoader(self, batch_size=2)

    def __getitem__(self, i):
        return self.x[i].cpu()

    def __len__(self):
        return 4


def dataset_that_knows_its_loader(device):
    known = Knows(device)
    assert len(list(known.loader)) == 2
    return known


def dataset_whose_epoch_is_not_over(device):
    known = Knows(device)
    known.loader = bp.data.DataLoader(known, batch_size=2, num_workers=1)
    known.epoch = iter(known.loader)
    next(known.epoch)
    return known


def gradient_with_its_graph(device):
    x = bp.ones((3,), device=device).requires_grad_()
    (x * x * x).sum().backward(create_graph=True)
    return x


def gradient_with_its_graph_that_is_set(device):
    x = bp.ones((3,), device=device).requires_grad_()
    x.grad = x * 2
    return x


def kept_gradient_with_its_graph(device):
    y = bp.ones((3,), device=device).requires_grad_() * 2
    y.retain_grad()
    (y * y * y).sum().backward(create_graph=True)
    return y


@pytest.mark.parametrize("make", [
    hook_of_a_leaf, hook_of_a_result, bound_method_as_hook, context_that_keeps_its_output, dataset_that_knows_its_loader,
    dataset_whose_epoch_is_not_over, gradient_with_its_graph, gradient_with_its_graph_that_is_set,
    kept_gradient_with_its_graph])  # fmt: skip
def test_cycles_through_the_library_are_collected(make, device):
    before = live(device)
    died = [weakref.ref(make(device)) for _ in range(100)]
    for _ in range(600):  # a loader's thread finishes the batch that it has begun
        if live(device) == before:
            break
        time.sleep(0.1)
    assert live(device) == before
    assert not any(ref() is not None for ref in died)


def test_what_a_cycle_holds_stays_while_one_part_of_it_is_held(device):
    held = hook_of_a_leaf(device)
    remembered = context_that_keeps_its_output(device)
    leaf = gradient_with_its_graph(device)
    root = bp.ones((3,), device=device).requires_grad_()
    loss = (root * root).sum()
    loss.backward(create_graph=True)
    of_root = root.grad
    del root
    gc.collect()
    (held * 2).sum().backward()
    assert held.grad.tolist() == [6, 6, 6]
    remembered.sum().backward()
    assert bp.autograd.grad(leaf.grad.sum(), leaf)[0].tolist() == [6, 6, 6]
    assert of_root.grad_fn is not None
    loss.backward()


def test_a_collection_within_backward_and_beside_it_takes_nothing(device):
    def train(_):
        for _ in range(20):
            x = bp.ones((50,), device=device).requires_grad_()
            y = x * 2
            y.register_hook(lambda grad, y=y: (gc.collect(), grad * y.size)[1])
            y.sum().backward()
            assert x.grad[0].item() == 100

    before = live(device)
    in_threads(3, train)
    assert live(device) == before


def test_a_child_works_after_import_and_after_work():
    for prepare in ("", "x = bp.ones((500, 500)); x @ x; bp.exp(bp.ones(10**6)).sum().item()"):
        said = run(f"""
import os, sys, backplane as bp
{prepare}
sys.stdout.flush()
child = os.fork()
if not child:
    y = bp.ones((400, 400)) @ bp.ones((400, 400))
    print(int(y[0, 0].item()), int((bp.ones(10**6) * 2).sum().item()))
    sys.stdout.flush()
    os._exit(0)
_, status = os.waitpid(child, 0)
print(status, int((bp.ones(10**6) * 3).sum().item()))
""")
        assert said == ["400", "2000000", "0", "3000000"]


def test_a_child_is_told_that_its_accelerators_are_lost():
    said = run("""
import os, sys, backplane as bp
x = bp.ones(3, device="sim:0") + 1
x.tolist()
child = os.fork()
if not child:
    try:
        x + 1
        print("no error")
    except bp.Error as e:
        print(type(e).__name__)
    del x
    print(int(bp.ones(4).sum().item()))
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
print((x + 1).tolist()[0])
""")
    assert said == ["BadStateError", "4", "3.0"]


def test_processes_of_multiprocessing_get_tensors_by_pickle():
    assert run("""
import multiprocessing, backplane as bp
def double(x): return x * 2
if __name__ == "__main__":
    x = bp.arange(4.0) + 1
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print([y.sum().item() for y in pool.map(double, [x, x + 1])])
""") == ["[20.0,", "28.0]"]


def test_sub_interpreters_are_refused_politely():
    module = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    said = run(f"""
import sys, {module} as interpreters
code = "import sys; sys.path[:] = %r\\ntry: import backplane\\nexcept ImportError as e: print('refused')" % sys.path
first = interpreters.create()
run = getattr(interpreters, "run_string")
run(first, code)
import backplane as bp
x = bp.ones(2)
run(first, code)
interpreters.destroy(first)
print((x + 1).sum().item())
""")
    assert said == ["refused", "refused", "4.0"]


def test_the_process_ends_in_peace_with_things_alive():
    assert run("""
import threading, time, backplane as bp, numpy as np
held = [bp.ones(1000, device=d) * 2 for d in ("cpu", "sim:0", "sim:1")]
array = held[0].numpy()
capsule = held[1].__dlpack__(dl_device=(12, 0))
borrowed = bp.asarray(np.ones(10))
stream = bp.sim.Stream("sim:0")
def forever():
    x = bp.ones(100000)
    while True: x = x * 1.0
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.2)
print("end")
""") == ["end"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_numpys_views_outlive_the_tensor(device):
    if device != "cpu":
        pytest.skip("only host memory is shared with NumPy")
    before = live(device)
    views = [(bp.ones((64,)) * i).numpy() for i in range(20)]
    assert live(device) > before

    def drop(i):
        for k in range(i, 20, 4):
            assert views[k][3] == k
            views[k] = None

    in_threads(4, drop)
    assert live(device) == before
