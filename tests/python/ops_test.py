# SPDX-License-Identifier: Apache-2.0
"""The op table in Python: every row is there, callable, documented, and says clearly what is wrong."""

import inspect
import itertools
from typing import Any

import backplane as bp
import pytest
from backplane import ops


def test_every_row_is_there_with_its_names():
    names = [op.__name__ for op in bp._core.ops()]
    assert len(names) == len(set(names)) >= 81 and set(names) <= set(ops.__all__)
    for name in names:
        op = getattr(ops, name)
        assert op.__doc__.startswith(name + "(") and len(op.__doc__.splitlines()[2]) > 5
        parameters = list(inspect.signature(op).parameters)
        assert set(op.inputs) | set(op.attrs) <= set(parameters), name
        assert hasattr(bp, name), name


def test_ops_of_tensors_are_methods():
    for name in ops.__all__:
        op = getattr(ops, name)
        if op.inputs and not op.takes_list and not op.creates:
            assert hasattr(bp.Tensor, name), name
            assert not (op.elementwise and len(op.outputs) == 1) or hasattr(bp.Tensor, name + "_"), name
    assert not hasattr(bp.Tensor, "arange") and not hasattr(bp.Tensor, "sum_")


def test_attributes_by_position_and_by_each_of_their_names(device):
    x = bp.reshape(bp.arange(6, dtype=bp.float32, device=device), (2, 3))
    for y in (ops.sum(x, (0,), True), ops.sum(x, axes=0, keepdims=True), x.sum(axis=0, keepdims=True),
              x.sum(dim=[0], keepdim=True), x.sum(0, keepdim=True)):
        assert y.tolist() == [[3, 5, 7]]
    assert ops.sum(x, axes=None).item() == 15 and x.argmax(dim=1).tolist() == [2, 2]
    assert x.sum(dtype=bp.float64).dtype is bp.float64 and x.cast(int).dtype is bp.int64
    assert x.topk(2)[1].tolist() == [[2, 1], [2, 1]]


def test_results_go_into_a_given_tensor(device):
    x = bp.ones(3, device=device)
    out = bp.empty(3, device=device)
    assert ops.add(x, 2, out=out) is out and out.tolist() == [3, 3, 3]
    with pytest.raises(RuntimeError):
        ops.add(x, 2, out=bp.empty(4, device=device))


def test_lists_and_creation_take_a_device(device):
    x = bp.ones(2, device=device)
    assert ops.concat([x, x * 2]).tolist() == [1, 1, 2, 2] and ops.stack((x, x), axis=1).shape == (2, 2)
    y = ops.arange(0, 3, 1, device=device)
    assert str(y.device) == device and str(bp.get_default_device()) == "cpu"


untyped: Any = ops  # for calls that are wrong on purpose


@pytest.mark.parametrize("call, text", [
    (lambda x: untyped.add(x), "add\\(\\) missing required argument 'b'"),
    (lambda x: untyped.add(x, x, x), "add\\(\\) takes at most 2 positional arguments"),
    (lambda x: untyped.add(x, b=x, a=x), "add\\(\\) got multiple values for argument 'a'"),
    (lambda x: untyped.add(x, "x"), "add\\(\\): b must be a tensor, an array or a number, not str"),
    (lambda x: untyped.sum(x, wrong=1), "sum\\(\\) got an unexpected keyword argument 'wrong'"),
    (lambda x: untyped.sum(x, axis=0, dim=0), "sum\\(\\) got multiple values for argument 'dim'"),
    (lambda x: untyped.sum(x, axis="a"), "integer"),
    (lambda x: untyped.sum(x, dtype="flot32"), "expected a backplane dtype"),
    (lambda x: untyped.concat(x), "concat\\(\\): tensors must be a list of tensors, not Tensor"),
    (lambda x: untyped.concat([x, 1]), "concat\\(\\): tensors must be a list of tensors, not int"),
    (lambda x: untyped.cumsum(x), "cumsum\\(\\) missing required argument 'axis'"),
    (lambda x: untyped.add(x, 1, out=3), "out must be a tensor"),
    (lambda x: untyped.add(x, 1, device="cpu"), "unexpected keyword argument 'device'"),
])
def test_wrong_calls_are_type_errors_that_name_the_argument(call, text):
    with pytest.raises(TypeError, match=text):
        call(bp.ones(2))


