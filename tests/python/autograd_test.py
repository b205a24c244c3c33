# SPDX-License-Identifier: Apache-2.0
"""Automatic differentiation from Python: what PyTorch documents, on the CPU and on a simulated accelerator."""

import copy
import gc
import pickle
import weakref

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest
from backplane.torch.nn import functional as F


def leaf(data, device="cpu"):
    return torch.tensor(data, device=device, requires_grad=True)


def test_backward_adds_to_leaves(device):
    x, w = leaf([1.0, 2.0], device), leaf([[1.0, 2.0], [3.0, 4.0]], device)
    for times in (1, 2):
        torch.matmul(w, x).sum().backward()
        assert x.grad.tolist() == [4.0 * times, 6.0 * times]
        assert w.grad.tolist() == [[1.0 * times, 2.0 * times]] * 2
    assert str(x.grad.device) == device and type(x.grad) is torch.Tensor


def test_flags():
    x = torch.ones(2)
    assert not x.requires_grad and x.is_leaf and x.grad_fn is None and x.grad is None
    y = x.requires_grad_() * 2
    assert y.requires_grad and not y.is_leaf and y.grad_fn and y.grad_fn.name() == "MulBackward0"
    assert repr(y) == "tensor([2., 2.], grad_fn=<MulBackward0>)"
    assert repr(x) == "tensor([1., 1.], requires_grad=True)"
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = False
    with pytest.raises(RuntimeError, match="only Tensors of floating point and complex dtype can require gradients"):
        torch.ones(2, dtype=torch.int64, requires_grad=True)


def test_no_grad_and_its_relatives():
    x = leaf([1.0])
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
    assert (x * 2).requires_grad

    @torch.no_grad()
    def one():
        return x * 2

    @torch.no_grad
    def two():
        return x * 2

    assert not one().requires_grad
    assert not two().requires_grad  # type: ignore[call-arg]  # mypy takes the bare decorator for a constructor
    with torch.inference_mode():
        assert not torch.is_grad_enabled()
    with torch.set_grad_enabled(False):
        assert not torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    assert torch.is_grad_enabled()


def test_a_step_of_gradient_descent(device):
    w = leaf([3.0], device)
    for _ in range(200):
        loss = (w * w).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            w.grad.zero_()
    assert abs(w.item()) < 1e-6 and w.is_leaf and w.requires_grad


def test_leaves_are_not_changed_in_place():
    w = leaf([1.0])
    with pytest.raises(RuntimeError, match=r"a leaf Variable that requires grad is being used in an in-place operation\."):
        w += 1


def test_what_was_saved_and_changed_is_found_out():
    a = leaf([1.0, 2.0])
    b = a.exp()
    c = b * b
    b.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        c.sum().backward()


@pytest.mark.parametrize("before, after", [(3, 1), (1, 3), (2, 3)])
def test_a_gradient_of_another_shape_is_not_added_to(before, after):
    w = torch.nn.Parameter(torch.ones(before))
    w.sum().backward()
    w.data = torch.ones(after)
    with pytest.raises(RuntimeError, match=rf"\.grad has shape \[{before}\], the gradient that arrives has \[{after}\]"):
        w.sum().backward()
    assert w.grad.tolist() == [1] * before
    with pytest.raises(RuntimeError, match=rf"the gradient of parameter 0 is float32 \[{before}\], the parameter float32 \[{after}\]"):
        torch.optim.SGD([w], lr=0.1).step()
    w.grad = None
    w.sum().backward()
    assert w.grad.tolist() == [1] * after


def test_second_backward():
    x = leaf([2.0])
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [8.0]
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_grad_and_higher_orders(device):
    x = leaf([2.0, 3.0], device)
    (first,) = torch.autograd.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x)
    assert first.tolist() == [12.0, 27.0] and second.tolist() == [12.0, 18.0] and third.tolist() == [6.0, 6.0]
    assert x.grad is None
    other = leaf([1.0], device)
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad((x * x).sum(), other)
    assert torch.autograd.grad((x * x).sum(), [x, other], allow_unused=True)[1] is None
    assert torch.autograd.grad((x * x).sum(), other, materialize_grads=True)[0].tolist() == [0.0]


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("shape", [(5,), (6, 5), (3, 5, 2)])
def test_cross_entropys_gradient_has_a_gradient(shape, reduction):
    """It goes back past log_softmax in one step, and its own gradient through that."""
    x = torch.randn(*shape, dtype=torch.float64)
    target = torch.randint(0, 5, shape[:1] + shape[2:] if len(shape) > 1 else ())

    def first(x, loss):
        with torch.enable_grad():
            leaf = x if x.requires_grad else x.detach().requires_grad_()
            (grad,) = torch.autograd.grad(loss(leaf).sum(), leaf, create_graph=True)
        return (grad * grad).sum() + grad.sin().sum()

    def whole(x):
        return F.cross_entropy(x, target, reduction=reduction)

    def apart(x):
        return F.nll_loss(F.log_softmax(x, 0 if len(shape) == 1 else 1), target, reduction=reduction)

    assert torch.autograd.gradcheck(lambda x: first(x, whole), (x.requires_grad_(),))
    in_one, in_two = (torch.autograd.grad(first(x, loss), x)[0] for loss in (whole, apart))
    assert torch.allclose(in_one, in_two, rtol=1e-12, atol=1e-14)


