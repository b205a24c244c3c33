# SPDX-License-Identifier: Apache-2.0
"""backplane.nn: modules of one's own and built-in ones: what they hold, moves, copies, state, hooks, C's way into Python."""

import copy
import gc
import pickle
import weakref

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest
from backplane import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.scale = nn.Parameter(bp.ones(3))
        self.register_buffer("seen", bp.zeros(1))
        self.register_buffer("scratch", bp.zeros(2), persistent=False)

    def forward(self, x, *, twice=False):
        y = self.linear(x) * self.scale
        return y + y if twice else y


def test_a_module_holds_what_is_assigned_to_it():
    m = Block()
    assert [n for n, _ in m.named_parameters()] == ["scale", "linear.weight", "linear.bias"]
    assert list(m.state_dict()) == ["scale", "seen", "linear.weight", "linear.bias"]
    assert [n for n, _ in m.named_buffers()] == ["seen", "scratch"]
    assert m.scale is m._parameters["scale"] and m.get_parameter("linear.weight") is m.linear.weight
    del m.scale
    assert not hasattr(m, "scale") and "scale" not in m.state_dict()
    m.linear = None  # type: ignore[assignment]
    assert m.linear is None and list(m.children()) == []
    with pytest.raises(AttributeError, match="'Block' object has no attribute 'nothing'"):
        m.nothing
    with pytest.raises(KeyError, match="attribute 'seen' already exists"):
        m.register_parameter("seen", nn.Parameter(bp.ones(1)))

    class Early(nn.Module):
        def __init__(self):
            self.p = nn.Parameter(bp.ones(1))

    with pytest.raises(AttributeError, match=r"before Module\.__init__"):
        Early()


def test_results_of_parameters_are_plain_tensors():
    p = nn.Parameter(bp.ones(3))
    for made in (p + 1, p[0], p.sum(), p.detach(), p.data, p.clone()):
        assert type(made) is bp.Tensor
    assert isinstance(p, bp.Tensor) and p.requires_grad and p.is_leaf
    q = torch.nn.Parameter(torch.ones(3))
    assert type(q * 2) is torch.Tensor and isinstance(q, torch.Tensor)  # type: ignore[comparison-overlap]


def test_a_move_keeps_every_object(device):
    m = nn.Sequential(Block(), nn.BatchNorm1d(3))
    before = dict(m.named_parameters()), dict(m.named_buffers())
    m(bp.ones((4, 3))).sum().backward()
    grad = m[0].scale.grad
    assert m.to(device) is m
    assert all(p is dict(m.named_parameters())[n] and str(p.device) == device for n, p in before[0].items())
    assert all(b is dict(m.named_buffers())[n] and str(b.device) == device for n, b in before[1].items())
    assert str(m[0].scale.grad.device) == device and m[0].scale.grad.tolist() == grad.cpu().tolist()
    assert str(m(bp.ones((4, 3), device=device), ).device) == device
    assert m.half()[0].linear.weight.dtype == bp.float16 and m[1].num_batches_tracked.dtype == bp.int64


def test_copies_are_their_own():
    m = nn.Sequential(Block(), nn.LSTM(3, 2))
    m[0].tied = m[0].scale
    for twin in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert repr(twin) == repr(m) and twin[0].tied is twin[0].scale and twin[0].scale is not m[0].scale
        for (a, p), (b, q) in zip(m.named_parameters(), twin.named_parameters(), strict=True):
            assert a == b and p.tolist() == q.tolist() and q.requires_grad
        twin[0].scale.data[0] = 7
        assert m[0].scale.tolist() == [1, 1, 1]
        assert twin._handle.parameters(1, nn.Parameter)[0][1].tolist() == [7, 1, 1]  # C sees the same


def test_copying_draws_no_random_numbers():
    bp.manual_seed(3)
    m = nn.Linear(3, 3)
    first = bp.rand(2).tolist()
    bp.manual_seed(3)
    copy.deepcopy(nn.Linear(3, 3))
    assert bp.rand(2).tolist() == first
    assert m.weight.requires_grad


def test_hooks_see_and_replace():
    m = nn.Linear(2, 2)
    calls = []
    before = m.register_forward_pre_hook(lambda module, args: calls.append(len(args)))
    after = m.register_forward_hook(lambda module, args, out: out * 0)
    assert m(bp.ones((1, 2))).tolist() == [[0, 0]] and calls == [1]
    assert m._handle.forward((bp.ones((1, 2)),), 1).tolist() == [[0, 0]] and calls == [1, 1]  # from C too
    before.remove()
    after.remove()
    assert m(bp.ones((1, 2))).tolist() != [[0, 0]] and len(calls) == 2


