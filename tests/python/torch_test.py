# SPDX-License-Identifier: Apache-2.0
"""backplane.torch: PyTorch's names over the same tensors; programs print what they print with PyTorch: tutorials/*.txt, of
which tensors, regression and layers were printed by PyTorch 2.15 on the CPU."""

import math
import os
import pathlib
import subprocess
import sys
from typing import Any

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


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "int16", "uint8"])
def test_what_has_a_rank_is_what_sorting_puts_there(dtype):
    torch.manual_seed(3)
    draws = torch.randint(0, 200, (3, 5001)) if dtype == "uint8" else torch.randn(3, 5001) * 100
    x = draws.to(getattr(torch, dtype))
    for line in (x, x[:, :60], (x * 0 + 7)[:, :3000]):  # many digits, few elements, equal ones
        values, places = line.sort(dim=1, stable=True)
        for k in (1, 17, line.shape[1] // 2, line.shape[1]):
            kth = line.kthvalue(k, 1)
            assert kth.values.equal(values[:, k - 1]) and kth.indices.equal(places[:, k - 1])
        assert line.median(1).values.equal(values[:, (line.shape[1] - 1) // 2])


def test_the_median_of_a_line_with_nan_is_its_first_nan():
    x = torch.randn(4, 3001)
    x[1, 7] = x[1, 9] = x[3, 3000] = math.nan
    values, places = x.median(1)
    assert values.isnan().tolist() == [False, True, False, True] and places[1].item() == 7 and places[3].item() == 3000
    assert x.median().isnan().item() and torch.nanmedian(x[1]).item() == x[1][~x[1].isnan()].median().item()
    line = torch.randn(3001, requires_grad=True)
    line.median().backward()
    assert line.grad.sum().item() == 1 and line.grad.count_nonzero().item() == 1


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


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_an_index_or_what_it_picks_from_may_lack_the_one_dimension(device):
    number, line = torch.tensor(5.0, device=device), torch.tensor([1.0, 2.0, 3.0], device=device)
    two = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    zero, zeros, one = (torch.tensor(i, device=device) for i in (0, [0], 1))
    four, fours = torch.tensor(4.0, device=device), torch.tensor([4.0], device=device)
    for dim in (0, -1):
        assert torch.gather(number, dim, zeros).tolist() == [5] and torch.gather(line, dim, one).item() == 2
        assert torch.gather(number, dim, torch.tensor([0, 0], device=device)).tolist() == [5, 5]
        assert torch.index_select(number, dim, zero).item() == torch.index_select(number, dim, zeros).item() == 5
        assert torch.index_select(line, dim, one).tolist() == [2] and torch.index_add(number, dim, zero, four).item() == 9
        assert torch.index_add(number, dim, zeros, four, alpha=2).item() == 13
        assert torch.index_add(line, dim, one, fours).tolist() == [1, 6, 3]
        for index in (zero, zeros):
            for source in (four, fours):
                assert torch.index_copy(number, dim, index, source).tolist() == 4
                assert torch.index_copy(line, dim, index, source).tolist() == [4, 2, 3]
                assert torch.scatter(number, dim, index, source).tolist() == 4
                assert torch.scatter_add(line, dim, index, source).tolist() == [5, 2, 3]
    assert torch.index_select(two, 1, one).tolist() == [[2], [5]] and torch.take_along_dim(number, zero - 1, 0).item() == 5
    z = torch.tensor(1 + 2j, device=device)
    assert torch.scatter_add(z, 0, zeros, torch.tensor([1j], device=device)).tolist() == 1 + 3j
    for call in (lambda: torch.index_select(number, 0, torch.tensor([0, 0], device=device)),
                 lambda: torch.index_select(line, 0, zeros[None]), lambda: torch.index_add(line, 0, zero, four),
                 lambda: torch.index_add(line, 0, zeros[None], fours), lambda: torch.index_copy(line, 0, zeros[None], fours),
                 lambda: torch.gather(two, 0, zero), lambda: torch.gather(number, 1, zero)):
        with pytest.raises(RuntimeError):
            call()


def test_a_factor_of_integers_fits_them():
    i = torch.arange(3)
    assert torch.addcmul(i, i, i, value=-2).tolist() == [0, -1, -6] and torch.sub(i, i, alpha=2**40).tolist()[1] == 1 - 2**40
    for factor in (2**70, math.nan, -math.inf):
        for call in (lambda f=factor: bp.ops.addcmul(i, i, i, value=f), lambda f=factor: bp.ops.index_add(i, i, i, 0, alpha=f)):
            with pytest.raises(bp.Error, match=r"a factor of .* does not fit int64, which int64 takes"):
                call()


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
@pytest.mark.parametrize("at", [0, [0]])
def test_gradients_reach_what_lacks_the_one_dimension(device, at):
    index = torch.tensor(at, device=device)

    def gradients(f, *values):
        given = [torch.tensor(v, device=device, requires_grad=True) for v in values]
        f(*given).sum().backward()
        return [g.grad.tolist() for g in given]

    assert gradients(lambda x: torch.gather(x, 0, index) * 3, 5.0) == [3]
    assert gradients(lambda x: torch.gather(x, 0, index) * 3, [5.0, 6.0]) == [[3, 0]]
    assert gradients(lambda x: torch.index_select(x, 0, index) * 3, 5.0) == [3]
    assert gradients(lambda x: torch.index_select(x, 0, index) * 3, [5.0, 6.0]) == [[3, 0]]
    assert gradients(lambda x, y: torch.index_add(x, 0, index, y, alpha=2) * 3, 5.0, 1.0) == [3, 6]
    for source in (1.0, [1.0]):
        like = [3] if source == [1.0] else 3
        for x, kept in ((5.0, 0), ([5.0, 6.0], [0, 3])):
            assert gradients(lambda x, y: torch.index_copy(x, 0, index, y) * 3, x, source) == [kept, like]
            assert gradients(lambda x, y: torch.scatter(x, 0, index, y) * 3, x, source) == [kept, like]
    assert gradients(lambda x, y: torch.scatter_add(x, 0, index, y) * 3, [5.0, 6.0], 1.0) == [[3, 3], 3]
    assert gradients(lambda x: torch.gather(x, 0, torch.tensor([0, 0], device=device)), 5.0) == [2]


def test_places_of_what_is_not_zero_and_of_empty_rows():
    assert [t.tolist() for t in torch.nonzero(torch.tensor(2.0), as_tuple=True)] == [[0]]
    assert [t.tolist() for t in torch.tensor(0).nonzero(as_tuple=True)] == [[]]
    assert torch.searchsorted(torch.ones(0, 3), torch.ones(0, 2)).shape == (0, 2)
    assert torch.searchsorted(torch.ones(0), torch.ones(2)).tolist() == [0, 0]
    assert torch.searchsorted(torch.ones(1, 0), torch.ones(1, 2)).tolist() == [[0, 0]]


def test_grids_are_made_in_either_order():
    x, y = torch.tensor([1, 2, 3]), torch.tensor([4, 5])
    for given in ((x, y), ([x, y],)):
        for indexing in ("ij", "xy"):
            made = torch.meshgrid(*given, indexing=indexing)
            assert type(made) is tuple and [m.tolist() for m in made] == [
                m.tolist() for m in np.meshgrid(x.numpy(), y.numpy(), indexing=indexing)]
    assert torch.meshgrid(x)[0].tolist() == [1, 2, 3] and torch.meshgrid(x, torch.tensor(7))[1].tolist() == [[7], [7], [7]]


def test_norms_by_number_and_by_name():
    a = np.array([[1.0, 0.0, -3.0], [2.0, 5.0, 0.5]])
    x = torch.tensor(a)
    orders: list[tuple[Any, Any]] = [(0, 0), (1, 1), (2, 2), (3, 3), (math.inf, math.inf), (None, 2), ("fro", 2)]
    for p, order in orders:
        np.testing.assert_allclose(torch.norm(x, p).item(), np.linalg.norm(a.ravel(), order), rtol=1e-12)
        np.testing.assert_allclose(x.norm(p, dim=1, keepdim=True).numpy(), np.linalg.norm(a, order, axis=1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(torch.norm(x, "nuc").item(), np.linalg.norm(a, "nuc"), rtol=1e-12)
    stack = torch.tensor(np.stack([a, 2 * a], axis=1))
    want = np.linalg.norm(np.stack([a, 2 * a], axis=1), "nuc", axis=(0, 2), keepdims=True)
    np.testing.assert_allclose(stack.norm("nuc", dim=(0, 2), keepdim=True).numpy(), want, rtol=1e-12)


def test_truths_are_close_as_numbers_are():
    x, y = torch.tensor([True, True, False]), torch.tensor([True, False, False])
    assert torch.isclose(x, y).tolist() == [True, False, True] and torch.isclose(x, y, atol=1).tolist() == [True, True, True]
    assert torch.allclose(x, x) and not torch.allclose(x, y)


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_many_tensors_are_joined_at_once(device):
    many = [torch.tensor([float(i)], device=device) for i in range(5000)]
    assert torch.cat(many).tolist() == torch.stack(many, 1)[0].tolist() == list(range(5000))


@pytest.mark.parametrize("target, outside", [([0, 3], 3), ([-1, 0], -1), ([2, 7], 7)])
def test_a_class_that_is_none_is_named(target, outside):
    scores, target = torch.zeros(2, 3, requires_grad=True), torch.tensor(target)
    for loss in (torch.nn.functional.cross_entropy, torch.nn.functional.nll_loss):
        for weight in (None, torch.ones(3)):
            with pytest.raises(IndexError, match=f"^Target {outside} is out of bounds.$"):
                loss(scores, target, weight=weight)
    assert torch.nn.functional.cross_entropy(scores, torch.tensor([-100, 1])).item() == pytest.approx(math.log(3))


def test_a_step_to_the_next_number_hands_its_gradient_on():
    x, y = (torch.tensor(v, requires_grad=True) for v in ([1.0, 2.0], [3.0, 2.0]))
    (torch.nextafter(x, y) * torch.tensor([5.0, 7.0])).sum().backward()
    assert x.grad.tolist() == [5, 0] and y.grad.tolist() == [0, 0]


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
def test_what_has_no_elements_has_gradients_too(device):
    def gradients(f, *shapes):
        given = [torch.ones(s, device=device, requires_grad=True) for s in shapes]
        f(*given).sum().backward()
        for g, shape in zip(given, shapes, strict=True):
            assert g.grad.shape == shape and bool((g.grad == 0).all()), shapes

    linear, conv1d, conv2d = (getattr(torch.nn.functional, name) for name in ("linear", "conv1d", "conv2d"))
    for shapes in [((2, 0), (0, 3)), ((5, 2, 0), (0, 3)), ((5, 2, 0), (5, 0, 3)), ((0,), (0,)), ((0,), (0, 3)), ((2, 0), (0,)),
                   ((4, 2, 0), (0,)), ((0, 2, 0), (0, 3)), ((0, 2, 4), (4, 3)), ((0, 4), (4, 3)), ((2, 4), (4, 0)), ((3, 2, 4), (4, 0))]:
        gradients(torch.matmul, *shapes)
    for shapes in [((2, 0), (3, 0)), ((4, 2, 0), (3, 0)), ((0, 5), (3, 5)), ((4, 0, 5), (3, 5)), ((4, 2, 5), (0, 5))]:
        gradients(linear, *shapes)
    gradients(lambda a, b: torch.einsum("bij,jk->bik", a, b), (4, 2, 0), (0, 3))
    gradients(lambda a, b: torch.tensordot(a, b, dims=1), (4, 2, 0), (0, 3))
    gradients(lambda a, b: torch.linalg.vecdot(a, b), (4, 0), (4, 0))
    gradients(conv1d, (0, 2, 5), (3, 2, 3))
    gradients(conv2d, (0, 2, 5, 5), (3, 2, 3, 3))