def test_an_unknown_op_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_op"):
        ops.no_such_op
    with pytest.raises(AttributeError, match="no_such_op"):
        bp.no_such_op


def test_operands_may_be_left_out(device):
    x = bp.reshape(bp.arange(6, dtype=bp.float32, device=device), (2, 3))
    plain = ops.layer_norm(x, normalized_shape=[3])
    assert ops.layer_norm(x, None, None, [3]).tolist() == plain.tolist() == x.layer_norm(normalized_shape=3).tolist()
    ones = bp.ones(3, device=device)
    assert ops.layer_norm(x, bias=ones, normalized_shape=(3,)).tolist() == (plain + 1).tolist()
    with pytest.raises(TypeError, match="missing required argument 'normalized_shape'"):
        ops.layer_norm(x)


def test_texts_are_attributes(device):
    x = bp.asarray([1.0, 2.0], device=device)
    assert ops.mse_loss(x, x + 2, reduction="none").tolist() == [4, 4] and ops.mse_loss(x, x + 2).item() == 4
    with pytest.raises(ValueError, match="median is not a valid value for reduction"):
        ops.mse_loss(x, x, "median")
    with pytest.raises(TypeError):
        untyped.mse_loss(x, x, reduction=1)


def test_einsum_takes_the_equation_first(device):
    x = bp.reshape(bp.arange(6, dtype=bp.float32, device=device), (2, 3))
    assert bp.einsum("ij,kj->ik", x, x).tolist() == (x @ x.T).tolist()
    assert bp.einsum("ii", [x[:, :2]]).item() == 4 and bp.einsum("...j->...", x).tolist() == [3, 12]
    for equation, operands, text in (
        ("ij,jk", [x], "fewer operands were provided than specified in the equation"),
        ("ij", [x, x], "more operands were provided"),
        ("ijk", [x], "number of subscripts in the equation \\(3\\) does not match the number of dimensions \\(2\\)"),
        ("ij,jk", [x, x], "subscript j has size 2 for operand 1 which does not broadcast with previously seen size 3"),
        ("ij->ik", [x], "output subscript k does not appear"),
        ("ij->ii", [x], "output subscript i appears more than once"),
        ("i..j", [x], "found '.' for operand 0 that is not part of any ellipsis"),
        ("i1", [x], "subscripts must be in \\[a-zA-Z\\], got '1'"),
        ("ii", [x], "subscript i is repeated for operand 0 but the sizes don't match, 3 != 2"),
    ):
        with pytest.raises(ValueError, match=text):
            bp.einsum(equation, *operands)


def test_largest_of_windows_and_where_they_are(device):
    x = bp.asarray([[[1.0, 5.0, 2.0, 5.0]]], device=device)
    values, places = ops.max_pool1d_with_indices(x, kernel_size=2, stride=1, padding=1)
    assert values.tolist() == [[[1, 5, 5, 5, 5]]] and places.tolist() == [[[0, 1, 1, 3, 3]]]


def test_running_statistics_are_results_and_the_old_ones_stay(device):
    x = bp.asarray([[1.0, 0.0], [3.0, 0.0]], device=device)
    mean, var = bp.zeros(2, device=device), bp.ones(2, device=device)
    m, v = ops.batch_norm_running(x, mean, var, momentum=0.5)
    assert m.tolist() == [1, 0] and v.tolist() == [1.5, 0.5] and mean.tolist() == [0, 0]


NEEDS_DIMENSIONS = {"diff", "vecdot", "cross", "repeat", "fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn",
                    "irfftn"}  # fmt: skip
