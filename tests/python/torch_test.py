# SPDX-License-Identifier: Apache-2.0
"""backplane.torch: PyTorch's names over the same tensors; programs print what they print with PyTorch: tutorials/*.txt, of
which tensors, regression and layers were printed by PyTorch 2.15 on the CPU."""

import os
import pathlib
import subprocess
import sys

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest

TUTORIALS = pathlib.Path(__file__).parent / "tutorials"


def run(name, **environment):
    """What the tutorial prints with backplane.torch in torch's place."""
    page = (TUTORIALS / f"{name}.py").read_text()
    script = page.replace("import torch\n", "import backplane.torch as torch\n", 1).replace("from torch", "from backplane.torch")
    assert script != page
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                         env={**os.environ, "BACKPLANE_ALIAS": "cuda=sim", **environment})
    assert out.stderr == ""
    return out.stdout


@pytest.mark.parametrize("name, environment", [("devices", {"CUDA_VISIBLE_DEVICES": "0,1"}), ("default_types", {}), ("tensors", {}),
                                               ("regression", {}), ("layers", {}), ("modules", {"CUDA_VISIBLE_DEVICES": "0,1"})])
def test_a_tutorial_prints_what_it_prints_with_pytorch(name, environment):
    assert run(name, **environment) == (TUTORIALS / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", ["tensors", "regression"])
def test_on_a_card_a_tutorial_prints_the_same_beside_the_device(name):
    def without_breaks(text):  # a line may break elsewhere for the device's sake
        return "".join(text.split()).replace(",device='cuda:0'", "").replace("cuda:0", "cpu").replace("torch.cuda.", "torch.")

    printed = run(name, DEVICE="cuda")
    assert printed.count("device='cuda:0'") > 0
    assert without_breaks(printed) == without_breaks((TUTORIALS / f"{name}.txt").read_text())


def test_functions_and_methods_take_dim_and_keepdim():
    x = torch.arange(6.0).reshape(2, 3)
    assert torch.sum(x, dim=1).tolist() == x.sum(1).tolist() == [3, 12]
    assert torch.mean(x, dim=0, keepdim=True).tolist() == [[1.5, 2.5, 3.5]]
    assert torch.max(x, 1).indices.tolist() == [2, 2] and x.min(dim=0)[0].tolist() == [0, 1, 2]
    assert torch.max(x, torch.full_like(x, 3)).tolist() == [[3, 3, 3], [3, 4, 5]]
    assert torch.sort(x, dim=1, descending=True).values.tolist() == [[2, 1, 0], [5, 4, 3]]
    assert torch.topk(x, 2).values.tolist() == [[2, 1], [5, 4]] and torch.argmax(x).item() == 5
    assert x.var().item() == pytest.approx(3.5) and torch.std(x, unbiased=False).item() == pytest.approx(35**0.5 / 12**0.5)
    assert torch.cat([x, x], dim=1).shape == (2, 6) and torch.stack((x, x)).shape == (2, 2, 3)
    assert torch.softmax(x, dim=1).sum().item() == pytest.approx(2) and torch.clamp(x, 1, 4).max().item() == 4
    assert torch.gather(x, 1, torch.tensor([[0], [2]])).tolist() == [[0], [5]]
    assert torch.index_select(x, 0, torch.tensor([1])).tolist() == [[3, 4, 5]]
    assert torch.where(x > 2, x, 0).tolist() == [[0, 0, 0], [3, 4, 5]] and torch.norm(x).item() == pytest.approx(55**0.5)
    assert torch.allclose(x, x + 1e-9) and torch.equal(x, x.clone()) and not torch.equal(x, x + 1)
    assert torch.mm(x, x.T).tolist() == [[5, 14], [14, 50]] and x.flip(1).is_contiguous()


def test_factories_give_its_tensors_and_results_stay_them():
    made = [torch.zeros(2, 3), torch.ones((2, 3)), torch.rand(2, 3), torch.randn(2, 3), torch.randint(5, (2, 3)),
            torch.full((2, 3), 1.0), torch.tensor([[1, 2, 3]] * 2), torch.from_numpy(np.ones((2, 3))), torch.empty(2, 3),
            torch.Tensor(2, 3), torch.FloatTensor(2, 3), torch.eye(3)[:2], torch.zeros_like(torch.ones(2, 3))]
    for x in made:
        assert type(x) is torch.Tensor and type(x + 1) is torch.Tensor and repr(x.shape) == "torch.Size([2, 3])"
        assert x.size() == (2, 3) and x.size(-1) == 3 and isinstance(x, bp.Tensor)
    assert torch.LongTensor([1, 2]).dtype is torch.int64 and torch.Tensor([1, 2]).tolist() == [1, 2]
    assert torch.ones(1).type() == "torch.FloatTensor" and torch.ones(1).type(torch.long).dtype is torch.int64


def test_tensors_of_both_namespaces_share_memory_and_mix():
    x = bp.zeros(3)
    y = torch.as_tensor(x)
    y[0] = 1
    assert x[0].item() == 1 and type(x + y) is torch.Tensor and (x + y).tolist() == [2, 0, 0]


def test_default_tensor_types_choose_dtype_and_device():
    code = """
import os; os.environ["BACKPLANE_ALIAS"] = "cuda=sim"
import backplane.torch as torch
torch.set_default_tensor_type('torch.cuda.DoubleTensor')
x = torch.ones(2); assert str(x.device) == "cuda:0" and x.dtype is torch.float64 and x.type() == "torch.cuda.DoubleTensor"
torch.set_default_tensor_type(torch.FloatTensor)
assert str(torch.ones(2).device) == "cpu" and torch.ones(2).dtype is torch.float32
assert torch.cuda.FloatTensor([1]).is_cuda
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (out.returncode, out.stderr) == (0, "")
    with pytest.raises(TypeError, match="only floating-point types are supported as the default type"):
        torch.set_default_tensor_type("torch.LongTensor")
    with pytest.raises(RuntimeError):
        torch.set_default_tensor_type("torch.cuda.FloatTensor")


def test_functions_take_their_arguments_in_pytorchs_order():
    x = torch.arange(6.0).reshape(2, 3)
    w, b = torch.tensor([1.0, 2, 3]), torch.tensor([0.5, 0, -0.5])
    normal = (x.numpy() - x.numpy().mean(1, keepdims=True)) / np.sqrt(x.numpy().var(1, keepdims=True) + 1e-5)
    assert np.allclose(torch.layer_norm(x, (3,), w, b, 1e-5).numpy(), normal * w.numpy() + b.numpy(), atol=1e-5)
    assert np.allclose(torch.layer_norm(x, [3]).numpy(), normal, atol=1e-5)
    assert np.allclose(torch.group_norm(x, 1, w, b).numpy(), normal * w.numpy() + b.numpy(), atol=1e-5)
    assert np.allclose(torch.rms_norm(x, (3,), w, 0.0).numpy(), x.numpy() * w.numpy() / np.sqrt((x.numpy() ** 2).mean(1, keepdims=True)))
    zeros, ones = torch.zeros(3), torch.ones(3)
    assert torch.batch_norm(x, w, b, zeros, ones, False, 0.1, 0.0).tolist() == [[0.5, 2, 5.5], [3.5, 8, 14.5]]
    assert torch.embedding(x, torch.tensor([1, 0])).tolist() == [[3, 4, 5], [0, 1, 2]]
    assert torch.dropout(x, 0.5, False) is x and torch.dropout(torch.ones(1000), 0.5, True).count_nonzero().item() < 700
    at = torch.tensor([[2, 0]])
    assert torch.scatter(x, 1, at, torch.tensor([[8.0, 9.0]])).tolist() == [[9, 1, 8], [3, 4, 5]]
    assert torch.scatter(x, 1, at, 7).tolist() == x.scatter(1, at, value=7).tolist() == [[7, 1, 7], [3, 4, 5]]
    assert torch.scatter_add(x, 1, at, torch.ones(1, 2)).tolist() == [[1, 1, 3], [3, 4, 5]]
    one = torch.tensor([1])
    assert torch.index_add(x, 0, one, torch.ones(1, 3), alpha=2).tolist() == [[0, 1, 2], [5, 6, 7]]
    assert torch.index_copy(x, 0, one, torch.ones(1, 3)).tolist() == [[0, 1, 2], [1, 1, 1]]
    kept = y = x.clone()
    y.scatter_(1, at, 7).index_add_(0, one, torch.ones(1, 3)).index_copy_(1, one, torch.zeros(2, 1)).scatter_add_(1, at, torch.ones(1, 2))
    assert y is kept and y.tolist() == [[8, 0, 8], [4, 0, 6]]
    assert torch.roll(x, 1, 0).tolist() == x.roll(shifts=1, dims=0).tolist() == [[3, 4, 5], [0, 1, 2]]
    assert torch.roll(x, (1, -1), dims=(0, 1)).tolist() == [[4, 5, 3], [1, 2, 0]] and torch.roll(x, 2).tolist() == [[4, 5, 0], [1, 2, 3]]
    with pytest.raises(RuntimeError, match=r"shifts and dimensions must align\. shifts: 1, dims:2"):
        torch.roll(x, 1, (0, 1))
    assert torch.repeat_interleave(x, 2, dim=1).shape == (2, 6) and x[0].repeat_interleave(torch.tensor([0, 2, 1])).tolist() == [1, 1, 2]
    assert torch.take_along_dim(x, at, 1).tolist() == [[2, 0], [5, 3]] and torch.take_along_dim(x, at).tolist() == [2, 0]
    assert torch.tensordot(x, x, dims=([1], [1])).tolist() == [[5, 14], [14, 50]] and torch.trace(x[:, :2]).item() == 4
    assert torch.cross(w, b, dim=0).tolist() == torch.cross(w, b).tolist() == [-1, 2, -1]


def test_places_in_sorted_sequences():
    rows = torch.tensor([[1, 3, 5], [2, 4, 6]])
    assert torch.searchsorted(rows, torch.tensor([[3, 6], [3, 6]])).tolist() == [[1, 3], [1, 2]]
    assert torch.searchsorted(rows[0], 3, right=True).item() == torch.searchsorted(rows[0], 3, side="right").item() == 2
    assert torch.searchsorted(rows[0], torch.tensor([3.5]), out_int32=True).dtype is torch.int32
    assert torch.searchsorted(torch.tensor([5, 1, 3]), 2, sorter=torch.tensor([1, 2, 0])).item() == 1
    with pytest.raises(RuntimeError, match="first N-1 dimensions"):
        torch.searchsorted(rows, torch.tensor([1, 2]))


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_the_largest_and_least_so_far(device):
    x = torch.tensor([[1.0, 3, 3, float("nan"), 2], [5, -1, 5, 7, 0]], device=device)
    top, at = torch.cummax(x, 1)
    assert np.array_equal(top.cpu().numpy(), np.maximum.accumulate(x.cpu().numpy(), 1), equal_nan=True)
    assert at.tolist() == [[0, 1, 2, 3, 3], [0, 0, 2, 3, 3]]
    least = x[:, :3].cummin(dim=0)
    assert least.values.tolist() == [[1, 3, 3], [1, -1, 3]] and least.indices.tolist() == [[0, 0, 0], [0, 1, 0]]
    assert repr(torch.cummax(torch.tensor([2, 1]), 0)) == "torch.return_types.cummax(\nvalues=tensor([2, 2]),\nindices=tensor([0, 0]))"
    assert torch.cummin(torch.tensor(3.0), 0).indices.item() == 0 and torch.cummax(torch.ones(0), 0).values.shape == (0,)