def test_a_leaf_keeps_the_gradient_that_arrives():
    x, y = bp.ones(100).requires_grad_(), bp.rand(100)
    seen = []
    x.register_hook(lambda g: seen.append(g.data_ptr()))
    (x * y).sum().backward()
    assert x.grad.data_ptr() == seen[0] and bool(bp.all(x.grad == y))
    (x * y).sum().backward()
    assert x.grad.data_ptr() == seen[0] != seen[1] and bool(bp.all(x.grad == 2 * y))
    z = bp.ones(100).requires_grad_()
    x.grad = None
    (x + z).backward(y)  # both gradients are y, which belongs to neither
    x.grad[:] = 0
    assert bool(bp.all(z.grad == y)) and bool(y.sum() > 0)


def test_a_leaf_does_not_keep_what_somebody_else_reaches():
    class Given(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, gradient):
            ctx.gradient = gradient
            return x + 0

        @staticmethod
        def backward(ctx, grad):
            return ctx.gradient(), None

    array, both = np.ones(2, np.float32), torch.zeros(2, 2)
    for gradient in (lambda: torch.from_numpy(array), lambda: torch.ones(2).expand(2), lambda: both[1], lambda: torch.ones(2, 2)[0]):
        x = leaf([1.0, 2.0])
        Given.apply(x, gradient).sum().backward()
        kept = x.grad.data_ptr()
        x.grad.fill_(5.0)
        assert array.tolist() == [1.0, 1.0] and both.tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert kept != array.ctypes.data and kept != both[1].data_ptr()


def test_gradient_argument():
    x = leaf([1.0, 2.0])
    y = x * 2
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        y.backward()
    with pytest.raises(RuntimeError, match=r"Mismatch in shape"):
        y.backward(torch.ones(3))
    y.backward(torch.tensor([1.0, 10.0]))
    assert x.grad.tolist() == [2.0, 20.0]


def test_detach_and_data():
    x = leaf([1.0])
    y = (x * 2).detach()
    assert not y.requires_grad and y.is_leaf
    assert not x.data.requires_grad
    x.data.fill_(5)
    assert x.item() == 5.0


def test_moves_carry_gradients():
    x = leaf([1.0, 2.0])
    y = x.to("sim:1")
    assert y.requires_grad and y.grad_fn is not None
    (y * y).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0] and str(x.grad.device) == "cpu"


def test_gradients_are_assigned_and_taken_away():
    x = leaf([1.0, 2.0])
    x.grad = torch.ones(2)
    assert x.grad.tolist() == [1.0, 1.0]
    del x.grad
    assert x.grad is None
    with pytest.raises(RuntimeError, match="assigned grad has data of a different size"):
        x.grad = torch.ones(3)
    with pytest.raises(RuntimeError, match="on a different device"):
        x.grad = torch.ones(2, device="sim:0")
    with pytest.raises(TypeError, match="expected to be a Tensor or None"):
        x.grad = 3