ALONG_AN_AXIS = [op for op in bp._core.ops() if not op.takes_list and not op.creates and {"axis", "axes"} & set(op.attrs)
                 and not op.__name__.startswith("fft_") and op.__name__ != "roll"]  # what transforms are made of; what needs a shift


def _operands(op, shape, device):
    """Operands of one element each: indices are 0, values not."""
    values = {"x": 0.75, "src": 2.0, "source": 2.0}
    return [bp.full(shape, 0, dtype=bp.int64, device=device) if name == "index"
            else bp.full(shape, values.get(name, 0.75), device=device).requires_grad_() for name in op.inputs]


@pytest.mark.parametrize("op", ALONG_AN_AXIS, ids=lambda op: op.__name__)
def test_along_an_axis_a_number_is_a_line_of_one_element(op, device):
    more = {name: 1 for name in ("k", "repeats") if name in op.attrs}
    number, line = _operands(op, (), device), _operands(op, (1,), device)
    if op.__name__ in NEEDS_DIMENSIONS:
        with pytest.raises((ValueError, IndexError), match="dimension"):
            op(*number, axis=0, **more)
        return
    results = [op(*line, axis=0, **more), *(op(*number, axis=axis, **more) for axis in (0, -1))]
    wanted, *found = ([r] if isinstance(r, bp.Tensor) else list(r) for r in results)
    for got in found:
        assert [(r.shape, repr(r.item()), r.dtype) for r in got] == [((), repr(w.item()), w.dtype) for w in wanted]  # some are NaN
    floats = [(w, got) for w, got in zip(wanted, found[0], strict=True) if w.dtype.is_floating_point and w.requires_grad]
    for w, got in floats:
        w.sum().backward()
        got.backward()
        assert [g.grad is not None and (g.grad.shape, repr(g.grad.item())) for g in number] == [
            g.grad is not None and ((), repr(g.grad.item())) for g in line]
    for axis in (1, -2):
        with pytest.raises(IndexError, match=f"expected to be in range of .-1, 0., but got {axis}"):
            op(*number, axis=axis, **more)


EMPTY = [(0,), (2, 0), (0, 2), (2, 0, 3), (3, 0, 4), (2, 3, 0), (2, 0, 3, 3)]


@pytest.mark.parametrize("op", [op for op in bp._core.ops() if op.inputs and not op.creates], ids=lambda op: op.__name__)
def test_what_an_op_makes_of_nothing_has_a_gradient(op, device):
    def operand(name, shape):
        if name in ("index", "mask", "condition"):
            return bp.zeros(shape, dtype=bp.int64 if name == "index" else bp.bool, device=device)
        return bp.ones(shape, device=device).requires_grad_()

    needed = {name: value for name, value in (("k", 0), ("repeats", 2), ("repetitions", 2), ("shift", 1)) if name in op.attrs}
    axis = next((name for name in ("axis", "axes") if name in op.attrs), None)
    pairs = itertools.product([*EMPTY, (3,), (2, 3)], repeat=2)
    for shapes in pairs if len(op.inputs) == 2 else [(s,) * len(op.inputs) for s in EMPTY]:
        if not any(0 in s for s in shapes):
            continue
        for attrs in [needed, {**needed, axis: 0}, {**needed, axis: -1}] if axis else [needed]:
            given = [operand(name, s) for name, s in zip(op.inputs, shapes, strict=True)]
            try:
                made = op(given, **attrs) if op.takes_list else op(*given, **attrs)
            except (bp.Error, TypeError):  # shapes that do not go together
                continue
            for result in [made] if isinstance(made, bp.Tensor) else made[:1]:
                if result.requires_grad:
                    bp.sum(bp.abs(result)).backward(retain_graph=True)
            assert all(x.grad is None or (x.grad.shape == x.shape and not x.grad.any()) for x in given), (shapes, attrs)