def test_c_runs_a_forward_in_python():
    net = nn.Sequential(Block(), nn.ReLU())
    x = bp.ones((2, 3))
    assert net._handle.forward((x,), 1).tolist() == net(x).tolist()

    class Raises(nn.Module):
        def forward(self, x):
            raise ZeroDivisionError("mine")

    wrong = nn.Sequential(Raises())
    with pytest.raises(ZeroDivisionError, match=r"^mine$"):
        wrong._handle.forward((x,), 1)

    class OwnLinear(nn.Linear):
        def forward(self, x):
            return super().forward(x) * 0

    own = OwnLinear(3, 1)
    assert own(x).tolist() == own._handle.forward((x,), 1).tolist() == [[0], [0]]
    assert repr(own) == "OwnLinear(in_features=3, out_features=1, bias=True)"


def test_errors_name_the_module():
    net = nn.Sequential(Block())
    with pytest.raises(RuntimeError, match=r"^net\.0\.linear \(Linear\): mat1 and mat2 shapes cannot be multiplied \(2x5 and 3x3\)$"):
        net(bp.ones((2, 5)))
    net._handle.set_name("digits")
    with pytest.raises(RuntimeError, match=r"^digits\.0 \(Block\): The size of tensor"):
        net[0].scale.data = bp.ones(2)
        net(bp.ones((2, 3)))


def test_modules_are_let_go():
    m = nn.Sequential(Block())
    gone = weakref.ref(m), weakref.ref(m[0]), weakref.ref(m[0].linear)
    handle = m._handle
    del m
    gc.collect()
    assert [g() for g in gone] == [None] * 3
    with pytest.raises(ReferenceError, match="the Python module is gone"):
        handle.forward((bp.ones((1, 3)),), 1)


def test_a_state_dict_goes_by_name(device):
    a, b = nn.Sequential(Block()), nn.Sequential(Block()).to(device)
    assert repr(b.load_state_dict(a.state_dict())) == "<All keys matched successfully>"
    assert b[0].linear.weight.tolist() == a[0].linear.weight.tolist() and str(b[0].scale.device) == device
    state = a.state_dict()
    state["extra"] = state.pop("0.scale")
    with pytest.raises(RuntimeError, match=r'Missing key\(s\) in state_dict: "0\.scale"\. \n\tUnexpected key\(s\) in state_dict: "extra"'):
        b.load_state_dict(state)
    result = b.load_state_dict(state, strict=False)
    assert result.missing_keys == ["0.scale"] and result.unexpected_keys == ["extra"]
    half = {k: v.half() for k, v in a.state_dict().items()}
    scale = b[0].scale
    b.load_state_dict(half, assign=True)
    assert b[0].scale is scale and scale.dtype == bp.float16 and scale.requires_grad


def test_lists_and_dicts_of_modules():
    layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
    assert len(layers) == 3 and len(layers[1:]) == 2 and layers[-1] is layers[2]
    layers.insert(0, nn.ReLU())
    del layers[1]
    assert [type(m).__name__ for m in layers] == ["ReLU", "Linear", "Linear"]
    assert [n for n, _ in layers.named_parameters()] == ["1.weight", "1.bias", "2.weight", "2.bias"]
    assert list(nn.ParameterList([bp.ones(2), bp.ones(3)]).state_dict()) == ["0", "1"]
    named = nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.ReLU()})
    assert list(named) == ["a", "b"] and "a" in named and list(named.state_dict()) == ["a.weight", "a.bias"]
    with pytest.raises(IndexError, match="index 7 is out of range"):
        layers[7]