def test_indexing_and_views(device):
    x = torch.arange(6.0, device=device).reshape(2, 3).requires_grad_()
    y = x[:, 1:].transpose(0, 1).reshape(-1)[[0, 0, 3]]
    y.sum().backward()
    assert x.grad.tolist() == [[0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
    x.grad = None
    x[x > 2].sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]


def test_parts_of_a_tensor_add_up(device):
    x = torch.randn(6, 9, device=device, requires_grad=True)
    middle = x * 1  # parts arrive at a node, and at a leaf
    for t in (x, middle):
        a, b, c = t.chunk(3, dim=1)
        terms = [(a * 2).sum(), (b * 3).sum(), (c[1:] * 5).sum(), (t[2] * 7).sum(), t.diagonal().sum() * 11, (t[::2, ::2] * 13).sum()]
        for whole in (None, 1, 4):  # where among the parts all of it arrives
            x.grad = None
            parts = list(terms)
            if whole is not None:
                parts.insert(whole, t.sum() * 17)
            total = parts[0]
            for p in parts[1:]:
                total = total + p
            total.backward(retain_graph=True)
            expected = np.full((6, 9), 0.0 if whole is None else 17.0)
            expected[:, :3] += 2
            expected[:, 3:6] += 3
            expected[1:, 6:] += 5
            expected[2] += 7
            expected += 11 * np.eye(6, 9)
            expected[::2, ::2] += 13
            assert x.grad.tolist() == expected.tolist()


def test_parts_have_gradients_of_gradients():
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    a, b = x.chunk(2)
    (g,) = torch.autograd.grad((a**3).sum() + (b**2).sum(), x, create_graph=True)
    g.sum().backward()
    assert x.grad.tolist() == [6, 12, 2, 2]


def test_all_of_a_tensor_is_no_part():
    x = torch.ones(4, 3, requires_grad=True)
    before = torch.ones(4, 3) * 2
    x[0:4].backward(before)
    assert x.grad.tolist() == before.tolist()


def test_numpy_wants_a_detached_tensor():
    x = leaf([1.0])
    with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad. Use tensor.detach\(\).numpy\(\) instead."):
        x.numpy()
    assert x.detach().numpy().tolist() == [1.0] and x.numpy(force=True).tolist() == [1.0]
    assert x.item() == 1.0 and x.tolist() == [1.0]
    with pytest.raises(RuntimeError, match="requires grad"):
        np.asarray(x)


def test_copies_and_pickles():
    x = leaf([1.0, 2.0])
    (x * x).sum().backward()
    y = copy.deepcopy(x)
    assert y.requires_grad and y.is_leaf and y.grad.tolist() == [2.0, 4.0] and y.grad is not x.grad
    assert pickle.loads(pickle.dumps(x)).requires_grad
    with pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(x * 2)


# ---- hooks ---------------------------------------------------------------------------------------------------------


def test_hooks_change_gradients():
    x = leaf([1.0])
    y = x * 3
    seen = []
    handle = y.register_hook(lambda g: seen.append(g.tolist()))
    x.register_hook(lambda g: g * 2)
    (y * 5).backward()
    assert seen == [[5.0]] and x.grad.tolist() == [30.0]
    handle.remove()
    handle.remove()


def test_hooks_raise_their_own_exceptions():
    class Mine(Exception):
        pass

    x = leaf([1.0])

    def refuse(grad):
        raise Mine("no")

    x.register_hook(refuse)
    with pytest.raises(Mine, match="no"):
        (x * 2).backward()
    x = leaf([1.0])
    x.register_hook(lambda g: 3)
    with pytest.raises(TypeError, match="expected a tensor or None"):
        (x * 2).backward()


def test_hooks_after_accumulation():
    x = leaf([1.0])
    seen = []
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.item()))
    (x * x).backward()
    assert seen == [2.0]


def test_retained_gradients():
    x = leaf([1.0])
    y = x * 2
    y.retain_grad()
    (y * y).backward()
    assert y.grad.tolist() == [4.0]


# ---- functions -----------------------------------------------------------------------------------------------------


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x * x * x * scale

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x * x * ctx.scale, None


def test_functions(device):
    x = leaf([2.0], device)
    y = Cube.apply(x, 10.0)
    assert y.grad_fn.name() == "CubeBackward" and y.tolist() == [80.0]
    y.backward()
    assert x.grad.tolist() == [120.0]


def test_functions_have_gradients_of_gradients():
    x = leaf([2.0])
    (first,) = torch.autograd.grad(Cube.apply(x, 1.0), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert second.tolist() == [12.0]


def test_functions_of_several():
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b, a * b, (a > b)

        @staticmethod
        def backward(ctx, g_sum, g_product, g_none):
            assert g_product.tolist() == [0.0]
            return g_sum, g_sum * 2

    a, b = leaf([1.0]), leaf([2.0])
    s, _, c = Both.apply(a, b)
    s.backward()
    assert a.grad.tolist() == [1.0] and b.grad.tolist() == [2.0] and not c.requires_grad


def test_functions_raise_their_own_exceptions():
    class Bad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Bad.apply(leaf([1.0])).backward()

    class Short(Bad):
        @staticmethod
        def backward(ctx, g):
            return torch.ones(5)

    with pytest.raises(RuntimeError, match=r"invalid gradient at index 0 - got \[5\] but expected shape compatible with \[2\]"):
        Short.apply(leaf([1.0, 2.0])).sum().backward()


def test_graphs_are_let_go_of():
    class Watched(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            assert len(ctx.saved_tensors) == 2
            return g * 2

    x = leaf([1.0])
    y = Watched.apply(x)
    gone = weakref.ref(y)
    del y
    gc.collect()
    assert gone() is None


def test_gradcheck():
    x = torch.rand(3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: (x.sin() * x).sum(), x)

    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 3

    assert not torch.autograd.gradcheck(Wrong.apply, x, raise_exception=False)
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(Wrong.apply, x)


def test_the_array_namespace_has_it_too():
    x = bp.asarray([2.0]).requires_grad_()
    with bp.no_grad():
        assert not (x * x).requires_grad
    (x * x).sum().backward()
    assert x.grad.tolist() == [4.0] and type(x.grad) is bp.Tensor
