# SPDX-License-Identifier: Apache-2.0
"""What only a real card shows: its memory in PyTorch's and CuPy's hands and back, streams of theirs, what a card says when it is full."""

import gc
import threading

import backplane as bp
import numpy as np
import pytest

pytestmark = pytest.mark.skipif(
    not bp.cuda.is_available() or bp.cuda.get_device_properties(0).simulated, reason="there is no CUDA device"
)


def test_pytorch_and_this_library_share_a_cards_memory():
    torch = pytest.importorskip("torch")
    x = bp.zeros(3, device="cuda")
    y = torch.from_dlpack(x)
    assert y.is_cuda and y.data_ptr() == x.data_ptr()
    y[0] = 1
    torch.cuda.synchronize()
    assert x[0].item() == 1
    z = bp.from_dlpack(y)
    assert z.data_ptr() == x.data_ptr() and str(z.device) == "cuda:0"
    z[1] = 2
    bp.synchronize(bp.device("cuda"))
    assert y.tolist() == [1, 2, 0]
    for dtype in (torch.bfloat16, torch.float16, torch.int64, torch.bool, torch.complex64, torch.float64):
        given = torch.tensor([0, 1, 1, 0], device="cuda").to(dtype)
        taken = bp.from_dlpack(given)
        assert taken.dtype.name == str(given.dtype).removeprefix("torch.") and taken.data_ptr() == given.data_ptr()
        assert torch.equal(torch.from_dlpack(taken), given)
    t = torch.arange(12.0, device="cuda").reshape(3, 4).T
    assert np.array_equal((bp.from_dlpack(t) * 2).cpu().numpy(), (t * 2).cpu().numpy())


def test_work_of_another_stream_of_pytorch_is_waited_for():
    torch = pytest.importorskip("torch")
    side = torch.cuda.Stream()
    big = torch.ones(4096, 4096, device="cuda")
    torch.cuda.synchronize()
    for turn in range(20):
        with torch.cuda.stream(side):
            product = big
            for _ in range(5):
                product = product @ big / 4096
            product += turn
            seen = bp.from_dlpack(product)
            total = bp.sum(seen)
        assert total.item() == pytest.approx(4096 * 4096 * (1 + turn), rel=1e-3), turn
    for turn in range(20):
        x = bp.full((2048, 2048), 1.0, device="cuda")
        for _ in range(5):
            x = x @ x / 2048
        x += turn
        with torch.cuda.stream(side):
            total = torch.from_dlpack(x).sum()
        assert total.item() == pytest.approx(2048 * 2048 * (1 + turn), rel=1e-3), turn


def test_cupy_reads_the_array_interface_and_dlpack():
    cupy = pytest.importorskip("cupy")
    x = bp.arange(12, dtype=bp.float32, device="cuda").reshape(3, 4)
    y = cupy.asarray(x.T)
    assert y.data.ptr == x.data_ptr() and y.strides == (4, 16)
    y *= 2
    cupy.cuda.Device().synchronize()
    assert x.sum().item() == 132
    z = bp.from_dlpack(cupy.arange(5))
    assert str(z.device) == "cuda:0" and z.tolist() == [0, 1, 2, 3, 4]
    assert cupy.from_dlpack(x).sum().item() == 132


def test_a_full_card_says_what_was_asked_and_goes_on():
    info = bp.cuda.mem_get_info(0)
    with pytest.raises(MemoryError, match="cuda") as e:
        bp.empty(info[1] * 4, dtype=bp.uint8, device="cuda")
    assert str(info[1] * 4) in str(e.value) or "GiB" in str(e.value), str(e.value)
    x = bp.ones(1000, device="cuda")
    assert x.sum().item() == 1000
    held = []
    with pytest.raises(MemoryError):
        while True:
            held.append(bp.empty(info[1] // 16, dtype=bp.uint8, device="cuda"))
            assert len(held) < 32
    assert len(held) >= 10
    del held
    gc.collect()
    bp.cuda.empty_cache()
    assert bp.cuda.mem_get_info(0)[0] > info[0] * 0.9
    assert (x + 1).sum().item() == 2000


def test_an_index_that_is_not_there_reads_zeros_and_the_card_goes_on():
    x = bp.arange(1, 11, device="cuda")
    for wrong in (10, -11, 1 << 40):
        assert x[bp.asarray([0, wrong, -1], device="cuda")].tolist() == [1, 0, 10]
    assert x.sum().item() == 55


def test_threads_with_streams_of_their_own_compute_what_one_computes():
    x = bp.asarray(np.random.default_rng(1).standard_normal((256, 256)).astype(np.float32), device="cuda")
    wanted = (x @ x).sum(0).cpu().numpy()
    results: list[np.ndarray] = []

    def work():
        stream = bp.cuda.Stream()
        with bp.cuda.stream(stream):
            stream.wait_stream(bp.cuda.default_stream(0))
            results.extend((x @ x).sum(0).cpu().numpy() for _ in range(200))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 * 200 and all(np.array_equal(result, wanted) for result in results)


def test_pinned_copies_run_beside_work():
    pinned = bp.empty_pinned((1 << 22,), device="cuda")
    pinned[:] = 3
    x = pinned.to("cuda", non_blocking=True)
    y = x * 2
    back = y.to("cpu", non_blocking=True)
    bp.cuda.synchronize()
    assert back.sum().item() == 6 << 22


def test_a_network_learns_the_same_on_the_card():
    from backplane import torch
    from backplane.torch import nn

    losses = {}
    for kind in ("cpu", "cuda"):
        torch.manual_seed(4)
        net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(72, 10))
        x, t = torch.randn(64, 1, 8, 8), torch.randint(0, 10, (64,))
        net, x, t = net.to(kind), x.to(kind), t.to(kind)
        optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
        seen = []
        for _ in range(20):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x), t)
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
        losses[kind] = seen
    assert losses["cuda"][-1] < losses["cuda"][0] * 0.9
    assert np.allclose(losses["cpu"], losses["cuda"], rtol=1e-3), losses