def test_every_kind_is_a_class_that_says_what_it_takes():
    for name, title, *_ in bp._core.module_kinds():
        cls, twin = getattr(nn, title), getattr(torch.nn, title)
        assert issubclass(twin, torch.nn.Module) and issubclass(cls, nn.Module) and cls.__doc__, name
    with pytest.raises(TypeError, match=r"Linear.__init__\(\): missing a required argument: 'out_features'"):
        nn.Linear(3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'biass'"):
        nn.Linear(3, 2, biass=True)  # type: ignore[call-arg]
    conv = nn.Conv2d(1, 2, 3, padding="same")
    assert conv.kernel_size == (3, 3) and conv.padding == "same" and nn.BatchNorm1d(3, momentum=None)(bp.ones((2, 3))).shape == (2, 3)


def test_initialisers_are_reproducible_on_every_device(device):
    bp.manual_seed(1)
    here = nn.init.normal_(bp.zeros((3, 4))), nn.init.kaiming_uniform_(bp.zeros((3, 4)))
    bp.manual_seed(1)
    there = nn.init.normal_(bp.zeros((3, 4), device=device)), nn.init.kaiming_uniform_(bp.zeros((3, 4), device=device))
    assert [t.tolist() for t in here] == [t.tolist() for t in there]
    assert nn.init.calculate_gain("leaky_relu", 1.0) == 1.0
    w = nn.init.orthogonal_(bp.zeros((4, 4)))
    np.testing.assert_allclose((w @ w.T).numpy(), np.eye(4), atol=1e-5)


def test_functions_do_what_modules_do():
    F = nn.functional
    x = bp.asarray(np.random.default_rng(0).normal(size=(4, 3)).astype("float32"))
    m = nn.BatchNorm1d(3)
    mean, var = bp.zeros(3), bp.ones(3)
    y = F.batch_norm(x, mean, var, m.weight, m.bias, training=True)
    np.testing.assert_allclose(y.detach().numpy(), m(x).detach().numpy(), atol=1e-6)
    np.testing.assert_allclose(mean.numpy(), m.running_mean.numpy(), atol=1e-6)
    y = bp.asarray([0, 2, 1, 1])
    assert F.cross_entropy(x, y).item() == pytest.approx(nn.CrossEntropyLoss()(x, y).item())
    assert F.linear(x, bp.ones((2, 3)), bp.ones(2)).shape == (4, 2) and F.one_hot(y).tolist()[1] == [0, 0, 1]
    net = nn.Linear(3, 1)
    net(x).sum().backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    assert norm.item() > 0.5 and nn.utils.clip_grad_norm_(net.parameters(), 9).item() == pytest.approx(0.5, rel=1e-4)


@pytest.mark.parametrize("kind, more", [("LSTM", {}), ("GRU", {}), ("RNN", {}), ("RNN", {"nonlinearity": "relu"})])
def test_a_recurrent_layer_is_its_cell_step_by_step(device, kind, more):
    """Its way back is one node, and that of a cell is each op's own: results, gradients and those of gradients agree."""
    layer, cell = getattr(torch.nn, kind)(3, 4, **more), getattr(torch.nn, kind + "Cell")(3, 4, **more)
    for p, q in zip(cell.parameters(), layer.parameters(), strict=True):
        with torch.no_grad():
            p.copy_(q)
    layer.to(device), cell.to(device)
    x, h, c = (torch.randn(*shape, device=device) for shape in ((5, 2, 3), (2, 4), (2, 4)))

    def by_layer(x, h, c):
        y, last = layer(x, (h[None], c[None]) if kind == "LSTM" else h[None])
        return (y, *(s[0] for s in last)) if kind == "LSTM" else (y, last[0])

    def by_cell(x, h, c):
        ys = []
        for step in x:
            if kind == "LSTM":
                h, c = cell(step, (h, c))
            else:
                h = cell(step, h)
            ys.append(h)
        return (torch.stack(ys), h, c) if kind == "LSTM" else (torch.stack(ys), h)

    def numbers(run, parameters):
        operands = [t.clone().requires_grad_() for t in ((x, h, c) if kind == "LSTM" else (x, h))]
        results = run(*operands, *[c] * (3 - len(operands)))
        leaves = operands + list(parameters)
        first = torch.autograd.grad(sum((r * r).sum() for r in results), leaves, create_graph=True)
        second = torch.autograd.grad(sum((g * g).sum() for g in first), leaves)
        return [t.detach().cpu().numpy() for t in (*results, *first, *second)]

    for left, right in zip(numbers(by_layer, layer.parameters()), numbers(by_cell, cell.parameters()), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-4, atol=1e-4 * max(1, abs(right).max()))


def test_a_recurrent_layer_takes_states_of_its_inputs_dtype_alone():
    x, h, wide = bp.ones((5, 2, 3)), bp.ones((1, 2, 4)), bp.ones((1, 2, 4), dtype=bp.float64)
    for states in ((wide, h), (h, wide)):
        with pytest.raises(bp.DTypeMismatchError, match="found input tensor with Float and hidden tensor with Double"):
            nn.LSTM(3, 4)(x, states)


def test_what_the_way_back_of_a_recurrent_layer_reads_is_not_changed_before_it():
    y, _ = nn.LSTM(3, 4)(bp.ones((5, 2, 3)))
    y += 1
    with pytest.raises(bp.BadStateError, match="output 0 of LstmBackward0, is at version"):
        y.sum().backward()


def test_a_summary_has_what_pythons_own_modules_made(device):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn, self.pool, self.inner = nn.GRU(3, 4), nn.MaxPool1d(2), nn.Sequential(nn.Dropout(0.5), nn.Linear(2, 1))

        def forward(self, x, scale):
            y, _ = self.rnn(x)
            return self.inner(self.pool(y)) * scale

    net = Net().to(device)
    table = [line.split() for line in net.summary(torch.ones(5, 2, 3, device=device), 2.0).splitlines()]
    assert table[0] == ["layer", "result", "parameters", "bytes", "device"]
    text = "\n".join(map(" ".join, table))
    for wanted in ("Net [5, 2, 1] 0 0 -", f"rnn GRU [5, 2, 4] 108 432 {device}", "pool MaxPool1d [5, 2, 2] 0 0 -",
                   f"1 Linear [5, 2, 1] 3 12 {device}", "total 111 444 -"):
        assert wanted in text, text
    assert net.training and net.pool.training and net.summary().count("[12, 3]") == 1
    plain = nn.Sequential(nn.Linear(3, 8), nn.ReLU()).to(device)
    x = torch.ones(4, 3, device=device)
    assert plain.summary(x) == plain._handle.summary((x,))  # the library's own, which sees all of it
